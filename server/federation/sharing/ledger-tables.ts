import type { Condition } from '../../lists/query/condition.ts';
import type { Table } from '../../store/store.ts';

/** May refer to an earlier line of its part with the same rows. */
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
  /** Identifies the content, to find repeats; absent in older lines. */
  readonly what?: string;
  readonly recordIDs?: readonly string[];
  /** Number of the line with the row ids. */
  readonly sameAs?: number;
}

/** By partner id and line number in the part, from 1. */
export const LINES: Table<StoredLine> = {
  name: 'line',
  indexes: {
    rows: (line) => (line.recordIDs ? `${line.nodeID} ${line.digest}` : undefined),
    what: (line) => (line.what === undefined ? undefined : `${line.nodeID} ${line.what}`),
  },
};

/** By key of the repeated line. */
export const REPEATS: Table<{ readonly times: number; readonly lastAt: string }> = { name: 'repeat' };

/** Totals of one partner in one part. */
export interface Count {
  readonly lines: number;
  /** The last day with lines, and that day's bytes. */
  readonly day?: string;
  readonly bytes?: number;
  /** Those of these for questions and comparisons; absent in older records. */
  readonly asked?: number;
  /** Bytes in this part; absent in older records. */
  readonly size?: number;
}

/** By partner id. */
export const COUNTS: Table<Count> = { name: 'count' };

export interface LastServed {
  readonly nodeID: string;
  readonly moduleID: string;
  readonly at: string;
}

/** By ids of partner and exposure. */
export const LAST: Table<LastServed> = { name: 'last-served', indexes: { node: (last) => last.nodeID } };

/** Counts of a closed part, which needn't be loaded. */
export interface Summary {
  /** By partner id. */
  readonly counts: Readonly<Record<string, Count>>;
  /** When the next part began, in trusted milliseconds. */
  readonly until: number;
}

/** By name; each part has all that existed when it began. */
export const EARLIER: Table<Summary> = { name: 'earlier-part' };
