import type { Partition } from '../../store/store.ts';
import type { Order, SortKey } from '../query/sort.ts';
import { getRows } from './row-table.ts';
import type { View } from './view.ts';

/**
 * Returns ascending positions in a shared view of those pinned rows that it contains. They are new rows, which order
 * or filter would hide at once: they are listed last.
 */
export async function findPinnedPlaces(
  partition: Partition,
  view: View,
  recordIDs: readonly string[],
  order: Order,
): Promise<readonly number[]> {
  const places: number[] = [];
  for (const row of await getRows(partition, recordIDs)) {
    if (!row) continue;
    const place = await findFirstPlaceFrom(view, order.keyOf(row), order);
    const [found] = await view.ids(place, place + 1);
    if (found === row.recordID) places.push(place);
  }
  return places.sort((one, other) => one - other);
}

/** Returns the index of the first key not before `key`, by binary search; the length if there is none. */
async function findFirstPlaceFrom(view: View, key: SortKey, order: Order): Promise<number> {
  let [low, high] = [0, view.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [entry] = await view.slice(middle, middle + 1);
    if (entry && order.compare(entry, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns keys from `start` to `end` of the view, counted without the positions `pinned` (ascending). */
export async function sliceWithout(
  view: View,
  pinned: readonly number[],
  start: number,
  end: number,
): Promise<readonly SortKey[]> {
  const from = start + pinned.filter((place, at) => place - at <= start).length;
  const keys = await view.slice(from, end + pinned.length);
  const isHeld = new Set(pinned.map((place) => place - from));
  return keys.filter((_, at) => !isHeld.has(at)).slice(0, end - start);
}
