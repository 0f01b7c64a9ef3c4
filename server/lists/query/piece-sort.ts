/** Positions sorted at once, within a millisecond or two. */
export const MAX_AT_ONCE = 2 ** 14;

const INDEX_BITS = 16;
const INDEX = 2 ** INDEX_BITS;

/** Sorts a range of positions by an integer below 2^48 per position; stable. */
export interface PieceSort {
  /** Sorts the positions from `from` to `to`, at most {@link MAX_AT_ONCE}, in place. */
  sort(from: number, to: number, pieceOf: (place: number) => number): void;
  /** Returns whether these two had equal pieces in the last sort. */
  readonly isSame: (at: number, other: number) => boolean;
}

/**
 * Creates a sort of ranges of `places` by the engine's native sort of 64-bit numbers: a piece takes the upper
 * 48 bits, the index in the range the others, which keeps it stable.
 */
export function createPieceSort(places: Uint32Array): PieceSort {
  const numbers = new BigUint64Array(MAX_AT_ONCE);
  const halves = new Uint32Array(numbers.buffer);
  const before = new Uint32Array(MAX_AT_ONCE);
  let start = 0;
  return {
    sort(from, to, pieceOf) {
      start = from;
      const count = to - from;
      for (let at = 0; at < count; at++) {
        const place = places[from + at] ?? 0;
        const piece = pieceOf(place);
        before[at] = place;
        halves[2 * at] = (piece % INDEX) * INDEX + at;
        halves[2 * at + 1] = piece / INDEX;
      }
      numbers.subarray(0, count).sort();
      for (let at = 0; at < count; at++) places[from + at] = before[(halves[2 * at] ?? 0) & (INDEX - 1)] ?? 0;
    },
    /** Returns whether two positions of the last sorted range had equal pieces. @param at index in `places` */
    isSame: (at, other) => {
      const [one, two] = [2 * (at - start), 2 * (other - start)];
      return (
        halves[one + 1] === halves[two + 1] &&
        (halves[one] ?? 0) >>> INDEX_BITS === (halves[two] ?? 0) >>> INDEX_BITS
      );
    },
  };
}
