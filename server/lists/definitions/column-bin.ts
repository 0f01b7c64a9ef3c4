import { createYielder } from '../../base/yield.ts';
import { Refusal } from '../../base/refusal.ts';
import { everyValue } from '../../store/every-entry.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { deleteHistoryOfColumns } from '../rows/row-history.ts';
import { readCell, withCell, type RowCell } from '../rows/row-cell.ts';
import { forgetColumnsInSteps } from '../rows/undo-log.ts';
import type { Field, Row } from './model.ts';

/** In the list's partition, to be of the same age as the rows. */
export interface BinnedColumn {
  readonly field: Field;
  /** Position when deleted; earlier versions restored to it. */
  readonly at: number;
  /** Ids of preceding columns, binned ones too; absent from earlier versions. */
  readonly after?: readonly string[];
  /** ISO 8601, list time. */
  readonly deletedAt: string;
  readonly values: number;
}

type Cells = Readonly<Record<string, RowCell>>;

const COLUMNS: Table<BinnedColumn> = { name: 'column-bin' };
/** Key: column id and a number, for many rows together. */
const CELLS: Table<{ readonly fieldID: string; readonly cells: Cells }> = {
  name: 'column-bin-cells',
  indexes: { column: ({ fieldID }) => fieldID },
};

/** Returns the list's binned columns, the latest deleted first. */
export async function readBinnedColumns(partition: Partition): Promise<BinnedColumn[]> {
  const all: BinnedColumn[] = [];
  for await (const column of everyValue(partition, COLUMNS)) all.push(column);
  return all.sort((one, other) => other.deletedAt.localeCompare(one.deletedAt));
}

/** Returns a binned column. Throws `list.column-not-in-bin` (404) for others. */
export async function readBinnedColumn(partition: Partition, fieldID: string): Promise<BinnedColumn> {
  const column = await partition.get(COLUMNS, fieldID);
  if (column) return column;
  throw new Refusal('not-found', 'list.column-not-in-bin', said('list.column-not-in-bin'));
}

/**
 * Returns the columns with this one behind the nearest of its former predecessors that is in the list, else first; by
 * its former index `at` if these weren't stored (older data).
 */
export function withColumnInPlace(
  fields: readonly Field[],
  field: Field,
  { at, after }: Pick<BinnedColumn, 'at' | 'after'>,
): Field[] {
  const ids = fields.map(({ fieldID }) => fieldID);
  const nearest = after?.findLast((fieldID) => ids.includes(fieldID));
  const position = nearest === undefined ? 0 : ids.indexOf(nearest) + 1;
  return fields.toSpliced(after ? position : at, 0, field);
}

export interface ColumnBinning {
  add(row: Row): void;
  flush(): void;
  writeBinned(): void;
}

/**
 * Returns a writer that copies columns (ids in `going`) and, from each added row, their cells to the bin; the caller
 * removes the cells from the rows.
 * @param fields the columns before
 * @param now time of the deletion, ISO 8601
 * @param binned columns that were in the bin before
 */
export function startMovingToBin(
  tx: Tx,
  fields: readonly Field[],
  going: ReadonlySet<string>,
  now: string,
  binned: readonly BinnedColumn[] = [],
): ColumnBinning {
  const order = binned
    .reduce<readonly Field[]>((all, column) => withColumnInPlace(all, column.field, column), fields)
    .map(({ fieldID }) => fieldID);
  const columns = fields.flatMap((field, at) => {
    const after = order.slice(0, order.indexOf(field.fieldID));
    return going.has(field.fieldID)
      ? [{ field, at, after, values: 0, cells: new Map<string, RowCell>() }]
      : [];
  });
  let part = 0;
  return {
    /** Collects the row's cells for {@link flush}. Counts only values of rows outside the row bin. */
    add(row) {
      for (const column of columns) {
        const cell = readCell(row, column.field.name);
        if (!cell) continue;
        column.cells.set(row.recordID, cell);
        if (cell.value && row.deletedAt === undefined) column.values++;
      }
    },
    /** Writes the cells since the last call, one entry per column. */
    flush() {
      part++;
      for (const { field, cells } of columns) {
        if (cells.size > 0)
          tx.put(CELLS, `${field.fieldID} ${part}`, {
            fieldID: field.fieldID,
            cells: Object.fromEntries(cells),
          });
        cells.clear();
      }
    },
    /** Writes the columns to the bin, as deleted now, without cells. */
    writeBinned() {
      for (const { field, at, after, values } of columns)
        tx.put(COLUMNS, field.fieldID, { field, at, after, values, deletedAt: now });
    },
  };
}

