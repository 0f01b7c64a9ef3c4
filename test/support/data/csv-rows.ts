import type { Lists } from '../../../server/lists/lists.ts';
import type { Module } from '../../../server/lists/definitions/model.ts';

/** All rows of a list as the fixtures write them: the first value by label, the empty text where there is none. */
export async function textRows(lists: Lists, module: Module): Promise<Record<string, string>[]> {
  const found: Record<string, string>[] = [];
  for await (const page of (await lists.rows(module.moduleID)).scan()) {
    for (const row of page) {
      found.push(
        Object.fromEntries(module.fields.map(({ label, name }) => [label, row.values[name]?.[0] ?? ''])),
      );
    }
  }
  return found;
}
