import { isReferring } from '../rows/references.ts';
import type { Field } from '../definitions/model.ts';
import type { ColumnFacts } from '../reading/table-facts.ts';

/** A file may have a column of ids beside one that says what rows of another list are called (`exportXlsx`). */
const MARK = ' (id)';

/** What the column with the ids of the rows is headed, beside one of that header. */
export const idHeader = (header: string): string => `${header}${MARK}`;

/**
 * Returns for each column of a file the column that has its ids, where there is one.
 * @param fields what takes each of the columns; a column of ids that a column of the list takes is no such column
 */
export function findIDColumns(
  columns: readonly ColumnFacts[],
  fields: readonly (Field | undefined)[],
): (ColumnFacts | undefined)[] {
  return columns.map(({ header }, at) => {
    const field = fields[at];
    if (!field || !isReferring(field)) return undefined;
    return columns.find((other, place) => !fields[place] && other.header === idHeader(header));
  });
}
