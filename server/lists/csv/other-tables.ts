import {
  differsByType,
  hasNamesOnly,
  hasOnlyKeys,
  isUsual,
  isUsualOnly,
  toRow,
  USUAL_KEY,
  type Row,
} from './heading.ts';
import type { CsvRecord } from './records.ts';

/** First and last line. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

const MIN_ROWS = 2;
const MIN_COLUMNS = 2;
const MIN_ROWS_OF_PAIRS = 3;
const MIN_CELLS = 3;
const MAX_TABLES = 10;
/** An account's balances have three cells with the currency. */
const BALANCE = /saldo|kontostand|balance|solde/i;

/**
 * Returns at most ten ranges above a file's heading that look like tables, skipped with the titles there. A title
 * directly above a table isn't part of it; lines of keys and values are none.
 * @param lines the file's first lines, not empty, up to the one above the heading
 * @param gaps indexes of lines behind blank ones
 * @param says returns a cell's text
 */
export function findTablesAbove(
  lines: readonly CsvRecord[],
  gaps: readonly number[],
  says: (cell: string) => string,
): readonly LineRange[] {
  const rows = lines.map(({ fields }) => toRow(fields.map(says)));
  const found: LineRange[] = [];
  for (let start = 0; start < rows.length && found.length < MAX_TABLES;) {
    let end = start + 1;
    if (isPart(rows[start])) while (end < rows.length && isPart(rows[end]) && !gaps.includes(end)) end++;
    const [from, to] = [lines[start]?.line, lines[end - 1]?.line];
    if (from !== undefined && to !== undefined && isTable(rows.slice(start, end))) found.push({ from, to });
    start = end;
  }
  return found;
}

const isPart = (row: Row | undefined): boolean => row !== undefined && row.filled > 1 && !hasOnlyKeys(row);

/**
 * Returns whether at least half of the lines, and two, have three cells, or three lines or more are pairs below names
 * of another type, or below usual names. Lines whose first cells are usual names are keys and values: no table.
 */
function isTable(rows: readonly Row[]): boolean {
  const wide = rows.filter(({ filled }) => filled >= MIN_CELLS);
  if (wide.length >= MIN_ROWS) return wide.length * 2 >= rows.length && !areMostlyKeys(rows);
  const [names, ...below] = rows;
  if (!names || rows.length < MIN_ROWS_OF_PAIRS || !hasNamesOnly(names)) return false;
  if (areMostlyKeys(below)) return false;
  return isUsualOnly(names) || differsByType(names, below);
}

const isKey = ({ cells: [key = ''] }: Row): boolean =>
  isUsual(key) || USUAL_KEY.test(key.trim()) || BALANCE.test(key);
const areMostlyKeys = (rows: readonly Row[]): boolean => rows.filter(isKey).length * 2 >= rows.length;

interface PlacedColumn {
  readonly index: number;
  readonly header: string;
  readonly filled: number;
  readonly filledTo: number;
}

/**
 * Returns at most ten names of columns behind a blank one, if all columns look like several tables: each has two, one
 * filled down to its last row, and these rows differ.
 * @param columns all that have a name or values
 */
export function findColumnsBeside(columns: readonly PlacedColumn[]): readonly string[] {
  const tables: PlacedColumn[][] = [];
  for (const column of columns) {
    const table = tables.at(-1);
    if (table?.at(-1)?.index === column.index - 1) table.push(column);
    else tables.push([column]);
  }
  const heights = tables.map(heightOf);
  if (tables.length < 2 || heights.includes(undefined) || new Set(heights).size === 1) return [];
  return tables
    .slice(1)
    .flatMap((table) => table.map(({ header }) => header))
    .slice(0, MAX_TABLES);
}

/** Returns the height in rows; undefined if the columns are no table: too few, too short, or none filled throughout. */
function heightOf(columns: readonly PlacedColumn[]): number | undefined {
  const height = Math.max(...columns.map(({ filledTo }) => filledTo));
  const isWhole = columns.some(({ filled }) => filled === height);
  return isWhole && columns.length >= MIN_COLUMNS && height >= MIN_ROWS ? height : undefined;
}
