import type { IncomingColumns } from '../../base/incoming-row.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { BadRecord } from '../../peer/remote.ts';
import type { ResyncReason, Checkpoint, FeedMark } from '../tables.ts';

/** Rows per durable write. */
export const PIECE = 500;

export interface PulledPage {
  readonly records: readonly IncomingRow[];
  readonly columns?: IncomingColumns | undefined;
  readonly bad: readonly BadRecord[];
  /** Characters of all values. */
  readonly letters?: number;
  /** Stored with the page; absent: unchanged. */
  readonly checkpoint?: Checkpoint;
  readonly last: boolean;
  /** The partner announced that what was read is about to change. */
  readonly unsettled?: true;
  /** Approximate rows of the whole pull, if the partner says so. */
  readonly total?: number;
  /** Outranks later times of ours: the partner was restored, or its clock went back. */
  readonly overrule: boolean;
  /** Part of a full read, which includes known rows. */
  readonly whole?: true;
  /** With an overlap: earlier rows come again. */
  readonly byTime?: true;
  /** Missing in full reads, but not deleted by the partner. */
  readonly vanished?: true;
  /** Failed rows to discard, by the partner's id. */
  readonly forgotten?: readonly string[];
  /** The feed starts over after an earlier read: it doesn't report rows that are gone. */
  readonly resync?: ResyncReason;
}

export interface PageContext {
  readonly checkpoint: Checkpoint;
  /** Position up to which the feed was read for other columns or another mapping. */
  readonly readBefore?: FeedMark | undefined;
  readonly clock: { now(): number; monotonic(): number };
  readonly signal: AbortSignal;
}
