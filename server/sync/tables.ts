import type { IncomingRow, RowOrigin } from '../lists/definitions/model.ts';
import type { Table } from '../store/store.ts';
import type { TimeMark } from './pull/watermark.ts';
import type { Words } from '../words/said.ts';

/** The tables of one list are in its own partition, to be written with its rows. */

/** Position up to which one offer has been pulled. Keyed by our id of the offer. */
export interface Checkpoint {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** The {@link choiceDigest} of columns and mapping for which the rest is valid. */
  readonly choice: string;
  /** Only for partners read by time. */
  readonly time?: TimeMark;
  /** Where an interrupted pull by time continues; times are in milliseconds. */
  readonly open?: {
    readonly next: string;
    readonly since?: number;
    /** The partner's clock at its start; `startedHere` is ours. */
    readonly startedAt: number;
    readonly startedHere: number;
    readonly greatest?: number;
  };
  /** Position up to which a Footbridge's change feed is applied. */
  readonly feed?: FeedMark;
}

export interface FeedMark {
  readonly epoch: string;
  readonly state?: string;
  readonly after: number;
  /** The partner's id of the offered list then; absent in older checkpoints. */
  readonly moduleID?: string;
  /** Why a full read runs that hasn't been compared with our rows yet. */
  readonly anew?: ResyncReason;
}

/**
 * The partner's sequence numbers changed, its list is in an earlier state than we have read, or it is shared under a
 * new id, as after pairing again: earlier positions say nothing then.
 */
export type ResyncReason = 'rearranged' | 'went-back' | 'renewed';

export const CHECKPOINTS: Table<Checkpoint> = { name: 'sync-checkpoint' };

/** A row that couldn't be applied, keyed by {@link rowKey}. */
export interface FailedRow {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly reason: Words;
  /** The partner's version, to retry; absent if unreadable. */
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

/** A deletion, emptying or rollback that waits for the pull's end or approval, keyed by {@link rowKey}. */
export interface QuarantinedRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly kind: 'remove' | 'empty' | 'older';
  readonly row: IncomingRow;
  /** The {@link choiceDigest} by which `row` was mapped; older programs recorded none. */
  readonly choice?: string;
  /** Rows that it would remove and empty; absent means one of its kind. */
  readonly takes?: { readonly removes: number; readonly empties: number };
  /** Ids of our rows that it would change; older programs recorded none. */
  readonly ours?: readonly string[];
  readonly emptied?: readonly string[];
  /** A pull has ended with it: only the user's approval releases it. */
  readonly asked?: true;
  /** The partner's list went back to an earlier state: nobody there decided this. */
  readonly wentBack?: true;
  /** Its references to rows that haven't arrived, stored once it is applied. */
  readonly refers?: ReferringRow;
  /** The partner lacks the row without having deleted it. */
  readonly missing?: true;
}

export const QUARANTINED: Table<QuarantinedRow> = {
  name: 'sync-held',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** A row our user kept although the partner removed or emptied it, keyed by {@link rowKey}. */
export interface RejectedDeletion {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** Gone or older since the partner's list went back; may come again under another id. */
  readonly wentBack?: true;
  /** Gone there, so its absence is no news. */
  readonly gone?: true;
  /** The rejected version's time; a missing row has none. */
  readonly at?: string;
}

export const REJECTED_DELETIONS: Table<RejectedDeletion> = {
  name: 'sync-kept',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** A row that refers to rows not arrived or in the bin, keyed by {@link rowKey}. */
export interface ReferringRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** The partner's values of its reference columns. */
  readonly values: StoredRecord['values'];
  /** The only version to which the values belong; older programs recorded none. */
  readonly version?: string;
}

export const REFERRING: Table<ReferringRow> = {
  name: 'sync-referring',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** Progress of examining rows with references. Keyed by our id of the offer. */
export interface Examined {
  /** Sequence numbers, by list id, of the lists in which the rows may have arrived. */
  readonly at: Readonly<Record<string, number>>;
  /** Rows still to examine, after this key. */
  readonly left: number;
  readonly after?: string;
}

export const EXAMINED: Table<Examined> = { name: 'sync-looked-through' };

/** A partner's list once received into this one; the rows stayed. Keyed by our id of the offer. */
export interface ReceivedOnce {
  readonly nodeID: string;
  readonly sharedModuleID: string;
}

export const RECEIVED_ONCE: Table<ReceivedOnce> = {
  name: 'sync-came-once',
  indexes: { node: (list) => list.nodeID },
};

/** Returns the key of what is stored about a partner's row. */
export function rowKey(sharedModuleID: string, recordID: string): string {
  return `${sharedModuleID}-${recordID}`;
}
