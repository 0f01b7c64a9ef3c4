import { ALWAYS_ALLOWED_ROWS, exceedsLossThreshold } from '../../base/loss-threshold.ts';

/** Rows that would be removed or lose a value. */
export interface Loss {
  readonly removes: number;
  readonly empties: number;
  /** Received from this partner. */
  readonly of: number;
}

/** Losses that need approval, and those that didn't. */
export interface PendingReview extends Loss {
  /** Removed within a day without approval, as few. */
  readonly gone?: number;
  /** Rows that lost a value within a day, or the same column before it looked deleted. */
  readonly emptied?: number;
  /** The partner has an earlier version. */
  readonly older?: number;
  /** To remove, as just missing at the partner. */
  readonly missing?: number;
  /** Pending since the partner's list went back. */
  readonly wentBack?: number;
}

export const countPending = ({ removes, empties, older = 0 }: PendingReview): number =>
  removes + empties + older;

/**
 * Returns the kinds of a day's loss that exceed 30 % and 20 rows and so need approval, others as 0; undefined if none
 * does.
 */
export function excessLoss({ removes, empties, of }: Loss): Loss | undefined {
  if (!exceedsLossThreshold(removes, of) && !exceedsLossThreshold(empties, of)) return undefined;
  return {
    removes: exceedsLossThreshold(removes, of) ? removes : 0,
    empties: exceedsLossThreshold(empties, of) ? empties : 0,
    of,
  };
}

/** Returns whether so many received rows are enough for a loss to need approval. */
export function canNeedApproval(received: number): boolean {
  return received > ALWAYS_ALLOWED_ROWS;
}

const MIN_COLUMN_ROWS = 3;
const SURE_COLUMN_ROWS = 5;

/** Returns whether a column that lost its value in so many rows, and has none elsewhere, looks deleted. */
export function looksLikeDeletedColumn(rows: number): boolean {
  return rows >= MIN_COLUMN_ROWS;
}

/** Returns whether a column that lost its value in so many rows looks deleted, whatever other rows have. */
export function isDeletedColumn(rows: number): boolean {
  return rows >= SURE_COLUMN_ROWS;
}
