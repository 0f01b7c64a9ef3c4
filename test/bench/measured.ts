/** One line of the benchmarks' table: ours against a reference measured in the same run. */
export interface Measured {
  readonly what: string;
  /** What we are compared with. */
  readonly reference: string;
  /** Ready to be read, with the unit. */
  readonly ours: string;
  readonly theirs: string;
  /** How many times as good as the reference, where that can be said; higher is better. */
  readonly ratio?: number;
  /** What we want to reach, in words; and whether it was reached, where it asks for something. */
  readonly toReach: string;
  readonly reached?: boolean;
}

/** A line for a comparison that could not be made, and why. */
export function notMeasured(
  what: string,
  reference: string,
  ours: string,
  why: string,
  toReach: string,
): Measured {
  return { what, reference, ours, theirs: `not measured: ${why}`, toReach };
}

/** A number of milliseconds as one reads it. */
export function readable(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/** The middle one of several runs, by `of`. */
export function middle<T>(runs: readonly T[], of: (run: T) => number): number {
  const values = runs.map(of).sort((a, b) => a - b);
  return values[values.length >> 1] ?? Number.NaN;
}

/** The middle one of several runs with the least and the most of them, as one reads it. */
export function withSpread<T>(
  runs: readonly T[],
  of: (run: T) => number,
  show: (value: number) => string,
): string {
  const values = runs.map(of);
  const shown = show(middle(runs, of));
  if (runs.length < 2) return shown;
  return `${shown} (${show(Math.min(...values))} to ${show(Math.max(...values))})`;
}

/** A line for a value that has no reference, but must not exceed `most`. */
export function bounded(what: string, value: number, most: number, unit: 'ms' | 'MiB' = 'ms'): Measured {
  const show = (number: number): string => (unit === 'ms' ? readable(number) : `${number.toFixed(0)} MiB`);
  return {
    what,
    reference: '–',
    ours: show(value),
    theirs: '–',
    toReach: `${show(most)} at most`,
    reached: value <= most,
  };
}
