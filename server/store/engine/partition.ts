import type { Low } from 'lowdb';
import type { PartitionData } from './journal-adapter.ts';
import { entryOf, valueOf, type RecordRef } from './record-ref.ts';
import { storedBlocks } from './stored-blocks.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import { StagingTx } from './staging-tx.ts';
import { StoreError, type ChangePoint, type Partition, type Table, type Tx } from '../store.ts';
import type { TableState } from './table-state.ts';
import { findByIndex, getValue, type View } from './views.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

export interface OpenPartition extends Partition {
  /** Refuses calls with StoreError `closed`; resolves when the running body ends. */
  finish(): Promise<void>;
}

/**
 * Returns a partition that reads loaded data, and whose transactions lowdb writes. Transactions run one after another
 * and resolve once durable. After `finish` methods throw StoreError `closed`.
 */
export function createPartition(name: string, low: Low<PartitionData>): OpenPartition {
  const oneByOne = createMutex();
  let closed = false;
  const durable = (table: string): TableState => low.data.state.table(table);
  const view: View = {
    slot: (table, key) => durable(table).byKey.get(key),
    keysUnder: (table, index, text) => durable(table).keysUnder(index, text),
  };
  /** Throws StoreError `closed` after `finish`. */
  const throwIfClosed = (): void => {
    if (closed) throw new StoreError('closed', 'The store has been closed.');
  };
  /** Returns the result of `work`, called after `prepared` and while no batch is being merged. Throws once closed. */
  const readDurable = async <R>(work: () => R, prepared?: Promise<void>): Promise<R> => {
    throwIfClosed();
    if (prepared) await prepared;
    while (low.data.applying) await low.data.applying;
    return work();
  };

  return {
    name,
    get: (table, key) => readDurable(() => getValue(view, table, key)),
    getMany: (table, keys) => readDurable(() => keys.map((key) => getValue(view, table, key))),
    entries: (table, keys) =>
      readDurable(() =>
        keys.map((key) => {
          const slot = view.slot(table.name, key);
          return slot && entryOf(slot, table.form);
        }),
      ),
    find: async (table, index, text) =>
      readDurable(() => findByIndex(view, table, index, text), durable(table.name).prepare(table, index)),
    findMany: async (table, index, texts) =>
      readDurable(
        () => texts.map((text) => findByIndex(view, table, index, text, 1)[0]),
        durable(table.name).prepare(table, index),
      ),
    page: <T>(table: Table<T>, options: PageOptions) =>
      readDurable(() => pageOf(durable(table.name), options).map((slot) => entryOf(slot, table.form))),
    stored: (table) => ({
      /**
       * Yields the table's entries in blocks, as they are at the start; later changes don't show. Throws StoreError
       * `closed`.
       */
      async *[Symbol.asyncIterator]() {
        const blocks = await readDurable(() => durable(table.name).byKey.view());
        for (const block of storedBlocks(table.name, blocks)) {
          throwIfClosed();
          yield block;
        }
      },
    }),
    changesSince: async <T>(table: Table<T>, point: ChangePoint, limit: number) => {
      const isBefore = createSkipTest(table, point);
      return readDurable(() =>
        durable(table.name)
          .bySeq.takeFrom(isBefore, limit)
          .map((slot) => entryOf(slot, table.form)),
      );
    },
    count: (table, afterSeq = 0) =>
      readDurable(() => durable(table.name).bySeq.countFrom(({ seq }) => seq <= afterSeq)),
    keyAt: (table, place) => readDurable(() => durable(table.name).byKey.at(place)?.key),
    lastSeq: () => readDurable(() => low.data.state.lastSeq()),
    /**
     * Runs `body` after earlier ones, and resolves with its result once its changes are durable. `alone` starts once
     * earlier changes are durable, and the next body once its own are. Rejects if changes that it may have read
     * couldn't be saved.
     */
    async transaction<R>(body: (tx: Tx) => R | Promise<R>, alone?: 'alone') {
      throwIfClosed();
      const { result, written } = await oneByOne(async () => {
        // That write's caller hears of its failure.
        if (alone) await low.write().catch(() => undefined);
        const { data } = low;
        const { waiting, inFlight } = data;
        const begun = new StagingTx(data);
        try {
          const result = await body(begun);
          // The body has read changes never saved.
          const failure = waiting.failure ?? inFlight?.failure;
          if (failure) throw failure;
          addToNextBatch(data, begun);
          // Synchronously: after a failure that dropped ours, others' changes could follow.
          const written = low.write();
          if (alone) await written;
          return { result, written };
        } finally {
          begun.finish();
        }
      });
      await written;
      return result;
    },
    /** Refuses further calls with StoreError `closed`; resolves when the running body ends. */
    async finish() {
      closed = true;
      await oneByOne(() => undefined);
    },
  };
}

type PageOptions = Parameters<Partition['page']>[1];

/**
 * Ends the transaction, and adds its changes and lines to the batch that is written next; nothing if it changed
 * nothing.
 */
function addToNextBatch({ waiting }: PartitionData, begun: StagingTx): void {
  const { staged } = begun;
  const group = begun.finish();
  if (!group) return;
  if (waiting.groups.length === 0) waiting.staged = staged;
  else waiting.staged.merge(staged);
  waiting.groups.push(group);
}

/** Returns up to `limit` records in key order, or reversed, behind the key `after`. */
function pageOf({ byKey }: TableState, { after, limit, reverse = false }: PageOptions): RecordRef[] {
  if (reverse)
    return byKey.takeBackFrom((slot) => after === undefined || compareKeys(slot.key, after) < 0, limit);
  return byKey.takeFrom((slot) => after !== undefined && compareKeys(slot.key, after) <= 0, limit);
}

/**
 * Returns a test whether a record is at or before a change number, or stamped before a time. Throws TypeError without a
 * stamp.
 */
function createSkipTest<T>(table: Table<T>, point: ChangePoint): (slot: RecordRef) => boolean {
  if ('afterSeq' in point) return (slot) => slot.seq <= point.afterSeq;
  const { stamp, form } = table;
  if (!stamp) throw new TypeError(`Table ${table.name} has no stamp to find a time by.`);
  return (slot) => stamp(valueOf(slot, form)) < point.sinceTime;
}
