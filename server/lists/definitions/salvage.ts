import { z } from 'zod';
import type { Salvage, Store } from '../../store/store.ts';
import { filledValues } from '../rows/row-codec.ts';
import { listPartition, ROW_TABLE } from '../rows/row-table.ts';
import type { RowChange } from '../rows/row-writes.ts';
import type { Rows } from '../rows/rows.ts';
import { tryValues } from '../values/check-values.ts';
import type { FieldInput } from './inputs.ts';
import type { Field, Module, Values } from './model.ts';

export interface SalvagedRows extends Pick<Salvage, 'damagedLines' | 'missing'> {
  readonly values: readonly Values[];
}

export interface SalvageCounts {
  readonly rows: number;
  readonly valuesLeftOut: number;
}

const salvagedRow = z.object({
  values: z.record(z.string(), z.union([z.string(), z.array(z.string())])).transform(filledValues),
  deletedAt: z.string().optional(),
  purged: z.unknown().optional(),
});
const stamps = z.object({
  updatedAt: z.string(),
  lastEdit: z.object({ updatedAt: z.string() }).optional(),
  deletedAt: z.string().optional(),
});
const PAGE = 500;

/** Reads the live rows in a list's files; undefined if no file of it is damaged. */
export async function salvageRows(
  store: Pick<Store, 'salvage'>,
  moduleID: string,
): Promise<SalvagedRows | undefined> {
  const found = await store.salvage(listPartition(moduleID), ROW_TABLE, isChangedLater);
  return found && { ...found, values: pickLiveRows(found.values.values()) };
}

/** Returns whether a stored row was edited or deleted later than another one; a change of columns is no edit. */
export function isChangedLater(one: unknown, other: unknown): boolean {
  const [found = '', held = ''] = [one, other].map((stored) => {
    const row = stamps.safeParse(stored).data;
    const edited = row?.lastEdit?.updatedAt ?? row?.updatedAt;
    return row?.deletedAt !== undefined && row.deletedAt > (edited ?? '') ? row.deletedAt : edited;
  });
  return found !== '' && held !== '' && found > held;
}

/** Returns the values of live rows; omits deleted rows and anything else. */
export function pickLiveRows(stored: Iterable<unknown>): Values[] {
  const live: Values[] = [];
  for (const each of stored) {
    const row = salvagedRow.safeParse(each).data;
    if (row && row.deletedAt === undefined && row.purged === undefined) live.push(row.values);
  }
  return live;
}

/** Requires no column, as a damaged row may lack any. */
export const copiedFields = ({ fields }: Pick<Module, 'fields'>): FieldInput[] =>
  fields.map(({ kind, name, label, isMulti, options }) => ({ kind, name, label, isMulti, options }));

/**
 * Writes salvaged rows into a new list, 500 at a time, without values that don't fit. Returns the number of rows and of
 * values left out.
 * @param by user id
 */
export async function writeSalvaged(
  rows: Pick<Rows, 'saveMany'>,
  fields: readonly Field[],
  values: readonly Values[],
  by: string,
): Promise<SalvageCounts> {
  let valuesLeftOut = 0;
  for (let at = 0; at < values.length; at += PAGE) {
    const changes = values.slice(at, at + PAGE).map((row): RowChange => {
      const fitting = Object.entries(row).filter(
        ([name, texts]) => 'values' in tryValues(fields, { [name]: texts }, false),
      );
      valuesLeftOut += Object.keys(row).length - fitting.length;
      return { values: Object.fromEntries(fitting) };
    });
    await rows.saveMany(changes, by);
  }
  return { rows: values.length, valuesLeftOut };
}
