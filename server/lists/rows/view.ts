import type { PackedRows } from '../query/packed-rows.ts';
import type { Order, SortKey } from '../query/sort.ts';

/** The rows of a list that fit something, in some order, as of one moment: their keys only. */
export interface View {
  readonly length: number;
  /** The keys at these places, `end` left out; all behind `start` without it. */
  slice(start: number, end?: number): SortKey[];
  /** The place of the first key that stands behind this one, whether this one is there or not. */
  placeBehind(key: SortKey): number;
}

/** @param places in order; they must not change */
export function viewOfPlaces(places: Uint32Array, rows: PackedRows, order: Order): View {
  return viewOf(
    places.length,
    (start, end) => Array.from(places.subarray(start, end), (place) => rows.keyAt(place)),
    order,
  );
}

/** @param keys in order */
export function viewOfKeys(keys: readonly SortKey[], order: Order): View {
  return viewOf(keys.length, (start, end) => keys.slice(start, end), order);
}

function viewOf(length: number, slice: (start: number, end: number) => SortKey[], { compare }: Order): View {
  return {
    length,
    slice: (start, end = length) => slice(start, end),
    placeBehind(key) {
      let low = 0;
      let high = length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const [entry] = slice(middle, middle + 1);
        if (entry && compare(entry, key) <= 0) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
