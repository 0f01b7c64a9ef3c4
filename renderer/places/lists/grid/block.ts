import type { CellsRequest, GridRow } from '../../../../server/contract/app/lists.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import { textsFor, type Copied } from './clipboard.ts';
import type { Range } from './range.ts';

/** A rectangle of cells and its place in the list. */
export type Block = Pick<CellsRequest, 'columns' | 'rows' | 'cells'>;

type Cell = Block['cells'][number][number];

/** Returns a block with these columns and rows (undefined: a new row). @param cell returns the content of one cell */
const blockOf = (
  columns: readonly ListColumn[],
  rows: readonly (GridRow | undefined)[],
  cell: (line: number, column: ListColumn, at: number) => Cell,
): Block => ({
  columns: columns.map(({ fieldID }) => fieldID),
  rows: rows.map((row) => row?.recordID ?? null),
  cells: rows.map((_, line) => columns.map((column, at) => cell(line, column, at))),
});

/**
 * Returns the range that copied cells are pasted into: of their size, or the whole selected range for a single
 * cell.
 */
export function targetOf(copied: Copied, range: Range): Range {
  const [height, width] = [copied.length, copied[0]?.length ?? 0];
  if (height === 1 && width === 1) return range;
  return { ...range, bottom: range.top + height, right: range.left + width };
}

/**
 * Returns the block that a paste writes; the copied cells are repeated if the target is larger. @param columns of
 * the target, possibly fewer than copied @param rows of the target; undefined: a new one
 */
export function pasted(
  copied: Copied,
  columns: readonly ListColumn[],
  rows: readonly (GridRow | undefined)[],
): Block {
  return blockOf(columns, rows, (line, column, at) => {
    const cells = copied[line % copied.length] ?? [];
    const cell = cells[at % Math.max(1, cells.length)];
    const texts = cell ? textsFor(cell, column) : '';
    return typeof texts === 'string' ? texts : [...texts];
  });
}

/** Returns the block that copies the first row's values to all below. */
export function filledDown(columns: readonly ListColumn[], rows: readonly GridRow[]): Block {
  const [first] = rows;
  return blockOf(columns, rows.slice(1), (_, column) => [...(first?.values[column.name] ?? [])]);
}

export const emptied = (columns: readonly ListColumn[], rows: readonly GridRow[]): Block =>
  blockOf(columns, rows, () => []);

/** Returns the block that sets one column of many rows, by id. */
export const sameInAll = (
  column: ListColumn,
  recordIDs: readonly string[],
  values: readonly string[],
): Block => ({
  columns: [column.fieldID],
  rows: [...recordIDs],
  cells: recordIDs.map(() => [[...values]]),
});
