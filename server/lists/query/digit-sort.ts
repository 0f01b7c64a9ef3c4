const STRIDE = 8192;
const DIGIT_BITS = 11;
const BUCKETS = 2 ** DIGIT_BITS;
/** Radix digits of half a 64-bit number. */
const HALF = 3;

export interface DigitSort {
  /** Stable, NaN last; yields where the caller may pause. */
  sort(from: number, to: number, numberOf: (place: number) => number): Generator<undefined, void, undefined>;
  /** Equal numbers at both positions in the range's last sort. */
  readonly isSame: (at: number, other: number) => boolean;
}

/**
 * Returns a stable radix sort of ranges of `places` by a number each, least significant digit first. `sort` yields
 * where the caller may pause.
 */
export function createDigitSort(places: Uint32Array): DigitSort {
  const { length } = places;
  // Bits transformed to compare like their numbers.
  const low = new Uint32Array(length);
  const high = new Uint32Array(length);
  const other = {
    places: new Uint32Array(length),
    low: new Uint32Array(length),
    high: new Uint32Array(length),
  };
  const counts = Array.from({ length: 2 * HALF }, () => new Uint32Array(BUCKETS));

  /**
   * Stores the numbers' sortable bits and counts their digits. Yields where the caller may pause; returns whether the
   * range is sorted already.
   */
  function* storeNumbers(
    from: number,
    to: number,
    numberOf: (place: number) => number,
  ): Generator<undefined, boolean, undefined> {
    for (const count of counts) count.fill(0);
    let isSorted = true;
    let [lowBefore, highBefore] = [0, 0];
    for (let begin = from; begin < to; begin += STRIDE) {
      for (let at = begin; at < Math.min(begin + STRIDE, to); at++) {
        storeSortableBits(numberOf(places[at] ?? 0), low, high, at);
        const [lowBits, highBits] = [low[at] ?? 0, high[at] ?? 0];
        isSorted &&= highBits > highBefore || (highBits === highBefore && lowBits >= lowBefore);
        [lowBefore, highBefore] = [lowBits, highBits];
        for (let digit = 0; digit < counts.length; digit++)
          addOne(counts[digit], digitOf(lowBits, highBits, digit));
      }
      yield;
    }
    return isSorted;
  }

  /**
   * Orders the range by a digit; stable. Yields where the caller may pause.
   * @param next how often each value of the digit occurs; overwritten
   */
  function* orderByDigit(
    from: number,
    to: number,
    digit: number,
    next: Uint32Array,
  ): Generator<undefined, void, undefined> {
    let sum = from;
    for (let value = 0; value < BUCKETS; value++) {
      const count = next[value] ?? 0;
      next[value] = sum;
      sum += count;
    }
    for (let begin = from; begin < to; begin += STRIDE) {
      for (let at = begin; at < Math.min(begin + STRIDE, to); at++) {
        const [lowBits, highBits] = [low[at] ?? 0, high[at] ?? 0];
        const place = addOne(next, digitOf(lowBits, highBits, digit));
        other.places[place] = places[at] ?? 0;
        other.low[place] = lowBits;
        other.high[place] = highBits;
      }
      yield;
    }
    places.set(other.places.subarray(from, to), from);
    low.set(other.low.subarray(from, to), from);
    high.set(other.high.subarray(from, to), from);
  }

  return {
    /** Sorts the range by `numberOf`, skipping digits that are equal in all. Yields where the caller may pause. */
    *sort(from, to, numberOf) {
      if (yield* storeNumbers(from, to, numberOf)) return;
      for (const [digit, count] of counts.entries()) {
        const isOne = count[digitOf(low[from] ?? 0, high[from] ?? 0, digit)] === to - from;
        if (!isOne) yield* orderByDigit(from, to, digit, count);
      }
    },
    isSame: (at, another) => low[at] === low[another] && high[at] === high[another],
  };
}

const number = new Float64Array(1);
const bits = new Uint32Array(number.buffer);
const MAX_UINT32 = 0xffffffff;
const SIGN = 0x80000000;

/** Stores the number in two halves that compare as unsigned integers like the numbers. NaN is the greatest. */
function storeSortableBits(value: number, low: Uint32Array, high: Uint32Array, at: number): void {
  number[0] = value;
  const [lowBits = 0, highBits = 0] = [bits[0], bits[1]];
  const isBelowZero = highBits >>> 31 === 1;
  low[at] = Number.isNaN(value) ? MAX_UINT32 : isBelowZero ? ~lowBits : lowBits;
  high[at] = Number.isNaN(value) ? MAX_UINT32 : isBelowZero ? ~highBits : highBits | SIGN;
}

/** Adds one to a count; returns the old value. */
function addOne(counts: Uint32Array | undefined, at: number): number {
  const before = counts?.[at] ?? 0;
  if (counts) counts[at] = before + 1;
  return before;
}

/** Returns one of six digits, numbered from the least significant. */
function digitOf(low: number, high: number, digit: number): number {
  const half = digit < HALF ? low : high;
  return (half >>> (DIGIT_BITS * (digit % HALF))) & (BUCKETS - 1);
}