export interface ColumnRestoring {
  withBinnedCells(row: Row): Row;
  finish(): void;
}

/**
 * Reads the cells of columns; `finish` deletes both from the bin.
 * @param fields columns that come back, with their new names
 */
export async function startRestoring(tx: Tx, fields: readonly Field[]): Promise<ColumnRestoring> {
  const kept: { readonly name: string; readonly cells: Map<string, RowCell> }[] = [];
  const keys: string[] = [];
  for (const { fieldID, name } of fields) {
    const parts = await tx.find(CELLS, 'column', fieldID);
    keys.push(...parts.map(({ key }) => key));
    kept.push({ name, cells: new Map(parts.flatMap(({ value }) => Object.entries(value.cells))) });
  }
  return {
    /** Returns the row with its binned cells; the row itself if it has none or is purged. */
    withBinnedCells(row) {
      let filled = row;
      for (const { name, cells } of kept) {
        const cell = row.purged ? undefined : cells.get(row.recordID);
        if (cell) filled = withCell(filled, name, cell);
      }
      return filled;
    },
    /** Deletes the restored columns and their cells from the bin. */
    finish() {
      for (const key of keys) tx.delete(CELLS, key);
      for (const { fieldID } of fields) tx.delete(COLUMNS, fieldID);
    },
  };
}

/**
 * Deletes the cells of these rows in all binned columns; with `keepsOwn`, values of our user stay, without the
 * received.
 */
export async function forgetBinnedCells(
  tx: Tx,
  partition: Partition,
  recordIDs: readonly string[],
  { keepsOwn = false } = {},
): Promise<void> {
  if (recordIDs.length === 0) return;
  for (const { field } of await readBinnedColumns(partition)) {
    for (const { key, value } of await tx.find(CELLS, 'column', field.fieldID)) {
      const going = recordIDs.filter((recordID) => Object.hasOwn(value.cells, recordID));
      if (going.length === 0) continue;
      const cells = Object.entries(value.cells).flatMap(([recordID, cell]): [string, RowCell][] => {
        if (!going.includes(recordID)) return [[recordID, cell]];
        const isOwn = !cell.received || cell.received.edited === true;
        return keepsOwn && isOwn && cell.value ? [[recordID, { value: cell.value }]] : [];
      });
      tx.put(CELLS, key, { fieldID: field.fieldID, cells: Object.fromEntries(cells) });
    }
  }
}

/**
 * Purges binned columns that are `over`, with their cells in history and undo log; returns their number.
 * @param fields the list's columns at the time of the call
 */
export async function purgeColumns(
  partition: Partition,
  fields: () => readonly Field[],
  isOver: (column: BinnedColumn) => boolean,
): Promise<number> {
  if (!(await readBinnedColumns(partition)).some(isOver)) return 0;
  const pause = createYielder();
  return partition.transaction(async (tx) => {
    const all = await readBinnedColumns(partition);
    const over = all.filter(isOver).map(({ field }) => field.fieldID);
    for (const fieldID of over) {
      for (const { key } of await tx.find(CELLS, 'column', fieldID)) tx.delete(CELLS, key);
      tx.delete(COLUMNS, fieldID);
      await pause();
    }
    const kept = [...fields(), ...all.map(({ field }) => field)].map(({ fieldID }) => fieldID);
    await deleteHistoryOfColumns(partition, tx, new Set(kept.filter((fieldID) => !over.includes(fieldID))));
    await forgetColumnsInSteps(partition, tx, new Set(over));
    return over.length;
  }, 'alone');
}
