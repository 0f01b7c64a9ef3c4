import { ALWAYS_ALLOWED_ROWS, exceedsLossThreshold } from '../../base/loss-threshold.ts';

/** A loss, with the number of received rows that it is part of. */
export interface Loss {
  /** Rows that would be removed. */
  readonly removes: number;
  /** Rows that would lose a value. */
  readonly empties: number;
  /** Rows received from this partner in the list. */
  readonly of: number;
}

/** What needs approval, and what was lost without. */
export interface PendingReview extends Loss {
  /** Rows removed within a day without approval, as they were few. */
  readonly gone?: number;
  /** Rows that lost a value within a day, or the same column before it looked deleted. */
  readonly emptied?: number;
  /** Rows that the partner has in an earlier version than we received. */
  readonly older?: number;
  /** Removals of rows that are just missing at the partner. */
  readonly missing?: number;
  /** Pending changes since the partner's list went back to an earlier state. */
  readonly wentBack?: number;
}

/** Returns the number of rows that need approval. */
export const countPending = ({ removes, empties, older = 0 }: PendingReview): number =>
  removes + empties + older;

/**
 * Returns the kinds of a day's loss that are too large to apply without approval: above 30 % and 20 rows
 * (docs/architecture.md: The pull engine). Undefined if none is.
 */
export function excessLoss({ removes, empties, of }: Loss): Loss | undefined {
  if (!exceedsLossThreshold(removes, of) && !exceedsLossThreshold(empties, of)) return undefined;
  return {
    removes: exceedsLossThreshold(removes, of) ? removes : 0,
    empties: exceedsLossThreshold(empties, of) ? empties : 0,
    of,
  };
}

/** Returns whether a list with this many received rows is large enough for a loss to need approval. */
export function canNeedApproval(received: number): boolean {
  return received > ALWAYS_ALLOWED_ROWS;
}

const MIN_COLUMN_ROWS = 3;
const SURE_COLUMN_ROWS = 5;

/** Returns whether a column that lost its value in all these rows, and has none elsewhere, looks deleted. */
export function looksLikeDeletedColumn(rows: number): boolean {
  return rows >= MIN_COLUMN_ROWS;
}

/** Returns whether a column that lost its value in all these rows looks deleted, whatever other rows have. */
export function isDeletedColumn(rows: number): boolean {
  return rows >= SURE_COLUMN_ROWS;
}
