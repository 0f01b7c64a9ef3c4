import { createYielder } from '../../base/yield.ts';
import { createDigitSort } from './digit-sort.ts';
import { MAX_PIECE, type PackedKeys } from './packed-keys.ts';
import { createPieceSort, MAX_AT_ONCE } from './piece-sort.ts';

/** One part of an order: the keys by it, and whether they go backwards. Who has no key comes last either way. */
export interface PackedPart {
  readonly keys: PackedKeys;
  readonly descending: boolean;
}

/** So few are put in order one by one. */
const MAX_INSERTION_SORT = 32;
/** Steps between two looks at the clock. */
const STRIDE = 8192;

/** What places are told apart by next: a level of the keys of a part, then those behind it, then the next part. */
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
 * Puts places in order without holding the event loop for more than some milliseconds at a time; equals stay as they
 * are. Level after level, by digits or in few places by pieces: comparing a million keys twenty times each takes many
 * times as long.
 */
export async function sortPlaces(places: Uint32Array, parts: readonly PackedPart[]): Promise<void> {
  const pause = createYielder();
  const digits = createDigitSort(places);
  const pieces = createPieceSort(places);
  const waiting: Range[] = [];
  const tellApart = (range: Range | undefined): void => {
    if (!range || range.to - range.from < 2) return;
    if (range.to - range.from > MAX_INSERTION_SORT) waiting.push(range);
    else sortFew(places, range);
  };
  const level = firstLevel(parts);
  tellApart(level && { from: 0, to: places.length, level });
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    const { from, to, level } = range;
    const isShort = to - from <= MAX_AT_ONCE && level.part.keys.isOfPieces(level.depth);
    const { isSame } = isShort ? pieces : digits;
    if (isShort) {
      pieces.sort(from, to, (place) => pieceOf(level, place));
      await pause();
    } else {
      const steps = digits.sort(from, to, (place) => numberOf(level, place));
      while (steps.next().done !== true) await pause();
    }
    let looked = 0;
    for (let at = from; at < to;) {
      let end = at + 1;
      while (end < to && isSame(at, end)) end++;
      const behind = end - at > 1 ? levelBehind(level, places.subarray(at, end)) : undefined;
      tellApart(behind && { from: at, to: end, level: behind });
      looked += end - at;
      if (looked > STRIDE) {
        looked = 0;
        await pause();
      }
      at = end;
    }
  }
}

function firstLevel(parts: readonly PackedPart[]): Level | undefined {
  return parts.reduceRight<Level | undefined>((nextPart, part) => ({ part, depth: 0, nextPart }), undefined);
}

function numberOf({ part: { keys, descending }, depth }: Level, place: number): number {
  const number = keys.level(place, depth);
  return descending ? 0 - number : number;
}

/** The same for a level of pieces, as one. */
function pieceOf({ part: { keys, descending }, depth }: Level, place: number): number {
  const piece = keys.level(place, depth);
  if (Number.isNaN(piece)) return MAX_PIECE;
  return descending ? MAX_PIECE - 1 - piece : piece;
}

/** What tells places apart that are alike in this level; undefined: nothing does. */
function levelBehind(level: Level, alike: Uint32Array): Level | undefined {
  const { part, depth, nextPart } = level;
  for (const place of alike) if (!part.keys.isOver(place, depth)) return { ...level, depth: depth + 1 };
  return nextPart;
}

function sortFew(places: Uint32Array, { from, to, level }: Range): void {
  for (let at = from + 1; at < to; at++) {
    const place = places[at] ?? 0;
    let gap = at;
    for (; gap > from && compare(places[gap - 1] ?? 0, place, level) > 0; gap--)
      places[gap] = places[gap - 1] ?? 0;
    places[gap] = place;
  }
}

function compare(one: number, other: number, first: Level): number {
  let level: Level | undefined = first;
  while (level) {
    const [a, b] = [numberOf(level, one), numberOf(level, other)];
    if (a < b) return -1;
    if (a > b) return 1;
    // One has no key, or neither has.
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    level = levelBehindBoth(level, one, other);
  }
  return 0;
}

function levelBehindBoth(level: Level, one: number, other: number): Level | undefined {
  const { part, depth, nextPart } = level;
  const isOver = part.keys.isOver(one, depth) && part.keys.isOver(other, depth);
  return isOver ? nextPart : { ...level, depth: depth + 1 };
}
