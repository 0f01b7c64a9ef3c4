import type { RowCells, SheetCell } from './workbook.ts';

/** Repeats the value of cells merged downwards in non-empty lines. Lines must come in order. */
export interface MergedCells {
  /** A cell of this line extends down to `lastLine`. */
  recordMerge(column: number, lastLine: number): void;
  /** Call it after a line's other cells. */
  fillLine(line: number, cells: RowCells): void;
}

interface GoingOn {
  readonly lastLine: number;
  readonly cell: SheetCell;
}

/** Repeats the content of merged cells on the lines that they extend to. */
export function createMergedCells(): MergedCells {
  const goingOn = new Map<number, GoingOn>();
  const begun = new Map<number, number>();
  return {
    recordMerge: (column, lastLine) => void begun.set(column, lastLine),
    /**
     * Puts the content of merged cells that extend to this line into it, unless it is empty, and keeps those that begin
     * here. Call it line by line.
     */
    fillLine(line, cells) {
      if (!cells.isEmpty())
        for (const [column, { lastLine, cell }] of goingOn) {
          if (line > lastLine) goingOn.delete(column);
          // Merging hides content below.
          else cells.putCell(column, cell);
        }
      for (const [column, lastLine] of begun) {
        const cell = cells.at(column);
        if (cell.text !== '') goingOn.set(column, { lastLine, cell });
      }
      begun.clear();
    },
  };
}
