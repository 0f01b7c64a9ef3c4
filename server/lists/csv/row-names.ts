import { shapeOf } from './cell-shape.ts';
import { isUsual } from './heading.ts';

type Cells = readonly string[];

const MIN_ROWS = 2;
/** Columns of these names number rows. */
const NUMBERS_ROWS = /(?:^|[ ._-])(?:id|nr|no|num(?:ber|mer|éro|ero)?|nº|n°|pos|#)\.?$|(?:nummer|nr)\.?$/i;

/**
 * Returns whether a heading in the first row names all columns but the first, as R writes row names: each row below is
 * one cell longer, and first cells count rows, or all differ and the first name is unusual.
 * @param rows as split at `delimiter`
 */
export function hasRowNames(rows: readonly Cells[], delimiter: string): boolean {
  const [heading = [], ...below] = rows;
  const firstName = heading[0]?.trim() ?? '';
  const isLonger = below.every((row) => row.length === heading.length + 1);
  if (firstName === '' || below.length < MIN_ROWS || !isLonger) return false;
  const names = below.map(([name = '']) => name.trim());
  const isLastFilled = below.some((row) => row.at(-1)?.trim() !== '');
  if (names.includes('') || new Set(names).size < names.length || !isLastFilled) return false;
  if (delimiter === ',' && mayBeSplit(below)) return false;
  const start = Number(names[0]);
  if ([0, 1].includes(start) && names.every((name, at) => name === String(start + at)))
    return !NUMBERS_ROWS.test(firstName) || below.every(([, second = '']) => shapeOf(second) === 'number');
  return delimiter === ' ' || (heading.length > 1 && !isUsual(firstName));
}

const DECIMAL_POINT = /^-?\d+\.(?:\d{1,2}|\d{4,})$/;
const HALVES_OF_DECIMALS = [/^\D{0,4}\d+(?:\.\d{3})*$/, /^\d{1,2}(?:\D.*)?$/] as const;
const HALVES_OF_THOUSANDS = [/^\D{0,4}\d{1,3}$/, /^\d{3}(?:\D.*)?$/] as const;

/**
 * Returns whether commas may be within one column, as in `Kern, Eva`, `12,50` and `1,234.00`, so that rows look longer.
 */
function mayBeSplit(rows: readonly Cells[]): boolean {
  const all = rows.map((row) => row.slice(1).map((cell) => cell.trim()));
  const hasPoints = all.some((row) => row.some((cell) => DECIMAL_POINT.test(cell)));
  const halves = hasPoints ? [HALVES_OF_THOUSANDS] : [HALVES_OF_THOUSANDS, HALVES_OF_DECIMALS];
  return (
    rows[0]?.some(
      (_cell, at) =>
        rows.every((row) => /^ \S/.test(row[at] ?? '')) ||
        halves.some(([before, behind]) =>
          all.every((row) => before.test(row[at] ?? '') && behind.test(row[at + 1] ?? '')),
        ),
    ) === true
  );
}
