import type { Partition, Table } from '../store/store.ts';

/** Dismissed inbox items. Changed facts give another id, so the item returns. */
const DISMISSALS: Table<{ readonly at: string }> = { name: 'inbox-dismissal' };
const MAX_DISMISSALS = 1000;

export interface Dismissals {
  /** Stores that an item was dismissed at `at`, ISO 8601. */
  add(itemID: string, at: string): Promise<void>;
  all(): Promise<ReadonlySet<string>>;
}

/**
 * Creates the store of inbox items that the user dismissed: adds an item, and returns all ids. It keeps the latest
 * 1000.
 */
export function createDismissals(system: Partition): Dismissals {
  return {
    /** Stores an item as dismissed; at the limit deletes the oldest. */
    async add(itemID, at) {
      const known = await system.page(DISMISSALS, { limit: MAX_DISMISSALS });
      const oldest = known.sort((a, b) => a.seq - b.seq)[0];
      await system.transaction((tx) => {
        if (known.length >= MAX_DISMISSALS && oldest) tx.delete(DISMISSALS, oldest.key);
        tx.put(DISMISSALS, itemID, { at });
      });
    },
    async all() {
      return new Set((await system.page(DISMISSALS, { limit: MAX_DISMISSALS })).map(({ key }) => key));
    },
  };
}
