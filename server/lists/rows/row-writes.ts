import { batchByCount } from '../../base/batches.ts';
import type { Clock } from '../../base/clock.ts';
import { withoutDeletion } from './merge-sources.ts';
import { assertNotStale } from '../definitions/stale.ts';
import { checkValues } from '../values/check-values.ts';
import { editRow, lastEditOf, revertRow } from './edits.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import type { Module, Row, Values } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Ids } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';
import { MAX_LINE_ENTRIES, type Tx } from '../../store/store.ts';
import type { Batch, WriteRows, WrittenFrom } from './row-batch.ts';
import { createNewRowsEncoder } from './encode-new-rows.ts';
import { getRow, getRows } from './row-table.ts';
import { said } from '../../words/said.ts';
import { findAddedRows, measureStep, type ImportKeyStep, type StepBegun, type StepKind } from './undo-log.ts';

type Change = (row: Row, now: string) => Row;

/** Creates a row without `recordID`, otherwise changes named columns. */
export interface RowChange {
  readonly recordID?: string;
  readonly values: Values;
}

/** Selects rows by the columns at write time. Throws if these have none. */
export type RowTest = (fields: Module['fields']) => (row: Row) => boolean;

export interface SaveCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Characters in the undo log; trials only. */
  readonly stepSize?: number;
}

export interface RowsToJoin {
  readonly kept: string;
  readonly others: readonly string[];
}

export interface JoinedRows {
  readonly joined: number;
  /** Unchanged sets that differ in a column. */
  readonly differing: number;
  /** Rows that took another's value, by column name. */
  readonly filled: ReadonlyMap<string, number>;
}

export interface RowWrites {
  /**
   * Creates a row. If the user added one with this key, which isn't in the bin, the answer was lost: fills its empty
   * columns with the values. One that holds another value stays as it is, beside the new row. Throws `row.values`, or
   * `row.changed` if another write comes between.
   */
  create(values: Values, by: string, idempotencyKey?: string): Promise<Row>;
  createMany(values: readonly Values[], by: string): Promise<Row[]>;
  /**
   * Empties unnamed columns. Writes nothing without a difference. Throws `row.values`, `row.deleted` or `data.stale`.
   * @param expectedUpdatedAt see `assertNotStale`
   */
  replace(recordID: string, values: Values, by: string, expectedUpdatedAt?: string): Promise<Row>;
  /**
   * Like `replace`, for the named columns only.
   * @param expected.values throws `row.changed` if a column holds neither this nor its new content
   */
  patch(
    recordID: string,
    values: Values,
    by: string,
    expected?: { readonly updatedAt?: string; readonly values?: Values },
  ): Promise<Row>;
  /**
   * Creates and changes rows in one durable write, all or none. Throws `row.unknown`, `row.deleted` or `row.values`.
   * @param from.file the imported one
   * @param from.stepID its undo step; default: a new one
   * @param from.importKey the step's change of key columns, which the caller writes
   * @param from.idempotencyKey the client's, by which `findImport` finds the step
   * @param from.continues continued if the user's last step
   * @param from.isUndoable throws `undo.too-large` instead of writing
   * @param from.also writes in the same transaction
   * @param from.fits skips other existing rows, uncounted
   */
  saveMany(
    changes: readonly RowChange[],
    by: string,
    from?: {
      readonly file?: string;
      readonly stepID?: string;
      readonly importKey?: ImportKeyStep;
      readonly idempotencyKey?: string;
      readonly continues?: string;
      readonly isUndoable?: boolean;
      readonly also?: (tx: Tx) => void;
      readonly fits?: RowTest;
    },
  ): Promise<SaveCounts>;
  /** Counts like {@link saveMany} without writing; throws the same refusals. */
  trySaveMany(changes: readonly RowChange[]): Promise<SaveCounts>;
  /** Bins the row (soft delete); does nothing if binned. */
  remove(recordID: string, by: string): Promise<Row>;
  /**
   * Bins rows in one write; returns their number. Skips missing and deleted ones.
   * @param from.file the file that lacks them now
   */
  removeMany(
    recordIDs: readonly string[],
    by: string,
    from?: { readonly file?: string; readonly continues?: string; readonly fits?: RowTest },
  ): Promise<number>;
  /**
   * Fills gaps of each kept row from its duplicates and bins these, in one write. Skips sets whose values differ
   * (`differing`), or whose kept row or all duplicates are in the bin.
   * @param isTrial counts only
   */
  joinMany(sets: readonly RowsToJoin[], by: string, isTrial?: boolean): Promise<JoinedRows>;
  /** Throws `row.purged`. */
  restore(recordID: string, by: string): Promise<Row>;
  /** Returns their number. Skips others. */
  restoreMany(
    recordIDs: readonly string[],
    by: string,
    from?: { readonly continues?: string; readonly fits?: RowTest },
  ): Promise<number>;
  /** Restores received values in the named columns or all. Throws `row.deleted`. */
  revertEdits(recordID: string, columns: readonly string[] | undefined, by: string): Promise<Row>;
}

