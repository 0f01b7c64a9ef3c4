import { tryValues } from '../values/check-values.ts';
import type { Field, Module, Values } from '../definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import type { RowChange } from '../rows/row-writes.ts';
import type { KeyIndex } from './key-index.ts';
import type { ReadLine } from '../reading/table-facts.ts';
import type { Referring } from './referring.ts';
import { joined, said, type Words } from '../../words/said.ts';

export interface Unfit {
  readonly reason: Words;
  readonly key?: string | undefined;
}

export interface LineChange extends RowChange {
  readonly key?: string;
}

export interface Into {
  /** In the order of the cells. */
  readonly fields: readonly Field[];
  readonly referring: Referring;
  readonly module: Module;
  readonly keys: KeyIndex | undefined;
}

/**
 * Converts a line to a change of a row, or says why it can't be imported. Claims its key in `into.keys`: a new row
 * needs all required values, an existing one only those given.
 */
export function toRowChange({ cells, problems: found, ids }: ReadLine, into: Into): LineChange | Unfit {
  const { fields, referring, module, keys } = into;
  const values: Record<string, readonly string[]> = {};
  const problems: Words[] = [];
  fields.forEach((field, at) => {
    problems.push(...(found?.[at] ?? []));
    const cell = cells[at] ?? [];
    // Padding of old programs.
    const texts = (typeof cell === 'string' ? [cell] : cell).map((text) => text.replaceAll('\0', ''));
    values[field.name] = referring.read(field, { texts, ids: ids?.[at] ?? [] }, problems);
  });
  if (problems.length > 0) return toUnfit(problems, keys?.keyOf(values));
  const fit = checkLine(module, values, keys);
  if ('reason' in fit || !keys) return fit;
  const row = keys.claimKey(fit.values);
  if ('problem' in row) return { reason: row.problem, key: keys.keyOf(values) };
  const { recordID, key } = row;
  if (recordID !== undefined) return { recordID, key, values: fit.values };
  const whole = checkLine(module, values, keys, 'whole');
  return 'reason' in whole ? whole : { ...whole, key };
}

/** Returns a line's key, and its problems joined to one sentence. */
const toUnfit = (problems: readonly Words[], key: string | undefined): Unfit => ({
  reason: said('sentence.ended', { text: joined(problems, '. ') }),
  key,
});

/**
 * Returns the values as stored, or why they don't fit.
 * @param keys names the line in a rejection; undefined without key columns
 * @param whole for a new row: required columns without a value don't fit
 */
function checkLine(
  module: Module,
  values: Values,
  keys: KeyIndex | undefined,
  whole: 'whole' | undefined = keys ? undefined : 'whole',
): { readonly values: Values } | Unfit {
  const checked = tryValues(module.fields, values, whole !== undefined);
  return 'values' in checked ? checked : toUnfit(checked.problems, keys?.keyOf(values));
}

/**
 * Finds key columns by names in the list or headers in the file, without repetitions. Throws `csv.key` if the list or
 * the file lacks one, or one has several values.
 */
export function findKeyFields(
  key: readonly string[],
  module: Module,
  matched: readonly (Field | undefined)[],
  columns: readonly { readonly header: string }[],
): readonly Field[] {
  const fields = key.map((column) => {
    const field =
      matched.find((candidate) => candidate?.name === column) ??
      matched.find((_candidate, at) => columns[at]?.header === column);
    if (!field)
      throw new Refusal(
        'malformed',
        'csv.key',
        said('import.key-not-in-both', { column, list: module.name }),
      );
    if (field.isMulti)
      throw new Refusal('malformed', 'csv.key', said('import.key-several-values', { column }));
    return field;
  });
  return [...new Set(fields)];
}
