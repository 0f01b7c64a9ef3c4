import type { IncomingRow, RowOrigin } from '../lists/definitions/model.ts';
import type { Table } from '../store/store.ts';
import type { TimeMark } from './pull/watermark.ts';
import type { Words } from '../words/said.ts';

/**
 * What the pull engine keeps. Checkpoints, held rows and rows that could not be applied lie in the partition of
 * the list that receives, so that they are written in one transaction with the rows themselves.
 */

/** How far the pull of one shared module has come. Key: our id of the shared module. */
export interface Checkpoint {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** The choice and matching that it is good for, see {@link choiceOf}. */
  readonly choice: string;
  /** Partners by time. */
  readonly time?: TimeMark;
  /** A pull by time that was cut off and can go on. */
  readonly open?: {
    readonly next: string;
    readonly since?: number;
    /** The partner's clock and ours when it began. */
    readonly startedAt: number;
    readonly startedHere: number;
    readonly greatest?: number;
  };
  /** Footbridges: the change feed has been taken in up to here. */
  readonly feed?: FeedMark;
}

/** How far a change feed was read, to be said to the partner as it gave it. */
export interface FeedMark {
  readonly epoch: string;
  readonly state?: string;
  readonly after: number;
  /** It is being read from the beginning, and has not been compared with what we have since. */
  readonly anew?: ResyncReason;
}

/** Why: the partner counts otherwise now, or it has an earlier state of the list than we have read. */
export type ResyncReason = 'rearranged' | 'went-back';

export const CHECKPOINTS: Table<Checkpoint> = { name: 'sync-checkpoint' };

/** A row that could not be applied, with the reason. Key: {@link rowKey}. */
export interface FailedRow {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** The row's id at the partner. */
  readonly recordID: string;
  /** Plain words. */
  readonly reason: Words;
  /** As the partner sent it, to be tried again; absent where it was not even readable. */
  readonly record?: StoredRecord;
  readonly since: string;
  readonly tries: number;
  readonly triedAt: string;
}

/** A partner's row in a form that can be stored. */
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
 * A deletion or emptying that waits until the pull has seen how many there are, or for a yes; or an earlier version of
 * a row, of a partner whose list went back. Key: {@link rowKey}.
 */
export interface QuarantinedRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  readonly kind: 'remove' | 'empty' | 'older';
  readonly row: IncomingRow;
  /** The choice of columns under which `row` was made of what came (`choiceOf`); versions before noted none. */
  readonly choice?: string;
  /** How many it would remove and empty, where that is not one of its kind: what moves under another name does both. */
  readonly takes?: { readonly removes: number; readonly empties: number };
  /** Ids of the rows of ours that it would change; versions before noted none. */
  readonly ours?: readonly string[];
  /** Columns that it would empty, where these are watched. */
  readonly emptied?: readonly string[];
  /** A pull has ended with it: only the user's yes lets it go, however many rows come in meanwhile. */
  readonly asked?: true;
  /** The partner's list went back to an earlier state: it did not mean to remove or change anything. */
  readonly wentBack?: true;
  /** Rows that it names and that have not arrived, to be noted once it is applied. */
  readonly refers?: ReferringRow;
  /** The partner does not have it any more, and never said that it removed it. */
  readonly missing?: true;
}

export const QUARANTINED: Table<QuarantinedRow> = {
  name: 'sync-held',
  indexes: { shared: (row) => row.sharedModuleID },
};

/**
 * A row that our user kept although the partner removed or emptied it. Until the partner says something new of it,
 * the two sides differ there. Key: {@link rowKey}.
 */
export interface RejectedDeletion {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** It was gone or older there since the partner's list had gone back, and may come again under another id. */
  readonly wentBack?: true;
  /** It is gone there: that it does not come is nothing new. */
  readonly gone?: true;
  /** The time of the version that was refused; absent where there was none, as for a row that is just not there. */
  readonly at?: string;
}

export const REJECTED_DELETIONS: Table<RejectedDeletion> = {
  name: 'sync-kept',
  indexes: { shared: (row) => row.sharedModuleID },
};

/**
 * A row that names rows of its partner which have not arrived or are in the bin: they may come later, with another list.
 * Key: {@link rowKey}.
 */
export interface ReferringRow {
  readonly sharedModuleID: string;
  readonly recordID: string;
  /** What the partner sent in its columns that refer to rows. */
  readonly values: StoredRecord['values'];
  /** Of which version that is: of another one it says nothing. Absent where it was noted before that was. */
  readonly version?: string;
}

export const REFERRING: Table<ReferringRow> = {
  name: 'sync-referring',
  indexes: { shared: (row) => row.sharedModuleID },
};

/** How far rows that refer to others were looked through. Key: our id of the shared module. */
export interface Examined {
  /** The change numbers up to which lists had come where the rows may have arrived. */
  readonly at: Readonly<Record<string, number>>;
  /** How many are still to be looked through for that, and behind which key. */
  readonly left: number;
  readonly after?: string;
}

export const EXAMINED: Table<Examined> = { name: 'sync-looked-through' };

/**
 * A list of a partner that came into this one of ours once: its rows stayed, and nothing tells them from those of
 * another list of that partner. Key: our id of the shared module.
 */
export interface ReceivedOnce {
  readonly nodeID: string;
  readonly sharedModuleID: string;
}

export const RECEIVED_ONCE: Table<ReceivedOnce> = {
  name: 'sync-came-once',
  indexes: { node: (list) => list.nodeID },
};

/** Key of what is kept about one row of a partner. */
export function rowKey(sharedModuleID: string, recordID: string): string {
  return `${sharedModuleID}-${recordID}`;
}
