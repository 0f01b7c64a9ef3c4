import { isSameUnit, PERCENT } from '../../base/amount.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { AS_IT_IS, type Amount } from './workbook.ts';

/** As what the numbers of a column are shown. */
export interface ShownAs extends Amount {
  /** Digits behind the point, of a percentage those that are seen. */
  readonly decimals: number;
  /** Something stands beside some of them, and beside others nothing or something else: a list can show none of it. */
  readonly isMixed: boolean;
  /** Several currencies are among it: no number can do without its sign. */
  readonly isOfSeveralCurrencies?: true;
}

/** Gathers as what the numbers of a sheet are shown, as its lines are read. */
export interface ShownAmounts {
  see(column: number, as: Amount): void;
  /** Of a column, from 0; undefined where its numbers stand there as they are. */
  of(column: number): ShownAs | undefined;
}

/** More ways to show the numbers of one column are as mixed as these. */
const MAX_FORMATS = 8;

export function createShownAmounts(): ShownAmounts {
  /** By column and by what stands beside its numbers. */
  const columns = new Map<number, Map<string, { readonly as: Amount; decimals: number }>>();
  return {
    see(column, as) {
      const ways = columns.get(column) ?? new Map<string, { readonly as: Amount; decimals: number }>();
      columns.set(column, ways);
      const way = as.unit ?? (as.beside === undefined ? '' : `beside ${as.beside}`);
      const seen = ways.get(way);
      if (seen) seen.decimals = Math.max(seen.decimals, as.decimals);
      else if (ways.size < MAX_FORMATS) ways.set(way, { as, decimals: as.decimals });
    },
    of(column) {
      const ways = [...(columns.get(column)?.values() ?? [])];
      const decimals = Math.max(0, ...ways.map((way) => way.decimals));
      const isMixed = ways.length > 1;
      const [first] = ways;
      if (!first || (!isMixed && decimals === 0 && !hasBeside(first.as))) return undefined;
      const [currency, ...others] = ways
        .map(({ as: { unit } }) => unit)
        .filter((unit) => unit !== undefined && unit !== PERCENT);
      const areSeveral =
        currency !== undefined && others.some((other) => other !== undefined && !isSameUnit(currency, other));
      const { unit, beside } = isMixed ? AS_IT_IS : first.as;
      return {
        ...omitUndefined({ unit, beside }),
        decimals,
        isMixed,
        ...(areSeveral ? { isOfSeveralCurrencies: true } : {}),
      };
    },
  };
}

const hasBeside = ({ unit, beside }: Amount): boolean => unit !== undefined || beside !== undefined;
