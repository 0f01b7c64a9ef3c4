import type { Field, Module } from './model.ts';

/** Names of the columns by which an import finds the row to update; none where they were not chosen, or one is gone. */
export function importKeyOf({ fields, importKey }: Pick<Module, 'fields' | 'importKey'>): readonly string[] {
  const ids = importKeyIDs(importKey, fields) ?? [];
  const names = ids.flatMap((id) => fields.find(({ fieldID }) => fieldID === id)?.name ?? []);
  return names.length === ids.length ? names : [];
}

/** By their ids. Older data has the name of the only one. */
export function importKeyIDs(
  key: Module['importKey'],
  fields: readonly Field[],
): readonly string[] | undefined {
  if (typeof key !== 'string') return key;
  const field = fields.find(({ name }) => name === key);
  return field && [field.fieldID];
}
