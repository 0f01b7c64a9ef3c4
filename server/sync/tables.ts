import type { IncomingRow, RowOrigin } from '../lists/definitions/model.ts';
import type { Table } from '../store/store.ts';
import type { TimeMark } from './pull/watermark.ts';
import type { Words } from '../words/said.ts';

/** The tables of one list are in its own partition, so that they are written with its rows. */

/** How far one offer has been pulled. The key is our id of the offer. */
export interface Checkpoint {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** The rest is valid only for this {@link choiceDigest} of columns and mapping. */
  readonly choice: string;
  /** Only partners that are read by time have one. */
  readonly time?: TimeMark;
  /** An interrupted pull by time can continue here; times are in milliseconds. */
  readonly open?: {
    readonly next: string;
    readonly since?: number;
    /** This is the partner's clock at its start; `startedHere` is ours. */
    readonly startedAt: number;
    readonly startedHere: number;
    readonly greatest?: number;
  };
  /** The change feed of a Footbridge is applied up to here. */
  readonly feed?: FeedMark;
}

export interface FeedMark {
  readonly epoch: string;
  readonly state?: string;
  readonly after: number;
  /** The partner's id of the offered list at that time; absent in checkpoints of older versions. */
  readonly moduleID?: string;
  /** A full read is running, for this reason, and hasn't been compared with our rows yet. */
  readonly anew?: ResyncReason;
}

/**
 * The partner's sequence numbers changed, its list is in an earlier state than we have read, or it is shared under a new
 * id, as after pairing again: positions from before say nothing then.
 */
export type ResyncReason = 'rearranged' | 'went-back' | 'renewed';

export const CHECKPOINTS: Table<Checkpoint> = { name: 'sync-checkpoint' };

/** A row that couldn't be applied. The key is its {@link rowKey}. */
export interface FailedRow {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly reason: Words;
  /** This is the partner's version, to be tried again; it is absent if it wasn't readable. */
  readonly record?: StoredRecord;
  readonly since: string;
  readonly tries: number;
  readonly triedAt: string;
}

export interface StoredRecord {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  readonly via?: readonly string[];
  readonly origin?: RowOrigin;
  readonly values: readonly (readonly [name: string, texts: readonly string[]])[];
}

export const FAILED: Table<FailedRow> = {
  name: 'sync-failed',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** A deletion, an emptying or a rollback that waits for the pull's end or approval. The key is its {@link rowKey}. */
export interface QuarantinedRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly kind: 'remove' | 'empty' | 'older';
  readonly row: IncomingRow;
  /** `row` was mapped by this choice ({@link choiceDigest}); older programs recorded none. */
  readonly choice?: string;
  /** It would remove and empty this many rows; absent means one of its kind. */
  readonly takes?: { readonly removes: number; readonly empties: number };
  /** Ids of our rows that it would change; older programs recorded none. */
  readonly ours?: readonly string[];
  readonly emptied?: readonly string[];
  /** A pull has ended with it: only the user's approval releases it. */
  readonly asked?: true;
  /** The partner's list went back to an earlier state: nobody there decided this. */
  readonly wentBack?: true;
  /** It refers to rows that haven't arrived; this is stored once it is applied. */
  readonly refers?: ReferringRow;
  /** The partner lacks the row without having deleted it. */
  readonly missing?: true;
}

export const QUARANTINED: Table<QuarantinedRow> = {
  name: 'sync-held',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** A row that our user kept although the partner removed or emptied it. The key is its {@link rowKey}. */
export interface RejectedDeletion {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** It was gone or older since the partner's list went back, and may come again under another id. */
  readonly wentBack?: true;
  /** It is gone there, so its absence is no news. */
  readonly gone?: true;
  /** The time of the rejected version; a missing row has none. */
  readonly at?: string;
}

export const REJECTED_DELETIONS: Table<RejectedDeletion> = {
  name: 'sync-kept',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** A row that refers to rows which haven't arrived or are in the bin. The key is its {@link rowKey}. */
export interface ReferringRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** These are the partner's values of its reference columns. */
  readonly values: StoredRecord['values'];
  /** The values belong to this version only; older programs recorded none. */
  readonly version?: string;
}

export const REFERRING: Table<ReferringRow> = {
  name: 'sync-referring',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** How far rows with references have been examined. The key is our id of the offer. */
export interface Examined {
  /** The sequence numbers, by list id, of the lists in which the rows may have arrived. */
  readonly at: Readonly<Record<string, number>>;
  /** So many rows are still to be examined, after this key. */
  readonly left: number;
  readonly after?: string;
}

export const EXAMINED: Table<Examined> = { name: 'sync-looked-through' };

/** A partner's list that was once received into this one; the rows stayed. The key is our id of the offer. */
export interface ReceivedOnce {
  readonly nodeID: string;
  readonly sharedModuleID: string;
}

export const RECEIVED_ONCE: Table<ReceivedOnce> = {
  name: 'sync-came-once',
  indexes: { node: (list) => list.nodeID },
};

/** Returns the key of what is stored about one row of a partner. */
export function rowKey(sharedModuleID: string, recordID: string): string {
  return `${sharedModuleID}-${recordID}`;
}
