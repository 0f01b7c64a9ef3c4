import type { Row } from '../../lists/definitions/model.ts';
import { hasSameTexts, valuesOf } from '../../lists/values/value-sets.ts';

/** How a row differs from what arrived, though nobody here changed it. */
export interface ShownFault {
  /** `shown`: other values than arrived; `vanished`: deleted, by nobody. */
  readonly difference: 'shown' | 'vanished';
  /** Our names of the differing columns. */
  readonly columns: readonly string[];
}

/** Our user's work on a received row, which the partner never sees. */
export type OwnWork = 'changed' | 'removed';

/** Returns what our user did to a received row: `removed` or `changed` in these columns; undefined if neither. */
export function ownWorkOn(row: Row, columns: readonly string[]): OwnWork | undefined {
  const { received } = row;
  if (!received) return undefined;
  if (row.deletedAt !== undefined) return row.deletedBy === undefined ? undefined : 'removed';
  const isOther = columns.some(
    (column) =>
      received.edited.includes(column) &&
      !hasSameTexts(valuesOf(row.values, column), valuesOf(received.values, column)),
  );
  return isOther ? 'changed' : undefined;
}

/**
 * Returns how a received row is shown differently from what arrived, apart from our user's changes; undefined if it
 * isn't. That would be a fault of this program. @param columns the columns that the partner fills
 */
export function shownFault(row: Row, columns: readonly string[]): ShownFault | undefined {
  const { received } = row;
  if (!received) return undefined;
  if (row.deletedAt !== undefined && row.deletedBy === undefined)
    return { difference: 'vanished', columns: [] };
  const other = columns.filter(
    (column) =>
      !received.edited.includes(column) &&
      Object.hasOwn(received.values, column) &&
      !hasSameTexts(valuesOf(row.values, column), valuesOf(received.values, column)),
  );
  return other.length === 0 ? undefined : { difference: 'shown', columns: other };
}
