import { PERCENT, isSameUnit, writtenAmount } from '../../../base/amount.ts';
import { accept, refuse, type Checked } from './checked.ts';
import { said, type Words } from '../../../words/said.ts';

const DECIMAL = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** More digits than any count or amount needs; keeps comparisons cheap. */
const MAX_DIGITS = 400;

/**
 * Checks a Number: a decimal with a point, stored digit by digit, never as a JavaScript number. Expands
 * exponents, removes leading zeros and a plus sign, keeps trailing zeros.
 * @param unit of the column: anything else beside a number is named in the problem
 */
export function checkNumber(text: string, unit?: string): Checked {
  const trimmed = text.trim();
  const isNumeric = /^[+-]?\.?\d/.test(trimmed);
  // Before the pattern, which takes quadratic time for a run of zeros.
  const isLong = trimmed.length > MAX_DIGITS;
  const parts = isLong ? null : DECIMAL.exec(trimmed);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? [];
  if (isNumeric && (isLong || trimmed.length + Math.abs(Number(exponent)) > MAX_DIGITS))
    return refuse(said('value.too-many-digits', { most: MAX_DIGITS }));
  if (!isNumeric || !parts) return refuse(whyNoNumber(trimmed, unit));
  const [integer, decimals] = shiftPoint(whole, fraction, Number(exponent));
  const digits = (integer || '0') + (decimals ? `.${decimals}` : '');
  return accept(sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits);
}

/** Returns the problem of a text that is no plain number, such as a unit or brackets beside it. */
function whyNoNumber(text: string, unit: string | undefined): Words {
  const { number = '', unit: written, isInBrackets = false } = writtenAmount(text) ?? {};
  if (written === undefined)
    return isInBrackets
      ? said('value.in-brackets', { number: number.replace('-', '') })
      : said('value.no-number');
  if (written === PERCENT && unit !== PERCENT) return said('value.percent');
  if (unit !== undefined && !isSameUnit(written, unit)) return said('value.other-unit', { unit });
  return said('value.two-numbers');
}

/**
 * Returns integer digits and decimals after the decimal point moved by this many places: to the right, or to the
 * left if negative. The integer digits may be empty.
 */
function shiftPoint(whole: string, fraction: string, by: number): readonly [string, string] {
  if (by >= 0) {
    const all = fraction.padEnd(by, '0');
    return [(whole + all.slice(0, by)).replace(/^0+/, ''), all.slice(by)];
  }
  const all = whole.padStart(-by, '0');
  return [all.slice(0, by).replace(/^0+/, ''), all.slice(by) + fraction];
}

/** More than any exponent of a number of {@link MAX_DIGITS} digits, so that each has four digits. */
const MIDDLE = 5000;

/**
 * Returns a sort key of a stored number: comparing keys as texts orders the numbers. Consists of sign, magnitude
 * and digits without zeros at either end; negative numbers have all digits complemented. Other texts sort after all
 * numbers.
 */
export function numberKey(text: string): string {
  const [, sign, whole = '', fraction = ''] = STORED.exec(text) ?? [];
  if (sign === undefined) return `q${text}`;
  const digits = (whole + fraction).replace(/0+$/, '');
  const zeros = leadingZeros(digits);
  if (zeros === digits.length) return 'o';
  const size = String(MIDDLE + whole.length - zeros);
  return sign === '-'
    ? `n${complementDigits(size + digits.slice(zeros))}~`
    : `p${size}${digits.slice(zeros)}`;
}

const STORED = /^(-?)(\d*)(?:\.(\d*))?$/;

/** Returns the number of leading zeros of a text of digits. */
function leadingZeros(digits: string): number {
  let zeros = 0;
  while (digits[zeros] === '0') zeros++;
  return zeros;
}

/** Returns the digits complemented to nine, which reverses their order. */
const complementDigits = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
