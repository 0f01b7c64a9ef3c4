import type { Partition, Table } from '../../store/store.ts';

/** By local id of the partner. */
const FALLBACKS: Table<{ readonly since: string }> = { name: 'sync-fallback' };

/** Partners whose rows the user lets us read past their own feed, which a Corteza server may have broken. */
export interface Fallbacks {
  isOn(nodeID: string): boolean;
  /** Stores the permission; it applies once stored. */
  set(nodeID: string, on: boolean): Promise<void>;
}

/**
 * Reads from `system` which partners may be read past their feed, and stores changes there. A change applies once
 * stored.
 */
export async function openFallbacks(system: Partition, clock: { now(): number }): Promise<Fallbacks> {
  const on = new Set((await system.page(FALLBACKS, { limit: 1000 })).map(({ key }) => key));
  return {
    isOn: (nodeID) => on.has(nodeID),
    /** Switches a partner's fallback, in the store first. */
    async set(nodeID, wanted) {
      await system.transaction((tx) => {
        if (wanted) tx.put(FALLBACKS, nodeID, { since: new Date(clock.now()).toISOString() });
        else tx.delete(FALLBACKS, nodeID);
      });
      if (wanted) on.add(nodeID);
      else on.delete(nodeID);
    },
  };
}
