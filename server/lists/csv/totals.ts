/** Adds up the numbers of one column, so that a number below them is known to be their sum. */
export interface Totals {
  /** @param number with a point; `isPart` unless a sum of what is seen may leave it out, being hidden or a sum itself */
  see(number: string, isPart: boolean): void;
  /** Whether it adds up what was seen: two or more numbers that are not nought. */
  isSum(number: string): boolean;
}

interface Total {
  sum: number;
  /** How many are not nought, and how large these are together. */
  count: number;
  size: number;
  decimals: number;
}

/** As computers count: of fifteen digits the last ones are theirs. */
const NEAR = 1e-9;
const LEAST = 2;

export function createTotals(): Totals {
  const [all, parts] = [
    { sum: 0, count: 0, size: 0, decimals: 0 },
    { sum: 0, count: 0, size: 0, decimals: 0 },
  ];
  return {
    see(number, isPart) {
      add(all, number);
      if (isPart) add(parts, number);
    },
    isSum: (number) => [all, parts].some((total) => isSumOf(total, number)),
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

function isSumOf({ sum, count, size, decimals }: Total, number: string): boolean {
  const value = Number(number);
  if (count < LEAST || value === 0) return false;
  const own = decimalsOf(number);
  const unit = 10 ** -own;
  // Numbers that were rounded one by one add up to a little more or less than their sum does.
  const rounded = own > 0 ? unit * (1 + Math.sqrt(count)) : decimals > 0 ? unit / 2 : 0;
  return Math.abs(sum - value) <= size * NEAR + rounded;
}

const decimalsOf = (number: string): number => {
  const point = number.indexOf('.');
  return point === -1 ? 0 : number.length - point - 1;
};
