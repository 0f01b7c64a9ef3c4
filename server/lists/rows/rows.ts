import type { Ids } from '../../base/ids.ts';
import type { ChangePoint, Entry, Partition, Tx } from '../../store/store.ts';
import type { Put } from './apply.ts';
import type { Lens } from '../values/as-shown.ts';
import type { ApplyCounts, IncomingRow, Module, Row, Values } from '../definitions/model.ts';
import { createRetitling, type Referring, type RetitledRow } from './retitled.ts';
import type { RowWriter } from './row-batch.ts';
import { emptyBin } from './row-bin.ts';
import { createRowList } from './row-list.ts';
import { createRowReceive } from './row-receive.ts';
import { isOfRun, runNow } from './row-runs.ts';
import { changedRows, getRow, getRows } from './row-table.ts';
import type { Views } from './row-views.ts';
import { createRowWrites, found } from './row-writes.ts';
import { EMPTY_TALLY, TALLY, TALLY_KEY } from './tally.ts';

/** Which rows a listing holds, as Compose counts it: 0 without the bin, 1 with it, 2 the bin alone. */
export type DeletedFilter = 0 | 1 | 2;

export interface ListOptions {
  /** 1 to 1000. */
  readonly limit: number;
  /** The `nextPage` of the answer before; carries its own sort. Not together with `offset`. */
  readonly cursor?: string;
  /** Position of the first row, from 0. */
  readonly offset?: number;
  /** `Name ASC, createdAt DESC`; by id when absent. */
  readonly sort?: string;
  /** Comparisons or plain text, see `parseQuery`. */
  readonly query?: string;
  /** Words to look for besides, whatever they look like. */
  readonly search?: string;
  /** Rows are compared as they are seen through it; they are given as they are stored. */
  readonly lens?: Lens;
  readonly deleted?: DeletedFilter;
  readonly incTotal?: boolean;
}

export interface RowPage {
  readonly rows: readonly Row[];
  /** The sort that was applied, in one spelling. */
  readonly sort: string;
  /** Opaque; absent on the last page. */
  readonly nextPage?: string;
  /** How many rows fit the query; present with `incTotal` or `offset`. */
  readonly total?: number;
}

export interface RowCounts {
  /** Rows outside the bin. */
  readonly total: number;
  /** Of these, by the node they came from. */
  readonly received: Readonly<Record<string, number>>;
  /** Deleted rows that can be restored. */
  readonly inBin: number;
  /** Of these, by the node they came from. */
  readonly receivedInBin: Readonly<Record<string, number>>;
  /** Rows outside the bin with at least one local edit over a received value. */
  readonly edited: number;
  /** Rows outside the bin that were kept when their partner was not heard of any more; absent where there is none. */
  readonly kept?: number;
  /** Rows that the user changed or removed here, and which the node that they came from has as they were; absent where there is none. */
  readonly changedHere?: Readonly<Record<string, number>>;
}

/** One row of a batch: without `recordID` it is created, with it the named columns are changed. */
export interface RowChange {
  readonly recordID?: string;
  readonly values: Values;
}

export interface SaveCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

export interface ReceivedPage {
  /** Our id of the partner node. */
  readonly nodeID: string;
  /** Values by local column name, already converted; other columns than the mapped ones are ignored. */
  readonly rows: readonly IncomingRow[];
  /** Local columns that this partner fills: one that a row does not name came empty. */
  readonly mappedColumns: readonly string[];
  /** These versions count even where ours have later times: the partner was compared with, or was restored. */
  readonly overrule?: boolean;
  /** Written in the same durable transaction: checkpoint, list of rows that could not be applied. */
  readonly also?: (tx: Tx) => void | Promise<void>;
}

/**
 * The rows of one list. `by` is the id of the user who acts. Every write is on disk when its promise
 * resolves. A recordID that is not there is a {@link Refusal} `not-found`, values that do not fit their
 * column one of kind `impossible` that names column and reason.
 */
export interface Rows {
  readonly moduleID: string;

  /** Also finds rows in the bin. */
  get(recordID: string): Promise<Row>;
  /** In the order of the ids; undefined where there is none. */
  getMany(recordIDs: readonly string[]): Promise<(Row | undefined)[]>;
  /** Rows outside the bin. */
  count(): Promise<number>;
  counts(): Promise<RowCounts>;
  /** @throws Refusal `malformed`: limit, cursor, sort or query make no sense */
  list(options: ListOptions): Promise<RowPage>;
  /** All rows in order of their ids, a page at a time, for exports and checks. */
  scan(options?: { deleted?: DeletedFilter }): AsyncIterable<readonly Row[]>;
  /** Rows in the order of their last change, bin and tombstones included; for the feeds. */
  changesSince(point: ChangePoint, limit: number): Promise<Entry<Row>[]>;
  /** The number of the last change in this list; a feed that has come this far is up to date. */
  lastSeq(): Promise<number>;
  /** Names the run of the program that wrote last; `` before any was noted. */
  run(): Promise<string>;
  /** Whether who came to this change number in that run has read what is here now: {@link isOfRun}. */
  isOfRun(run: string, seq: number): Promise<boolean>;

