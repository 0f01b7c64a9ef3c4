import type { Partition, Store } from '../../store/store.ts';

/** Partitions of the ledger that are in memory only while in use. */
export interface LedgerPartCache {
  has(name: string): boolean;
  use<R>(name: string, body: (part: Partition) => Promise<R>): Promise<R>;
  /** Frees a part's memory, once it is no longer in use. */
  release(name: string): Promise<void>;
}

/** @param stays whether a part stays in memory although unused */
export function createLedgerPartCache(
  store: Pick<Store, 'partition' | 'release'>,
  stays: (name: string) => boolean,
): LedgerPartCache {
  const users = new Map<string, number>();
  const going = new Map<string, Promise<void>>();

  async function releaseIdle(name: string): Promise<void> {
    if (users.has(name)) return;
    const release: Promise<void> = (going.get(name) ?? Promise.resolve())
      .then(() => store.release(name))
      .finally(() => {
        // Another release may have been queued meanwhile, which later callers must await.
        if (going.get(name) === release) going.delete(name);
      });
    going.set(name, release);
    await release;
  }

  return {
    has: (name) => users.has(name),
    release: releaseIdle,
    async use(name, body) {
      users.set(name, (users.get(name) ?? 0) + 1);
      try {
        await going.get(name);
        return await body(await store.partition(name));
      } finally {
        const left = (users.get(name) ?? 1) - 1;
        if (left > 0) users.set(name, left);
        else users.delete(name);
        if (left === 0 && !stays(name)) await releaseIdle(name);
      }
    },
  };
}
