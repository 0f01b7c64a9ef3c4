import { isCurrencyCode, isSameUnit, PERCENT, type WrittenAmount } from '../../base/amount.ts';

const DECIMALS = /[.,](\d{1,2})$/;
const OF_MONEY = /[.,]\d\d$|\d[.,'’ \u00a0\u202f]\d{3}(?:$|\D)/;
const OF_OTHERS = /^-?\d+[.,](?:\d|\d{4,})$/;
/** Feet, and Friday. */
const OF_OTHER_THINGS = new Set(['Ft', 'Fr.']);
/** The unit may be another word, such as a country code or `Ft`. */
const mayBeOther = (unit: string): boolean => isCurrencyCode(unit) || OF_OTHER_THINGS.has(unit);
const MAX_UNITS = 3;

export class UnitsSeen {
  readonly #units = new Set<string>();
  #bare = 0;
  #inBrackets = 0;
  #outOfBrackets = 0;
  #decimals = 0;
  #isOfMoney = false;
  #isOfOthers = false;
  #areAmounts = false;

  /** Adds unit, brackets, decimals and notation to the statistics. */
  recordNumber({ number, unit, isInBrackets }: WrittenAmount): void {
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

  /** Returns whether some number had a unit or brackets. */
  areAmounts(): boolean {
    return this.#areAmounts;
  }

  /** Returns the unit that all numbers have; undefined if they differ, or one has none. */
  commonUnit(): string | undefined {
    return this.#bare === 0 && this.#units.size === 1 ? [...this.#units][0] : undefined;
  }

  /** Returns the first unit that some number had; undefined if none had one. */
  firstUnit(): string | undefined {
    return [...this.#units][0];
  }

  /** Returns whether some number had this unit. */
  has(unit: string): boolean {
    return this.#units.has(unit);
  }

  /** Returns the most decimals of numbers with a unit, 0 to 2. */
  maxDecimals(): number {
    return this.#decimals;
  }

  /** Returns whether numbers had units, percent signs aside, that mean different currencies. */
  isOfSeveralCurrencies(): boolean {
    const [first, ...others] = [...this.#units].filter((unit) => unit !== PERCENT);
    return first !== undefined && others.some((other) => !isSameUnit(first, other));
  }

  /** Returns whether some number has an unambiguous unit, two decimals or thousands, and none other decimals. */
  areMoney(): boolean {
    return this.#isOfMoney && !this.#isOfOthers;
  }

  /**
   * Returns false without numbers outside brackets, for brackets on numbers unlike money, percentages beside other
   * numbers, several currencies, or units that may be other words, as in `TOP 10`.
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

const VERSION = /^\d{1,3}(?:\.(\d{1,3}))?$/;

/** Detects versions or chapters: `1.9`, `1.10`. */
export class VersionsSeen {
  #areAll = true;
  #isShort = false;
  #isEndingInZero = false;

  /** Records whether the number may be a version; those with a sign or unit are none. */
  recordNumber({ number, unit }: WrittenAmount, isSigned = false): void {
    const decimals = unit === undefined && !isSigned ? VERSION.exec(number) : null;
    this.#areAll &&= decimals !== null;
    this.#isShort ||= decimals?.[1]?.length === 1;
    this.#isEndingInZero ||= decimals?.[1]?.length !== 1 && decimals?.[1]?.endsWith('0') === true;
  }

  /** Returns whether some end in a zero (`1.10`), and others have one decimal: programs write all numbers alike. */
  areLikely(): boolean {
    return this.#areAll && this.#isShort && this.#isEndingInZero;
  }
}
