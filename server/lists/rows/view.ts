import type { PackedRows } from '../query/packed-rows.ts';
import type { Order, SortKey } from '../query/sort.ts';
import type { OrderedPlaces } from './ordered-places.ts';

/** A sorted selection of rows at one moment: keys only. */
export interface View {
  readonly length: number;
  /** Up to `end`, exclusive. */
  slice(start: number, end?: number): Promise<SortKey[]>;
  ids(start: number, end?: number): Promise<string[]>;
  keysAfter(key: SortKey, count: number): Promise<SortKey[]>;
}

/**
 * Creates a view of rows in memory.
 * @param places the rows' positions in order
 */
export function createViewOfPlaces(places: OrderedPlaces, rows: PackedRows, order: Order): View {
  const part = <T>(start: number, end: number | undefined, of: (place: number) => T): T[] =>
    places.slice(start, end).map(of);
  return createView(order, {
    length: places.length,
    slice: (start, end) => part(start, end, (place) => rows.keyAt(place)),
    ids: (start, end) => part(start, end, (place) => rows.idAt(place)),
  });
}

/** Creates a view of keys that are in order. */
export function createViewOfKeys(keys: readonly SortKey[], order: Order): View {
  return createView(order, {
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

/** Returns a view of ordered keys, which finds a key by binary search. */
function createView({ compare }: Order, runs: OrderedRuns): View {
  /** Returns the index after the key, which may be absent. */
  const findPlaceBehind = (key: SortKey): number => {
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
    /** Returns up to `count` keys after this one, which may be absent. */
    keysAfter(key, count) {
      const place = findPlaceBehind(key);
      return Promise.resolve(runs.slice(place, place + count));
    },
  };
}
