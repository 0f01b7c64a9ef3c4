import { isCurrencyCode, isSameUnit, PERCENT, type WrittenAmount } from '../../base/amount.ts';

const DECIMALS = /[.,](\d{1,2})$/;
const OF_MONEY = /[.,]\d\d$|\d[.,'’ \u00a0\u202f]\d{3}(?:$|\D)/;
const OF_OTHERS = /^-?\d+[.,](?:\d|\d{4,})$/;
/** Feet and Fridays have them too. */
const OF_OTHER_THINGS = new Set(['Ft', 'Fr.']);
const mayBeOther = (unit: string): boolean => isCurrencyCode(unit) || OF_OTHER_THINGS.has(unit);
/** More than two differ enough. */
const MAX_UNITS = 3;

/** What stands beside the numbers of one column. */
export class UnitsSeen {
  readonly #units = new Set<string>();
  #bare = 0;
  #inBrackets = 0;
  #outOfBrackets = 0;
  #decimals = 0;
  #isOfMoney = false;
  #isOfOthers = false;
  #areAmounts = false;

  see({ number, unit, isInBrackets }: WrittenAmount): void {
    this.#areAmounts ||= isInBrackets || unit !== undefined;
    if (!isInBrackets) this.#outOfBrackets++;
    else if (unit === undefined) this.#inBrackets++;
    if (unit === undefined) this.#bare++;
    else {
      if (this.#units.size < MAX_UNITS) this.#units.add(unit);
      this.#decimals = Math.max(this.#decimals, DECIMALS.exec(number)?.[1]?.length ?? 0);
    }
    const isOnlyMoney = unit !== undefined && unit !== PERCENT && !mayBeOther(unit);
    this.#isOfMoney ||= OF_MONEY.test(number) || isOnlyMoney;
    this.#isOfOthers ||= OF_OTHERS.test(number);
  }

  /** Something stands beside one of them, or one stands in brackets. */
  areAmounts(): boolean {
    return this.#areAmounts;
  }

  /** What stands beside all of them. */
  all(): string | undefined {
    return this.#bare === 0 && this.#units.size === 1 ? [...this.#units][0] : undefined;
  }

  /** It stands beside one of them. */
  has(unit: string): boolean {
    return this.#units.has(unit);
  }

  /** Digits behind the point, of those that have something beside them. */
  decimals(): number {
    return this.#decimals;
  }

  /** Several currencies: no number can do without its sign. */
  isOfSeveralCurrencies(): boolean {
    const [first, ...others] = [...this.#units].filter((unit) => unit !== PERCENT);
    return first !== undefined && others.some((other) => !isSameUnit(first, other));
  }

  /**
   * They are written as money is: with something beside them that means nothing else, or two decimals, or in thousands, and
   * none with other decimals, as marks and `TOP 1.1` have them.
   */
  areMoney(): boolean {
    return this.#isOfMoney && !this.#isOfOthers;
  }

  /**
   * Whether nobody has to say first that these are numbers: not where some stand in brackets, as notes and marks do, and
   * none is written as money is, where only some are percentages, or where letters that may be others stand beside them,
   * as in `TOP 10`.
   */
  areSurelyNumbers(): boolean {
    return (
      this.#outOfBrackets > 0 &&
      (this.#inBrackets === 0 || this.areMoney()) &&
      !(this.#units.has(PERCENT) && (this.#units.size > 1 || this.#bare > 0)) &&
      !this.isOfSeveralCurrencies() &&
      (this.areMoney() || ![...this.#units].some(mayBeOther))
    );
  }
}
