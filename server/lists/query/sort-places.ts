import { createYielder } from '../../base/yield.ts';
import { createDigitSort } from './digit-sort.ts';
import { MAX_PIECE, type PackedKeys } from './packed-keys.ts';

/** Rows without a key come last either way. */
export interface PackedPart {
  readonly keys: PackedKeys;
  readonly descending: boolean;
}

const MAX_INSERTION_SORT = 32;
const STRIDE = 8192;

/** Next: a deeper level, then the next part. */
interface Level {
  readonly part: PackedPart;
  readonly depth: number;
  readonly nextPart: Level | undefined;
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly level: Level;
}

/**
 * Sorts positions in place by the parts' keys, level by level, by radix or piece sort; stable. Blocks for some
 * milliseconds at a time.
 */
export async function sortPlaces(places: Uint32Array, parts: readonly PackedPart[]): Promise<void> {
  const pause = createYielder();
  const digits = createDigitSort(places);
  const pieces = createPieceSort(places);
  const waiting: Range[] = [];
  /** Queues a long range for sorting, and sorts a short one at once. */
  const sortRange = (range: Range | undefined): void => {
    if (!range || range.to - range.from < 2) return;
    if (range.to - range.from > MAX_INSERTION_SORT) waiting.push(range);
    else insertionSort(places, range);
  };
  const level = firstLevel(parts);
  sortRange(level && { from: 0, to: places.length, level });
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    const { from, to, level } = range;
    const isShort = to - from <= MAX_AT_ONCE && level.part.keys.isOfPieces(level.depth);
    const { isSame } = isShort ? pieces : digits;
    if (isShort) {
      pieces.sort(from, to, (place) => levelPiece(level, place));
      await pause();
    } else {
      const steps = digits.sort(from, to, (place) => levelNumber(level, place));
      while (steps.next().done !== true) await pause();
    }
    let looked = 0;
    for (let at = from; at < to;) {
      let end = at + 1;
      while (end < to && isSame(at, end)) end++;
      const behind = end - at > 1 ? nextLevel(level, places.subarray(at, end)) : undefined;
      sortRange(behind && { from: at, to: end, level: behind });
      looked += end - at;
      if (looked > STRIDE) {
        looked = 0;
        await pause();
      }
      at = end;
    }
  }
}

/** Returns the first part's level 0, linked to the next parts; undefined without parts. */
function firstLevel(parts: readonly PackedPart[]): Level | undefined {
  return parts.reduceRight<Level | undefined>((nextPart, part) => ({ part, depth: 0, nextPart }), undefined);
}

/** Returns the level's number, negated for a descending part; NaN without a key. */
function levelNumber({ part: { keys, descending }, depth }: Level, place: number): number {
  const number = keys.level(place, depth);
  return descending ? 0 - number : number;
}

/** Returns the level's integer in the part's direction; {@link MAX_PIECE} without a key. */
function levelPiece({ part: { keys, descending }, depth }: Level, place: number): number {
  const piece = keys.level(place, depth);
  if (Number.isNaN(piece)) return MAX_PIECE;
  return descending ? MAX_PIECE - 1 - piece : piece;
}

/** Returns the level that orders positions that are equal (`alike`) in this one; undefined after the last. */
function nextLevel(level: Level, alike: Uint32Array): Level | undefined {
  const { part, depth, nextPart } = level;
  for (const place of alike) if (!part.keys.isOver(place, depth)) return { ...level, depth: depth + 1 };
  return nextPart;
}

/** Sorts a short range in place, stable. */
function insertionSort(places: Uint32Array, { from, to, level }: Range): void {
  for (let at = from + 1; at < to; at++) {
    const place = places[at] ?? 0;
    let gap = at;
    for (; gap > from && comparePlaces(places[gap - 1] ?? 0, place, level) > 0; gap--)
      places[gap] = places[gap - 1] ?? 0;
    places[gap] = place;
  }
}

/** Compares from level `first` to the last: negative, 0 or positive. */
function comparePlaces(one: number, other: number, first: Level): number {
  let level: Level | undefined = first;
  while (level) {
    const [a, b] = [levelNumber(level, one), levelNumber(level, other)];
    if (a < b) return -1;
    if (a > b) return 1;
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    level = nextLevelOfBoth(level, one, other);
  }
  return 0;
}

/** Returns {@link nextLevel} for two positions. */
function nextLevelOfBoth(level: Level, one: number, other: number): Level | undefined {
  const { part, depth, nextPart } = level;
  const isOver = part.keys.isOver(one, depth) && part.keys.isOver(other, depth);
  return isOver ? nextPart : { ...level, depth: depth + 1 };
}

/** Takes a millisecond or two. */
const MAX_AT_ONCE = 2 ** 14;

const INDEX_BITS = 16;
const INDEX = 2 ** INDEX_BITS;

/**
 * Returns a stable ascending sort, in place, of ranges of at most 16,384 of `places` by an integer below 2^48 each.
 * `isSame` compares the integers at two indexes of `places`, both within the range sorted last.
 */
function createPieceSort(places: Uint32Array): {
  sort(from: number, to: number, pieceOf: (place: number) => number): void;
  readonly isSame: (at: number, other: number) => boolean;
} {
  const numbers = new BigUint64Array(MAX_AT_ONCE);
  const halves = new Uint32Array(numbers.buffer);
  const before = new Uint32Array(MAX_AT_ONCE);
  let start = 0;
  return {
    /** Sorts the positions between `from` and `to`, at most 16,384, by `pieceOf`; stable, without a pause. */
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
    isSame: (at, other) => {
      const [one, two] = [2 * (at - start), 2 * (other - start)];
      return (
        halves[one + 1] === halves[two + 1] &&
        (halves[one] ?? 0) >>> INDEX_BITS === (halves[two] ?? 0) >>> INDEX_BITS
      );
    },
  };
}
