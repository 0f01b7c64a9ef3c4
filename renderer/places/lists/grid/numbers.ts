import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import { fromPercent, isSameUnit, PERCENT, toPercent, parseAmount } from '../../../../server/base/amount.ts';

const GROUPED = {
  '.': /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/,
};

/**
 * Rewrites a number with a decimal point and no grouping: `1,234` is over a thousand with the mark `.`, little more
 * than one with `,`. The other mark is decimal too if it can't group. Other text is unchanged.
 */
export function readNumber(typed: string, mark: ',' | '.'): string {
  const text = typed.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  const plain = GROUPED[mark].test(text) ? text.replaceAll(mark === ',' ? '.' : ',', '') : text;
  return /^[+-]?\d*[.,]\d+$/.test(plain) ? plain.replace(',', '.') : plain;
}

const PLAIN = /^-?\d+(\.\d+)?$/;

/**
 * Returns the amount to store. In a percent column `12` and `12 %` are 0.12; a column's currency may be left out, and
 * one without unit takes any. Another unit, or in a column without unit and decimals a whole number in brackets, stays
 * as typed: the node rejects it.
 * @param mark the decimal mark
 */
export function readAmount(
  typed: string,
  mark: ',' | '.',
  { unit, precision = 0 }: ListColumn['options'],
): string {
  const written = parseAmount(typed);
  const isOfMoney = unit !== undefined || precision > 0 || written?.unit !== undefined;
  if (written?.isInBrackets === true && !isOfMoney && !/[.,]/.test(written.number)) return typed.trim();
  const number = readNumber(written?.number ?? typed, mark);
  if (unit === PERCENT && (written?.unit ?? PERCENT) === PERCENT) {
    const plain = number.replace(/^\+/, '').replace(/^(-?)\./, '$10.');
    return PLAIN.test(plain) ? fromPercent(plain) : `${typed.trim()} ${PERCENT}`;
  }
  const isMeant = written?.unit === undefined || (unit !== undefined && isSameUnit(written.unit, unit));
  return isMeant || (unit === undefined && written.unit !== PERCENT) ? number : typed.trim();
}

/**
 * Returns a stored number as typed in the language, with decimal mark and unit: `0.5` of a percentage as `50 %`. Beside a
 * decimal point, a currency sign comes first: `£12.50`.
 */
export function amountToInput(stored: string, mark: ',' | '.', unit: string | undefined): string {
  if (unit === undefined || !PLAIN.test(stored)) return stored.replace('.', mark);
  if (mark === '.' && /^\p{Sc}$/u.test(unit)) return stored.replace(/^-?/, `$&${unit.replace('$', '$$$$')}`);
  return `${(unit === PERCENT ? toPercent(stored) : stored).replace('.', mark)} ${unit}`;
}
