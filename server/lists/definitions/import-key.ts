import type { Field, Module } from './model.ts';

/**
 * Returns the names of the columns by which an import finds the row to update; none if not chosen, or one is
 * gone.
 */
export function importKeyOf({ fields, importKey }: Pick<Module, 'fields' | 'importKey'>): readonly string[] {
  const ids = importKeyIDs(importKey, fields) ?? [];
  const names = ids.flatMap((id) => fields.find(({ fieldID }) => fieldID === id)?.name ?? []);
  return names.length === ids.length ? names : [];
}

/** Returns the ids of the key columns; older data has a single name. */
export function importKeyIDs(
  key: Module['importKey'],
  fields: readonly Field[],
): readonly string[] | undefined {
  if (typeof key !== 'string') return key;
  const field = fields.find(({ name }) => name === key);
  return field && [field.fieldID];
}
