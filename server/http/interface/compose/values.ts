import { decodeHTML } from 'entities/decode';
import { PERCENT, parseAmount } from '../../../base/amount.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Field, Module, Values } from '../../../lists/definitions/model.ts';
import type { Lists } from '../../../lists/lists.ts';
import { HOLDS_IDS } from '../../../lists/query/operand.ts';
import { isReferring } from '../../../lists/rows/references.ts';
import { namingColumn } from '../../../lists/values/check-values.ts';
import { checkDateTime } from '../../../lists/values/kinds/date-time.ts';
import { checkNumber, withoutZeros } from '../../../lists/values/kinds/number.ts';
import { hasSameTexts, valuesOf } from '../../../lists/values/value-sets.ts';
import { said, type Words } from '../../../words/said.ts';

/** Corteza's maximum of decimals, whatever the column's `precision`. */
export const MAX_DECIMALS = 6;

interface ValueContext {
  readonly by: string;
  readonly known?: Values;
  readonly mayEmptyNumbers?: boolean;
}

/**
 * Returns values as Corteza stores them: dates in UTC, numbers rounded to the column's `precision`, the id `0` as
 * empty. Texts in `known`, the row's present values, stay. Throws `row.values` (422) for texts that Corteza would
 * refuse or store otherwise, and for numbers emptied without `mayEmptyNumbers`. `by` is the sending user's id.
 */
export async function toCortezaValues(
  lists: Lists,
  { fields }: Pick<Module, 'fields'>,
  values: Values,
  { by, known = {}, mayEmptyNumbers = false }: ValueContext,
): Promise<Values> {
  const result: Record<string, readonly string[]> = { ...values };
  for (const field of fields) {
    if (!Object.hasOwn(values, field.name)) continue;
    const kept = new Set(valuesOf(known, field.name));
    const isOpen = (text: string): boolean => text !== '' && !kept.has(text);
    /** Corteza's clients mean none by `0` in a column of ids. */
    const isNone = (text: string): boolean => HOLDS_IDS.includes(field.kind) && text.trim() === '0';
    const texts = valuesOf(values, field.name).map((text) => (isNone(text) ? '' : text));
    if (field.kind === 'Number' && !mayEmptyNumbers && texts.some((text) => text.trim() === ''))
      throw valueRefusal(field, '', EMPTY_NUMBER);
    if (field.isRequired && !hasSameTexts(texts, valuesOf(known, field.name))) assertFilled(field, texts);
    const ids = texts.filter(isOpen).map((text) => text.trim());
    if (field.kind === 'User') assertIDs(field, ids, (id) => id === by, NO_USER);
    if (field.kind === 'File') assertIDs(field, ids, () => false, NO_FILE);
    if (field.kind === 'Record') await assertRowIDs(lists, field, ids);
    result[field.name] = texts.map((text) => (isOpen(text) ? toCortezaValue(field, text) : text));
  }
  return result;
}

/**
 * Throws `row.values` (422) if one of these texts is empty, for any column; an empty array passes. In a yes/no column
 * "no" counts as empty, as in Corteza.
 */
function assertFilled(field: Field, texts: readonly string[]): void {
  const isEmpty = (text: string): boolean =>
    text.trim() === '' || (field.kind === 'Bool' && NO.test(text.trim()));
  if (!texts.some(isEmpty)) return;
  const text = said('value.required', { column: field.label || field.name });
  throw new Refusal('impossible', 'row.values', said('sentence.ended', { text }));
}

/** Corteza's. Other texts mean no there, but may mean yes here. */
const YES = /^(?:t|true|y|yes|1)$/i;
const NO = /^(?:f|false|n|no|0)$/i;

/**
 * Returns a value as Corteza stores it. Throws `row.values` (422) if Corteza would refuse it; ids are unchecked. An
 * empty text stays.
 */
