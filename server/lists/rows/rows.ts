import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { ChangePoint, Entry, Partition } from '../../store/store.ts';
import type { Module, Row } from '../definitions/model.ts';
import { createRowFilters, type RowFilters } from './row-filter-index.ts';
import type { RowFilter } from './row-filter-table.ts';
import { recordListClock, toListTime, type Age } from './list-clock.ts';
import { createReferenceUpdates, type ReferenceUpdates } from './reference-updates.ts';
import type { RowWriter } from './row-batch.ts';
import { emptyBin } from './row-bin.ts';
import { findImportedFile } from './import-notes.ts';
import { deleteHistoryBefore, readHistory, type RowHistory } from './row-history.ts';
import { createRowList, type RowListing } from './row-list.ts';
import { createRowReceive, type RowReceive } from './row-receive.ts';
import { isReachedInRun, findRunAt } from './row-runs.ts';
import { rowReaderOf, type RowReader } from './row-reader.ts';
import { changedRows, countRows, getRow, getRows, rowEntries } from './row-table.ts';
import {
  createUndoing,
  type UndoColumns,
  type UndoImportKey,
  type UndoMatching,
  type Undoing,
} from './undo.ts';
import type { Views } from './row-views.ts';
import { assertFound, createRowWrites, type RowWrites } from './row-writes.ts';
import { NO_ROWS, ROW_COUNTS, ROW_COUNTS_KEY, type RowCounts } from './row-counts.ts';

/**
 * A list's rows. `by`: the acting user's id. Resolved writes are durable. Throws `row.unknown` (404) for a
 * missing id, `row.values` for misfits.
 */
export interface Rows extends RowListing, RowWrites, RowReceive, ReferenceUpdates, RowFilters, Undoing {
  readonly moduleID: string;
  readonly source: RowReader;

  /** Includes binned rows. */
  get(recordID: string): Promise<Row>;
  /** Ordered as given; undefined if missing. */
  getMany(recordIDs: readonly string[]): Promise<(Row | undefined)[]>;
  /** Ordered as given, parsed on first access; undefined if missing. */
  entries(recordIDs: readonly string[]): Promise<(Entry<Row> | undefined)[]>;
  /** Counts rows outside the bin. */
  count(): Promise<number>;
  counts(): Promise<RowCounts>;
  /** Ordered by change, with bin and tombstones. */
  changesSince(point: ChangePoint, limit: number): Promise<Entry<Row>[]>;
  /** Counts what {@link changesSince} would return. */
  countSince(afterSeq: number): Promise<number>;
  lastSeq(): Promise<number>;
  runAt(seq: number): Promise<string>;
  isOfRun(run: string, seq: number): Promise<boolean>;
  /** Records list time with elapsed time (ms) if ahead of the system clock; see {@link recordListClock}. */
  recordClock(seen: number): Promise<void>;
  /** Returns a retention limit in list time (ms). */
  listTimeOf(age: Age): Promise<number>;
  /** Purges values of rows deleted, and undo steps, before this time (ms); returns the number of rows. */
  emptyBin(before: number): Promise<number>;
  history(recordID: string): Promise<RowHistory>;
  /** Returns the file imported by this user's write at that time, ISO 8601. */
  importedFrom(at: string, by: string): Promise<string | undefined>;
  /** Deletes history before this time (ms); returns the number of rows. */
  forgetHistory(before: number): Promise<number>;
  /**
   * Advances the logical clock and returns it, ISO 8601. Earlier writes have smaller times, later ones equal or
   * greater.
   */
  advanceClock(): Promise<string>;
}

export interface ListAsOne {
  readonly module: Module;
  readonly rows: Rows;
}

interface RowsDeps {
  readonly moduleID: string;
  readonly partition: Partition;
  /** Returns the present definition; it may change meanwhile. */
  readonly module: () => Module;
  readonly writer: RowWriter;
  readonly views: Views;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly undoColumns: UndoColumns;
  readonly undoMatching: UndoMatching;
  readonly undoImportKey: UndoImportKey;
  readonly filters?: () => readonly RowFilter[];
}

/** Creates the rows of a list: reading, writing, receiving, history and undo. */
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
    listTimeOf: (age) => toListTime(partition, age),
    emptyBin: (before) => emptyBin({ partition, writer: deps.writer, counts }, before),
    changesSince: (point, limit) => changedRows(partition, point, limit),
    countSince: (afterSeq) => countRows(partition, afterSeq),
    lastSeq: () => partition.lastSeq(),
    runAt: (seq) => findRunAt(partition, seq),
    isOfRun: (run, seq) => isReachedInRun(partition, run, seq),
    ...createRowList({ ...deps, source, counts }),
    ...createRowWrites({ ...deps, write: deps.writer.write }),
    ...createUndoing({ ...deps, write: deps.writer.write }),
    ...createRowReceive(deps),
    ...createReferenceUpdates(deps),
    ...createRowFilters({ ...deps, counts, filters }),
    history: async (recordID) => (await readHistory(partition, recordID)) ?? { changes: [] },
    importedFrom: (at, by) => findImportedFile(partition, at, by),
    forgetHistory: (before) => deleteHistoryBefore(partition, before),
    advanceClock: deps.writer.advanceClock,
  };
}
