import type { IncomingRow, RowOrigin } from '../lists/definitions/model.ts';
import type { Table } from '../store/store.ts';
import type { TimeMark } from './pull/watermark.ts';
import type { Words } from '../words/said.ts';

/** A list's tables are in its partition, to be written with its rows. */

/** Position up to which one offer has been pulled. Keyed by our id of the offer. */
export interface Checkpoint {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** The {@link choiceDigest} of columns and mapping for which the rest is valid. */
  readonly choice: string;
  /** Only if read by time. */
  readonly time?: TimeMark;
  /** Where an interrupted pull by time continues, in milliseconds. */
  readonly open?: {
    readonly next: string;
    readonly since?: number;
    /** The partner's clock at its start; `startedHere`: ours. */
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
  /** The partner's list id then; absent in older checkpoints. */
  readonly moduleID?: string;
  /** Why a full read runs, not compared with our rows yet. */
  readonly anew?: ResyncReason;
}

/**
 * Invalidates positions: sequence numbers changed, the list is in an earlier state than we read, or is shared
 * under a new id (pairing again).
 */
export type ResyncReason = 'rearranged' | 'went-back' | 'renewed';

export const CHECKPOINTS: Table<Checkpoint> = { name: 'sync-checkpoint' };

/** A row that couldn't be applied; by {@link rowKey}. */
export interface FailedRow {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly reason: Words;
  /** To retry; absent if unreadable. */
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

/** A deletion, emptying or rollback pending the pull's end or approval, by {@link rowKey}. */
export interface QuarantinedRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly kind: 'remove' | 'empty' | 'older';
  readonly row: IncomingRow;
  /** The {@link choiceDigest} for `row`; absent from older programs. */
  readonly choice?: string;
  /** Rows it would remove and empty; absent: one of its kind. */
  readonly takes?: { readonly removes: number; readonly empties: number };
  /** Our rows it would change; absent from older programs. */
  readonly ours?: readonly string[];
  readonly emptied?: readonly string[];
  /** A pull ended with it: only approval releases it. */
  readonly asked?: true;
  /** The partner's list went back: nobody there decided this. */
  readonly wentBack?: true;
  /** References to rows not arrived, stored once applied. */
  readonly refers?: ReferringRow;
  /** Lacking at the partner, but not deleted. */
  readonly missing?: true;
}

export const QUARANTINED: Table<QuarantinedRow> = {
  name: 'sync-held',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** Kept by our user although the partner removed or emptied it; by {@link rowKey}. */
export interface RejectedDeletion {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** Gone or older since the partner's list went back; may return under another id. */
  readonly wentBack?: true;
  /** Its absence is no news. */
  readonly gone?: true;
  /** The rejected version's time; a missing row has none. */
  readonly at?: string;
}

export const REJECTED_DELETIONS: Table<RejectedDeletion> = {
  name: 'sync-kept',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** Refers to rows not arrived or binned; by {@link rowKey}. */
export interface ReferringRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** The partner's, of its reference columns. */
  readonly values: StoredRecord['values'];
  /** Only with this version are the values valid; absent from older programs. */
  readonly version?: string;
}

export const REFERRING: Table<ReferringRow> = {
  name: 'sync-referring',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** Examination of rows with references. By local offer id. */
export interface Examined {
  /** By list id: sequence numbers of lists where the rows may have arrived. */
  readonly at: Readonly<Record<string, number>>;
  /** To examine, after this key. */
  readonly left: number;
  readonly after?: string;
}

export const EXAMINED: Table<Examined> = { name: 'sync-looked-through' };

/** A partner's list once received here; its rows stayed. By local offer id. */
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
