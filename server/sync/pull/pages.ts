import type { IncomingColumns } from '../../base/incoming-row.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { BadRecord } from '../../peer/remote.ts';
import type { ResyncReason, Checkpoint, FeedMark } from '../tables.ts';

/** Rows per durable write. */
export const PIECE = 500;

export interface PulledPage {
  readonly records: readonly IncomingRow[];
  /** Further rows; absent: none. */
  readonly columns?: IncomingColumns | undefined;
  readonly bad: readonly BadRecord[];
  /** Characters of all values together; absent: none. */
  readonly letters?: number;
  /** True once the page is applied; absent: unchanged. */
  readonly checkpoint?: Checkpoint;
  readonly last: boolean;
  /** The partner announced that what was read is about to change. */
  readonly unsettled?: true;
  /** Expected rows of the whole pull, if the partner sends that. */
  readonly total?: number;
  /** The partner's version takes precedence over a later time of ours: it was restored, or its clock went back. */
  readonly overrule: boolean;
  /** Part of a full read, which includes known rows. */
  readonly whole?: true;
  /** Read by a time with an overlap: earlier rows come again. */
  readonly byTime?: true;
  /** These rows are missing in full reads; the partner didn't delete them explicitly. */
  readonly vanished?: true;
  /** Ids of failed rows that are discarded. */
  readonly forgotten?: readonly string[];
  /** The feed is read from the beginning after an earlier read: it doesn't report rows that are gone. */
  readonly resync?: ResyncReason;
}

/** What the page readers need to know about the list. */
export interface PageContext {
  readonly checkpoint: Checkpoint;
  /** How far the change feed was read for other columns or another mapping; everything is read again. */
  readonly readBefore?: FeedMark | undefined;
  readonly clock: { now(): number; monotonic(): number };
  readonly signal: AbortSignal;
}
