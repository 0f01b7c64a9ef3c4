import type { Condition } from '../../lists/query/condition.ts';
import type { Table } from '../../store/store.ts';

/** A line in a part of the ledger. One with the same rows as an earlier line of the part refers to it. */
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
  /** It identifies the disclosed content, to find it when it is sent again; absent in older lines. */
  readonly what?: string;
  readonly recordIDs?: readonly string[];
  /** The line of this number has them. */
  readonly sameAs?: number;
}

/** The key is made of the partner's id and the line's number within the part, from 1. */
export const LINES: Table<StoredLine> = {
  name: 'line',
  indexes: {
    rows: (line) => (line.recordIDs ? `${line.nodeID} ${line.digest}` : undefined),
    what: (line) => (line.what === undefined ? undefined : `${line.nodeID} ${line.what}`),
  },
};

/** The key is that of the repeated line. */
export const REPEATS: Table<{ readonly times: number; readonly lastAt: string }> = { name: 'repeat' };

/** Totals of one partner in one part. */
export interface Count {
  readonly lines: number;
  /** The last day with lines, and the bytes of that day. */
  readonly day?: string;
  readonly bytes?: number;
  /** So many of these bytes were questions and comparisons; older records have none. */
  readonly asked?: number;
  /** Bytes written in this part; older records have none. */
  readonly size?: number;
}

/** The key is the partner's id. */
export const COUNTS: Table<Count> = { name: 'count' };

export interface LastServed {
  readonly nodeID: string;
  readonly moduleID: string;
  readonly at: string;
}

/** The key is made of the ids of partner and exposure. */
export const LAST: Table<LastServed> = { name: 'last-served', indexes: { node: (last) => last.nodeID } };

/** A closed part's summary saves loading it. */
export interface Summary {
  /** The key is the partner's id. */
  readonly counts: Readonly<Record<string, Count>>;
  /** The next part began at this trusted time, in milliseconds. */
  readonly until: number;
}

/** The key is the name of an earlier part. Each part has all that existed when it began. */
export const EARLIER: Table<Summary> = { name: 'earlier-part' };
