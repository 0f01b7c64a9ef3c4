import type { Clock } from '../../base/clock.ts';
import { systemDisk } from '../files/disk.ts';
import type { Operation } from '../engine/operation.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { walkBackup, type PartitionBackedUp } from '../recovery/read-backup.ts';
import { seqAfterLoss } from '../recovery/repair.ts';
import type { Keeps } from '../recovery/restore-backup.ts';
import { UNKNOWN_REACH } from '../recovery/withdrawals/reach.ts';
import type { Fence } from './commit.ts';
import { numberIn, textIn, type Ask, type Database } from './database.ts';
import { bytesOfSlot, countFilled, inPieces, insertEntries } from './filling.ts';
import { readNotedReach, writeNotedReach } from './own-values.ts';
import { makePartition, removePartition } from './partitions.ts';

interface Place {
  readonly database: Database;
  readonly fence: Fence;
  readonly clock: Clock;
}

/** Nobody can ask for a partition of such a name. */
const RESTORING = '/restoring';
const REPLACED = '/replaced';

/**
 * Puts what a backup holds in the place of everything, but for the partitions that `keeps` names and that are newer. All
 * of it is read and written before anything is touched; what was there stays beside it until the next restore. With the
 * store closed. @throws StoreError `damaged`, `newer-version`, and those of the database
 */
export async function restoreIntoDatabase(place: Place, file: string, keeps: Keeps): Promise<void> {
  const write = <R>(work: (ask: Ask) => Promise<R>): Promise<R> =>
    place.database.transaction(async (ask) => {
      await place.fence.check(ask);
      return work(ask);
    });
  await removeThose(place.database, write, RESTORING);
  const filling = new Filling(write, place.clock);
  await walkBackup(systemDisk, file, MIGRATIONS, {
    partition: (partition) => filling.partition(partition),
    entries: (operations) => filling.entries(operations),
    caughtUp: () => filling.catchUp(),
  });
  await filling.end();
  await removeThose(place.database, write, REPLACED);
  await write((ask) => putInPlace(ask, filling.lasts, keeps));
}

/** Writes partitions under names that nobody can ask for, as they are read. */
class Filling {
  readonly #write: <R>(work: (ask: Ask) => Promise<R>) => Promise<R>;
  readonly #clock: Clock;
  /** The number of the last change in the backup, by the partition's name. */
  readonly lasts = new Map<string, number>();
  #waiting: (PartitionBackedUp | readonly Operation[])[] = [];
  #id = 0;
  #counts = new Map<string, number>();

  constructor(write: <R>(work: (ask: Ask) => Promise<R>) => Promise<R>, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  partition(partition: PartitionBackedUp): void {
    this.#waiting.push(partition);
  }

  entries(operations: readonly Operation[]): void {
    this.#waiting.push(operations);
  }

  async catchUp(): Promise<void> {
    const now = this.#waiting;
    this.#waiting = [];
    for (const each of now) await ('name' in each ? this.#begin(each) : this.#fill(each));
  }

  async end(): Promise<void> {
    await this.catchUp();
    await this.#noteCounts();
  }

  async #begin({ name, last }: PartitionBackedUp): Promise<void> {
    await this.#noteCounts();
    this.lasts.set(name, last);
    const behind = seqAfterLoss(last, this.#clock.now());
    this.#id = await this.#write((ask) => makePartition(ask, name + RESTORING, behind));
  }

  async #fill(operations: readonly Operation[]): Promise<void> {
    for (const some of inPieces(operations, ({ slot }) => bytesOfSlot(slot))) {
      await this.#write((ask) => insertEntries(ask, this.#id, some));
      for (const { table } of some) this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1);
    }
  }

  async #noteCounts(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [table, entries] of counts)
      await this.#write((ask) => countFilled(ask, this.#id, table, entries));
  }
}

async function putInPlace(ask: Ask, lasts: ReadonlyMap<string, number>, keeps: Keeps): Promise<void> {
  const rows = await ask('SELECT name, last_seq FROM footbridge_partition');
  const numbers = new Map(rows.map((row) => [textIn(row, 'name'), numberIn(row, 'last_seq')]));
  const isSame = await isOfSameOffice(ask);
  const rename = (from: string, to: string): Promise<unknown> =>
    ask('UPDATE footbridge_partition SET name = $2 WHERE name = $1', [from, to]);
  for (const [name, last] of numbers) {
    if (name.includes('/')) continue;
    const isNewer = last >= (lasts.get(name) ?? 0);
    // What is only ever added to stands still when older data takes the place of newer.
    if (isSame && keeps(name) && isNewer) await rename(name + RESTORING, name + REPLACED);
    else await rename(name, name + REPLACED);
  }
  for (const name of lasts.keys()) {
    // Numbers go on behind all that were ever given out.
    const last = Math.max(numbers.get(name) ?? 0, numbers.get(name + RESTORING) ?? 0);
    await ask('UPDATE footbridge_partition SET name = $2, last_seq = $3 WHERE name = $1', [
      ...[name + RESTORING, name],
      last,
    ]);
  }
  const noted = (await readNotedReach(ask)) ?? UNKNOWN_REACH;
  await writeNotedReach(ask, { ...noted, restored: true });
}

/** Whether what is to be put in place is of the office that is there. */
async function isOfSameOffice(ask: Ask): Promise<boolean> {
  const installation = async (partition: string): Promise<unknown> => {
    const [row] = await ask(
      `SELECT entry.value FROM footbridge_entry AS entry
        JOIN footbridge_partition AS partition ON partition.id = entry.partition_id
        WHERE partition.name = $1 AND entry.tbl = 'installation'`,
      [partition],
    );
    return row?.value;
  };
  const there = await installation('system');
  return there !== undefined && there === (await installation(`system${RESTORING}`));
}

async function removeThose(
  database: Database,
  write: <R>(work: (ask: Ask) => Promise<R>) => Promise<R>,
  ending: string,
): Promise<void> {
  for (const row of await database.read('SELECT id, name FROM footbridge_partition')) {
    const name = textIn(row, 'name');
    if (name.endsWith(ending)) await removePartition(write, { id: numberIn(row, 'id'), name });
  }
}
