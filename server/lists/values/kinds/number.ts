import { PERCENT, isSameUnit, parseAmount } from '../../../base/amount.ts';
import { accept, refuse, type Checked } from './checked.ts';
import { said, type Words } from '../../../words/said.ts';

const DECIMAL = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Keeps comparisons cheap. */
const MAX_DIGITS = 400;

/**
 * Accepts a decimal with a point, stored as digits, never as a JavaScript number: exponents expanded, leading zeros and
 * plus sign removed, trailing zeros kept. Refuses more than 400 digits.
 * @param unit of the column, for the problem's words
 */
export function checkNumber(text: string, unit?: string): Checked {
  const trimmed = text.trim();
  const isNumeric = /^[+-]?\.?\d/.test(trimmed);
  // The pattern is quadratic in zeros.
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

/** Says what is beside the number, a unit or brackets, or that the text is none. */
function whyNoNumber(text: string, unit: string | undefined): Words {
  const { number = '', unit: written, isInBrackets = false } = parseAmount(text) ?? {};
  if (written === undefined)
    return isInBrackets
      ? said('value.in-brackets', { number: number.replace('-', '') })
      : said('value.no-number');
  if (written === PERCENT && unit !== PERCENT) return said('value.percent');
  if (unit !== undefined && !isSameUnit(written, unit)) return said('value.other-unit', { unit });
  return said('value.two-numbers');
}

/** Moves the point right by `by` places (negative: left); returns integer digits and decimals. */
function shiftPoint(whole: string, fraction: string, by: number): readonly [string, string] {
  if (by >= 0) {
    const all = fraction.padEnd(by, '0');
    return [(whole + all.slice(0, by)).replace(/^0+/, ''), all.slice(by)];
  }
  const all = whole.padStart(-by, '0');
  return [all.slice(0, by).replace(/^0+/, ''), all.slice(by) + fraction];
}

/** Exceeds any exponent of {@link MAX_DIGITS} digits, giving each four digits. */
const MIDDLE = 5000;

/** Drops zeros at the end of the fraction. */
export const withoutZeros = (number: string): string =>
  number.includes('.') ? number.replace(/0+$/, '').replace(/\.$/, '') : number;

/**
 * Returns a key that orders stored numbers as text: sign, magnitude and digits, complemented for negative ones. Other
 * texts sort after all numbers.
 */
export function numberKey(text: string): string {
  const [, sign, whole = '', fraction = ''] = STORED.exec(text) ?? [];
  if (sign === undefined) return `q${text}`;
  const digits = (whole + fraction).replace(/0+$/, '');
  const zeros = countLeadingZeros(digits);
  if (zeros === digits.length) return 'o';
  const size = String(MIDDLE + whole.length - zeros);
  return sign === '-'
    ? `n${complementDigits(size + digits.slice(zeros))}~`
    : `p${size}${digits.slice(zeros)}`;
}

const STORED = /^(-?)(\d*)(?:\.(\d*))?$/;

/** Returns how many zeros the digits begin with. */
function countLeadingZeros(digits: string): number {
  let zeros = 0;
  while (digits[zeros] === '0') zeros++;
  return zeros;
}

/** Complements to nine, which reverses the order. */
const complementDigits = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
