import { batchByBytes } from '../../base/batches.ts';
import { createYielder } from '../../base/yield.ts';
import { conditionSignature, createConditionTest, type Condition } from '../query/condition.ts';
import type { ChangePoint, Entry, Partition } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { reapplyCondition, openKnownRows } from './row-filter-updates.ts';
import { OUTDATED, ROW_FILTERS, knownRowsTable, type RowFilter, type KnownRow } from './row-filter-table.ts';
import type { RowWriter } from './row-batch.ts';
import { isReachedInRun, findRunAt } from './row-runs.ts';
import type { RowReader } from './row-reader.ts';
import { getRows, pageRows, rowEntries } from './row-table.ts';
import { lineageOf } from './sources.ts';
import type { RowCounts } from './row-counts.ts';
import { lastChangeTime } from '../values/times.ts';

const SLICE = 500;

/** Rows for a viewer with a condition. Former matches appear deleted, without values. */
export interface VisibleRows {
  readonly moduleID: string;
  /** Ordered as given; undefined if never matched. Each is read on first access. */
  entries(recordIDs: readonly string[]): Promise<(Entry<Row> | undefined)[]>;
  /** With deletions, by change number. */
  changesSince(point: ChangePoint, limit: number): Promise<Entry<Row>[]>;
  countSince(afterSeq: number): Promise<number>;
  /** Counts rows outside the bin. */
  count(): Promise<number>;
  /** Yields rows outside the bin, by id. */
  scan(): AsyncIterable<readonly Row[]>;
  readonly source: RowReader;
  /** Returns the list's last change number, whoever views. */
  lastSeq(): Promise<number>;
  counts(): Promise<RowCounts>;
  runAt(seq: number): Promise<string>;
  isOfRun(run: string, seq: number): Promise<boolean>;
}

export interface RowFilters {
  whileStill<R>(body: () => Promise<R>): Promise<R>;
  /** Returns whether all entries follow this condition and present columns. */
  isBuilt(filterID: string, condition: Condition): Promise<boolean>;
  build(filterID: string): Promise<void>;
  dropIndex(filterID: string): Promise<void>;
  seedFrom(
    filterID: string,
    options: { readonly until?: string | undefined; readonly wasAnnounced: (row: Row) => boolean },
  ): Promise<void>;
  visibleTo(filterID: string, condition: Condition): VisibleRows;
}

interface RowFiltersDeps {
  readonly moduleID: string;
  readonly partition: Partition;
  readonly module: () => { readonly fields: readonly Field[] };
  readonly writer: RowWriter;
  readonly counts: () => Promise<RowCounts>;
  readonly filters: () => readonly RowFilter[];
}

