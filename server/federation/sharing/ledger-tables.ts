import type { Condition } from '../../lists/query/condition.ts';
import type { Table } from '../../store/store.ts';

/** Tables of each part of the ledger (`ledger-parts.ts`). */

/** A stored line. One with the same rows as an earlier line of the part refers to it. */
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
  /** Identifies the disclosed content, to find it when it is sent again; absent in older lines. */
  readonly what?: string;
  readonly recordIDs?: readonly string[];
  /** Number of the line that has them. */
  readonly sameAs?: number;
}

/** Key: the partner's id and the line's number within the part, from 1. */
export const LINES: Table<StoredLine> = {
  name: 'line',
  indexes: {
    rows: (line) => (line.recordIDs ? `${line.nodeID} ${line.digest}` : undefined),
    what: (line) => (line.what === undefined ? undefined : `${line.nodeID} ${line.what}`),
  },
};

/** Key: that of the repeated line. */
export const REPEATS: Table<{ readonly times: number; readonly lastAt: string }> = { name: 'repeat' };

/** Totals of one partner in one part. */
export interface Count {
  readonly lines: number;
  /** The last day with lines, and the bytes of that day. */
  readonly day?: string;
  readonly bytes?: number;
  /** How much of it was questions and comparisons; absent in older ones. */
  readonly asked?: number;
  /** Bytes written in this part; absent in older ones. */
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

/** What is known about a part without loading it, once it is closed. */
export interface Summary {
  /** By the partner's id. */
  readonly counts: Readonly<Record<string, Count>>;
  /** The trusted time at which the next part began, in milliseconds. */
  readonly until: number;
}

/** Key: the name of an earlier part. Each part has all that existed when it began. */
export const EARLIER: Table<Summary> = { name: 'earlier-part' };
