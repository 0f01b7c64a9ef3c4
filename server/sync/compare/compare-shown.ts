import type { Row } from '../../lists/definitions/model.ts';
import { hasSameTexts, valuesOf } from '../../lists/values/value-sets.ts';

export interface ShownFault {
  /** `shown`: shows values that never arrived; `vanished`: deleted by nobody. */
  readonly difference: 'shown' | 'vanished';
  /** Our names. */
  readonly columns: readonly string[];
}

/** Our user's change to a received row, unseen by the partner. */
export type OwnWork = 'changed' | 'removed';

/** Returns whether our user `removed` a received row or `changed` some of these columns; undefined for others. */
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
 * Returns how a received row differs from what arrived, by a fault of this program: deleted by nobody (`vanished`), or
 * in some of these columns that arrived and our user didn't edit (`shown`). Undefined if it doesn't.
 */
export function findShownFault(row: Row, columns: readonly string[]): ShownFault | undefined {
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
