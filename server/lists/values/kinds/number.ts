import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

const DECIMAL = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** More digits than any count or amount needs; keeps comparing cheap. */
const MAX_DIGITS = 400;

/**
 * Number: a decimal with a point, kept digit by digit and never through a JavaScript number. Exponents are
 * written out, leading zeros and a plus sign go, zeros behind the point stay.
 */
export function checkNumber(text: string): Checked {
  const trimmed = text.trim();
  const isNumeric = /^[+-]?\.?\d/.test(trimmed);
  // Before the pattern, whose time grows with the square of a row of zeros.
  const isLong = trimmed.length > MAX_DIGITS;
  const parts = isLong ? null : DECIMAL.exec(trimmed);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? [];
  if (isNumeric && (isLong || trimmed.length + Math.abs(Number(exponent)) > MAX_DIGITS))
    return refuse(said('value.too-many-digits', { most: MAX_DIGITS }));
  if (!isNumeric || !parts) return refuse(said('value.no-number'));
  const [integer, decimals] = shiftPoint(whole, fraction, Number(exponent));
  const digits = (integer || '0') + (decimals ? `.${decimals}` : '');
  return accept(sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits);
}

function shiftPoint(whole: string, fraction: string, by: number): readonly [string, string] {
  if (by >= 0) {
    const all = fraction.padEnd(by, '0');
    return [(whole + all.slice(0, by)).replace(/^0+/, ''), all.slice(by)];
  }
  const all = whole.padStart(-by, '0');
  return [all.slice(0, by).replace(/^0+/, ''), all.slice(by) + fraction];
}

/** Compares two stored numbers exactly: negative, 0 or positive. */
export function compareNumbers(a: string, b: string): number {
  const negative = a.startsWith('-');
  if (negative !== b.startsWith('-')) return negative ? -1 : 1;
  const order = compareMagnitudes(negative ? a.slice(1) : a, negative ? b.slice(1) : b);
  // Not `-order`, which would make equal numbers differ by a minus zero.
  return negative ? 0 - order : order;
}

function compareMagnitudes(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  const length = Math.max(fractionA.length, fractionB.length);
  const left = wholeA + fractionA.padEnd(length, '0');
  const right = wholeB + fractionB.padEnd(length, '0');
  return left < right ? -1 : left > right ? 1 : 0;
}
