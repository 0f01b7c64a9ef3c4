import type { IncomingRow, RowOrigin } from '../lists/definitions/model.ts';
import type { Table } from '../store/store.ts';
import type { TimeMark } from './pull/watermark.ts';
import type { Words } from '../words/said.ts';

/** Tables of the pull engine; those of a list are in its partition, written with the rows. */

/** How far a shared module has been pulled. Key: our id of the shared module. */
export interface Checkpoint {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** Valid for this choice and mapping, see {@link choiceOf}. */
  readonly choice: string;
  /** Partners that are read by time. */
  readonly time?: TimeMark;
  /** An interrupted pull by time that can continue. */
  readonly open?: {
    readonly next: string;
    readonly since?: number;
    /** The partner's time and ours at its start. */
    readonly startedAt: number;
    readonly startedHere: number;
    readonly greatest?: number;
  };
  /** Footbridges: the change feed is applied up to here. */
  readonly feed?: FeedMark;
}

/** A position in a change feed, as given by the partner. */
export interface FeedMark {
  readonly epoch: string;
  readonly state?: string;
  readonly after: number;
  /** A full read is running, and hasn't been compared with our rows yet. */
  readonly anew?: ResyncReason;
}

/** The partner's sequence numbers changed, or its list is in an earlier state than we have read. */
export type ResyncReason = 'rearranged' | 'went-back';

export const CHECKPOINTS: Table<Checkpoint> = { name: 'sync-checkpoint' };

/** A row that couldn't be applied, with the reason. Key: {@link rowKey}. */
export interface FailedRow {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** The row's id at the partner. */
  readonly recordID: string;
  /** The reason, for display. */
  readonly reason: Words;
  /** The partner's version, to be tried again; absent if it wasn't readable. */
  readonly record?: StoredRecord;
  readonly since: string;
  readonly tries: number;
  readonly triedAt: string;
}

/** A partner's row in storable form. */
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

/**
 * A deletion or emptying that waits for the pull's end or approval; or an older version from a list that went
 * back. Key: {@link rowKey}.
 */
export interface QuarantinedRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly kind: 'remove' | 'empty' | 'older';
  readonly row: IncomingRow;
  /** The choice of columns that `row` was mapped by (`choiceOf`); absent in older versions. */
  readonly choice?: string;
  /** Rows it would remove and empty, if not one of its kind. */
  readonly takes?: { readonly removes: number; readonly empties: number };
  /** Ids of our rows that it would change; absent in older versions. */
  readonly ours?: readonly string[];
  /** Columns that it would empty, if recorded. */
  readonly emptied?: readonly string[];
  /** A pull has ended with it: only the user's approval releases it. */
  readonly asked?: true;
  /** The partner's list went back: it didn't mean to change anything. */
  readonly wentBack?: true;
  /** Rows that it refers to and that haven't arrived, recorded once it is applied. */
  readonly refers?: ReferringRow;
  /** It is missing at the partner, without a deletion. */
  readonly missing?: true;
}

export const QUARANTINED: Table<QuarantinedRow> = {
  name: 'sync-held',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** A row that our user kept although the partner removed or emptied it, until another version. Key: {@link rowKey}. */
export interface RejectedDeletion {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** It was gone or older since the partner's list went back, and may come again under another id. */
  readonly wentBack?: true;
  /** It is gone there: its absence is no news. */
  readonly gone?: true;
  /** The time of the rejected version; absent if there was none, as for a missing row. */
  readonly at?: string;
}

export const REJECTED_DELETIONS: Table<RejectedDeletion> = {
  name: 'sync-kept',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** A row with references to rows that haven't arrived or are in the bin. Key: {@link rowKey}. */
export interface ReferringRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** The partner's values of its reference columns. */
  readonly values: StoredRecord['values'];
  /** Their version; other versions are unknown. Absent if recorded by an older program. */
  readonly version?: string;
}

export const REFERRING: Table<ReferringRow> = {
  name: 'sync-referring',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** How far rows with references have been examined. Key: our id of the shared module. */
export interface Examined {
  /** Sequence numbers of the lists in which the rows may have arrived. */
  readonly at: Readonly<Record<string, number>>;
  /** Number of rows still to examine, and the key to continue after. */
  readonly left: number;
  readonly after?: string;
}

export const EXAMINED: Table<Examined> = { name: 'sync-looked-through' };

/** A partner's list that was received into this one earlier; the rows stayed. Key: our id of the shared module. */
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
