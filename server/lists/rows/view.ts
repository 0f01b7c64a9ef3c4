import type { PackedRows } from '../query/packed-rows.ts';
import type { Order, SortKey } from '../query/sort.ts';
import type { OrderedPlaces } from './ordered-places.ts';

/** The rows of a list that fit something, in some order, as of one moment: their keys only. */
export interface View {
  readonly length: number;
  /** The keys at these places, `end` left out; all behind `start` without it. */
  slice(start: number, end?: number): Promise<SortKey[]>;
  /** The same rows' ids alone, for which no key is made out. */
  ids(start: number, end?: number): Promise<string[]>;
  /** So many keys that stand behind this one, whether it is there or not. */
  behind(key: SortKey, count: number): Promise<SortKey[]>;
}

/** A view whose keys are in memory. */
export function viewOfPlaces(places: OrderedPlaces, rows: PackedRows, order: Order): View {
  const part = <T>(start: number, end: number | undefined, of: (place: number) => T): T[] =>
    places.slice(start, end).map(of);
  return viewOf(order, {
    length: places.length,
    slice: (start, end) => part(start, end, (place) => rows.keyAt(place)),
    ids: (start, end) => part(start, end, (place) => rows.idAt(place)),
  });
}

/** @param keys in order */
export function viewOfKeys(keys: readonly SortKey[], order: Order): View {
  return viewOf(order, {
    length: keys.length,
    slice: (start, end) => keys.slice(start, end),
    ids: (start, end) => keys.slice(start, end).map(({ recordID }) => recordID),
  });
}

interface OrderedRuns {
  readonly length: number;
  slice(start: number, end?: number): SortKey[];
  ids(start: number, end?: number): string[];
}

function viewOf({ compare }: Order, runs: OrderedRuns): View {
  const placeBehind = (key: SortKey): number => {
    let low = 0;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [entry] = runs.slice(middle, middle + 1);
      if (entry && compare(entry, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    length: runs.length,
    slice: (start, end) => Promise.resolve(runs.slice(start, end)),
    ids: (start, end) => Promise.resolve(runs.ids(start, end)),
    behind(key, count) {
      const place = placeBehind(key);
      return Promise.resolve(runs.slice(place, place + count));
    },
  };
}
