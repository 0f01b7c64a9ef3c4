import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import {
  fromPercent,
  isSameUnit,
  PERCENT,
  toPercent,
  writtenAmount,
} from '../../../../server/base/amount.ts';

const GROUPED = {
  '.': /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/,
};

/**
 * A typed number as it is stored, with a point; text that is no number goes to the node as it is, which says so.
 * `mark` is the language's sign before decimals: `1,234` is a thousand and more in English and a little more than
 * one in German. The other sign is taken for decimals too where it cannot stand between thousands.
 */
export function readNumber(typed: string, mark: ',' | '.'): string {
  const text = typed.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  const plain = GROUPED[mark].test(text) ? text.replaceAll(mark === ',' ? '.' : ',', '') : text;
  return /^[+-]?\d*[.,]\d+$/.test(plain) ? plain.replace(',', '.') : plain;
}

const PLAIN = /^-?\d+(\.\d+)?$/;

/**
 * What somebody typed into a column that shows its numbers with a unit, or without one: `12` and `12 %` are both 0.12 where
 * it shows percent, as spreadsheet programs have it; the sign of its own currency may stand there or not. What would mean
 * another number than it says, or may be none, as `(3)` where nothing says that it is money, goes to the node as it is,
 * which says so.
 */
export function readAmount(
  typed: string,
  mark: ',' | '.',
  { unit, precision = 0 }: ListColumn['options'],
): string {
  const written = writtenAmount(typed);
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

/** A stored number as it is typed. */
export function amountToInput(stored: string, mark: ',' | '.', unit: string | undefined): string {
  if (unit === undefined || !PLAIN.test(stored)) return stored.replace('.', mark);
  return `${(unit === PERCENT ? toPercent(stored) : stored).replace('.', mark)} ${unit}`;
}
