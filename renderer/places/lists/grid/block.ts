import type { CellsRequest, GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import { textsFor, type Copied } from './clipboard.ts';
import type { Range } from './editing.ts';

/** In `rows`, null is a new row. */
export type Block = Pick<CellsRequest, 'columns' | 'rows' | 'cells'>;

type Cell = Block['cells'][number][number];

/** Creates a block of cells by line and column. An undefined row is new. */
const createBlock = (
  columns: readonly ListColumn[],
  rows: readonly (GridRow | undefined)[],
  cell: (line: number, column: ListColumn, at: number) => Cell,
): Block => ({
  columns: columns.map(({ fieldID }) => fieldID),
  rows: rows.map((row) => row?.recordID ?? null),
  cells: rows.map((_, line) => columns.map((column, at) => cell(line, column, at))),
});

/**
 * Returns what a paste fills from `range`'s upper left corner: the copied size, or all of `range` for a single cell,
 * even beyond the list.
 */
export function pasteRange(copied: Copied, range: Range): Range {
  const [height, width] = [copied.length, copied[0]?.length ?? 0];
  if (height === 1 && width === 1) return range;
  return { ...range, bottom: range.top + height, right: range.left + width };
}

/** Returns the block that fills these rows (undefined is a new one) and columns; repeats or cuts off copied cells. */
export function pasteBlock(
  copied: Copied,
  columns: readonly ListColumn[],
  rows: readonly (GridRow | undefined)[],
): Block {
  return createBlock(columns, rows, (line, column, at) => {
    const cells = copied[line % copied.length] ?? [];
    const cell = cells[at % Math.max(1, cells.length)];
    const texts = cell ? textsFor(cell, column) : '';
    return typeof texts === 'string' ? texts : [...texts];
  });
}

/** Returns the block that writes the first row's values into the rows below it. */
export function fillDownBlock(columns: readonly ListColumn[], rows: readonly GridRow[]): Block {
  const [first] = rows;
  return createBlock(columns, rows.slice(1), (_, column) => [...(first?.values[column.name] ?? [])]);
}

export const createEmptyBlock = (columns: readonly ListColumn[], rows: readonly GridRow[]): Block =>
  createBlock(columns, rows, () => []);

/** Returns the block that writes these values into one column of all rows. */
export const createUniformBlock = (
  column: ListColumn,
  recordIDs: readonly string[],
  values: readonly string[],
): Block => ({
  columns: [column.fieldID],
  rows: [...recordIDs],
  cells: recordIDs.map(() => [[...values]]),
});
