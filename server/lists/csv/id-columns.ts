import { isReferring } from '../rows/references.ts';
import type { Field } from '../definitions/model.ts';
import type { ColumnFacts } from '../reading/table-facts.ts';

/** A file may have a column of ids beside one with titles of another list's rows (`exportXlsx`). */
const MARK = ' (id)';

/** Returns the header of the id column beside this header. */
export const idHeader = (header: string): string => `${header}${MARK}`;

/**
 * Returns for each column the column of row ids beside it; undefined if it has none or refers to no list.
 * @param fields the target of each column; an id column with a target of its own doesn't count
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
