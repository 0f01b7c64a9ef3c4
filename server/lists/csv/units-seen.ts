import { isCurrencyCode, isSameUnit, PERCENT, type WrittenAmount } from '../../base/amount.ts';

/** What stands beside the numbers of one column. */
export interface UnitsSeen {
  see(amount: WrittenAmount): void;
  /** Something stands beside one of them, or one stands in brackets. */
  areAmounts(): boolean;
  /** What stands beside all of them. */
  all(): string | undefined;
  /** It stands beside one of them. */
  has(unit: string): boolean;
  /** Digits behind the point, of those that have something beside them. */
  decimals(): number;
  /** Several currencies: no number can do without its sign. */
  isOfSeveralCurrencies(): boolean;
  /**
   * They are written as money is: with something beside them that means nothing else, or two decimals, or in thousands, and
   * none with other decimals, as marks and `TOP 1.1` have them.
   */
  areMoney(): boolean;
  /**
   * Whether nobody has to say first that these are numbers: not where some stand in brackets, as notes and marks do, and
   * none is written as money is, where only some are percentages, or where letters that may be others stand beside them,
   * as in `TOP 10`.
   */
  areSurelyNumbers(): boolean;
}

const DECIMALS = /[.,](\d{1,2})$/;
const OF_MONEY = /[.,]\d\d$|\d[.,'’ \u00a0\u202f]\d{3}(?:$|\D)/;
const OF_OTHERS = /^-?\d+[.,](?:\d|\d{4,})$/;
/** Feet and Fridays have them too. */
const OF_OTHER_THINGS = new Set(['Ft', 'Fr.']);
const mayBeOther = (unit: string): boolean => isCurrencyCode(unit) || OF_OTHER_THINGS.has(unit);
/** More than two differ enough. */
const MOST = 3;

export function createUnitsSeen(): UnitsSeen {
  const units = new Set<string>();
  let [bare, inBrackets, outOfBrackets, decimals] = [0, 0, 0, 0];
  let [isOfMoney, isOfOthers, areAmounts] = [false, false, false];
  const isOfSeveralCurrencies = (): boolean => {
    const [first, ...others] = [...units].filter((unit) => unit !== PERCENT);
    return first !== undefined && others.some((other) => !isSameUnit(first, other));
  };
  const areMoney = (): boolean => isOfMoney && !isOfOthers;
  return {
    see({ number, unit, isInBrackets }) {
      areAmounts ||= isInBrackets || unit !== undefined;
      if (!isInBrackets) outOfBrackets++;
      else if (unit === undefined) inBrackets++;
      if (unit === undefined) bare++;
      else {
        if (units.size < MOST) units.add(unit);
        decimals = Math.max(decimals, DECIMALS.exec(number)?.[1]?.length ?? 0);
      }
      isOfMoney ||= OF_MONEY.test(number) || (unit !== undefined && unit !== PERCENT && !mayBeOther(unit));
      isOfOthers ||= OF_OTHERS.test(number);
    },
    areAmounts: () => areAmounts,
    all: () => (bare === 0 && units.size === 1 ? [...units][0] : undefined),
    has: (unit) => units.has(unit),
    decimals: () => decimals,
    areMoney,
    isOfSeveralCurrencies,
    areSurelyNumbers: () =>
      outOfBrackets > 0 &&
      (inBrackets === 0 || areMoney()) &&
      !(units.has(PERCENT) && (units.size > 1 || bare > 0)) &&
      !isOfSeveralCurrencies() &&
      (areMoney() || ![...units].some(mayBeOther)),
  };
}
