/** Adds up the numbers of one column, so that a number below them is known to be their sum. */
export interface Totals {
  /** @param number with a point; `isPart` unless a sum of what is seen may leave it out, being hidden or a sum itself */
  see(number: string, isPart: boolean): void;
  /** Whether it adds up what was seen of a span. */
  isSum(number: string, span: Span): boolean;
  /** A sum stood here, of what came behind the mark of this number: marks behind that one are within it, and go. */
  mark(from: number): void;
}

/** A part of a column that a sum may add up. */
export interface Span {
  /** Behind which mark it begins: 0 is the beginning of the column. */
  readonly from: number;
  /** So many numbers that are not nought it has to have. */
  readonly least: number;
  /** What the sum adds beside, such as a tax: with points. */
  readonly also?: readonly string[];
}

interface Total {
  sum: number;
  /** How many are not nought, and how large these are together. */
  count: number;
  size: number;
  decimals: number;
}

/** What had been added up at a mark: of everything, and of what no sum leaves out. */
type Mark = readonly [all: Readonly<Total>, parts: Readonly<Total>];

/** As computers count: of fifteen digits the last ones are theirs. */
const NEAR = 1e-9;
const NONE: Readonly<Total> = { sum: 0, count: 0, size: 0, decimals: 0 };
const BEGINNING: Mark = [NONE, NONE];
/** So many marks are known; past that, those go that were set first, but for the beginning. */
export const MAX_MARKS = 200;

export function createTotals(): Totals {
  const [all, parts] = [{ ...NONE }, { ...NONE }];
  const marks: Mark[] = [BEGINNING];
  return {
    see(number, isPart) {
      add(all, number);
      if (isPart) add(parts, number);
    },
    isSum(number, { from, least, also = [] }) {
      const [allBefore, partsBefore] = marks[from] ?? BEGINNING;
      return [since(all, allBefore), since(parts, partsBefore)].some((total) => {
        if (total.count < least) return false;
        for (const each of also) add(total, each);
        return isSumOf(total, number);
      });
    },
    mark(from) {
      marks.length = Math.min(marks.length, from + 1);
      if (marks.length >= MAX_MARKS) marks.splice(1, 1);
      marks.push(all.count === 0 ? BEGINNING : [{ ...all }, { ...parts }]);
    },
  };
}

function add(total: Total, number: string): void {
  const value = Number(number);
  if (value === 0) return;
  total.sum += value;
  total.count++;
  total.size += Math.abs(value);
  total.decimals = Math.max(total.decimals, decimalsOf(number));
}

/** What was added since. It is as near as what was added before leaves it. */
const since = (now: Readonly<Total>, before: Readonly<Total>): Total => ({
  ...now,
  sum: now.sum - before.sum,
  count: now.count - before.count,
});

function isSumOf({ sum, count, size, decimals }: Total, number: string): boolean {
  const value = Number(number);
  if (count < 1 || value === 0) return false;
  const own = decimalsOf(number);
  const unit = 10 ** -own;
  // Numbers that were rounded one by one add up to a little more or less than their sum does.
  const rounded = count === 1 ? 0 : own > 0 ? unit * (1 + Math.sqrt(count)) : decimals > 0 ? unit / 2 : 0;
  return Math.abs(sum - value) <= size * NEAR + rounded;
}

const decimalsOf = (number: string): number => {
  const point = number.indexOf('.');
  return point === -1 ? 0 : number.length - point - 1;
};
