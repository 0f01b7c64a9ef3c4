import { lastStartingBefore } from '../../base/sorted-list.ts';

/** Immutable; copies share unchanged chunks. */
export interface OrderedPlaces {
  readonly length: number;
  at(index: number): number;
  /** Up to `end`, exclusive. */
  slice(start: number, end?: number): number[];
  indexOf(place: number): number;
  /**
   * @param removed indexes, ascending
   * @param added with the index that each goes before, ascending; those of one index in order
   */
  withChanges(removed: readonly number[], added: readonly AddedPlace[]): OrderedPlaces;
}

export interface AddedPlace {
  readonly place: number;
  readonly at: number;
}

const PIECE = 8192;

/** Keeps an order of positions in chunks, so that changes cost little. The array must not change afterwards. */
export function orderedPlaces(places: Uint32Array): OrderedPlaces {
  return createOrderOfChunks(splitIntoChunks(places));
}

/** Returns the positions in chunks of 8,192, without copying them. */
function splitIntoChunks(places: Uint32Array): Uint32Array[] {
  const pieces: Uint32Array[] = [];
  for (let from = 0; from < places.length; from += PIECE) pieces.push(places.subarray(from, from + PIECE));
  return pieces;
}

/** Creates an order of chunks, which it finds by binary search. */
function createOrderOfChunks(pieces: readonly Uint32Array[]): OrderedPlaces {
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length;
  }

  return {
    length,

    /** Returns the position at an index of the order; 0 beyond the end. */
    at(index) {
      const piece = lastStartingBefore(starts, index);
      return pieces[piece]?.[index - (starts[piece] ?? 0)] ?? 0;
    },

    /** Copies positions from the chunks; fewer beyond the end. */
    slice(start, end = length) {
      const found: number[] = [];
      const last = Math.min(end, length);
      for (let piece = lastStartingBefore(starts, start), index = start; index < last; piece++) {
        const from = starts[piece] ?? 0;
        for (const place of pieces[piece]?.subarray(index - from, last - from) ?? []) found.push(place);
        index = starts[piece + 1] ?? length;
      }
      return found;
    },

    /** Returns a position's index, -1 if absent; searches linearly. */
    indexOf(place) {
      for (const [piece, places] of pieces.entries()) {
        const at = places.indexOf(place);
        if (at >= 0) return (starts[piece] ?? 0) + at;
      }
      return -1;
    },

    /**
     * Returns the order without the indexes `removed`, and with positions added before indexes, both ascending and of
     * this order; shares unchanged chunks.
     */
    withChanges(removed, added) {
      let [nextRemoved, nextAdded] = [0, 0];
      const all = pieces.length === 0 ? [new Uint32Array(0)] : pieces;
      const changed = all.flatMap((places, piece) => {
        const start = starts[piece] ?? 0;
        const end = piece === all.length - 1 ? Infinity : start + places.length;
        const [fromRemoved, fromAdded] = [nextRemoved, nextAdded];
        while ((removed[nextRemoved] ?? Infinity) < end) nextRemoved++;
        while (nextAdded < added.length && (added[nextAdded]?.at ?? 0) < end) nextAdded++;
        if (fromRemoved === nextRemoved && fromAdded === nextAdded) return [places];
        const without = removed.slice(fromRemoved, nextRemoved);
        const updated = changedPiece(places, start, without, added.slice(fromAdded, nextAdded));
        // Splitting when just full would leave chunks of one position per addition.
        return updated.length > 2 * PIECE || updated.length === 0 ? splitIntoChunks(updated) : [updated];
      });
      return createOrderOfChunks(changed);
    },
  };
}

/**
 * Returns a copy of a chunk without removed and with added positions.
 * @param start index of the chunk's first position
 * @param removed,added indexes in the whole order
 */
function changedPiece(
  places: Uint32Array,
  start: number,
  removed: readonly number[],
  added: readonly AddedPlace[],
): Uint32Array {
  const changed = new Uint32Array(places.length - removed.length + added.length);
  let [from, to, next] = [0, 0, 0];
  /** Copies from the chunk up to `end`, exclusive. */
  const copyUntil = (end: number): void => {
    changed.set(places.subarray(from, end), to);
    to += end - from;
    from = end;
  };
  /** Copies up to each removed index before this one, and skips it. */
  const skipRemovedBefore = (index: number): void => {
    for (; (removed[next] ?? Infinity) < index; next++) {
      copyUntil((removed[next] ?? 0) - start);
      from++;
    }
  };
  for (const { place, at } of added) {
    skipRemovedBefore(at);
    copyUntil(at - start);
    changed[to++] = place;
  }
  skipRemovedBefore(Infinity);
  copyUntil(places.length);
  return changed;
}
