import type { Partition, StoreError } from '../store.ts';

/** Returns a stand-in for an unreadable partition: it is empty, and transactions reject with `why`. */
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
      // Empty.
    },
    changesSince: nothing,
    count: () => Promise.resolve(0),
    keyAt: () => Promise.resolve(undefined),
    lastSeq: () => Promise.resolve(0),
    transaction: () => Promise.reject(why),
  };
}