function toCortezaValue(field: Field, given: string): string {
  if (field.kind === 'String') return toCortezaText(field, given);
  const text = given.trim();
  if (text === '') return text;
  switch (field.kind) {
    case 'DateTime':
      return toCortezaDateTime(field, text);
    case 'Number':
      return roundToPrecision(field, text);
    case 'Bool':
      return requireFit(field, text, YES.test(text) || NO.test(text), said('value.no-bool'));
    case 'Select':
      return requireChoice(field, text);
    case 'Email':
      return requireFit(field, text, EMAIL.test(text), said('value.no-email'));
    case 'Url':
      return requireFit(field, text, ADDRESS.test(text), NO_ADDRESS);
    default:
      return text;
  }
}

/** Returns the text. Throws `row.values` (422) with the problem unless `isFit`. */
function requireFit(field: Field, text: string, isFit: boolean, problem: Words): string {
  if (isFit) return text;
  throw valueRefusal(field, text, problem);
}

/** As in Go: dots only between other characters. */
const EMAIL_PART = String.raw`[^\s\p{Cc}.()[\]<>:;@\\,"]+(?:\.[^\s\p{Cc}.()[\]<>:;@\\,"]+)*`;
const EMAIL = new RegExp(`^${EMAIL_PART}@${EMAIL_PART}$`, 'u');

