import type { Position } from './editing.ts';

/** A rectangle of cells; `bottom` and `right` are one past the last. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Returns the range between two corners, both included, in any order. */
export function rangeOf(corner: Position, other: Position): Range {
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
