import { createDistinct } from '../csv/distinct.ts';
import { couldBeKey, readTable } from '../csv/read.ts';
import { findTargets } from '../csv/targets.ts';
import type { Field, Module } from '../definitions/model.ts';
import type { Rows } from '../rows/rows.ts';
import { valuesOf } from '../values/value-sets.ts';
import type { Wish } from './settle.ts';

/**
 * Name of the column by which a file's lines and the list's rows could be told apart: that of the last time, else the first
 * that says something else in each line, and in the list says nothing twice; '' where there is none.
 * @throws Refusal when the file cannot be used
 */
export async function proposedKey(
  module: Module,
  rows: Rows,
  bytes: Buffer,
  { match = {}, reading = {} }: Omit<Wish, 'key'>,
): Promise<string> {
  const { columns, source } = await readTable(bytes, reading);
  const could = findTargets(columns, module.fields, match, source).flatMap((target, at) => {
    const column = columns[at];
    if (!target || !column || target.field.isMulti || !couldBeKey(column, target.field.kind)) return [];
    return [target.field];
  });
  const last = could.filter(({ name }) => name === module.importKey);
  return (await distinctIn(rows, [...last, ...could]))?.name ?? '';
}

/** The first of these columns that says nothing twice in the list. */
async function distinctIn(rows: Rows, fields: readonly Field[]): Promise<Field | undefined> {
  if (fields.length === 0) return undefined;
  const distinct = createDistinct();
  const filled = fields.map(() => 0);
  for await (const page of rows.scan())
    for (const { values } of page)
      fields.forEach(({ name }, at) => {
        const text = valuesOf(values, name)[0];
        // Rows without one are found by nothing, and stay as they are.
        if (text === undefined) return;
        filled[at] = (filled[at] ?? 0) + 1;
        distinct.see(at, text);
      });
  return fields.find((_field, at) => (filled[at] ?? 0) < 2 || distinct.isDistinct(at, filled[at] ?? 0));
}
