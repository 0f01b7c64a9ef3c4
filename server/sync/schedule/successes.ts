import type { Clock } from '../../base/clock.ts';
import type { Partition, Table } from '../../store/store.ts';

/** By local id of the partner. */
const SUCCESSES: Table<{ readonly at: string }> = { name: 'sync-success' };

/** Each partner's last successful pull (ISO 8601), across restarts. */
export interface Successes {
  /** Returns undefined before the first success. */
  lastSuccess(nodeID: string): string | undefined;
  recordSuccess(nodeID: string): Promise<void>;
  /** Stores what is only in memory. */
  flush(): Promise<void>;
}

const STORE_INTERVAL_MS = 60 * 60_000;

/** Reads the last successes from `system`; stores one over an hour from the stored one, others at `flush`. */
export async function openSuccesses(system: Partition, clock: Clock): Promise<Successes> {
  const known = new Map<string, string>();
  const stored = new Map<string, string>();
  for (const { key, value } of await system.page(SUCCESSES, { limit: 1000 })) {
    known.set(key, value.at);
    stored.set(key, value.at);
  }

  /** Stores the known times of these partners in one transaction. */
  async function storeSuccesses(nodeIDs: readonly string[]): Promise<void> {
    if (nodeIDs.length === 0) return;
    await system.transaction((tx) => {
      for (const nodeID of nodeIDs) tx.put(SUCCESSES, nodeID, { at: known.get(nodeID) ?? '' });
    });
    for (const nodeID of nodeIDs) stored.set(nodeID, known.get(nodeID) ?? '');
  }

  return {
    lastSuccess: (nodeID) => known.get(nodeID),
    /**
     * Records a success now. Stores it only if the stored time is missing or over an hour off, which saves a write
     * for each check.
     */
    async recordSuccess(nodeID) {
      known.set(nodeID, new Date(clock.now()).toISOString());
      const before = stored.get(nodeID);
      const isOld = before === undefined || Math.abs(clock.now() - Date.parse(before)) > STORE_INTERVAL_MS;
      if (isOld) await storeSuccesses([nodeID]);
    },
    flush: () =>
      storeSuccesses([...known.keys()].filter((nodeID) => known.get(nodeID) !== stored.get(nodeID))),
  };
}