/** Maintains the entries of a list's row filters, which are stored beside its rows. */
export function createRowFilters(deps: RowFiltersDeps): RowFilters {
  const { partition, module, writer } = deps;
  const views = new Map<string, { readonly by: string; readonly rows: VisibleRows }>();

  /**
   * Returns the signature of the condition that the filter's entries follow, or {@link OUTDATED}; undefined if it was
   * never built.
   */
  const readMark = async (filterID: string): Promise<string | undefined> =>
    (await partition.get(ROW_FILTERS, filterID))?.fits;

  /**
   * Updates a filter's entries of all rows, in writes of 500.
   * @param prepareUpdate called in each write with its time, and whether rows were written without updating the filter;
   * its result returns a row's new entry, undefined to keep it
   */
  async function updateEntries(
    filterID: string,
    prepareUpdate: (
      now: string,
      isOutdated: boolean,
    ) => (row: Row, before: KnownRow | undefined) => KnownRow | undefined,
  ): Promise<void> {
    const pause = createYielder();
    let page = await pageRows(partition, SLICE, undefined);
    while (page.length > 0) {
      const ids = page.map(({ recordID }) => recordID);
      await writer.write(async (batch) => {
        const writing = await openKnownRows(batch.tx, filterID, ids);
        const know = prepareUpdate(batch.now, writing.isOutdated);
        for (const row of await getRows(batch.tx, ids)) {
          const known = row && know(row, writing.get(row.recordID));
          if (!known) continue;
          batch.markFilterChanged(filterID);
          writing.putEntry(row.recordID, known);
        }
        writing.writeCount();
      });
      await pause();
      page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
    }
  }

  /** Records that all entries follow the condition with this mark, unless `isCurrent` is false in the write. */
  async function recordMark(filterID: string, mark: string, isCurrent: () => boolean): Promise<void> {
    await writer.write(async ({ tx }) => {
      if (!isCurrent()) return;
      const state = (await tx.get(ROW_FILTERS, filterID)) ?? { rows: 0 };
      tx.put(ROW_FILTERS, filterID, { ...state, fits: mark });
    });
  }

  const conditionOf = (filterID: string): Condition | undefined =>
    deps.filters().find(({ id }) => id === filterID)?.condition;

  return {
    whileStill: writer.whileStill,
    isBuilt: async (filterID, condition) =>
      (await readMark(filterID)) === conditionSignature(condition, module().fields),

    /**
     * Applies the filter's condition to all entries, if it or the columns changed. Starts again if these change
     * meanwhile.
     */
    async build(filterID) {
      for (;;) {
        const condition = conditionOf(filterID);
        const before = await readMark(filterID);
        if (!condition) return;
        const { fields } = module();
        const mark = conditionSignature(condition, fields);
        if (mark === before) return;
        const isSo = (): boolean => conditionOf(filterID) === condition && module().fields === fields;
        const first = before === undefined;
        await updateEntries(filterID, (now, isUnsent) => {
          // Columns may change before rows are written, so present ones apply.
          const meets = createConditionTest(conditionOf(filterID) ?? condition, module().fields);
          return (row, known) => reapplyCondition(row, known, { meets: meets(row), now, first, isUnsent });
        });
        await recordMark(filterID, mark, isSo);
      }
    },

    dropIndex: (filterID) => recordMark(filterID, OUTDATED, () => true),

    /**
     * Builds entries for a viewer who saw every row until now: present rows become visible, deleted ones removed.
     * Existing entries change only if their row was deleted or restored.
     * @param until rows made at or after it were never visible, and later versions never sent; ISO 8601
     * @param wasAnnounced whether this deleted row's removal was announced; others get no entry
     */
    async seedFrom(filterID, { until, wasAnnounced }) {
      const isUnsent = until !== undefined;
      await updateEntries(filterID, (now) => (row, known) => {
        const { createdAt, deletedAt } = row;
        const isThere = deletedAt === undefined;
        if (known || (until !== undefined && createdAt >= until))
          return known && reapplyCondition(row, known, { meets: isThere, now, first: false, isUnsent });
        if (isThere) return { since: '', at: now };
        if (!wasAnnounced(row)) return undefined;
        const disclosed = lineageOf(row);
        return { since: deletedAt, left: true, at: now, ...(disclosed && { disclosed }) };
      });
      await recordMark(filterID, isUnsent ? OUTDATED : 'every', () => true);
    },

    /** Returns the rows that the filter shows by this condition; the same object while that is equal. */
    visibleTo(filterID, condition) {
      const by = JSON.stringify(condition);
      const known = views.get(filterID);
      if (known?.by === by) return known.rows;
      const rows = createVisibleRows(deps, { id: filterID, condition });
      views.set(filterID, { by, rows });
      return rows;
    },
  };
}

/**
 * Creates a reader of the rows that the filter's viewer knows, tested when read. Deletions are included, except by
 * `scan` and `count`.
 */
