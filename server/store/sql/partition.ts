import { createMutex } from '../../base/concurrency/mutex.ts';
import { StoreError, type Partition, type Ranking, type Table, type Tx } from '../store.ts';
import { asStoreTerms, type Ask, type Database, type Isolation } from './database.ts';
import { IndexFiller } from './indexing.ts';
import { createBlockBuilder, everyRowBatch, PartitionReader } from './reading.ts';
import { SqlRanking } from './ranking.ts';
import type { RankingDeps } from './sort-indexes.ts';
import { SqlTx, type Changes } from './transaction.ts';

export interface PartitionDeps {
  readonly database: Database;
  readonly id: number;
  /** Changes the database, as the process that may. */
  readonly write: <R>(work: (ask: Ask) => Promise<R>, isolation?: Isolation) => Promise<R>;
  /** Makes changes after `after` durable. Returns the last one's number. */
  readonly commit: (id: number, after: number, changes: Changes) => Promise<number>;
}

export interface SqlPartition extends Partition {
  /** Refuses calls with StoreError `closed`; resolves after the running transaction. */
  finish(): Promise<void>;
}

/**
 * Creates a partition that reads the database, and whose transactions `commit` writes. Transactions run one after
 * another. After `finish` methods throw StoreError `closed`.
 */
export function createSqlPartition(
  name: string,
  { database, id, commit, write }: PartitionDeps,
): SqlPartition {
  const oneByOne = createMutex();
  const reading = new PartitionReader(database.read, id);
  const indexing = new IndexFiller(database, id);
  const rankings = createRankings({ database, write, id, making: new Set() });
  let closed = false;
  let last: number | undefined;
  /** Throws StoreError `closed` after `finish`. */
  const throwIfClosed = (): void => {
    if (closed) throw new StoreError('closed', 'The store has been closed.');
  };
  /** Runs `work` unless closed, and converts errors to those the store's callers expect. */
  const whileOpen = async <R>(work: () => Promise<R>): Promise<R> => {
    throwIfClosed();
    return work().catch((error: unknown) => {
      throw asStoreTerms(error);
    });
  };

  /**
   * Yields the table's entries in blocks, read over a connection of its own. Throws StoreError `closed` after `finish`.
   */
  async function* storedBlocksOf(table: Pick<Table<never>, 'name'>): ReturnType<Partition['stored']> {
    throwIfClosed();
    const snapshot = await whileOpen(() => database.snapshot());
    const blockOf = createBlockBuilder();
    try {
      for await (const rows of everyRowBatch(snapshot, id, table.name)) {
        throwIfClosed();
        yield blockOf(rows);
      }
    } catch (error) {
      throw asStoreTerms(error);
    } finally {
      await snapshot.end();
    }
  }

  return {
    name,
    get: (table, key) => whileOpen(async () => (await reading.entries(table, [key]))[0]?.value),
    getMany: (table, keys) =>
      whileOpen(async () => (await reading.entries(table, keys)).map((entry) => entry?.value)),
    entries: (table, keys) => whileOpen(() => reading.entries(table, keys)),
    find: (table, index, text) =>
      whileOpen(async () => {
        await indexing.prepare(table, index);
        return reading.find(table, index, text);
      }),
    findMany: (table, index, texts) =>
      whileOpen(async () => {
        await indexing.prepare(table, index);
        return reading.findMany(table, index, texts);
      }),
    page: (table, options) => whileOpen(() => reading.page(table, options)),
    stored: storedBlocksOf,
    changesSince: (table, point, limit) => whileOpen(() => reading.changesSince(table, point, limit)),
    count: (table, afterSeq = 0) => whileOpen(() => reading.count(table, afterSeq)),
    keyAt: (table, place) => whileOpen(() => reading.keyAt(table, place)),
    lastSeq: () => whileOpen(() => reading.lastSeq()),
    ranking: (name) => wrapRanking(rankings(name), whileOpen),
    /**
     * Runs `body` after earlier ones, then commits its changes and resolves with its result. If `body` fails, nothing
     * remains; if the commit fails, the changes may remain.
     */
    async transaction<R>(body: (tx: Tx) => R | Promise<R>) {
      throwIfClosed();
      return whileOpen(() =>
        oneByOne(async () => {
          const after = (last ??= await reading.lastSeq());
          // After a failure, the outcome may be unknown.
          last = undefined;
          const begun = new SqlTx(reading, after, (table, index) => indexing.prepare(table, index));
          try {
            const result = await body(begun);
            const changes = begun.finish();
            last = changes ? await commit(id, after, changes) : after;
            return result;
          } finally {
            begun.finish();
          }
        }),
      );
    },
    /** Refuses further calls with StoreError `closed`; resolves when the running transaction has ended. */
    async finish() {
      closed = true;
      await oneByOne(() => undefined);
    },
  };
}

/** Returns a function that creates the ranking of a name; the same one while anybody uses it. */
function createRankings(deps: RankingDeps): (name: string) => SqlRanking {
  const known = new Map<string, WeakRef<SqlRanking>>();
  const letGo = new FinalizationRegistry<string>((name) => {
    if (known.get(name)?.deref() === undefined) known.delete(name);
  });
  return (name) => {
    const there = known.get(name)?.deref();
    if (there) return there;
    const made = new SqlRanking(deps, name);
    known.set(name, new WeakRef(made));
    letGo.register(made, name);
    return made;
  };
}

/** Returns the ranking with each call made by `run`. */
const wrapRanking = (ranking: Ranking, run: <R>(work: () => Promise<R>) => Promise<R>): Ranking => ({
  state: () => run(() => ranking.state()),
  build: (seq, entries) => run(() => ranking.build(seq, entries)),
  update: (seq, gone, come) => run(() => ranking.update(seq, gone, come)),
  slice: (start, end) => run(() => ranking.slice(start, end)),
  entriesAfter: (rank, count) => run(() => ranking.entriesAfter(rank, count)),
});
