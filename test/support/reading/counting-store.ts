import type { Partition, Store } from '../../../server/store/store.ts';

/** A store that counts what is read from it: one for each question, and one for each entry that is answered. */
export interface CountingStore {
  readonly store: Store;
  /** What was read since it was asked for last. */
  taken(): number;
}

export function countingStore(store: Store): CountingStore {
  let reads = 0;
  const counted = async <T>(answer: Promise<T>): Promise<T> => {
    const read = await answer;
    reads += 1 + (Array.isArray(read) ? read.length : 0);
    return read;
  };
  const countedPartition = (partition: Partition): Partition => ({
    ...partition,
    get: (table, key) => counted(partition.get(table, key)),
    getMany: (table, keys) => counted(partition.getMany(table, keys)),
    entries: (table, keys) => counted(partition.entries(table, keys)),
    find: (table, index, text) => counted(partition.find(table, index, text)),
    findMany: (table, index, texts) => counted(partition.findMany(table, index, texts)),
    page: (table, options) => counted(partition.page(table, options)),
    changesSince: (table, point, limit) => counted(partition.changesSince(table, point, limit)),
    count: (table) => counted(partition.count(table)),
  });
  return {
    store: { ...store, partition: async (name) => countedPartition(await store.partition(name)) },
    taken() {
      const taken = reads;
      reads = 0;
      return taken;
    },
  };
}
