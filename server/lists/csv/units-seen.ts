import { isCurrencyCode, isSameUnit, PERCENT, type WrittenAmount } from '../../base/amount.ts';

/** What stands beside the numbers of one column. */
export interface UnitsSeen {
  see(amount: WrittenAmount): void;
  /** Something stands beside one of them, or one stands in brackets. */
  areAmounts(): boolean;
  /** What stands beside all of them. */
  all(): string | undefined;
  /** Digits behind the point, of those that have something beside them. */
  decimals(): number;
  /** Several currencies: no number can do without its sign. */
  isOfSeveralCurrencies(): boolean;
  /**
   * Whether nobody has to say first that these are numbers: not where all stand in brackets, as notes do, where only some
   * are percentages, or where letters stand beside digits alone, as in `TOP 10`.
   */
  areSurelyNumbers(): boolean;
}

const DECIMALS = /[.,](\d{1,2})$/;
/** More than two differ enough. */
const MOST = 3;

export function createUnitsSeen(): UnitsSeen {
  const units = new Set<string>();
  let [bare, outOfBrackets, decimals, isWritten, areAmounts] = [0, 0, 0, false, false];
  const isOfSeveralCurrencies = (): boolean => {
    const [first, ...others] = [...units].filter((unit) => unit !== PERCENT);
    return first !== undefined && others.some((other) => !isSameUnit(first, other));
  };
  return {
    see({ number, unit, isInBrackets }) {
      areAmounts ||= isInBrackets || unit !== undefined;
      if (!isInBrackets) outOfBrackets++;
      if (unit === undefined) bare++;
      else {
        if (units.size < MOST) units.add(unit);
        decimals = Math.max(decimals, DECIMALS.exec(number)?.[1]?.length ?? 0);
      }
      isWritten ||= /[.,'’]/.test(number);
    },
    areAmounts: () => areAmounts,
    all: () => (bare === 0 && units.size === 1 ? [...units][0] : undefined),
    decimals: () => decimals,
    isOfSeveralCurrencies,
    areSurelyNumbers: () =>
      outOfBrackets > 0 &&
      !(units.has(PERCENT) && (units.size > 1 || bare > 0)) &&
      !isOfSeveralCurrencies() &&
      (isWritten || ![...units].some(isCurrencyCode)),
  };
}
