/** Stored is the plain number, 0.12 for 12 %; the unit is the column's. */

/** Others are a currency's sign or code. */
export const PERCENT = '%';

const LETTER_SIGNS = 'kr\\.?|zł|Kč|Ft|S?Fr\\.|lei|лв\\.?';
const MONEY = `[A-Z]{3}|[A-Z]{0,2}\\p{Sc}|${LETTER_SIGNS}`;
const UNIT = new RegExp(`^(?:${PERCENT}|${MONEY})$`, 'u');

const THREE_LETTERS = /^[A-Z]{3}$/;

let codes: ReadonlySet<string> | undefined;
/** Returns whether this system knows the currency code, such as `EUR`. */
export const isCurrencyCode = (text: string): boolean =>
  THREE_LETTERS.test(text) && (codes ??= new Set(Intl.supportedValuesOf('currency'))).has(text);

/** Returns whether a column can show its numbers like this: `%`, `€`, `US$`, `CHF`. */
export const isUnit = (text: string): boolean =>
  UNIT.test(text) && (!THREE_LETTERS.test(text) || isCurrencyCode(text));

/** Returns whether both may mean one currency, as `€` and `EUR` do, and `$` and `AUD` may. */
export const isSameUnit = (one: string, other: string): boolean =>
  one === other || currencySign(one) === other || currencySign(other) === one;

/** Returns a currency code's sign, such as `€`, or the code if it has none; undefined for other units. */
function currencySign(unit: string): string | undefined {
  if (!isCurrencyCode(unit)) return undefined;
  const made = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: unit,
    currencyDisplay: 'narrowSymbol',
  });
  return made.formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

export interface WrittenAmount {
  /** Digits and everything between them, after a minus if negative. */
  readonly number: string;
  readonly unit?: string;
  /** Negative in accounting notation: `(5)`. */
  readonly isInBrackets: boolean;
}

const BLANKS = '[ \\u00a0\\u202f]*';
const DIGITS = "(\\d(?:[\\d.,'’ \\u00a0\\u202f]*\\d)?)";
const BESIDE = `(${PERCENT}|${MONEY})`;
const SIGNED = new RegExp(
  `^([-−+])?${BLANKS}(?:${BESIDE}${BLANKS})?([-−])?${DIGITS}([-−])?(?:${BLANKS}${BESIDE})?([-−])?$`,
  'u',
);
const IN_BRACKETS = new RegExp(
  `^(?:${BESIDE}${BLANKS})?\\((?:${BESIDE}${BLANKS})?${DIGITS}(?:${BLANKS}${BESIDE})?\\)(?:${BLANKS}${BESIDE})?$`,
  'u',
);
/** Longer texts are no amounts, and would make the patterns backtrack. */
const MAX_CHARS = 80;

/**
 * Parses `(5)`, `12 %`, `1.234,56 €`, `-$5.00`, `118,68-` into number and unit; undefined for other texts, such as more
 * than one sign or unit, `+49123` (a telephone number), `12-` (an open range), and over 80 characters.
 */
export function parseAmount(text: string): WrittenAmount | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CHARS || !/\d/.test(trimmed)) return undefined;
  const [, minus, before, sign, digits, last, behind, end] = SIGNED.exec(trimmed) ?? [];
  const signs = [minus, sign, last, end].filter((each) => each !== undefined);
  // After bare digits it may be part of a name.
  const isBelow = (last ?? end) === undefined || /[.,]/.test(digits ?? '');
  // A plus before bare digits or several groups is a telephone number's.
  const isAbove =
    minus !== '+' || (before ?? behind) !== undefined || /[.,]\d{1,2}$|^\d+[.,]\d{3}$/.test(digits ?? '');
  if (digits !== undefined && signs.length <= 1 && isBelow && isAbove)
    return toAmount(digits, [before, behind], minus === '+' ? undefined : signs[0]);
  const [, outside, left, inside, right, far] = IN_BRACKETS.exec(trimmed) ?? [];
  return inside === undefined ? undefined : toAmount(inside, [outside, left, right, far], '(');
}

/**
 * Returns digits with their sign and unit; undefined for two units, or an unknown one. `sign`: a minus, `(` for
 * brackets, or undefined.
 */
function toAmount(
  digits: string,
  units: readonly (string | undefined)[],
  sign: string | undefined,
): WrittenAmount | undefined {
  const [unit, ...others] = units.filter((each) => each !== undefined);
  if (others.length > 0 || (unit !== undefined && !isUnit(unit))) return undefined;
  return {
    number: sign === undefined ? digits : `-${digits}`,
    ...(unit === undefined ? {} : { unit }),
    isInBrackets: sign === '(',
  };
}

/** Returns a percentage's number, digit by digit: `12.5` is `0.125`; other texts unchanged. */
export const fromPercent = (percent: string): string => shiftDecimalPoint(percent, -2);

/** Returns a number as percent, digit by digit; anything else unchanged. */
export const toPercent = (stored: string): string => shiftDecimalPoint(stored, 2);

/** Moves the point right by `by` places (negative: left), and removes needless zeros; returns other texts unchanged. */
function shiftDecimalPoint(number: string, by: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  if (whole === '') return number;
  const padded = whole.padStart(1 - by, '0');
  const digits = padded + fraction.padEnd(by, '0');
  const point = padded.length + by;
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const right = digits.slice(point).replace(/0+$/, '');
  return `${sign}${left}${right === '' ? '' : `.${right}`}`;
}