function createVisibleRows(deps: RowFiltersDeps, { id, condition }: RowFilter): VisibleRows {
  const { moduleID, partition, module, counts } = deps;
  const table = knownRowsTable(id);

  /** Returns the rows as the viewer sees them; without those that aren't stored. */
  async function projectRows(entries: readonly Entry<KnownRow>[]): Promise<Entry<Row>[]> {
    const meets = createConditionTest(condition, module().fields);
    const rows = await rowEntries(
      partition,
      entries.map(({ key }) => key),
    );
    return entries.flatMap((known, at) => {
      const row = rows[at];
      return row ? [projectEntry(known, row, meets)] : [];
    });
  }

  /**
   * Returns rows in this order, undefined for those that the viewer doesn't know: the time that those take would
   * disclose them.
   */
  async function readEntries(recordIDs: readonly string[]): Promise<(Entry<Row> | undefined)[]> {
    const known = (await partition.entries(table, recordIDs)).filter((entry) => entry !== undefined);
    const rows = new Map((await projectRows(known)).map((row) => [row.key, row]));
    return recordIDs.map((recordID) => rows.get(recordID));
  }

  /** Yields the rows as the viewer sees them, by id, deletions included. */
  async function* pagesSeen(): AsyncGenerator<readonly Row[]> {
    const pause = createYielder();
    let page = await partition.page(table, { limit: SLICE });
    while (page.length > 0) {
      for (const batch of batchByBytes(await projectRows(page))) {
        yield batch.map(({ value }) => value);
        await pause();
      }
      page = await partition.page(table, { limit: SLICE, after: page.at(-1)?.key ?? '' });
    }
  }

  const changed = async (point: ChangePoint, limit: number): Promise<Entry<Row>[]> =>
    projectRows(await partition.changesSince(table, point, limit));

  return {
    moduleID,
    counts,
    lastSeq: () => partition.lastSeq(),
    runAt: (seq) => findRunAt(partition, seq),
    isOfRun: (run, seq) => isReachedInRun(partition, run, seq),
    entries: readEntries,
    changesSince: changed,
    countSince: (afterSeq) => partition.count(table, afterSeq),
    count: async () => (await partition.get(ROW_FILTERS, id))?.rows ?? 0,
    /** Yields pages of the rows as the viewer sees them, by id, without deletions; a page may be empty. */
    async *scan() {
      for await (const page of pagesSeen()) yield page.filter(({ deletedAt }) => deletedAt === undefined);
    },
    source: {
      name: `${partition.name} ${table.name}`,
      all: pagesSeen,
      changed,
      lastSeq: () => partition.lastSeq(),
      ranking: partition.ranking,
    },
  };
}

/**
 * Returns an entry, with the change number of `known`, of the row as the viewer sees it when read: deleted if it left or
 * doesn't meet the condition. Its size, for batching, is an estimate.
 * @param known what the viewer knows of the row
 */
function projectEntry(known: Entry<KnownRow>, row: Entry<Row>, meets: (row: Row) => boolean): Entry<Row> {
  return {
    key: known.key,
    seq: known.seq,
    bytes: known.bytes + row.bytes,
    /** Returns the row as the viewer sees it, computed at each access. */
    get value() {
      return projectRow(row.value, known.value, meets);
    },
  };
}

/**
 * Returns the row as the viewer sees it, retitled when it became visible if that was later than its change. One that no
 * longer `meets` the condition looks deleted: with id, times and provenance, but no values.
 */
function projectRow(row: Row, { since, left, at, disclosed }: KnownRow, meets: (row: Row) => boolean): Row {
  if (left === undefined && meets(row))
    return since > lastChangeTime(row) ? { ...row, retitledAt: since } : row;
  const { recordID, createdAt, createdBy, updatedBy, cameDeleted } = row;
  const { received, former } = disclosed ?? lineageOf(row) ?? {};
  const gone = left === undefined ? at : since;
  return {
    ...{ recordID, createdAt, createdBy, updatedBy, values: {}, updatedAt: gone, deletedAt: gone },
    ...(cameDeleted === undefined ? {} : { cameDeleted }),
    ...(disclosed?.unsent && { disclosed }),
    ...(received === undefined ? {} : { received }),
    ...(former === undefined ? {} : { former }),
  };
}
