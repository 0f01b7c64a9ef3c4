import { compareKeys } from '../../base/sorted-list.ts';
import { createYielder } from '../../base/yield.ts';
import type { PackedRows } from '../query/packed-rows.ts';
import type { Order, SortKey } from '../query/sort.ts';
import type { AddedPlace, OrderedPlaces } from './ordered-places.ts';

export interface PlaceByID {
  /** Undefined if not in the view. */
  get(recordID: string): number | undefined;
  set(recordID: string, place: number): void;
  delete(recordID: string): void;
}

/**
 * Returns a look-up of rows' positions by binary search of the present rows, which are by id, and a map for later ones.
 */
export function createPlaceByID(rows: PackedRows): PlaceByID {
  const size = rows.count();
  /** Later changes; undefined: left the view. */
  const later = new Map<string, number | undefined>();
  return {
    /** Returns the row's position; undefined if it isn't in the view, or no longer. */
    get(recordID) {
      if (later.has(recordID)) return later.get(recordID);
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compareKeys(rows.idAt(middle), recordID) < 0) low = middle + 1;
        else high = middle;
      }
      return low < size && rows.idAt(low) === recordID ? low : undefined;
    },
    set: (recordID, place) => void later.set(recordID, place),
    delete: (recordID) => void later.set(recordID, undefined),
  };
}

/** Counts sorted positions whose rows come before `key`, by binary search. */
function countBefore(places: OrderedPlaces, key: SortKey, rows: PackedRows, { compare }: Order): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows.keyAt(places.at(middle)), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the order without the positions `gone`, and with `come` put in order. */
export async function withChanges(
  places: OrderedPlaces,
  { gone, come }: { readonly gone: readonly number[]; readonly come: readonly number[] },
  rows: PackedRows,
  order: Order,
): Promise<OrderedPlaces> {
  const pause = createYielder();
  const removed: number[] = [];
  for (const place of gone) {
    const at = countBefore(places, rows.keyAt(place), rows, order);
    // Times of several notations have no order that finds each surely.
    removed.push(at < places.length && places.at(at) === place ? at : places.indexOf(place));
    await pause();
  }
  const added: (AddedPlace & { readonly key: SortKey })[] = [];
  for (const place of come) {
    const key = rows.keyAt(place);
    added.push({ place, at: countBefore(places, key, rows, order), key });
    await pause();
  }
  removed.sort((a, b) => a - b);
  added.sort((a, b) => a.at - b.at || order.compare(a.key, b.key));
  return places.withChanges(removed, added);
}
