import { ALWAYS_ALLOWED_ROWS, exceedsLossThreshold } from '../../base/loss-threshold.ts';

/** What would be taken away from a list, and from how many rows received in it. */
export interface Loss {
  /** Rows that would be removed. */
  readonly removes: number;
  /** Rows that would lose a value which they have. */
  readonly empties: number;
  /** Rows received from this partner in the list. */
  readonly of: number;
}

/** What waits for a yes, and what went before it did. */
export interface PendingReview extends Loss {
  /** Rows that were removed in the last day without a yes, as they were few until then. */
  readonly gone?: number;
  /** Rows that lost a value so; what it was lies nowhere but in the history of each. */
  readonly emptied?: number;
  /** Rows that the partner has in an earlier version than we had from it. */
  readonly older?: number;
  /** Of the removals, those of rows that the partner just does not have any more. */
  readonly missing?: number;
  /** Of all that waits, what does since the partner's list went back to an earlier state. */
  readonly wentBack?: number;
}

/** All rows that wait. */
export const countPending = ({ removes, empties, older = 0 }: PendingReview): number =>
  removes + empties + older;

/**
 * The part of a loss within a day that waits for the user's yes: removals of more than 30 % and more than 20 of the
 * received rows, and as many rows losing a value, each taken by itself (docs/architecture.md: The pull engine).
 * Values that merely change never wait. Undefined when nothing does.
 */
export function needingApproval({ removes, empties, of }: Loss): Loss | undefined {
  if (!exceedsLossThreshold(removes, of) && !exceedsLossThreshold(empties, of)) return undefined;
  return {
    removes: exceedsLossThreshold(removes, of) ? removes : 0,
    empties: exceedsLossThreshold(empties, of) ? empties : 0,
    of,
  };
}

/** Below this many received rows no loss can need a yes. */
export function canNeedApproval(received: number): boolean {
  return received > ALWAYS_ALLOWED_ROWS;
}

/** So many rows have to lose a column's value in one pull before the loss counts as one of the column. */
const MIN_COLUMN_ROWS = 3;

/** Whether so many rows losing a column's value, and none keeping one, need a yes: the column was probably deleted. */
export function looksLikeDeletedColumn(rows: number): boolean {
  return rows >= MIN_COLUMN_ROWS;
}
