import type { Field, Values } from '../definitions/model.ts';
import type { Rows } from '../rows/rows.ts';
import { tryValues } from '../values/check-values.ts';
import { valuesOf } from '../values/value-sets.ts';
import { said, type Words } from '../../words/said.ts';

/** Finds rows by the values of one or several key columns. */
export interface KeyIndex {
  /**
   * Returns the row for a line with these values; none if it is new. A key may occur once per file: a second
   * line would overwrite the first.
   */
  claimRow(
    values: Values,
  ): { readonly recordID: string | undefined; readonly key: string } | { readonly problem: Words };
  /** Returns a line's key even if its other values are invalid; undefined without one. */
  keyOf(values: Values): string | undefined;
}

const SEVERAL = 'several';

/** Returns a row's key; undefined if one of its columns is empty. */
export function keyIn(values: Values, names: readonly string[]): string | undefined {
  const texts = names.flatMap((name) => valuesOf(values, name).slice(0, 1));
  if (texts.length < names.length) return undefined;
  return texts.length === 1 ? texts[0] : JSON.stringify(texts);
}

/** Reads all rows into an index by key. */
export async function createKeyIndex(rows: Rows, fields: readonly Field[]): Promise<KeyIndex> {
  const names = fields.map(({ name }) => name);
  const byKey = new Map<string, string>();
  for await (const page of rows.scan()) {
    for (const row of page) {
      const key = keyIn(row.values, names);
      if (key !== undefined) byKey.set(key, byKey.has(key) ? SEVERAL : row.recordID);
    }
  }
  const used = new Set<string>();
  const column = together(fields.map(({ label }) => label));
  return {
    claimRow(values) {
      const key = keyIn(values, names);
      if (key === undefined) {
        const empty = fields.filter(({ name }) => valuesOf(values, name).length === 0);
        return { problem: said('import.key-empty', { column: together(empty.map(({ label }) => label)) }) };
      }
      const recordID = byKey.get(key);
      const value = together(names.flatMap((name) => valuesOf(values, name)));
      if (recordID === SEVERAL) return { problem: said('import.key-ambiguous', { column, value }) };
      if (used.has(key)) return { problem: said('import.key-again', { column, value }) };
      used.add(key);
      return { recordID, key };
    },
    keyOf(values) {
      const given = Object.fromEntries(names.map((name) => [name, valuesOf(values, name)]));
      const checked = tryValues(fields, given, false);
      return 'values' in checked ? keyIn(checked.values, names) : undefined;
    },
  };
}

/** Returns several columns' texts as one. */
const together = (texts: readonly string[]): string => texts.join(' + ');
