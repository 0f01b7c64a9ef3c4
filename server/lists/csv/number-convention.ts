import type { Doubt } from '../../base/vocabulary.ts';
import type { ColumnGuess } from './columns.ts';

/** The sign before the decimals of a number. */
export type Decimal = '.' | ',';

/**
 * What a number proves about its file: `118,68` decimal commas, `1,234.50` and `1,234,567` decimal points. `118.68` proves
 * points too, unless a comma is proven: it may be a version or a time. `126.949` and `1,234` prove nothing.
 */
export type Proof = ',' | '.' | 'likely-point';

const COMMA = /\.\d{3},\d|^-?\d+,(?:\d{1,2}|\d{4,})$|^-?0,\d|[\d]\.\d{3}\.\d{3}|[ \u00a0\u202f'’]\d{3},\d/;
const POINT = /,\d{3}\.\d|\d,\d{3},\d{3}|[ \u00a0\u202f'’]\d{3}\.\d/;
const LIKELY_POINT = /^-?\d+\.(?:\d{1,2}|\d{4,})$|^-?0\.\d/;

/** @param number apart from what is written beside it, bounded in length */
export function proofIn(number: string): Proof | undefined {
  if (COMMA.test(number)) return ',';
  if (POINT.test(number)) return '.';
  return LIKELY_POINT.test(number) ? 'likely-point' : undefined;
}

interface Column {
  readonly header: string;
  readonly guess: ColumnGuess;
}

/**
 * Settles on one number convention for all columns of a file that could be read in two. Without proof, files of semicolons
 * have decimal commas, as programs write them where a comma is the decimal sign; others have points.
 * @returns the doubt where nothing proves it, both are proven, or points are only likely in a file of semicolons
 */
export function settleNumbers(columns: readonly Column[], delimiter: string): Doubt | undefined {
  const open = columns.filter(({ guess }) => guess.numberInDoubt() !== undefined);
  if (open.length === 0) return undefined;
  const isProven = (proof: Proof): boolean => columns.some(({ guess }) => guess.proves(proof));
  const isLikely = !isProven(',') && !isProven('.') && isProven('likely-point');
  const [comma, point] = [isProven(','), isProven('.') || isLikely];
  const isComma = delimiter === ';';
  const chosen: Decimal = comma === point ? (isComma ? ',' : '.') : comma ? ',' : '.';
  const example = open[0]?.guess.numberInDoubt() ?? '';
  for (const { guess } of open) guess.settleDecimal(chosen);
  // `1.10` may be a chapter or a time in a file whose semicolons speak for commas.
  if (comma !== point && !(isLikely && isComma)) return undefined;
  return {
    ...{ kind: 'numbers', chosen, alternatives: [chosen === ',' ? '.' : ','], example },
    columns: open.map(({ header }) => header),
  };
}
