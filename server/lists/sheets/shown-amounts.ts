import { isSameUnit, PERCENT } from '../../base/amount.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { AS_IT_IS, type Amount } from './workbook.ts';

export interface ShownAs extends Amount {
  readonly decimals: number;
  /** Displays different texts beside numbers, which lists can't. */
  readonly isMixed: boolean;
  /** No number makes sense without its currency. */
  readonly isOfSeveralCurrencies?: true;
}

export interface ShownAmounts {
  recordNumber(column: number, as: Amount): void;
  get(column: number): ShownAs | undefined;
}

const MAX_FORMATS = 8;

/** Collects how a sheet displays the numbers of its columns, up to eight ways per column. */
export function createShownAmounts(): ShownAmounts {
  const columns = new Map<number, Map<string, { readonly as: Amount; decimals: number }>>();
  return {
    /**
     * Records how a number of the column, by index from 0, is displayed: the most decimals per unit. Ignores a column's
     * further units beyond `MAX_FORMATS`.
     */
    recordNumber(column, as) {
      const displays = columns.get(column) ?? new Map<string, { readonly as: Amount; decimals: number }>();
      columns.set(column, displays);
      const display = as.unit ?? (as.beside === undefined ? '' : `beside ${as.beside}`);
      const seen = displays.get(display);
      if (seen) seen.decimals = Math.max(seen.decimals, as.decimals);
      else if (displays.size < MAX_FORMATS) displays.set(display, { as, decimals: as.decimals });
    },
    /**
     * Returns the column's unit, absent if units differ, its most decimals, and whether units or currencies differ;
     * undefined if plain.
     */
    get(column) {
      const displays = [...(columns.get(column)?.values() ?? [])];
      const decimals = Math.max(0, ...displays.map((display) => display.decimals));
      const isMixed = displays.length > 1;
      const [first] = displays;
      if (!first || (!isMixed && decimals === 0 && !hasBeside(first.as))) return undefined;
      const [currency, ...others] = displays
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
