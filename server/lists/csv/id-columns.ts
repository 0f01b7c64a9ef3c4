import { isReferring } from '../rows/references.ts';
import { splitValues } from './cells.ts';
import type { TableColumn } from './read.ts';
import type { Target } from './targets.ts';

/** A file may have a column of ids beside one that says what rows of another list are called (`exportXlsx`). */
const MARK = ' (id)';

/** What the column with the ids of the rows is headed, beside one of that header. */
export const idHeader = (header: string): string => `${header}${MARK}`;

/** Which of a file's columns has the ids for another one. */
export interface IDColumns {
  /** Whether a header is that of such a column. */
  has(header: string): boolean;
  /** The ids that a line has beside its column at this place. */
  beside(cells: readonly string[], at: number): readonly string[];
}

/** @param targets what takes each of the columns; one with ids that a column of the list takes is no such column */
export function findIDColumns(
  columns: readonly TableColumn[],
  targets: readonly (Target | undefined)[],
): IDColumns {
  const found = columns.map(({ header }, at) => {
    const target = targets[at];
    if (!target || !isReferring(target.field)) return undefined;
    return columns.find((other, place) => !targets[place] && other.header === idHeader(header));
  });
  const headers = new Set(found.map((column) => column?.header));
  return {
    has: (header) => headers.has(header),
    beside(cells, at) {
      const index = found[at]?.index;
      return index === undefined ? [] : splitValues(cells[index] ?? '');
    },
  };
}
