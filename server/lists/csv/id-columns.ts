import { isReferring } from '../rows/references.ts';
import type { Field } from '../definitions/model.ts';
import type { ColumnFacts } from '../reading/table-facts.ts';

/** Column of referenced rows' ids in `exportXlsx`, beside the titles. */
const MARK = ' (id)';

export const idHeader = (header: string): string => `${header}${MARK}`;

/**
 * Finds the column of row ids beside each referring column; undefined for others. One with a target of its own in
 * `fields` doesn't count.
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
