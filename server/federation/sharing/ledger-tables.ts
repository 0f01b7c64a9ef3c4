import type { Condition } from '../../lists/query/condition.ts';
import type { Table } from '../../store/store.ts';

/** What each part of the ledger holds; see `ledger-parts.ts`. */

/** A line as stored: a page that went out before, unchanged, points to the line of the same part that lists its rows. */
export interface StoredLine {
  readonly at: string;
  readonly nodeID: string;
  readonly moduleID: string;
  readonly listName: string;
  readonly fields: readonly string[];
  readonly address: string;
  readonly condition?: Condition;
  readonly changed?: 'condition';
  readonly takenBack?: number;
  readonly digests?: true;
  readonly query?: string;
  readonly sort?: string;
  readonly digest: string;
  /** Names what left, to find it when it leaves again; absent in lines of before that was counted. */
  readonly what?: string;
  readonly recordIDs?: readonly string[];
  /** Number of the line that has them. */
  readonly sameAs?: number;
}

/** Key: the partner's id and the line's number among the partner's lines in the part, from 1. */
export const LINES: Table<StoredLine> = {
  name: 'line',
  indexes: {
    rows: (line) => (line.recordIDs ? `${line.nodeID} ${line.digest}` : undefined),
    what: (line) => (line.what === undefined ? undefined : `${line.nodeID} ${line.what}`),
  },
};

/** Key: as that of the line that left again. */
export const REPEATS: Table<{ readonly times: number; readonly lastAt: string }> = { name: 'repeat' };

/** Of one partner in one part. */
export interface Count {
  readonly lines: number;
  /** The last day on which anything was written of it, and how much that day. */
  readonly day?: string;
  readonly bytes?: number;
  /** How much of that were questions and comparisons; absent in those of before it was counted. */
  readonly asked?: number;
  /** How much was written of it in this part; absent in those of before it was counted. */
  readonly size?: number;
}

/** Key: the partner's id. */
export const COUNTS: Table<Count> = { name: 'count' };

export interface LastServed {
  readonly nodeID: string;
  readonly moduleID: string;
  readonly at: string;
}

/** Key: ids of partner and exposure. */
export const LAST: Table<LastServed> = { name: 'last-served', indexes: { node: (last) => last.nodeID } };

/** What is to be known of a part without loading it, once nothing more is written to it. */
export interface Summary {
  /** By the partner's id. */
  readonly counts: Readonly<Record<string, Count>>;
  /** The believed time at which the next part began, in milliseconds. */
  readonly until: number;
}

/** Key: the name of an earlier part. Each part has those of all that there were when it began. */
export const EARLIER: Table<Summary> = { name: 'earlier-part' };
