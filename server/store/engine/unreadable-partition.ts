import type { Partition, StoreError } from '../store.ts';

/**
 * Stands for a partition of which nothing can be read, and whose files are left as they are: it has nothing, and takes
 * nothing, so that what concerns all partitions goes on without it.
 */
export function createUnreadablePartition(name: string, why: StoreError): Partition {
  const nothing = <T>(): Promise<T[]> => Promise.resolve([]);
  return {
    name,
    get: () => Promise.resolve(undefined),
    getMany: (_, keys) => Promise.resolve(keys.map(() => undefined)),
    entries: (_, keys) => Promise.resolve(keys.map(() => undefined)),
    find: nothing,
    findMany: (_table, _index, texts) => Promise.resolve(texts.map(() => undefined)),
    page: nothing,
    stored: async function* () {
      // There is nothing.
    },
    changesSince: nothing,
    count: () => Promise.resolve(0),
    keyAt: () => Promise.resolve(undefined),
    lastSeq: () => Promise.resolve(0),
    transaction: () => Promise.reject(why),
  };
}
