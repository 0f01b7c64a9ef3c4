import type { Amount } from './workbook.ts';

/** As what the numbers of a column are shown. */
export interface ShownAs {
  /** What stands beside each of them. */
  readonly unit?: string;
  /** Digits behind the point, of a percentage those that are seen. */
  readonly decimals: number;
  /** Something stands beside some of them, and beside others nothing or something else: a list can show none of it. */
  readonly isMixed: boolean;
}

/** Gathers as what the numbers of a sheet are shown, as its cells are read. */
export interface ShownAmounts {
  see(line: number, column: number, as: Amount): void;
  /** By column, from 0, what is told of the numbers in this line and below it. */
  from(line: number): ReadonlyMap<number, ShownAs>;
}

/** More ways to show the numbers of one column are as mixed as these. */
const MOST = 8;

export function createShownAmounts(): ShownAmounts {
  /** By column and by what stands beside its numbers. */
  const columns = new Map<number, Map<string | undefined, { last: number; decimals: number }>>();
  return {
    see(line, column, { unit, decimals }) {
      const units = columns.get(column) ?? new Map<string | undefined, { last: number; decimals: number }>();
      columns.set(column, units);
      const seen = units.get(unit);
      if (seen) {
        seen.last = Math.max(seen.last, line);
        seen.decimals = Math.max(seen.decimals, decimals);
      } else if (units.size < MOST) units.set(unit, { last: line, decimals });
    },
    from(line) {
      const shown = new Map<number, ShownAs>();
      for (const [column, units] of columns) {
        const here = [...units].filter(([, { last }]) => last >= line);
        const decimals = Math.max(0, ...here.map(([, seen]) => seen.decimals));
        const [unit] = here[0] ?? [];
        // A sign that no column can show is as good as several.
        const isMixed = here.length > 1 || unit === '';
        if (isMixed ? here.some(([each]) => each !== undefined) : decimals > 0 || unit !== undefined)
          shown.set(column, { decimals, isMixed, ...(isMixed || unit === undefined ? {} : { unit }) });
      }
      return shown;
    },
  };
}
