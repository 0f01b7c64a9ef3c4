import { PARTITION_NAME } from '../files/format.ts';
import { StoreError, type Partition } from '../store.ts';
import { bytesIn, numberIn, textIn, type Ask, type Database } from './database.ts';
import { rankingsOf, removeRankings } from './sort-indexes.ts';
import { readOwn, writeOwn } from './own-values.ts';
import { createSqlPartition, type PartitionDeps, type SqlPartition } from './partition.ts';

interface PartitionsDeps extends Pick<PartitionDeps, 'commit' | 'database' | 'write'> {
  readonly throwIfClosed: () => void;
}

const droppedName = (id: number): string => String(id) + DROPPED_SUFFIX;
const DROPPED_SUFFIX = '/dropped';
/** For partitions that a restore brings. */
export const RESTORING_SUFFIX = '/restoring';
const MAX_REMOVED = 5000;

export class SqlPartitions {
  readonly #deps: PartitionsDeps;
  readonly #open = new Map<string, Promise<SqlPartition>>();
  readonly #beingReleased = new Map<string, Promise<void>>();
  readonly #beingDropped = new Set<string>();

  constructor(deps: PartitionsDeps) {
    this.#deps = deps;
  }

  /** Returns a partition, opened or created if necessary. Throws TypeError for an invalid name, StoreError `closed`. */
  async get(name: string): Promise<Partition> {
    if (!PARTITION_NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a partition.`);
    await this.#beingReleased.get(name);
    this.#deps.throwIfClosed();
    if (this.#beingDropped.has(name)) throw new StoreError('closed', 'The partition is being dropped.');
    let open = this.#open.get(name);
    if (!open) {
      open = this.#openOrCreate(name);
      this.#open.set(name, open);
      open.catch(() => this.#open.delete(name));
    }
    return open;
  }

  /** Returns all partitions' sorted names, without those being dropped or restored. */
  async names(): Promise<string[]> {
    const rows = await this.#deps.database.read('SELECT name FROM footbridge_partition');
    return rows
      .map((row) => textIn(row, 'name'))
      .filter((name) => PARTITION_NAME.test(name))
      .sort();
  }

  /** Closes a partition after its running transactions; nothing if it isn't open. The next use opens it again. */
  async release(name: string): Promise<void> {
    const open = this.#open.get(name);
    const released =
      this.#beingReleased.get(name) ??
      open
        ?.then((partition) => partition.finish())
        .finally(() => {
          this.#open.delete(name);
          this.#beingReleased.delete(name);
        });
    if (!released) return;
    this.#beingReleased.set(name, released);
    await released;
  }

  /**
   * Closes and renames a partition, so that it is gone at once; then removes its entries in steps. Returns at once
   * while another call does so.
   */
  async drop(name: string): Promise<void> {
    if (this.#beingDropped.has(name)) return;
    this.#beingDropped.add(name);
    try {
      await (await this.#open.get(name))?.finish();
      this.#open.delete(name);
      await this.#deps.write(async (ask) => {
        const [known] = await ask('SELECT id FROM footbridge_partition WHERE name = $1', [name]);
        if (!known) return;
        const id = numberIn(known, 'id');
        await ask('UPDATE footbridge_partition SET name = $2 WHERE id = $1', [id, droppedName(id)]);
      });
      await this.removeDropped();
    } finally {
      this.#beingDropped.delete(name);
    }
  }

  /** Removes, in steps, dropped partitions and those of an interrupted restore. */
  async removeDropped(): Promise<void> {
    for (const ending of [DROPPED_SUFFIX, RESTORING_SUFFIX])
      await removeWithEnding(this.#deps.database, this.#deps.write, ending);
  }

  /** Refuses calls of open partitions; resolves when running work has ended. */
  async finish(): Promise<void> {
    const open = await Promise.allSettled(this.#open.values());
    for (const one of open) if (one.status === 'fulfilled') await one.value.finish();
  }

  /** Returns the partition of this name, created in the database if missing. */
  async #openOrCreate(name: string): Promise<SqlPartition> {
    const { database, commit, write } = this.#deps;
    const id = await write(async (ask) => {
      const [known] = await ask('SELECT id FROM footbridge_partition WHERE name = $1', [name]);
      return known ? numberIn(known, 'id') : makePartition(ask, name);
    });
    return createSqlPartition(name, { database, id, commit, write });
  }
}

/** Removes, in steps, all partitions whose names end with `ending`. */
export async function removeWithEnding(
  database: Pick<Database, 'read'>,
  write: <R>(work: (ask: Ask) => Promise<R>) => Promise<R>,
  ending: string,
): Promise<void> {
  for (const partition of await idsAndNames(database))
    if (partition.name.endsWith(ending)) await removePartition(write, partition);
}

/** Returns all partitions' ids and names, hidden ones included. */
export async function idsAndNames({
  read,
}: Pick<Database, 'read'>): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const rows = await read('SELECT id, name FROM footbridge_partition');
  return rows.map((row) => ({ id: numberIn(row, 'id'), name: textIn(row, 'name') }));
}

/** Removes an unused partition in small transactions, which block nobody. Stops if another process removed it. */
export async function removePartition(
  write: <R>(work: (ask: Ask) => Promise<R>) => Promise<R>,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<void> {
  const isThere = async (ask: Ask): Promise<boolean> =>
    (await ask('SELECT id FROM footbridge_partition WHERE id = $1 AND name = $2', [id, name])).length > 0;
  await removeRankings(write, await write((ask) => rankingsOf(ask, id)));
  const tables = await write((ask) =>
    ask('SELECT DISTINCT tbl FROM footbridge_entry WHERE partition_id = $1', [id]),
  );
  for (const row of tables) {
    const table = textIn(row, 'tbl');
    let after: Buffer | undefined = Buffer.alloc(0);
    while (after) {
      const from: Buffer = after;
      after = await write(async (ask) =>
        (await isThere(ask)) ? removeEntries(ask, { id, table, from }) : undefined,
      );
    }
  }
  await write(async (ask) => {
    if (!(await isThere(ask))) return;
    await ask('DELETE FROM footbridge_entry WHERE partition_id = $1', [id]);
    await ask('DELETE FROM footbridge_table WHERE partition_id = $1', [id]);
    await ask('DELETE FROM footbridge_partition WHERE id = $1', [id]);
  });
}

/** Removes up to 5,000 entries from key `from` on. Returns the key to continue at; undefined at the end. */
async function removeEntries(
  ask: Ask,
  { id, table, from }: { readonly id: number; readonly table: string; readonly from: Buffer },
): Promise<Buffer | undefined> {
  const [last] = await ask(
    `SELECT key FROM footbridge_entry WHERE partition_id = $1 AND tbl = $2 AND key >= $3
      ORDER BY key LIMIT 1 OFFSET ${String(MAX_REMOVED)}`,
    [id, table, from],
  );
  const to = last && bytesIn(last, 'key');
  await ask(
    `DELETE FROM footbridge_entry WHERE partition_id = $1 AND tbl = $2 AND key >= $3 ${to ? 'AND key < $4' : ''}`,
    to ? [id, table, from, to] : [id, table, from],
  );
  return to;
}

/** Returns whether the database has an office's partitions. */
export async function hasOffice(ask: Ask): Promise<boolean> {
  const [made] = await ask("SELECT to_regclass('footbridge_partition') IS NOT NULL AS there");
  return made?.there === true && (await ask('SELECT 1 FROM footbridge_partition LIMIT 1')).length > 0;
}

const LAST_ID = 'last-partition';

/** Creates an empty partition that counts on after change `last`. Returns its database id, never reused. */
export async function makePartition(ask: Ask, name: string, last = 0): Promise<number> {
  const [highest] = await ask('SELECT coalesce(max(id), 0) AS id FROM footbridge_partition');
  const id = Math.max(numberIn(highest, 'id'), Number((await readOwn(ask, LAST_ID)) ?? 0)) + 1;
  await writeOwn(ask, LAST_ID, String(id));
  await ask('INSERT INTO footbridge_partition (id, name, last_seq, last_commit) VALUES ($1, $2, $3, $4)', [
    ...[id, name],
    ...[last, ''],
  ]);
  return id;
}
