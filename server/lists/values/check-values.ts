import { checkValue } from './kinds/check.ts';
import type { Field, Values } from '../definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import { valuesOf, withoutEmpties } from './value-sets.ts';
import { joined, said, type Words } from '../../words/said.ts';

/** Values as they will be stored, for the named columns; or all problems. */
export type CheckedValues = { readonly values: Values } | { readonly problems: readonly Words[] };

/**
 * Checks values written here against the list's columns. A named column that ends up empty is `[]`.
 * @param whole empties columns that aren't named, so required ones must be named
 * @param known the row's present values, which fit: the column may have had other choices
 */
export function tryValues(
  fields: readonly Field[],
  values: Values,
  whole: boolean,
  known: Values = {},
): CheckedValues {
  const checked: Record<string, readonly string[]> = {};
  const problems: Words[] = [];
  for (const name of Object.keys(values)) {
    if (!fields.some((field) => field.name === name))
      problems.push(said('value.no-such-column', { column: name }));
  }
  for (const field of fields) {
    if (!whole && !Object.hasOwn(values, field.name)) continue;
    const texts = checkColumn(field, valuesOf(values, field.name), valuesOf(known, field.name), problems);
    if (field.isRequired && texts.length === 0)
      problems.push(said('value.required', { column: titleOf(field) }));
    checked[field.name] = texts;
  }
  return problems.length > 0 ? { problems } : { values: checked };
}

/** {@link tryValues} for one write. @throws Refusal `impossible` naming columns and reasons */
export function checkValues(
  fields: readonly Field[],
  values: Values,
  whole: boolean,
  known: Values = {},
): Values {
  const result = tryValues(fields, values, whole, known);
  if ('values' in result) return result.values;
  const shown = joined(result.problems.slice(0, 5), '. ');
  const more = result.problems.length - 5;
  throw new Refusal(
    'impossible',
    'row.values',
    more > 0 ? said('value.and-more', { problems: shown, more }) : said('sentence.ended', { text: shown }),
  );
}

/** Returns a problem with the column and text concerned. */
export const ofColumn = (field: Field, text: string, problem: Words): Words =>
  said('value.of-column', { column: titleOf(field), value: excerpt(text), problem });

/** Returns a column's stored texts; adds what doesn't fit to `problems`. */
function checkColumn(
  field: Field,
  texts: readonly string[],
  known: readonly string[],
  problems: Words[],
): readonly string[] {
  const stored: string[] = [];
  for (const given of texts) {
    // A lone surrogate has no UTF-8 form, so it would become another character on disk.
    const text = given.toWellFormed();
    const result = known.includes(text) ? { value: text } : checkValue(field, text);
    if ('value' in result) stored.push(result.value);
    else problems.push(ofColumn(field, text, result.problem));
  }
  const kept = withoutEmpties(field, stored);
  if (!field.isMulti && kept.length > 1)
    problems.push(said('value.only-one', { column: titleOf(field), values: kept.length }));
  return kept;
}

function titleOf(field: Field): string {
  return field.label || field.name;
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
