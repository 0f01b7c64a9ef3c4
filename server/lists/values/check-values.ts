import { checkValue } from './kinds/check.ts';
import { refuse, type Checked } from './kinds/checked.ts';
import type { Field, Values } from '../definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import { valuesOf, withoutEmpties } from './value-sets.ts';
import { joined, said, type Words } from '../../words/said.ts';

export type CheckedValues = { readonly values: Values } | { readonly problems: readonly Words[] };

/**
 * Returns values as stored, or all problems: unknown columns, texts that don't fit, and empty required columns. A
 * column that ends up empty is `[]`.
 * @param whole checks and returns all columns; unnamed ones become empty
 * @param known the row's present values, accepted unchecked, as choices may have changed since
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
      problems.push(said('value.required', { column: columnTitle(field) }));
    checked[field.name] = texts;
  }
  return problems.length > 0 ? { problems } : { values: checked };
}

/** Returns the values of {@link tryValues}; throws `row.values` with the first five problems. */
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

/** Adds the column's title and the text's first 60 characters to a problem. */
export const namingColumn = (field: Field, text: string, problem: Words): Words =>
  said('value.of-column', { column: columnTitle(field), value: shortenValue(text), problem });

/**
 * Returns a column's texts as stored, without empty ones. Adds as problems texts that don't fit and aren't in `known`,
 * and several texts in a column of one.
 */
function checkColumn(
  field: Field,
  texts: readonly string[],
  known: readonly string[],
  problems: Words[],
): readonly string[] {
  const stored: string[] = [];
  for (const given of texts) {
    // Lone surrogates would change on disk: they have no UTF-8 form.
    const text = given.toWellFormed();
    const result = known.includes(text) ? { value: text } : checkText(field, text);
    if ('value' in result) stored.push(result.value);
    else problems.push(namingColumn(field, text, result.problem));
  }
  const kept = withoutEmpties(field, stored);
  if (!field.isMulti && kept.length > 1)
    problems.push(said('value.only-one', { column: columnTitle(field), values: kept.length }));
  return kept;
}

/** Refuses NUL, which PostgreSQL can't store. */
const checkText = (field: Field, text: string): Checked =>
  text.includes('\0') ? refuse(said('value.nul')) : checkValue(field, text);

function columnTitle(field: Field): string {
  return field.label || field.name;
}

/** Cuts to 60 characters, with an ellipsis. */
function shortenValue(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
