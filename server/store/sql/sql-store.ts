import type { Clock } from '../../base/clock.ts';
import { PARTITION_NAME } from '../files/format.ts';
import { systemDisk } from '../files/disk.ts';
import { writeBackup } from '../recovery/backup.ts';
import { StoreError, type Partition, type Store, type Unwritable } from '../store.ts';
import { writeEntries } from './backing-up.ts';
import { commitChanges, type Fence } from './commit.ts';
import { DatabaseAway, inStoreTerms, numberIn, textIn, type Database } from './database.ts';
import { createSqlPartition, type SqlPartition } from './partition.ts';
import type { Changes } from './transaction.ts';

export interface SqlStoreOptions {
  readonly database: Database;
  /** Lets one process write at a time. */
  readonly fence: Fence;
  readonly clock: Clock;
  /** The folder of this process: no list lies in it. */
  readonly dataDir: string;
  /** Told when the database stops taking changes, and when it takes them again. */
  readonly onWritability?: () => void;
}

/** The name of a partition that is being dropped: none can be asked for by such a one. */
const DROPPED = '/dropped';
/** So many entries are removed in one step. */
const REMOVED_AT_ONCE = 5000;

/** The store in a database whose tables are up to date (`schema.ts`). Closing it closes the database's connections. */
export function createSqlStore(options: SqlStoreOptions): Store {
  return new SqlStore(options);
}

class SqlStore implements Store {
  readonly dataDir: string;
  readonly #options: SqlStoreOptions;
  readonly #database: Database;
  readonly #open = new Map<string, Promise<SqlPartition>>();
  /** Whoever wants one of these waits. */
  readonly #beingReleased = new Map<string, Promise<void>>();
  readonly #beingDropped = new Set<string>();
  #unwritable: Unwritable | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SqlStoreOptions) {
    this.#options = options;
    this.#database = options.database;
    this.dataDir = options.dataDir;
  }

  async partition(name: string): Promise<Partition> {
    this.#check();
    if (!PARTITION_NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a partition.`);
    await this.#beingReleased.get(name);
    this.#check();
    if (this.#beingDropped.has(name)) throw new StoreError('closed', 'The partition is being dropped.');
    let open = this.#open.get(name);
    if (!open) {
      open = this.#make(name);
      this.#open.set(name, open);
      open.catch(() => this.#open.delete(name));
    }
    return open;
  }

  async isUnreadable(): Promise<boolean> {
    return Promise.resolve(false);
  }

  partitions(): Promise<string[]> {
    return this.#ask(async () => {
      const rows = await this.#database.read('SELECT name FROM footbridge_partition');
      return rows
        .map((row) => textIn(row, 'name'))
        .filter((name) => PARTITION_NAME.test(name))
        .sort();
    });
  }

  release(name: string): Promise<void> {
    return this.#ask(async () => {
      const underWay = this.#beingReleased.get(name);
      if (underWay) return underWay;
      const open = this.#open.get(name);
      if (!open) return;
      const released = open
        .then((partition) => partition.finish())
        .finally(() => {
          this.#open.delete(name);
          this.#beingReleased.delete(name);
        });
      this.#beingReleased.set(name, released);
      await released;
    });
  }

  drop(name: string): Promise<void> {
    return this.#ask(async () => {
      if (this.#beingDropped.has(name)) return;
      this.#beingDropped.add(name);
      try {
        await (await this.#open.get(name))?.finish();
        this.#open.delete(name);
        const id = await this.#write(async (ask) => {
          const [row] = await ask('SELECT id FROM footbridge_partition WHERE name = $1', [name]);
          if (!row) return undefined;
          const found = numberIn(row, 'id');
          await ask('UPDATE footbridge_partition SET name = $2 WHERE id = $1', [found, droppedName(found)]);
          return found;
        });
        if (id !== undefined) await this.#remove(id);
      } finally {
        this.#beingDropped.delete(name);
      }
    });
  }

  notices(): readonly [] {
    return [];
  }

  unwritable(): Unwritable | undefined {
    return this.#unwritable;
  }

  backup(file: string, number = 0): Promise<{ bytes: number; entries: number }> {
    const { clock } = this.#options;
    const isOver = (): boolean => this.#closing !== undefined;
    return this.#ask(async () =>
      writeBackup(
        { disk: systemDisk, clock },
        { file, number },
        await this.partitions(),
        (name, writer) => writeEntries(this.#database, name, writer),
        isOver,
      ),
    );
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      const open = await Promise.allSettled(this.#open.values());
      for (const one of open) if (one.status === 'fulfilled') await one.value.finish();
      await this.#database.close();
    })();
    return this.#closing;
  }

  #check(): void {
    if (this.#closing) throw new StoreError('closed', 'The store has been closed.');
  }

  async #ask<R>(work: () => Promise<R>): Promise<R> {
    this.#check();
    return work().catch((error: unknown) => {
      throw inStoreTerms(error);
    });
  }

  #write<R>(work: (ask: Database['read']) => Promise<R>): Promise<R> {
    return this.#database.transaction(async (ask) => {
      await this.#options.fence.check(ask);
      return work(ask);
    });
  }

  async #make(name: string): Promise<SqlPartition> {
    const id = await this.#ask(() =>
      this.#write(async (ask) => {
        const [known] = await ask('SELECT id FROM footbridge_partition WHERE name = $1', [name]);
        if (known) return numberIn(known, 'id');
        const [highest] = await ask('SELECT coalesce(max(id), 0) AS id FROM footbridge_partition');
        const made = numberIn(highest, 'id') + 1;
        await ask(
          'INSERT INTO footbridge_partition (id, name, last_seq, last_commit) VALUES ($1, $2, 0, $3)',
          [...[made, name], ''],
        );
        return made;
      }),
    );
    return createSqlPartition(name, {
      database: this.#database,
      id,
      commit: (partition, after, changes) => this.#commit(partition, after, changes),
    });
  }

  async #commit(id: number, after: number, changes: Changes): Promise<number> {
    try {
      const last = await commitChanges(this.#options, { id, after, changes });
      this.#tell(undefined);
      return last;
    } catch (error) {
      if (error instanceof DatabaseAway) {
        const at = new Date(this.#options.clock.now()).toISOString();
        this.#tell(this.#unwritable ?? { at, code: 'io' });
      }
      throw inStoreTerms(error);
    }
  }

  #tell(unwritable: Unwritable | undefined): void {
    const isNews = (unwritable === undefined) !== (this.#unwritable === undefined);
    this.#unwritable = unwritable;
    if (isNews) this.#options.onWritability?.();
  }

  /** In steps, as very many entries at once would hold up everybody; what an end leaves over is removed by {@link tidy}. */
  async #remove(id: number): Promise<void> {
    let gone: number;
    do {
      gone = await this.#write(async (ask) => {
        const rows = await ask(
          `DELETE FROM footbridge_entry WHERE partition_id = $1 AND (tbl, key) IN (
            SELECT tbl, key FROM footbridge_entry WHERE partition_id = $1 LIMIT ${String(REMOVED_AT_ONCE)}
          ) RETURNING seq`,
          [id],
        );
        return rows.length;
      });
    } while (gone > 0);
    await this.#write(async (ask) => {
      await ask('DELETE FROM footbridge_table WHERE partition_id = $1', [id]);
      await ask('DELETE FROM footbridge_partition WHERE id = $1', [id]);
    });
  }
}

const droppedName = (id: number): string => `${String(id)}${DROPPED}`;
