import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { BadRecord } from '../../peer/remote.ts';
import type { ResyncReason, Checkpoint, FeedMark } from '../tables.ts';

/** Rows in one durable write. */
export const PIECE = 500;

/** One page of a pull. */
export interface PulledPage {
  readonly records: readonly IncomingRow[];
  readonly bad: readonly BadRecord[];
  /** Characters of all values together; absent: there are none. */
  readonly letters?: number;
  /** True once the page is applied; absent: it stays where it is. */
  readonly checkpoint?: Checkpoint;
  /** Nothing follows. */
  readonly last: boolean;
  /** What was read is about to change, as the partner says. */
  readonly unsettled?: true;
  /** Rows to be expected in the whole pull, where the partner says. */
  readonly total?: number;
  /** The partner's word counts even where ours carries a later time: it was restored, or its clock went back. */
  readonly overrule: boolean;
  /** It belongs to a reading of all rows, known ones too. */
  readonly whole?: true;
  /** Read by a time, which is held back a little: what came before comes once more. */
  readonly byTime?: true;
  /** These rows were in no whole reading any more: the partner has not said that it removed them. */
  readonly vanished?: true;
  /** Ids of rows that are waited for no longer where they could not be taken in. */
  readonly forgotten?: readonly string[];
  /** The partner's feed is read from the beginning, after it was read before: what it has no more is not told by it. */
  readonly anew?: ResyncReason;
}

/** What a reader of pages needs to know of the list. */
export interface PageContext {
  readonly checkpoint: Checkpoint;
  /** How far the change feed was read for other columns or another matching, of which all is to be read once more. */
  readonly readBefore?: FeedMark | undefined;
  readonly clock: { now(): number; monotonic(): number };
  readonly signal: AbortSignal;
}
