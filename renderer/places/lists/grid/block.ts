import type { CellsRequest, GridRow } from '../../../../server/contract/app/lists.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import { textsFor, type Copied } from './clipboard.ts';
import type { Range } from './range.ts';

/** Cells side by side, and where in the list they go. */
export type Block = Pick<CellsRequest, 'columns' | 'rows' | 'cells'>;

type Cell = Block['cells'][number][number];

const blockOf = (
  columns: readonly ListColumn[],
  rows: readonly (GridRow | undefined)[],
  cell: (line: number, column: ListColumn, at: number) => Cell,
): Block => ({
  columns: columns.map(({ fieldID }) => fieldID),
  rows: rows.map((row) => row?.recordID ?? null),
  cells: rows.map((_, line) => columns.map((column, at) => cell(line, column, at))),
});

/** The cells that copied ones are put into: as many as there are, or all of the range for a single one. */
export function targetOf(copied: Copied, range: Range): Range {
  const [height, width] = [copied.length, copied[0]?.length ?? 0];
  if (height === 1 && width === 1) return range;
  return { ...range, bottom: range.top + height, right: range.left + width };
}

/**
 * Copied cells in the place of others.
 * @param columns those of the target, which may be fewer than the copied cells are wide
 * @param rows those of the target; undefined: a new one
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

/** The values of the first row in all below it. */
export function filledDown(columns: readonly ListColumn[], rows: readonly GridRow[]): Block {
  const [first] = rows;
  return blockOf(columns, rows.slice(1), (_, column) => [...(first?.values[column.name] ?? [])]);
}

export const emptied = (columns: readonly ListColumn[], rows: readonly GridRow[]): Block =>
  blockOf(columns, rows, () => []);

/** One column of many rows, by their ids. */
export const sameInAll = (
  column: ListColumn,
  recordIDs: readonly string[],
  values: readonly string[],
): Block => ({
  columns: [column.fieldID],
  rows: [...recordIDs],
  cells: recordIDs.map(() => [[...values]]),
});
