import { listPartition } from '../../lists/rows/row-table.ts';
import { TALLY, TALLY_KEY } from '../../lists/rows/tally.ts';
import type { Store } from '../../store/store.ts';

/** Rows of this partner in these lists that differ there by what the user did here. */
export async function changedHere(
  store: Pick<Store, 'partitions' | 'partition'>,
  moduleIDs: readonly string[],
  nodeID: string,
): Promise<number> {
  const partitions = new Set(await store.partitions());
  let changed = 0;
  // Several offers may go into one list.
  for (const name of new Set(moduleIDs.map(listPartition))) {
    if (!partitions.has(name)) continue;
    const counts = await (await store.partition(name)).get(TALLY, TALLY_KEY);
    changed += counts?.changedHere?.[nodeID] ?? 0;
  }
  return changed;
}
