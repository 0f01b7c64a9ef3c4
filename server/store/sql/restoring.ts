import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { systemDisk } from '../files/disk.ts';
import type { Operation } from '../engine/operation.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { readBackupInto, type PartitionBackedUp } from '../recovery/read-backup.ts';
import { seqAfterLoss } from '../recovery/repair.ts';
import type { RestoreKeeps } from '../recovery/restore-backup.ts';
import { UNKNOWN_POSITION } from '../recovery/withdrawals/log-position.ts';
import { said } from '../../words/said.ts';
import { StoreError } from '../store.ts';
import { applyOnce, type Fence } from './commit.ts';
import { DatabaseAway, numberIn, textIn, type Ask, type Database } from './database.ts';
import { sizeOf } from '../engine/record-ref.ts';
import { countInserted, splitIntoChunks, insertEntries } from './bulk-insert.ts';
import { readNotedReach, writeNotedReach } from './own-values.ts';
import {
  idsAndNames,
  makePartition,
  removeWithEnding,
  removePartition,
  RESTORING_SUFFIX,
} from './partitions.ts';
import { rankingsOfPartitionsEnding, removeRankings } from './sort-indexes.ts';
import { inRolledBackTransaction } from './rolled-back-transaction.ts';

interface Place {
  readonly database: Database;
  readonly fence: Fence;
  readonly clock: Clock;
}

interface RestoreOptions {
  readonly keeps: RestoreKeeps;
  /** Opens restored data, then rolled back; throws if unusable. */
  readonly tryOut: (trial: Database) => Promise<void>;
}

/** No caller can ask for this name. */
const REPLACED = '/replaced-';
const RESTORE = 'restore';

/**
 * Replaces the office's partitions by a backup, after a trial; the previous data stays beside them. Newer partitions
 * that `keeps` selects stay if the backup is this office's. The store must be closed. Throws StoreError. Marks the
 * revocation log's position as restored.
 */
export async function restoreIntoDatabase(
  place: Place,
  file: string,
  { keeps, tryOut }: RestoreOptions,
): Promise<void> {
  /** Runs `work` in a transaction that fails if another process has taken the lease. */
  const writeFenced = <R>(work: (ask: Ask) => Promise<R>): Promise<R> =>
    place.database.transaction(async (ask) => {
      await place.fence.check(ask);
      return work(ask);
    });
  await removeWithEnding(place.database, writeFenced, RESTORING_SUFFIX);
  const filling = new BackupFiller(writeFenced, place.clock);
  await readBackupInto(systemDisk, file, MIGRATIONS, {
    partition: (partition) => filling.partition(partition),
    entries: (operations) => filling.entries(operations),
    caughtUp: () => filling.catchUp(),
  });
  await filling.end();
  const how = { lasts: filling.lasts, keeps, replaced: REPLACED + uniqueStamp(place.clock) };
  await inRolledBackTransaction(place.database, async (trial) => {
    await trial.transaction((ask) => renameRestored(ask, how));
    await tryOut(trial).catch(throwUnusable);
  });
  await applyOnce(place, RESTORE, (ask) => renameRestored(ask, how));
  await removeRankings(writeFenced, await rankingsOfPartitionsEnding(place.database, how.replaced));
  await removeWithEnding(place.database, writeFenced, RESTORING_SUFFIX);
}

/** Removes, in steps, data that restores replaced; returns the number of restores and entries. */
export async function removeReplaced(
  database: Database,
): Promise<{ readonly restores: number; readonly entries: number }> {
  const write = <R>(work: (ask: Ask) => Promise<R>): Promise<R> =>
    database.transaction(work, 'read committed');
  const replaced = (await idsAndNames(database)).filter(({ name }) => name.includes(REPLACED));
  const [counted] = await database.read(
    `SELECT CAST(coalesce(sum(entries), 0) AS bigint) AS entries FROM footbridge_table WHERE partition_id = ANY($1)`,
    [replaced.map(({ id }) => id)],
  );
  for (const partition of replaced) await removePartition(write, partition);
  const restores = new Set(replaced.map(({ name }) => name.slice(name.indexOf(REPLACED))));
  return { restores: restores.size, entries: numberIn(counted, 'entries') };
}