  create(values: Values, by: string): Promise<Row>;
  createMany(values: readonly Values[], by: string): Promise<Row[]>;
  /** Columns that are not named are emptied. Without a difference nothing is written. */
  replace(recordID: string, values: Values, by: string): Promise<Row>;
  /** Only the named columns. Without a difference nothing is written. */
  patch(recordID: string, values: Values, by: string): Promise<Row>;
  /** All or none, in one durable write. */
  saveMany(changes: readonly RowChange[], by: string): Promise<SaveCounts>;
  /** Into the bin. A row that lies there already stays as it is. */
  remove(recordID: string, by: string): Promise<Row>;
  /** All or none; answers how many went. Ids that are not there or in the bin already are passed over. */
  removeMany(recordIDs: readonly string[], by: string): Promise<number>;
  /** Out of the bin. @throws Refusal `conflict` when only the tombstone is left */
  restore(recordID: string, by: string): Promise<Row>;
  /** Passes over what is not in the bin. */
  restoreMany(recordIDs: readonly string[], by: string): Promise<number>;
  /**
   * Takes the values from what has lain in the bin since before this time, in milliseconds. That it was deleted stays
   * known, here and to partners; it cannot be restored any more. Answers how many rows that were.
   */
  emptyBin(before: number): Promise<number>;
  /** Puts received values back where the user had changed them; all columns when none are named. */
  revertEdits(recordID: string, columns: readonly string[] | undefined, by: string): Promise<Row>;

  /**
   * Applies a page from a partner and whatever `also` puts, as one durable write (design §7). A row is
   * known by (node, origin recordID), and wherever it comes from by its origin (docs/rings.md); the same page again changes nothing and counts as unchanged; what is
   * older than what we have never overwrites it; local edits and columns that are not mapped are kept.
   */
  receive(page: ReceivedPage): Promise<ApplyCounts>;
  /** What {@link receive} would write for each of these rows, as our rows are now. */
  foresee(page: Omit<ReceivedPage, 'also'>): Promise<(readonly Put[])[]>;
  /**
   * The bond to a partner ends: its rows become ours (`keep`) or go, leaving only tombstones (`remove`). Those that
   * others bring too stay theirs, and are not counted.
   */
  releaseFrom(nodeID: string, what: 'keep' | 'remove'): Promise<{ rows: number }>;
  /**
   * This partner is not heard of any more: its word gives way to that of whoever brings a row too, now or later.
   * With `remove` the values go as well that only this partner had brought.
   */
  leaveToOthers(nodeID: string, what?: 'keep' | 'remove'): Promise<void>;
  /** Rows outside the bin that this partner brings, and nobody else. */
  countOnlyFrom(nodeID: string): Promise<number>;
  /** When that happened last; a pull that had come some way before has to begin anew. */
  releasedFrom(nodeID: string): Promise<string | undefined>;
  /** The rows that come from this node, by their id there, whoever else brings them; undefined where there is none. */
  findReceived(nodeID: string, originRecordIDs: readonly string[]): Promise<(Row | undefined)[]>;

  /** Up to `limit` rows that are called something else by a column of {@link Lists.keepTitles}, not told yet. */
  retitled(limit: number): Promise<RetitledRow[]>;
  /** These were told where others refer to them; one that changed once more meanwhile stays. */
  retitledTold(rows: readonly RetitledRow[]): Promise<void>;
  /**
   * Rows that refer to these go out once more to whoever follows this list, as what they show has changed. Nobody
   * changed them: who did so last, and when, stays.
   */
  tellAgain(referring: Referring): Promise<void>;
  /** A line in this list's own time: see {@link RowWriter.drawLine}. */
  drawLine(): Promise<string>;
}

/** The rows of one list over its own partition. */
export function createRows(deps: {
  moduleID: string;
  partition: Partition;
  /** The list as it is now; it may change while rows are in use. */
  module: () => Module;
  writer: RowWriter;
  views: Views;
  ids: Ids;
}): Rows {
  const { moduleID, partition } = deps;
  const counts = async (): Promise<RowCounts> => (await partition.get(TALLY, TALLY_KEY)) ?? EMPTY_TALLY;
  return {
    moduleID,
    get: async (recordID) => found(await getRow(partition, recordID), recordID),
    getMany: (recordIDs) => getRows(partition, recordIDs),
    count: async () => (await counts()).total,
    counts,
    ...createRowList({ ...deps, counts }),
    emptyBin: (before) => emptyBin({ partition, writer: deps.writer, counts }, before),
    changesSince: (point, limit) => changedRows(partition, point, limit),
    lastSeq: () => partition.lastSeq(),
    run: () => runNow(partition),
    isOfRun: (run, seq) => isOfRun(partition, run, seq),
    ...createRowWrites({ ...deps, write: deps.writer.write }),
    ...createRowReceive(deps),
    ...createRetitling(deps),
    drawLine: deps.writer.drawLine,
  };
}
