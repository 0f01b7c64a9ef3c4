import { StoreError, type Partition, type StoreNotice, type Table } from '../store/store.ts';
import type { Clock } from '../base/clock.ts';
import type { RecoveredList } from '../lists/definitions/recover-lists.ts';
import { listPartition } from '../lists/rows/row-table.ts';
import { english, said } from '../words/said.ts';
import { storeItemID } from './inbox/store-items.ts';

/** By inbox item id. */
const LOSSES: Table<StoreNotice> = { name: 'loss-notice' };
const MAX_NOTICES = 200;
export const OF_LOSSES: readonly StoreNotice['code'][] = [
  'damaged-put-aside',
  'restored-from-backup',
  'mixed-ages',
];

/**
 * Stores new undismissed notices of loss, which the store reports once, at most 200 and unless the disk refuses;
 * deletes dismissed ones. Returns all notices of this start and the stored ones, those just deleted for the last time.
 */
export async function persistNotices(
  system: Partition,
  notices: readonly StoreNotice[],
  dismissed: ReadonlySet<string>,
): Promise<readonly StoreNotice[]> {
  const kept = await system.page(LOSSES, { limit: MAX_NOTICES });
  const known = new Set(kept.map(({ key }) => key));
  const fresh = notices.filter(
    (notice) =>
      OF_LOSSES.includes(notice.code) &&
      !known.has(storeItemID(notice)) &&
      !dismissed.has(storeItemID(notice)),
  );
  const over = kept.filter(({ key }) => dismissed.has(key));
  if (fresh.length > 0 || over.length > 0) {
    try {
      await system.transaction((tx) => {
        for (const notice of fresh.slice(0, MAX_NOTICES - kept.length))
          tx.put(LOSSES, storeItemID(notice), notice);
        for (const { key } of over) tx.delete(LOSSES, key);
      });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
  const now = new Set(notices.map(storeItemID));
  return [...notices, ...kept.filter(({ key }) => !now.has(key)).map(({ value }) => value)];
}

/** Returns a notice for each list with rows recovered from damaged files. */
export function recoveredNotices(
  recovered: readonly RecoveredList[],
  clock: Pick<Clock, 'now'>,
): StoreNotice[] {
  const at = new Date(clock.now()).toISOString();
  return recovered.map(({ module, rows }) => {
    const words = said('store.list-recovered', { n: rows });
    const partition = listPartition(module.moduleID);
    return {
      at,
      code: 'damaged-put-aside',
      said: words,
      message: english(words),
      partition,
      file: partition,
    };
  });
}
