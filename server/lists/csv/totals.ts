export interface Totals {
  /** Takes a decimal point. `isPart`: no total excludes it, unlike hidden numbers and totals. */
  addToTotal(number: string, isPart: boolean): void;
  /** Allows for rounding, with or without excludable numbers. */
  isSum(number: string, span: Span): boolean;
  /** Totals everything since this mark; drops later marks. */
  recordMark(from: number): void;
}

export interface Span {
  /** First mark; 0: the column's beginning. */
  readonly from: number;
  readonly least: number;
  /** More addends with decimal points, such as taxes. */
  readonly also?: readonly string[];
}

interface Total {
  sum: number;
  /** Non-zero addends, and the sum of their magnitudes. */
  count: number;
  size: number;
  decimals: number;
}

type Mark = readonly [all: Readonly<Total>, parts: Readonly<Total>];

const NEAR = 1e-9;
const NONE: Readonly<Total> = { sum: 0, count: 0, size: 0, decimals: 0 };
const BEGINNING: Mark = [NONE, NONE];
/** Beyond, the oldest but the beginning are dropped. */
export const MAX_MARKS = 200;

/**
 * Sums all numbers, and apart those that every total includes; tells whether a number is either sum since a recorded
 * mark.
 */
export function createTotals(): Totals {
  const [all, parts] = [{ ...NONE }, { ...NONE }];
  const marks: Mark[] = [BEGINNING];
  return {
    /** Adds a number to the totals; `isPart`: also to the one without hidden numbers and totals. */
    addToTotal(number, isPart) {
      add(all, number);
      if (isPart) add(parts, number);
    },
    /**
     * Returns whether the number is the sum since mark `from`, with `also` added; false for fewer than `least` addends.
     */
    isSum(number, { from, least, also = [] }) {
      const [allBefore, partsBefore] = marks[from] ?? BEGINNING;
      return [subtractMark(all, allBefore), subtractMark(parts, partsBefore)].some((total) => {
        if (total.count < least) return false;
        for (const each of also) add(total, each);
        return isSumOf(total, number);
      });
    },
    /** Records the present sums as mark `from + 1`, and drops later ones. At 200, the oldest but the first goes. */
    recordMark(from) {
      marks.length = Math.min(marks.length, from + 1);
      if (marks.length >= MAX_MARKS) marks.splice(1, 1);
      marks.push(all.count === 0 ? BEGINNING : [{ ...all }, { ...parts }]);
    },
  };
}

/** Adds a number to the total; ignores zero. */
function add(total: Total, number: string): void {
  const value = Number(number);
  if (value === 0) return;
  total.sum += value;
  total.count++;
  total.size += Math.abs(value);
  total.decimals = Math.max(total.decimals, decimalsOf(number));
}

/** Returns the sum since a mark. Magnitude and decimals stay, as they bound the accuracy. */
const subtractMark = (now: Readonly<Total>, before: Readonly<Total>): Total => ({
  ...now,
  sum: now.sum - before.sum,
  count: now.count - before.count,
});

/** Returns whether the total equals the number within rounding; false for zero and for a sum of nothing. */
function isSumOf({ sum, count, size, decimals }: Total, number: string): boolean {
  const value = Number(number);
  if (count < 1 || value === 0) return false;
  const own = decimalsOf(number);
  const unit = 10 ** -own;
  // Rounded addends miss their total.
  const rounded = count === 1 ? 0 : own > 0 ? unit * (1 + Math.sqrt(count)) : decimals > 0 ? unit / 2 : 0;
  return Math.abs(sum - value) <= size * NEAR + rounded;
}

/** Counts the decimals of a plain number. */
const decimalsOf = (number: string): number => {
  const point = number.indexOf('.');
  return point === -1 ? 0 : number.length - point - 1;
};