const READ_AT_ONCE = 500;

/** Creates the users' operations on a list's rows; each write is an undo step. */
export function createRowWrites(deps: {
  module: () => Module;
  write: WriteRows;
  ids: Ids;
  clock: Clock;
}): RowWrites {
  const { module, write, ids, clock } = deps;

  /** Returns the undo step of a write, by default a new one, and the imported file. */
  const createOrigin = (
    kind: StepKind,
    userID: string,
    { file, stepID = ids.next(), ...rest }: Partial<Omit<StepBegun, 'kind' | 'by'>> = {},
  ): WrittenFrom => ({
    step: { stepID, kind, by: userID, ...omitUndefined({ file, ...rest }) },
    ...(file === undefined ? {} : { file: { file, by: userID } }),
  });

  /** Throws `row.values`. Call it within the write, as columns may change. */
  const check = (values: Values, whole: boolean, known?: Values): Values =>
    checkValues(module().fields, values, whole, known);

  /** Returns a new row of checked values, without empty columns, not yet written. */
  function newRow(batch: Batch, values: Values, userID: string): Row {
    const filled = withoutEmpty(values);
    const stamps = { createdAt: batch.now, createdBy: userID, updatedAt: batch.now, updatedBy: userID };
    return { recordID: batch.newID(), values: filled, ...stamps };
  }

  const add = (batch: Batch, values: Values, by: string): Row =>
    batch.put(undefined, newRow(batch, values, by));

  /**
   * Returns a function that writes new rows: encoded together if nobody sees the list by a condition, otherwise one by
   * one.
   */
  function createRowAdder(batch: Batch, userID: string): (rows: readonly Row[]) => void {
    const { putNew, now } = batch;
    if (!putNew) return (rows) => rows.forEach((row) => batch.put(undefined, row));
    const columns = module().fields.map(({ name }) => name);
    const encoder = createNewRowsEncoder({
      nodeID: undefined,
      by: userID,
      columns,
      now,
      newID: () => batch.newID(),
    });
    return (rows) => {
      for (const some of encoder.fromRows(rows)) putNew(some);
      for (const row of rows) batch.steps?.recordRow(undefined, row);
    };
  }

  /** Writes and returns the result of `change`, with new time and user; does nothing for the same object. */
  function putAltered(batch: Batch, row: Row, userID: string, change: Change): Row {
    const changed = change(row, batch.now);
    if (changed === row) return row;
    return batch.put(row, { ...changed, updatedAt: batch.now, updatedBy: userID });
  }

  /** Changes a row in a write of its own. Throws `row.unknown` (404). */
  const alterOne = (kind: StepKind, recordID: string, userID: string, change: Change): Promise<Row> =>
    write(
      async (batch) =>
        putAltered(batch, assertFound(await getRow(batch.tx, recordID), recordID), userID, change),
      createOrigin(kind, userID),
    );

  /**
   * Writes these values, and empties other columns if `isWhole`. Throws `row.unknown`, `row.deleted`, `row.values`,
   * and `data.stale` or `row.changed` if the row isn't as `expected`.
   */
  const putValues = (
    recordID: string,
    values: Values,
    userID: string,
    isWhole: boolean,
    expected: { readonly updatedAt?: string | undefined; readonly values?: Values } = {},
  ): Promise<Row> =>
    alterOne('edit', recordID, userID, (row) => {
      const version = { createdAt: row.createdAt, updatedAt: lastEditOf(row).updatedAt };
      assertNotStale(expected.updatedAt, version, clock.now());
      const checked = check(values, isWhole, assertNotInBin(row).values);
      assertHolds(row, expected.values ?? {}, checked);
      return editRow(row, checked);
    });

  /** Changes rows in one write; returns how many differ. Skips missing rows, and those that fail `from.fits`. */
  const alterMany = (
    kind: StepKind,
    recordIDs: readonly string[],
    userID: string,
    change: Change,
    from: { readonly file?: string; readonly continues?: string; readonly fits?: RowTest } = {},
  ): Promise<number> =>
    write(
      async (batch) => {
        const fits = from.fits?.(module().fields);
        const pause = createYielder();
        let changed = 0;
        for (const some of batchByCount([...new Set(recordIDs)], READ_AT_ONCE))
          for (const row of await getRows(batch.tx, some)) {
            await pause();
            if (row && fits?.(row) !== false && putAltered(batch, row, userID, change) !== row) changed++;
          }
        return changed;
      },
      createOrigin(kind, userID, from),
    );

  /** Returns a change that moves a row to the bin; none for a binned one. */
  const moveToBin =
    (userID: string): Change =>
    (row, now) =>
      row.deletedAt === undefined ? { ...row, deletedAt: now, deletedBy: userID } : row;

  interface Effects {
    readonly add: (values: Values) => unknown;
    readonly alter: (row: Row, change: Change) => Row;
    readonly end?: () => void;
  }

  /**
   * Writes new and changed rows; returns the counts. Skips existing rows that fail `fits`, uncounted. Throws
   * `row.unknown`, `row.deleted` or `row.values`.
   */
  const saveAll = (
    batch: Batch,
    changes: readonly RowChange[],
    userID: string,
    fits: RowTest | undefined,
  ): Promise<SaveCounts> => {
    const addAll = createRowAdder(batch, userID);
    let added: Row[] = [];
    /** Writes the collected new rows. */
    const flushAdded = (): void => {
      addAll(added);
      added = [];
    };
    return applyChanges(
      batch,
      changes,
      {
        /** Collects a new row, and writes them once they are many. */
        add(values) {
          added.push(newRow(batch, values, userID));
          if (added.length >= MAX_LINE_ENTRIES) flushAdded();
        },
        /** Writes a changed row, after the collected new ones. */
        alter(row, change) {
          flushAdded();
          return putAltered(batch, row, userID, change);
        },
        end: flushAdded,
      },
      fits,
    );
  };

  /** Returns the counts of {@link saveAll} without writing, with the undo step's size in characters. */
  const countAll = async (batch: Batch, changes: readonly RowChange[]): Promise<SaveCounts> => {
    const { fields } = module();
    let stepSize = 0;
    const counts = await applyChanges(batch, changes, {
      add: (values) => void (stepSize += measureStep(undefined, newRow(batch, values, ''), fields)),
      /** Adds the size that the change would have in the undo step; returns the row changed, unwritten. */
      alter(row, change) {
        const changed = change(row, batch.now);
        stepSize += measureStep(row, changed, fields);
        return changed;
      },
    });
    return { ...counts, stepSize };
  };

  return {
    async create(values, by, idempotencyKey) {
      const { row, missing } = await write<{ row: Row; missing?: Values }>(
        async (batch) => {
          const checked = check(values, true);
          const added = idempotencyKey ? await findAddedRows(batch.tx, by, idempotencyKey) : [];
          for (const row of await getRows(batch.tx, added))
            if (row && row.deletedAt === undefined && lacksOnly(row, checked))
              return { row, missing: withoutEmpty(checked) };
          return { row: add(batch, checked, by) };
        },
        createOrigin('add', by, omitUndefined({ idempotencyKey })),
      );
      if (!missing) return row;
      const before = Object.fromEntries(
        Object.keys(missing).map((name) => [name, valuesOf(row.values, name)]),
      );
      return putValues(row.recordID, missing, by, false, { values: before });
    },
    createMany: (many, by) =>
      write(
        (batch) => {
          const rows = many.map((values) => newRow(batch, check(values, true), by));
          createRowAdder(batch, by)(rows);
          return rows;
        },
        createOrigin('add', by),
      ),
    replace: (recordID, values, by, updatedAt) => putValues(recordID, values, by, true, { updatedAt }),
    patch: (recordID, values, by, expected) => putValues(recordID, values, by, false, expected),
    saveMany: (changes, by, { also, fits, ...from } = {}) =>
      write(
        (batch) => {
          also?.(batch.tx);
          return saveAll(batch, changes, by, fits);
        },
        createOrigin(from.file === undefined && from.stepID === undefined ? 'cells' : 'import', by, from),
      ),
    trySaveMany: (changes) => write((batch) => countAll(batch, changes)),
    remove: (recordID, by) => alterOne('delete', recordID, by, moveToBin(by)),
    removeMany: (recordIDs, by, from) => alterMany('delete', recordIDs, by, moveToBin(by), from),
    joinMany: (sets, by, isTrial = false) =>
      write((batch) => joinAll(batch, sets, by, isTrial), isTrial ? undefined : createOrigin('join', by)),
    restore: (recordID, by) =>
      alterOne('restore', recordID, by, (row) => {
        if (row.purged) {
          throw new Refusal('conflict', 'row.purged', said('row.values-gone'));
        }
        return row.deletedAt === undefined ? row : withoutDeletion(row);
      }),
    restoreMany: (recordIDs, by, from) =>
      alterMany(
        'restore',
        recordIDs,
        by,
        (row) => (row.deletedAt === undefined || row.purged ? row : withoutDeletion(row)),
        from,
      ),
    revertEdits: (recordID, columns, by) =>
      alterOne('revert', recordID, by, (row) => revertRow(assertNotInBin(row), columns)),
  };

  /** Joins rows for {@link RowWrites.joinMany}; with `isTrial` only counts them. */
  async function joinAll(
    batch: Batch,
    sets: readonly RowsToJoin[],
    userID: string,
    isTrial: boolean,
  ): Promise<JoinedRows> {
    const pause = createYielder();
    const filled = new Map<string, number>();
    let [joined, differing] = [0, 0];
    for (const { kept: keptID, others: otherIDs } of sets) {
      await pause();
      const [kept, ...others] = (await getRows(batch.tx, [keptID, ...otherIDs])).filter(
        (row) => row?.deletedAt === undefined,
      );
      const rows = others.filter((row) => row !== undefined);
      if (kept?.recordID !== keptID || rows.length === 0) continue;
      const gaps = findGaps(kept, rows, module().fields);
      if (!gaps) {
        differing++;
        continue;
      }
      joined++;
      for (const name of Object.keys(gaps)) filled.set(name, (filled.get(name) ?? 0) + 1);
      if (isTrial) continue;
      putAltered(batch, kept, userID, (row) => editRow(row, gaps));
      for (const row of rows) putAltered(batch, { ...row, joinedInto: keptID }, userID, moveToBin(userID));
    }
    return { joined, differing, filled };
  }

  /**
   * Passes checked changes to `effects`; returns the counts. Skips existing rows that don't match `test`. Throws
   * `row.unknown`, `row.deleted` or `row.values`.
   */
  async function applyChanges(
    { tx }: Batch,
    changes: readonly RowChange[],
    effects: Effects,
    test?: RowTest,
  ): Promise<SaveCounts> {
    const fits = test?.(module().fields);
    const pause = createYielder();
    const counts = { created: 0, updated: 0, unchanged: 0 };
    for (const { recordID, values } of changes) {
      await pause();
      if (recordID === undefined) {
        effects.add(check(values, true));
        counts.created++;
      } else {
        const row = assertFound(await getRow(tx, recordID), recordID);
        if (fits?.(row) === false) continue;
        const isSame =
          effects.alter(row, (old) => editRow(assertNotInBin(old), check(values, false))) === row;
        counts[isSame ? 'unchanged' : 'updated']++;
      }
    }
    effects.end?.();
    return counts;
  }
}

