import type { RowCells, SheetCell } from './workbook.ts';

/**
 * Cells that are merged with those below them, as one name for several lines: what the first holds is meant for each of these
 * lines. A line that says nothing else is none.
 */
export interface MergedCells {
  /** A cell of the line at hand goes on to this one. */
  begin(column: number, lastLine: number): void;
  /** To be called when all other cells of a line were put. */
  end(line: number, cells: RowCells): void;
}

interface GoingOn {
  readonly lastLine: number;
  readonly cell: SheetCell;
}

export function createMergedCells(): MergedCells {
  const goingOn = new Map<number, GoingOn>();
  const begun = new Map<number, number>();
  return {
    begin: (column, lastLine) => void begun.set(column, lastLine),
    end(line, cells) {
      if (!cells.isEmpty())
        for (const [column, { lastLine, cell }] of goingOn) {
          if (line > lastLine) goingOn.delete(column);
          // What stands below a merged cell nobody sees.
          else cells.put(column, cell);
        }
      for (const [column, lastLine] of begun) {
        const cell = cells.at(column);
        if (cell.text !== '') goingOn.set(column, { lastLine, cell });
      }
      begun.clear();
    },
  };
}
