import type { Field, Values } from '../definitions/model.ts';
import type { Rows } from '../rows/rows.ts';
import { tryValues } from '../values/check-values.ts';
import { valuesOf } from '../values/value-sets.ts';
import { said, type Words } from '../../words/said.ts';

/** Finds rows by the value of a key column. */
export interface KeyIndex {
  /**
   * The row that a line with these values is about: none when it is a new one. Each key may come once in a
   * file; a second line with it would overwrite the first.
   */
  take(
    values: Values,
  ): { readonly recordID: string | undefined; readonly key: string } | { readonly problem: Words };
  /** The key of a line of whose other values nothing needs to be right; undefined where it has none that can be one. */
  keyOf(values: Values): string | undefined;
}

const SEVERAL = 'several';

export async function createKeyIndex(rows: Rows, field: Field): Promise<KeyIndex> {
  const byKey = new Map<string, string>();
  for await (const page of rows.scan()) {
    for (const row of page) {
      const key = valuesOf(row.values, field.name)[0];
      if (key !== undefined) byKey.set(key, byKey.has(key) ? SEVERAL : row.recordID);
    }
  }
  const used = new Set<string>();
  return {
    take(values) {
      const key = valuesOf(values, field.name)[0];
      if (key === undefined) return { problem: said('import.key-empty', { column: field.label }) };
      const recordID = byKey.get(key);
      if (recordID === SEVERAL)
        return { problem: said('import.key-ambiguous', { column: field.label, value: key }) };
      if (used.has(key)) return { problem: said('import.key-again', { column: field.label, value: key }) };
      used.add(key);
      return { recordID, key };
    },
    keyOf(values) {
      const checked = tryValues([field], { [field.name]: valuesOf(values, field.name) }, false);
      return 'values' in checked ? valuesOf(checked.values, field.name)[0] : undefined;
    },
  };
}
