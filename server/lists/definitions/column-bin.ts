import { createPause } from '../../base/yield.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { forgetColumns } from '../rows/row-history.ts';
import { receivedKey } from '../rows/row-table.ts';
import { forgetSteps } from '../rows/undo-log.ts';
import { withColumn } from '../values/value-sets.ts';
import type { Field, Provenance, Row } from './model.ts';

/**
 * Deleted columns with what their cells held. They are in the partition of the list and are written together with the
 * rows, so that a column and its cells are never of two ages. Nothing that leaves is made from them.
 */
export interface BinnedColumn {
  readonly field: Field;
  /** Its place among the columns, from 0. */
  readonly at: number;
  /** ISO 8601, in the list's own time. */
  readonly deletedAt: string;
  /** Rows outside of the bin that have a value in it. */
  readonly values: number;
}

/** What a row held in one column; absent members were absent. */
interface BinnedCell {
  readonly value?: readonly string[];
  readonly received?: BinnedProvenance;
  readonly former?: BinnedProvenance;
}

interface BinnedProvenance {
  readonly value?: readonly string[];
  readonly previous?: readonly string[];
  readonly edited?: true;
  /** By {@link receivedKey}: what each source brought. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

type Cells = Readonly<Record<string, BinnedCell>>;

/** Key: the column's id. */
const COLUMNS: Table<BinnedColumn> = { name: 'column-bin' };
/** Cells of many rows together. Key: the column's id and a number. */
const CELLS: Table<{ readonly fieldID: string; readonly cells: Cells }> = {
  name: 'column-bin-cells',
  indexes: { column: ({ fieldID }) => fieldID },
};
/** docs/interface.md: Limits. As many as a list can have, twice. */
const MOST = 1000;

/** Deleted columns, those that were deleted last first. */
export async function binnedColumns(partition: Partition): Promise<BinnedColumn[]> {
  const all = (await partition.page(COLUMNS, { limit: MOST })).map(({ value }) => value);
  return all.sort((one, other) => other.deletedAt.localeCompare(one.deletedAt));
}

/** @throws Refusal `not-found` */
export async function binnedColumn(partition: Partition, fieldID: string): Promise<BinnedColumn> {
  const column = await partition.get(COLUMNS, fieldID);
  if (column) return column;
  throw new Refusal('not-found', 'list.column-not-in-bin', said('list.column-not-in-bin'));
}

/** Moves the cells of columns to the bin while the rows of a list are rewritten. */
export interface ColumnBinning {
  /** @param row as it was, with the columns under their old names */
  add(row: Row): void;
  /** Writes the cells of the rows since the last call. */
  flush(): void;
  /** Writes what the columns were. */
  finish(): void;
}

/** @param fields the columns before; those of `going` go to the bin */
export function startBinning(
  tx: Tx,
  fields: readonly Field[],
  going: ReadonlySet<string>,
  now: string,
): ColumnBinning {
  const columns = fields.flatMap((field, at) =>
    going.has(field.fieldID) ? [{ field, at, values: 0, cells: new Map<string, BinnedCell>() }] : [],
  );
  let part = 0;
  return {
    add(row) {
      for (const column of columns) {
        const cell = cellOf(row, column.field.name);
        if (!cell) continue;
        column.cells.set(row.recordID, cell);
        if (cell.value && row.deletedAt === undefined) column.values++;
      }
    },
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
    finish() {
      for (const { field, at, values } of columns)
        tx.put(COLUMNS, field.fieldID, { field, at, values, deletedAt: now });
    },
  };
}

/** Gives the rows back what they held in columns that come out of the bin. */
export interface ColumnReturn {
  /** @param row as it becomes, without these columns; the very same where it held nothing in them */
  fill(row: Row): Row;
  /** Leaves nothing of them in the bin. */
  finish(): void;
}

/** @param fields the columns as they come back, under the names that they have now */
export async function startReturn(tx: Tx, fields: readonly Field[]): Promise<ColumnReturn> {
  const kept: { readonly name: string; readonly cells: Map<string, BinnedCell> }[] = [];
  const keys: string[] = [];
  for (const { fieldID, name } of fields) {
    const parts = await tx.find(CELLS, 'column', fieldID);
    keys.push(...parts.map(({ key }) => key));
    kept.push({ name, cells: new Map(parts.flatMap(({ value }) => Object.entries(value.cells))) });
  }
  return {
    fill(row) {
      let filled = row;
      for (const { name, cells } of kept) {
        const cell = row.purged ? undefined : cells.get(row.recordID);
        if (cell) filled = withCell(filled, name, cell);
      }
      return filled;
    },
    finish() {
      for (const key of keys) tx.delete(CELLS, key);
      for (const { fieldID } of fields) tx.delete(COLUMNS, fieldID);
    },
  };
}

/** Leaves nothing of rows whose values go for good. */
export async function forgetBinnedCells(
  tx: Tx,
  partition: Partition,
  recordIDs: readonly string[],
): Promise<void> {
  for (const { field } of await binnedColumns(partition)) {
    for (const { key, value } of await tx.find(CELLS, 'column', field.fieldID)) {
      const going = recordIDs.filter((recordID) => Object.hasOwn(value.cells, recordID));
      if (going.length === 0) continue;
      const cells = Object.entries(value.cells).filter(([recordID]) => !going.includes(recordID));
      tx.put(CELLS, key, { fieldID: field.fieldID, cells: Object.fromEntries(cells) });
    }
  }
}

/**
 * Removes deleted columns for good, with the past of their cells.
 * @param isOver which of them; of the others everything stays
 * @param fields the columns of the list
 */
export async function purgeColumns(
  partition: Partition,
  fields: () => readonly Field[],
  isOver: (column: BinnedColumn) => boolean,
): Promise<number> {
  if (!(await binnedColumns(partition)).some(isOver)) return 0;
  const pause = createPause();
  return partition.transaction(async (tx) => {
    const all = await binnedColumns(partition);
    const over = all.filter(isOver).map(({ field }) => field.fieldID);
    for (const fieldID of over) {
      for (const { key } of await tx.find(CELLS, 'column', fieldID)) tx.delete(CELLS, key);
      tx.delete(COLUMNS, fieldID);
      await pause();
    }
    const kept = [...fields(), ...all.map(({ field }) => field)].map(({ fieldID }) => fieldID);
    await forgetColumns(partition, tx, new Set(kept.filter((fieldID) => !over.includes(fieldID))));
    // They may hold what its cells were.
    await forgetSteps(partition, tx);
    return over.length;
  }, 'alone');
}

function cellOf({ values, received, former, purged }: Row, name: string): BinnedCell | undefined {
  if (purged) return undefined;
  const kept: { -readonly [K in keyof BinnedCell]: BinnedCell[K] } = {};
  if (values[name] !== undefined) kept.value = values[name];
  const [came, cameBefore] = [provenanceOf(received, name), provenanceOf(former, name)];
  if (came) kept.received = came;
  if (cameBefore) kept.former = cameBefore;
  return Object.keys(kept).length > 0 ? kept : undefined;
}

function provenanceOf(from: Provenance | undefined, name: string): BinnedProvenance | undefined {
  if (!from) return undefined;
  const kept: { -readonly [K in keyof BinnedProvenance]: BinnedProvenance[K] } = {};
  if (from.values[name] !== undefined) kept.value = from.values[name];
  if (from.previous?.[name] !== undefined) kept.previous = from.previous[name];
  if (from.edited.includes(name)) kept.edited = true;
  const sources = (from.ways ?? []).flatMap(({ nodeID, recordID, values }) => {
    const texts = values[name];
    return texts === undefined ? [] : [[receivedKey(nodeID, recordID), texts] as const];
  });
  if (sources.length > 0) kept.sources = Object.fromEntries(sources);
  return Object.keys(kept).length > 0 ? kept : undefined;
}

function withCell(row: Row, name: string, { value, received, former }: BinnedCell): Row {
  return {
    ...row,
    ...(value ? { values: withColumn(row.values, name, value) } : {}),
    ...(row.received && received ? { received: withProvenance(row.received, name, received) } : {}),
    ...(row.former && former ? { former: withProvenance(row.former, name, former) } : {}),
  };
}

/** A column that came empty is there as `[]`. */
function withProvenance(
  from: Provenance,
  name: string,
  { value, previous, edited, sources = {} }: BinnedProvenance,
): Provenance {
  return {
    ...from,
    ...(value ? { values: { ...from.values, [name]: value } } : {}),
    ...(previous && from.previous ? { previous: { ...from.previous, [name]: previous } } : {}),
    ...(edited ? { edited: [...from.edited, name] } : {}),
    ...(from.ways && {
      ways: from.ways.map((way) => {
        const texts = sources[receivedKey(way.nodeID, way.recordID)];
        return texts ? { ...way, values: { ...way.values, [name]: texts } } : way;
      }),
    }),
  };
}