/** Returns the time with a random part, as names need. */
function uniqueStamp(clock: Clock): string {
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${time}-${randomUUID().slice(0, 8)}`;
}

/** Throws StoreError `damaged` with the reason; the database's errors and other StoreErrors unchanged. */
function throwUnusable(error: unknown): never {
  if (error instanceof DatabaseAway || (error instanceof StoreError && error.code !== 'damaged')) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new StoreError('damaged', said('backup.unusable', { reason }), { cause: error });
}

/** Writes hidden partitions while reading the backup. */
class BackupFiller {
  readonly #write: <R>(work: (ask: Ask) => Promise<R>) => Promise<R>;
  readonly #clock: Clock;
  readonly lasts = new Map<string, number>();
  #waiting: (PartitionBackedUp | readonly Operation[])[] = [];
  #id = 0;
  #counts = new Map<string, number>();

  constructor(write: <R>(work: (ask: Ask) => Promise<R>) => Promise<R>, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** Collects a partition for {@link catchUp}. */
  partition(partition: PartitionBackedUp): void {
    this.#waiting.push(partition);
  }

  /** Collects entries for {@link catchUp}. */
  entries(operations: readonly Operation[]): void {
    this.#waiting.push(operations);
  }

  /** Writes what was collected since the last call. */
  async catchUp(): Promise<void> {
    const now = this.#waiting;
    this.#waiting = [];
    for (const each of now) await ('name' in each ? this.#beginPartition(each) : this.#insertEntries(each));
  }

  /** Writes the rest, and the last partition's counts. */
  async end(): Promise<void> {
    await this.catchUp();
    await this.#writeCounts();
  }

  /** Creates the next partition under a hidden name. Its change numbers continue after all ever used. */
  async #beginPartition({ name, last }: PartitionBackedUp): Promise<void> {
    await this.#writeCounts();
    this.lasts.set(name, last);
    const behind = seqAfterLoss(last, this.#clock.now());
    this.#id = await this.#write((ask) => makePartition(ask, name + RESTORING_SUFFIX, behind));
  }

  /** Inserts entries into the present partition, in batches; counts them by table. */
  async #insertEntries(operations: readonly Operation[]): Promise<void> {
    for (const some of splitIntoChunks(operations, ({ slot }) => sizeOf(slot))) {
      await this.#write((ask) => insertEntries(ask, this.#id, some));
      for (const { table } of some) this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1);
    }
  }

  /** Adds the counted entries to the tables' stored counts. */
  async #writeCounts(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [table, entries] of counts)
      await this.#write((ask) => countInserted(ask, this.#id, table, entries));
  }
}

/**
 * Renames present partitions aside and restored ones to their names; change numbers never go back. Newer ones of
 * `keeps` stay if the backup is this office's. Marks the revocation log's position as restored.
 */
async function renameRestored(
  ask: Ask,
  {
    lasts,
    keeps,
    replaced,
  }: { readonly lasts: ReadonlyMap<string, number>; readonly keeps: RestoreKeeps; readonly replaced: string },
): Promise<void> {
  const rows = await ask('SELECT name, last_seq FROM footbridge_partition');
  const numbers = new Map(rows.map((row) => [textIn(row, 'name'), numberIn(row, 'last_seq')]));
  const isSame = await isOfSameOffice(ask);
  const rename = (from: string, to: string): Promise<unknown> =>
    ask('UPDATE footbridge_partition SET name = $2 WHERE name = $1', [from, to]);
  const unreplaced = new Set<string>();
  for (const [name, last] of numbers) {
    if (name.includes('/')) continue;
    const isNewer = last >= (lasts.get(name) ?? 0);
    if (isSame && keeps(name) && isNewer) unreplaced.add(name);
    else await rename(name, name + replaced);
  }
  for (const name of lasts.keys()) {
    if (unreplaced.has(name)) continue;
    const last = Math.max(numbers.get(name) ?? 0, numbers.get(name + RESTORING_SUFFIX) ?? 0);
    await ask('UPDATE footbridge_partition SET name = $2, last_seq = $3 WHERE name = $1', [
      ...[name + RESTORING_SUFFIX, name],
      last,
    ]);
  }
  const noted = (await readNotedReach(ask)) ?? UNKNOWN_POSITION;
  await writeNotedReach(ask, { ...noted, restored: true });
}

/** Returns whether the present and the restored partition `system` have the same installation. */
async function isOfSameOffice(ask: Ask): Promise<boolean> {
  /** Returns the stored installation as text; undefined without one. */
  const readInstallationID = async (partition: string): Promise<unknown> => {
    const [row] = await ask(
      `SELECT entry.value FROM footbridge_entry AS entry
        JOIN footbridge_partition AS partition ON partition.id = entry.partition_id
        WHERE partition.name = $1 AND entry.tbl = 'installation'`,
      [partition],
    );
    return row?.value;
  };
  const there = await readInstallationID('system');
  return there !== undefined && there === (await readInstallationID(`system${RESTORING_SUFFIX}`));
}
