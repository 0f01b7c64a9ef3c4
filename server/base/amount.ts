/**
 * Numbers with what people write beside them: a percentage, or the sign or code of a currency. What is kept is always the
 * number itself, and 12 % are 0.12, as spreadsheet programs have it; as what a column shows its numbers is a setting of its
 * own. Of the node and of the window, so that both read and write them alike.
 */

/** The unit of percentages; every other one is the sign or the code of a currency. */
export const PERCENT = '%';

const LETTER_SIGNS = 'kr\\.?|zł|Kč|Ft|S?Fr\\.|lei|лв\\.?';
const MONEY = `[A-Z]{3}|[A-Z]{0,2}\\p{Sc}|${LETTER_SIGNS}`;
const UNIT = new RegExp(`^(?:${PERCENT}|${MONEY})$`, 'u');

const THREE_LETTERS = /^[A-Z]{3}$/;

/** Dear to make, and most texts have no use for them. */
let codes: ReadonlySet<string> | undefined;
export const isCurrencyCode = (text: string): boolean =>
  THREE_LETTERS.test(text) && (codes ??= new Set(Intl.supportedValuesOf('currency'))).has(text);

/** Whether a column can show its numbers so: `%`, `€`, `US$`, `CHF`. */
export const isUnit = (text: string): boolean =>
  UNIT.test(text) && (!THREE_LETTERS.test(text) || isCurrencyCode(text));

/** Whether both may mean the same currency, as `€` and `EUR` do; of `$` and `AUD` nobody knows better. */
export const isSameUnit = (one: string, other: string): boolean =>
  one === other || signOf(one) === other || signOf(other) === one;

function signOf(unit: string): string | undefined {
  if (!isCurrencyCode(unit)) return undefined;
  const made = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: unit,
    currencyDisplay: 'narrowSymbol',
  });
  return made.formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

/** A number as somebody wrote it, apart from what stood beside it. */
export interface WrittenAmount {
  /** Its digits with whatever stands among them, and a minus in front where it is below zero. */
  readonly number: string;
  /** Absent: none was written. */
  readonly unit?: string;
  /** It is below zero as bookkeepers write it: `(5)`. */
  readonly isInBrackets: boolean;
}

const BLANKS = '[ \\u00a0\\u202f]*';
const DIGITS = "(\\d(?:[\\d.,'’ \\u00a0\\u202f]*\\d)?)";
const BESIDE = `(${PERCENT}|${MONEY})`;
const SIGNED = new RegExp(
  `^([-−])?${BLANKS}(?:${BESIDE}${BLANKS})?([-−])?${DIGITS}([-−])?(?:${BLANKS}${BESIDE})?([-−])?$`,
  'u',
);
const IN_BRACKETS = new RegExp(
  `^(?:${BESIDE}${BLANKS})?\\((?:${BESIDE}${BLANKS})?${DIGITS}(?:${BLANKS}${BESIDE})?\\)(?:${BLANKS}${BESIDE})?$`,
  'u',
);
/** No amount that anybody writes is longer, and the patterns would look at each digit again and again. */
const LONGEST = 80;

/** `(5)`, `12 %`, `1.234,56 €`, `-$5.00`, `118,68-`; undefined for what has no such form, or two signs of a kind. */
export function writtenAmount(text: string): WrittenAmount | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST || !/\d/.test(trimmed)) return undefined;
  const [, minus, before, sign, digits, last, behind, end] = SIGNED.exec(trimmed) ?? [];
  const signs = [minus, sign, last, end].filter((each) => each !== undefined);
  // Behind digits alone it may be a part of a name, as in a range that is left open.
  const isBelow = (last ?? end) === undefined || /[.,]/.test(digits ?? '');
  if (digits !== undefined && signs.length <= 1 && isBelow) return amount(digits, [before, behind], signs[0]);
  const [, outside, left, inside, right, far] = IN_BRACKETS.exec(trimmed) ?? [];
  return inside === undefined ? undefined : amount(inside, [outside, left, right, far], '(');
}

function amount(
  digits: string,
  beside: readonly (string | undefined)[],
  sign: string | undefined,
): WrittenAmount | undefined {
  const [unit, ...others] = beside.filter((each) => each !== undefined);
  if (others.length > 0 || (unit !== undefined && !isUnit(unit))) return undefined;
  return {
    number: sign === undefined ? digits : `-${digits}`,
    ...(unit === undefined ? {} : { unit }),
    isInBrackets: sign === '(',
  };
}

/** The number that a percentage stands for, digit by digit: `12.5` is `0.125`. @param percent with a point */
export const fromPercent = (percent: string): string => shifted(percent, -2);

/** How many percent a number is, digit by digit; what is no number stays as it is. */
export const toPercent = (stored: string): string => shifted(stored, 2);

function shifted(number: string, by: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  if (whole === '') return number;
  // A digit stays before the point, wherever that goes.
  const padded = whole.padStart(1 - by, '0');
  const digits = padded + fraction.padEnd(by, '0');
  const point = padded.length + by;
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const right = digits.slice(point).replace(/0+$/, '');
  return `${sign}${left}${right === '' ? '' : `.${right}`}`;
}
