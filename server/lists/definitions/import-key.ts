import type { Field, Module } from './model.ts';

/** Returns the names of the columns by which an import finds rows to update; empty if unset or if one is gone. */
export function importKeyOf({ fields, importKey }: Pick<Module, 'fields' | 'importKey'>): readonly string[] {
  const ids = importKeyIDs(importKey, fields) ?? [];
  const names = ids.flatMap((id) => fields.find(({ fieldID }) => fieldID === id)?.name ?? []);
  return names.length === ids.length ? names : [];
}

/** Returns the key columns' ids. Older data has one name: undefined if that column is gone, or if nothing is set. */
export function importKeyIDs(
  key: Module['importKey'],
  fields: readonly Field[],
): readonly string[] | undefined {
  if (typeof key !== 'string') return key;
  const field = fields.find(({ name }) => name === key);
  return field && [field.fieldID];
}