/**
 * Returns, by column, values that `kept` lacks and `others` have; undefined if two rows have different values in a
 * column.
 */
function findGaps(kept: Row, others: readonly Row[], fields: Module['fields']): Values | undefined {
  const gaps: Record<string, readonly string[]> = {};
  for (const { name } of fields) {
    const has = valuesOf(kept.values, name);
    for (const { values } of others) {
      const texts = valuesOf(values, name);
      const wanted = has.length > 0 ? has : (gaps[name] ?? []);
      if (texts.length === 0 || hasSameTexts(texts, wanted)) continue;
      if (wanted.length > 0) return undefined;
      gaps[name] = texts;
    }
  }
  return gaps;
}

/** Returns the row. Throws `row.unknown` (404) for undefined. */
export function assertFound(row: Row | undefined, recordID: string): Row {
  if (row) return row;
  throw new Refusal('not-found', 'row.unknown', said('row.unknown', { number: recordID.slice(0, 40) }));
}

/** Throws `row.changed` (409) if a cell holds neither what is expected nor what it becomes. */
function assertHolds({ values }: Row, expected: Values, next: Values): void {
  for (const [name, texts] of Object.entries(expected)) {
    const stored = valuesOf(values, name);
    if (hasSameTexts(stored, texts) || hasSameTexts(stored, valuesOf(next, name))) continue;
    throw new Refusal('conflict', 'row.changed', said('row.changed'));
  }
}

const withoutEmpty = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, texts]) => texts.length > 0));

/** Returns whether each column holds these texts or nothing, so that writing them replaces nothing. */
const lacksOnly = ({ values }: Row, sent: Values): boolean =>
  Object.entries(sent).every(([name, texts]) => {
    const stored = valuesOf(values, name);
    return texts.length === 0 || stored.length === 0 || hasSameTexts(stored, texts);
  });

/** Returns the row. Throws `row.deleted` (409) if it is in the bin. */
function assertNotInBin(row: Row): Row {
  if (row.deletedAt === undefined) return row;
  throw new Refusal('conflict', 'row.deleted', said('row.in-bin'));
}
