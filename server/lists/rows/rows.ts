import type { Clock } from '../../base/clock.ts';
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
import { deleteHistoryBefore, readHistory, type RowHistory } from './row-history.ts';
import { createRowList, type RowListing } from './row-list.ts';
import { createRowReceive, type RowReceive } from './row-receive.ts';
import { isOfRun, runAt } from './row-runs.ts';
import { rowReaderOf, type RowReader } from './row-reader.ts';
import { changedRows, countRows, getRow, getRows, rowEntries } from './row-table.ts';
import { createUndoing, type UndoColumns, type UndoMatching, type Undoing } from './undo.ts';
import type { Views } from './row-views.ts';
import { assertFound, createRowWrites, type RowWrites } from './row-writes.ts';
import { NO_ROWS, ROW_COUNTS, ROW_COUNTS_KEY, type RowCounts } from './row-counts.ts';

/**
 * The rows of one list. `by` is the id of the acting user. Every write is durable when its promise resolves.
 * Throws `row.unknown` (404) for a missing id, `row.values` for values that don't fit.
 */
export interface Rows extends RowListing, RowWrites, RowReceive, ReferenceUpdates, RowFilters, Undoing {
  readonly moduleID: string;
  /** All rows. */
  readonly source: RowReader;

  /** Includes rows in the bin. */
  get(recordID: string): Promise<Row>;
  /** In order of ids; undefined if missing. */
  getMany(recordIDs: readonly string[]): Promise<(Row | undefined)[]>;
  /** The same; each is parsed on first access. */
  entries(recordIDs: readonly string[]): Promise<(Entry<Row> | undefined)[]>;
  /** Rows outside the bin. */
  count(): Promise<number>;
  counts(): Promise<RowCounts>;
  /** Returns rows in the order of change, bin and tombstones included. */
  changesSince(point: ChangePoint, limit: number): Promise<Entry<Row>[]>;
  /** Returns how many rows {@link changesSince} would return after this number. */
  countSince(afterSeq: number): Promise<number>;
  /** Returns the change number of the last change. */
  lastSeq(): Promise<number>;
  runAt(seq: number): Promise<string>;
  isOfRun(run: string, seq: number): Promise<boolean>;
  /** See {@link recordListClock}. */
  recordClock(seen: number): Promise<void>;
  /** Returns a retention limit in the list's logical time (ms), for {@link emptyBin} and {@link deleteHistoryBefore}. */
  listTimeOf(age: Age): Promise<number>;
  /** Purges the values of rows deleted before this time, in milliseconds; returns their number. Tombstones stay. */
  emptyBin(before: number): Promise<number>;
  history(recordID: string): Promise<RowHistory>;
  /** Returns the file that this user imported with the write of that time, ISO 8601. */
  importedFrom(at: string, by: string): Promise<string | undefined>;
  /** Deletes history from before this time, in milliseconds; returns the number of rows. */
  forgetHistory(before: number): Promise<number>;
  /** See {@link RowWriter.advanceClock}. */
  advanceClock(): Promise<string>;
}

/** A list's definition and rows, consistent with each other. */
export interface ListAsOne {
  readonly module: Module;
  readonly rows: Rows;
}

interface RowsDeps {
  readonly moduleID: string;
  readonly partition: Partition;
  /** The present definition; it may change while rows are in use. */
  readonly module: () => Module;
  readonly writer: RowWriter;
  readonly views: Views;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly undoColumns: UndoColumns;
  readonly undoMatching: UndoMatching;
  readonly filters?: () => readonly RowFilter[];
}

/** Creates the operations on the rows of one list, over its own partition. */
export function createRows(deps: RowsDeps): Rows {
  const { moduleID, partition, filters = () => [] } = deps;
  const source = rowReaderOf(partition);
  const counts = async (): Promise<RowCounts> => (await partition.get(ROW_COUNTS, ROW_COUNTS_KEY)) ?? NO_ROWS;
  return {
    ...{ moduleID, source, counts },
    get: async (recordID) => assertFound(await getRow(partition, recordID), recordID),
    getMany: (recordIDs) => getRows(partition, recordIDs),
    entries: (recordIDs) => rowEntries(partition, recordIDs),
    count: async () => (await counts()).total,
    recordClock: (seen) => recordListClock(deps, seen),
    listTimeOf: (age) => listTimeOf(partition, age),
    emptyBin: (before) => emptyBin({ partition, writer: deps.writer, counts }, before),
    changesSince: (point, limit) => changedRows(partition, point, limit),
    countSince: (afterSeq) => countRows(partition, afterSeq),
    lastSeq: () => partition.lastSeq(),
    runAt: (seq) => runAt(partition, seq),
    isOfRun: (run, seq) => isOfRun(partition, run, seq),
    ...createRowList({ ...deps, source, counts }),
    ...createRowWrites({ ...deps, write: deps.writer.write }),
    ...createUndoing({ ...deps, write: deps.writer.write }),
    ...createRowReceive(deps),
    ...createReferenceUpdates(deps),
    ...createRowFilters({ ...deps, counts, filters }),
    history: async (recordID) => (await readHistory(partition, recordID)) ?? { changes: [] },
    importedFrom: (at, by) => importedFrom(partition, at, by),
    forgetHistory: (before) => deleteHistoryBefore(partition, before),
    advanceClock: deps.writer.advanceClock,
  };
}
