import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';

/** A new row on its way to the node; nothing where that takes none. */
export type ComingRow = Promise<GridRow | undefined>;

/** A cell that is being edited where it stands. */
export interface Editing {
  readonly row: number;
  /** The column that is meant, wherever it stands by then. */
  readonly fieldID: string;
  /** The row that is meant, wherever it stands by then; none where a new one is begun. */
  readonly of: GridRow | ComingRow | undefined;
  /** The letter that started it, which replaces what is there. */
  readonly typed?: string;
  /** Why what was typed does not fit the column. */
  readonly problem?: string;
}

/** Whether a cell is edited in the grid; the others open the details, where there is room for them. */
export function editsInPlace(column: ListColumn, stored: readonly string[]): boolean {
  if (column.isMulti || stored.length > 1 || stored[0]?.includes('\n') || column.options.multiLine)
    return false;
  return !['Bool', 'Record', 'File', 'Geometry'].includes(column.kind);
}

/** Whether a letter that is typed on a cell becomes the beginning of its new value: not where one chooses. */
export const takesLetters = ({ kind, options }: ListColumn): boolean =>
  !(kind === 'Select' && (options.options ?? []).length > 0);

export interface Position {
  readonly row: number;
  readonly column: number;
}

/** Where a key moves the active cell; undefined for keys that do not. `page` is the rows in view. */
export function movedBy(
  key: string,
  jump: boolean,
  at: Position,
  rows: number,
  columns: number,
  page: number,
): Position | undefined {
  const clamp = (row: number, column: number): Position => ({
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  });
  switch (key) {
    case 'ArrowUp':
      return clamp(jump ? 0 : at.row - 1, at.column);
    case 'ArrowDown':
      return clamp(jump ? rows : at.row + 1, at.column);
    case 'ArrowLeft':
      return clamp(at.row, jump ? 0 : at.column - 1);
    case 'ArrowRight':
      return clamp(at.row, jump ? columns : at.column + 1);
    case 'Home':
      return clamp(jump ? 0 : at.row, 0);
    case 'End':
      return clamp(jump ? rows : at.row, columns);
    case 'PageUp':
      return clamp(at.row - page, at.column);
    case 'PageDown':
      return clamp(at.row + page, at.column);
    default:
      return undefined;
  }
}
