import type { Ids } from '../../base/ids.ts';
import type { ChangePoint, Entry, Partition } from '../../store/store.ts';
import type { Module, Row } from '../definitions/model.ts';
import { createRowFilters, type RowFilters } from './row-filter-index.ts';
import type { RowFilter } from './row-filter-table.ts';
import { recordListClock, listTimeOf, type Age } from './list-clock.ts';
import { createReferenceUpdates, type ReferenceUpdates } from './reference-updates.ts';
import type { RowWriter } from './row-batch.ts';
import { emptyBin } from './row-bin.ts';
import { importedFrom } from './import-notes.ts';
import { forgetHistory, historyOf, type RowHistory } from './row-history.ts';
import { createRowList, type RowListing } from './row-list.ts';
import { createRowReceive, type RowReceive } from './row-receive.ts';
import { isOfRun, runAt } from './row-runs.ts';
import { rowReaderOf, type RowReader } from './row-reader.ts';
import { changedRows, countRows, getRow, getRows, rowEntries } from './row-table.ts';
import { createUndoing, type TurnColumns, type TurnMatching, type Undoing } from './undo.ts';
import type { Views } from './row-views.ts';
import { createRowWrites, found, type RowWrites } from './row-writes.ts';
import { NO_ROWS, ROW_COUNTS, ROW_COUNTS_KEY, type RowCounts } from './row-counts.ts';

/**
 * The rows of one list. `by` is the id of the user who acts. Every write is on disk when its promise
 * resolves. A recordID that is not there is a {@link Refusal} `not-found`, values that do not fit their
 * column one of kind `impossible` that names column and reason.
 */
export interface Rows extends RowListing, RowWrites, RowReceive, ReferenceUpdates, RowFilters, Undoing {
  readonly moduleID: string;
  /** All of them. */
  readonly source: RowReader;

  /** Also finds rows in the bin. */
  get(recordID: string): Promise<Row>;
  /** In the order of the ids; undefined where there is none. */
  getMany(recordIDs: readonly string[]): Promise<(Row | undefined)[]>;
  /** The same, each read when its value is first looked at: for who does not want all of them in memory at once. */
  entries(recordIDs: readonly string[]): Promise<(Entry<Row> | undefined)[]>;
  /** Rows outside the bin. */
  count(): Promise<number>;
  counts(): Promise<RowCounts>;
  /** Rows in the order of their last change, bin and tombstones included; for the feeds. */
  changesSince(point: ChangePoint, limit: number): Promise<Entry<Row>[]>;
  /** How many rows {@link changesSince} would give in all behind this number; cheap. */
  countSince(afterSeq: number): Promise<number>;
  /** The number of the last change in this list; a feed that has come this far is up to date. */
  lastSeq(): Promise<number>;
  /** Names the run of the program that wrote this change; `` before any was noted. */
  runAt(seq: number): Promise<string>;
  /** Whether who came to this change number in that run has read what is here now: {@link isOfRun}. */
  isOfRun(run: string, seq: number): Promise<boolean>;
  /** Notes how old what is written now will be one day, where its times do not say so: {@link recordListClock}. */
  recordClock(seen: number): Promise<void>;
  /** What is so old, as a time of this list's own in milliseconds, for {@link emptyBin} and {@link forgetHistory}. */
  listTimeOf(age: Age): Promise<number>;
  /**
   * Takes the values from what has lain in the bin since before this time, in milliseconds. That it was deleted stays
   * known, here and to partners; it cannot be restored any more. Answers how many rows that were.
   */
  emptyBin(before: number): Promise<number>;
  /** What the row was before, as far as that is kept; oldest first. */
  history(recordID: string): Promise<RowHistory>;
  /** The name of the file that this user put in with the write of that time, ISO 8601. */
  importedFrom(at: string, by: string): Promise<string | undefined>;
  /** Forgets what rows were before changes that are older than this, in milliseconds. Answers of how many rows. */
  forgetHistory(before: number): Promise<number>;
  /** A line in this list's own time: see {@link RowWriter.advanceClock}. */
  advanceClock(): Promise<string>;
}

/** Definition and rows of a list, of one version. */
export interface ListAsOne {
  readonly module: Module;
  readonly rows: Rows;
}

interface RowsDeps {
  readonly moduleID: string;
  readonly partition: Partition;
  /** The list as it is now; it may change while rows are in use. */
  readonly module: () => Module;
  readonly writer: RowWriter;
  readonly views: Views;
  readonly ids: Ids;
  readonly turnColumns: TurnColumns;
  readonly turnMatching: TurnMatching;
  readonly audiences?: () => readonly RowFilter[];
}

/** The rows of one list over its own partition. */
export function createRows(deps: RowsDeps): Rows {
  const { moduleID, partition, audiences = () => [] } = deps;
  const source = rowReaderOf(partition);
  const counts = async (): Promise<RowCounts> => (await partition.get(ROW_COUNTS, ROW_COUNTS_KEY)) ?? NO_ROWS;
  const listing = createRowList({ ...deps, source, counts });
  const receiving = createRowReceive(deps);
  const retitling = createReferenceUpdates(deps);
  const knowing = createRowFilters({ ...deps, counts, audiences });
  return {
    ...{ moduleID, source, counts },
    get: async (recordID) => found(await getRow(partition, recordID), recordID),
    getMany: (recordIDs) => getRows(partition, recordIDs),
    entries: (recordIDs) => rowEntries(partition, recordIDs),
    count: async () => (await counts()).total,
    list: listing.list,
    scan: (options) => listing.scan(options),
    recordClock: (seen) => recordListClock(deps, seen),
    listTimeOf: (age) => listTimeOf(partition, age),
    emptyBin: (before) => emptyBin({ partition, writer: deps.writer, counts }, before),
    changesSince: (point, limit) => changedRows(partition, point, limit),
    countSince: (afterSeq) => countRows(partition, afterSeq),
    lastSeq: () => partition.lastSeq(),
    runAt: (seq) => runAt(partition, seq),
    isOfRun: (run, seq) => isOfRun(partition, run, seq),
    ...createRowWrites({ ...deps, write: deps.writer.write }),
    ...createUndoing({ ...deps, write: deps.writer.write }),
    receive: receiving.receive,
    releaseFrom: (nodeID, what) => receiving.releaseFrom(nodeID, what),
    leaveToOthers: (nodeID, what) => receiving.leaveToOthers(nodeID, what),
    cameFrom: () => receiving.cameFrom(),
    countOnlyFrom: (nodeID) => receiving.countOnlyFrom(nodeID),
    releasedFrom: (nodeID) => receiving.releasedFrom(nodeID),
    findReceived: (nodeID, recordIDs) => receiving.findReceived(nodeID, recordIDs),
    changedTitles: (limit) => retitling.changedTitles(limit),
    markPropagated: (rows) => retitling.markPropagated(rows),
    touchReferencing: (referring) => retitling.touchReferencing(referring),
    whileStill: (body) => knowing.whileStill(body),
    isBuilt: (audienceID, condition) => knowing.isBuilt(audienceID, condition),
    build: (audienceID) => knowing.build(audienceID),
    drop: (audienceID) => knowing.drop(audienceID),
    seedFrom: (audienceID, options) => knowing.seedFrom(audienceID, options),
    visibleTo: (audienceID, condition) => knowing.visibleTo(audienceID, condition),
    history: async (recordID) => (await historyOf(partition, recordID)) ?? { changes: [] },
    importedFrom: (at, by) => importedFrom(partition, at, by),
    forgetHistory: (before) => forgetHistory(partition, before),
    advanceClock: deps.writer.advanceClock,
  };
}