/** As in Go: scheme, host, and complete escapes except in the query. */
const ADDRESS =
  /^[a-z][a-z\d+.-]*:\/\/(?:(?:[^/?#@\\%]|%[\da-f]{2})*@)?[^/?#@\\%{}|^`]+(?:\/(?:[^?#%]|%[\da-f]{2})*)?(?:\?[^#]*)?(?:#(?:[^%]|%[\da-f]{2})*)?$/i;
const NO_ADDRESS = 'is no complete web address; write it like https://example.org, and each % as %25';

const OTHER_CHOICE = 'is none of the choices as the column spells them; send one of those';
const NO_CHOICES = 'cannot be chosen, as the column has no choices; add them to its `options` first';

/**
 * Returns the text. Throws `row.values` (422) unless the column has a choice of exactly this spelling, or no list of
 * choices.
 */
function requireChoice(field: Field, text: string): string {
  const { options } = field.options;
  if (!options || options.includes(text)) return text;
  throw valueRefusal(field, text, options.length === 0 ? NO_CHOICES : OTHER_CHOICE);
}

/**
 * Returns a date or time in UTC, like Corteza: `2026-01-31` for a date column, else `2026-01-31T00:00:00Z`. Leaves
 * time-only columns unchecked. Throws `row.values` (422) for invalid texts.
 */
function toCortezaDateTime(field: Field, text: string): string {
  const { only } = field.options;
  if (only === 'time') return text;
  const checked = checkDateTime(text, undefined);
  if (!('value' in checked)) throw valueRefusal(field, text, only ? said('value.no-date') : checked.problem);
  const [date = '', time] = checked.value.split('T');
  if (!/^\d{4}-/.test(date))
    throw valueRefusal(field, text, said(only ? 'value.no-date' : 'value.no-date-time'));
  return only ? date : `${date}T${time?.slice(0, 8) ?? '00:00:00'}Z`;
}

/**
 * Rounds half to even, like Go, to the column's precision (at most 6), without trailing zeros. Leaves other texts
 * unchecked; throws `row.values` (422) for a unit that the column lacks.
 */
function roundToPrecision(field: Field, text: string): string {
  const { precision = MAX_DECIMALS, unit } = field.options;
  const decimals = Math.min(precision, MAX_DECIMALS);
  // Its digits exceed a number's here.
  if (/^[+-]?[\d.]+e-\d+$/i.test(text) && Math.abs(Number(text)) < 1e-60) return '0';
  const checked = checkNumber(text, unit);
  if (!('value' in checked)) {
    const written = parseAmount(text)?.unit;
    if (written === undefined) return text;
    throw valueRefusal(field, text, written === PERCENT ? said('value.percent') : WITH_UNIT);
  }
  const { value } = checked;
  const [whole = '', fraction = ''] = value.split('.');
  if (fraction.length <= decimals) return withoutZeros(value);
  const number = Number(value);
  // `toFixed` doesn't write such a number's digits.
  if (Math.abs(number) >= 1e21) return Number.isFinite(number) ? String(BigInt(number)) : whole;
  const exact = number.toFixed(60);
  const end = exact.indexOf('.') + decimals;
  const isTie = /^5?0*$/.test(exact.slice(end + 1)) && exact[end + 1] === '5';
  const lastDigit = exact[decimals === 0 ? end - 1 : end];
  const isEven = Number(lastDigit) % 2 === 0;
  return withoutZeros(isTie && isEven ? exact.slice(0, end + 1) : number.toFixed(decimals));
}

const EMPTY_NUMBER =
  'is a number without a value, which a Corteza server takes for 0; leave the column out, or send 0';
const WITH_UNIT = 'is a number with a unit, which a Corteza server takes for 0; send the number alone';

/** Tags that Corteza keeps, and those that it removes or rewrites, like a `<` before a letter. */
const TAGS =
  /<\/?(?:b|blockquote|code|div|em|h[1-6]|i|li|ol|p|pre|s|small|span|strike|strong|sub|sup|u|ul)>|<[bh]r\/?>|(?<lost><[A-Za-z/!?][^>]*>?)/g;
const MARKUP = 'a Corteza server would remove or rewrite; leave it out, or write it in words';
const REFERENCE = 'a Corteza server would replace; send the character itself';

/**
 * Returns the text with `\n` line ends. Throws `row.values` (422) for markup and character references (`&amp;`) that
 * Corteza would change.
 */
function toCortezaText(field: Field, text: string): string {
  const tag = [...text.matchAll(TAGS)].find(({ groups }) => groups?.lost !== undefined)?.[0];
  const found = tag ?? characterReference(text);
  if (found === undefined) return text.replaceAll(/\r\n?/g, '\n');
  const shown = `has “${found.slice(0, 40)}”, which ${tag === undefined ? REFERENCE : MARKUP}`;
  throw valueRefusal(field, text, shown);
}

/** Finds the first HTML character reference, such as `&amp;`. */
const characterReference = (text: string): string | undefined =>
  text.match(/&#?[\dA-Za-z]+;?/g)?.find((each) => decodeHTML(each) !== each);

const ID = /^[1-9]\d{0,19}$/;
const NO_ID = 'is no id, and a text would be lost on a Corteza server; send the id';
const NO_ROW = 'is the id of no row of the list that the column refers to; look the row up first';
const NO_LIST = 'refers to no row, as the column has no list; set the `moduleID` of its options first';
const NO_USER =
  'is not your own id, the only one of a user that is known here; use a column of kind String for names';
const NO_FILE =
  'is the id of no file, as no files are kept here; use a column of kind Url for their addresses';

/** Throws `row.values` (422) with `problem` for the first unknown id. */
function assertIDs(
  field: Field,
  ids: readonly string[],
  isKnown: (id: string) => boolean,
  problem: string,
): void {
  const unknown = ids.find((id) => !isKnown(id));
  if (unknown !== undefined) throw valueRefusal(field, unknown, problem);
}

/**
 * Throws `row.values` (422) for the first id that is malformed or of no present row; for any if the list is missing.
 */
async function assertRowIDs(lists: Lists, field: Field, ids: readonly string[]): Promise<void> {
  assertIDs(field, ids, (id) => ID.test(id), NO_ID);
  if (ids.length === 0) return;
  if (!isReferring(field)) throw valueRefusal(field, ids[0] ?? '', NO_LIST);
  const { moduleID } = field.options;
  const isThere = (await lists.modules()).some((module) => module.moduleID === moduleID);
  const found = isThere ? await (await lists.rows(moduleID)).getMany(ids) : [];
  const missing = ids.find((_, at) => !found[at] || found[at].deletedAt !== undefined);
  if (missing !== undefined) throw valueRefusal(field, missing, NO_ROW);
}

/** Returns the error `row.values` (422), which names column, text and problem. */
const valueRefusal = (field: Field, text: string, problem: Words): Refusal =>
  new Refusal(
    'impossible',
    'row.values',
    said('sentence.ended', { text: namingColumn(field, text, problem) }),
  );
