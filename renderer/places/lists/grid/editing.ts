import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import { createID, type RejectedInput } from '../../../state/drafts.svelte.ts';
import type { Seen } from '../../../state/write-queue.ts';

/** A new row that the node hasn't added yet. */
export class ComingRow {
  readonly idempotencyKey = createID();
  /** Undefined until the node answers, and if it refuses. */
  created: GridRow | undefined;
}

/** A value that the node refused; it waits in its cell. */
export type RefusedValue = Pick<RejectedInput, 'fieldID' | 'values' | 'problem'>;

export interface Editing {
  /** As of the input's start: it may be deleted meanwhile. */
  readonly column: ListColumn;
  /** The row may move; undefined for a new one. */
  readonly of: GridRow | ComingRow | undefined;
  /** Its content as editing began, or what its refused input may replace. */
  readonly seen?: Seen;
  /** The input's start instead of the content. */
  readonly typed?: string;
  /** To be corrected; undefined for others. */
  readonly refused?: RefusedValue | undefined;
}

/**
 * Returns whether the value can be edited within its cell: no yes/no, reference, file, place, several values or long
 * text.
 */
export function editsInPlace(column: ListColumn, stored: readonly string[]): boolean {
  if (column.isMulti || stored.length > 1 || stored[0]?.includes('\n') || column.options.multiLine)
    return false;
  return !['Bool', 'Record', 'File', 'Geometry'].includes(column.kind);
}

/** Returns whether typing on a cell starts a new value: not for choices. */
export const takesLetters = ({ kind, options }: ListColumn): boolean =>
  !(kind === 'Select' && (options.options ?? []).length > 0);

/**
 * Returns whether a key types a character. Windows sends AltGr as Ctrl+Alt, and Option types on a Mac; with plain
 * letters and digits both are commands.
 */
export const typesCharacter = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  key.length === 1 && !metaKey && (altKey ? !/^[a-z0-9 ]$/i.test(key) : !ctrlKey);

export interface Position {
  readonly row: number;
  readonly column: number;
}

/**
 * Returns the cell to which a key moves from `at`, within `rows` and `columns`; undefined for other keys. `jump` (Ctrl)
 * goes to the first or last, with Home and End to the corner cell.
 * @param page number of visible rows
 */
export function cellAfterKey(
  key: string,
  jump: boolean,
  at: Position,
  rows: number,
  columns: number,
  page: number,
): Position | undefined {
  const clampPosition = (row: number, column: number): Position => ({
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  });
  switch (key) {
    case 'ArrowUp':
      return clampPosition(jump ? 0 : at.row - 1, at.column);
    case 'ArrowDown':
      return clampPosition(jump ? rows : at.row + 1, at.column);
    case 'ArrowLeft':
      return clampPosition(at.row, jump ? 0 : at.column - 1);
    case 'ArrowRight':
      return clampPosition(at.row, jump ? columns : at.column + 1);
    case 'Home':
      return clampPosition(jump ? 0 : at.row, 0);
    case 'End':
      return clampPosition(jump ? rows : at.row, columns);
    case 'PageUp':
      return clampPosition(at.row - page, at.column);
    case 'PageDown':
      return clampPosition(at.row + page, at.column);
    default:
      return undefined;
  }
}

/** `bottom`, `right`: exclusive. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Returns the range of two opposite corners, given in any order, with both. */
export function rangeBetween(corner: Position, other: Position): Range {
  return {
    top: Math.min(corner.row, other.row),
    bottom: Math.max(corner.row, other.row) + 1,
    left: Math.min(corner.column, other.column),
    right: Math.max(corner.column, other.column) + 1,
  };
}

export const isOneCell = ({ top, bottom, left, right }: Range): boolean =>
  bottom - top === 1 && right - left === 1;

/** Returns the range without lines below the last row. */
export const withinRows = (range: Range, total: number): Range => ({
  ...range,
  bottom: Math.min(range.bottom, total),
});
