import { batchByCount } from '../../base/batches.ts';
import { createYielder } from '../../base/yield.ts';
import { createConditionTest } from '../query/condition.ts';
import type { Tx } from '../../store/store.ts';
import type { Field, Lineage, Row } from '../definitions/model.ts';
import { lastChangeTime } from '../values/times.ts';
import { lineageOf } from './sources.ts';
import {
  OUTDATED,
  ROW_FILTERS,
  knownRowsTable,
  type RowFilter,
  type RowFilterState,
  type KnownRow,
} from './row-filter-table.ts';

export interface RowFilterUpdates {
  markChanged(before: Row | undefined, after: Row, moved: boolean): void;
  write(): Promise<ReadonlySet<string>>;
}

/** Collects the rows that one write changes, then updates all filters' entries for them. */
export function createRowFilterUpdates(deps: {
  readonly tx: Tx;
  readonly now: string;
  readonly filters: readonly RowFilter[];
  readonly fields: readonly Field[];
}): RowFilterUpdates {
  const { tx, now } = deps;
  const filters = deps.filters.map(({ id, condition }) => ({
    id,
    meets: createConditionTest(condition, deps.fields),
  }));
  /** By id only: rewriting a list must not copy it. */
  const noted = new Map<string, Noted>();

  /** Updates a filter's entries and count for the changed rows; returns whether it put any, as news to its viewer. */
  async function writeFilter(filterIndex: number, id: string): Promise<boolean> {
    const pause = createYielder();
    const recordIDs = [...noted.keys()];
    let hasNews = false;
    for (const some of batchByCount(recordIDs, AT_ONCE)) {
      const writing = await openKnownRows(tx, id, some);
      const isUnsent = writing.isOutdated;
      for (const recordID of some) {
        const before = writing.get(recordID);
        const { meeting: found, lineage } = noted.get(recordID) ?? {};
        const meets = found === undefined ? isVisible(before) : (found[filterIndex] ?? false);
        const next = nextEntry(before, { meets, now, lineage, isUnsent });
        if (next) writing.putEntry(recordID, next);
        else if (before?.left && !before.disclosed && lineage)
          tx.amend(knownRowsTable(id), recordID, { ...before, disclosed: lineage });
      }
      hasNews = writing.writeCount() || hasNews;
      await pause();
    }
    return hasNews;
  }

  return {
    /**
     * Records the filters that a changed row matches and, once it fails one, its provenance before.
     * @param moved its values only went to other columns: it matches the same filters as before
     */
    markChanged(before, row, moved) {
      if (filters.length === 0) return;
      const meeting = moved ? undefined : filters.map(({ meets }) => meets(row));
      const known = noted.get(row.recordID);
      const lineage = known?.lineage ?? (meeting?.includes(false) ? lineageOf(before ?? row) : undefined);
      noted.set(row.recordID, { meeting, lineage });
    },
    /** Writes all filters' entries; returns the ids of filters with news. */
    async write() {
      const written = new Set<string>();
      for (const [at, { id }] of filters.entries()) if (await writeFilter(at, id)) written.add(id);
      return written;
    },
  };
}

interface Noted {
  /** By filter; undefined if values moved between columns. */
  readonly meeting?: readonly boolean[] | undefined;
  /** Before the write, unless all conditions match. */
  readonly lineage?: Lineage | undefined;
}

const AT_ONCE = 500;

const isVisible = (known: KnownRow | undefined): known is KnownRow =>
  known !== undefined && known.left === undefined;

/** Returns an entry after a change: visible, or no longer so; undefined if the row stays invisible. */
function nextEntry(
  before: KnownRow | undefined,
  { meets, now, from = now, lineage, isUnsent }: Becoming,
): KnownRow | undefined {
  if (meets) return { since: isVisible(before) ? before.since : from, at: now };
  if (!isVisible(before)) return undefined;
  const disclosed: Lineage | undefined = lineage && isUnsent ? { ...lineage, unsent: true } : lineage;
  return { since: now, left: true, at: now, ...(disclosed && { disclosed }) };
}

interface Becoming {
  readonly meets: boolean;
  readonly now: string;
  readonly from?: string;
  readonly lineage: Lineage | undefined;
  /** Rows were written without the filter, so the viewer wasn't sent this version. */
  readonly isUnsent: boolean;
}

export interface KnownWriting {
  /** Until built: rows were written without the filter. */
  readonly isOutdated: boolean;
  get(recordID: string): KnownRow | undefined;
  /** Stores an entry in the transaction; {@link writeCount} must follow. */
  putEntry(recordID: string, known: KnownRow): void;
  /** Stores the visible rows' number. Returns whether any entry was put. */
  writeCount(): boolean;
}

/**
 * Reads a filter's entries of these rows, to write them in the transaction. `writeCount` updates the filter's count,
 * and returns whether an entry was put.
 */
export async function openKnownRows(
  tx: Tx,
  filterID: string,
  recordIDs: readonly string[],
): Promise<KnownWriting> {
  const table = knownRowsTable(filterID);
  const found = await tx.getMany(table, recordIDs);
  const known = new Map(recordIDs.map((recordID, at) => [recordID, found[at]]));
  const state: RowFilterState = (await tx.get(ROW_FILTERS, filterID)) ?? { rows: 0 };
  let [rows, isPut] = [state.rows, false];
  const counted = (each: KnownRow | undefined): number => (isVisible(each) ? 1 : 0);
  return {
    isOutdated: state.fits === OUTDATED,
    get: (recordID) => known.get(recordID),
    /** Puts an entry, and counts it if the viewer sees the row now and didn't before, or the reverse. */
    putEntry(recordID, next) {
      rows += counted(next) - counted(known.get(recordID));
      known.set(recordID, next);
      tx.put(table, recordID, next);
      isPut = true;
    },
    /** Stores the number of visible rows if it changed; returns whether any entry was put. */
    writeCount() {
      if (rows !== state.rows) tx.put(ROW_FILTERS, filterID, { ...state, rows });
      return isPut;
    },
  };
}

/**
 * Returns an entry after the condition changed; undefined if the entry stays.
 * @param first the viewer has been sent nothing yet
 */
export function reapplyCondition(
  row: Row,
  before: KnownRow | undefined,
  { first, ...becoming }: Pick<Becoming, 'meets' | 'now' | 'isUnsent'> & { readonly first: boolean },
): KnownRow | undefined {
  // A newer row was written without the filter.
  if (becoming.meets && isVisible(before) && lastChangeTime(row) <= before.at) return undefined;
  const lineage = lineageOf(row);
  return nextEntry(before, { ...becoming, lineage, ...(first && !before ? { from: '' } : {}) });
}
