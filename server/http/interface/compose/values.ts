import { Refusal } from '../../../base/refusal.ts';
import type { Field, Module, Values } from '../../../lists/definitions/model.ts';
import type { Lists } from '../../../lists/lists.ts';
import { HOLDS_IDS } from '../../../lists/query/operand.ts';
import { isReferring } from '../../../lists/rows/references.ts';
import { ofColumn } from '../../../lists/values/check-values.ts';
import { checkDateTime } from '../../../lists/values/kinds/date-time.ts';
import { checkNumber } from '../../../lists/values/kinds/number.ts';
import { valuesOf } from '../../../lists/values/value-sets.ts';
import { said, type Words } from '../../../words/said.ts';

/** Corteza's maximum of decimals, whatever the column's `precision`. */
export const MAX_DECIMALS = 6;

interface ValueContext {
  /** Id of the sending user, the only one known here. */
  readonly by: string;
  /** The row's present values. */
  readonly known?: Values;
}

/**
 * Returns values as Corteza stores them: dates in UTC, numbers rounded to their column's `precision`. Unchanged
 * values stay, so that a client may send back what it read. Throws `row.values` (422) for values that Corteza would
 * store differently or refuse.
 */
export async function cortezaValues(
  lists: Lists,
  { fields }: Pick<Module, 'fields'>,
  values: Values,
  { by, known = {} }: ValueContext,
): Promise<Values> {
  const result: Record<string, readonly string[]> = { ...values };
  for (const field of fields) {
    if (!Object.hasOwn(values, field.name)) continue;
    const kept = new Set(valuesOf(known, field.name));
    /** Returns whether the text needs a check: it isn't empty and isn't one of the row's present values. */
    const isOpen = (text: string): boolean => text !== '' && !kept.has(text);
    // NoID of Corteza's clients is no value.
    /** Returns whether the text is `0` in a column of ids: Corteza's clients send it for "none". */
    const isNone = (text: string): boolean => HOLDS_IDS.includes(field.kind) && text.trim() === '0';
    const texts = valuesOf(values, field.name).map((text) => (isNone(text) ? '' : text));
    const ids = texts.filter(isOpen).map((text) => text.trim());
    if (field.kind === 'User') assertIDs(field, ids, (id) => id === by, NO_USER);
    if (field.kind === 'File') assertIDs(field, ids, () => false, NO_FILE);
    if (field.kind === 'Record') await assertRows(lists, field, ids);
    result[field.name] = texts.map((text) => (isOpen(text) ? cortezaValue(field, text) : text));
  }
  return result;
}

/** Corteza's words for yes and no. Other texts mean no there, and may mean yes here. */
const YES_OR_NO = /^(?:t|true|y|yes|1|f|false|n|no|0)$/i;

/**
 * Returns one new value as Corteza stores it, by the column's kind. Throws `row.values` (422) if Corteza would
 * change or refuse it.
 */
function cortezaValue(field: Field, given: string): string {
  if (field.kind === 'String') return cortezaText(field, given);
  const text = given.trim();
  if (field.kind === 'DateTime') return cortezaTime(field, text);
  if (field.kind === 'Number') return roundToPrecision(field, text);
  if (field.kind === 'Bool' && !YES_OR_NO.test(text)) throw valueRefusal(field, text, said('value.no-bool'));
  return text;
}

/**
 * Returns a date or time in Corteza's form, in UTC; in an unrestricted column a date is the beginning of its day.
 * Throws `row.values` (422) for an invalid one. Times of time-only columns are left to the column's own check.
 */
function cortezaTime(field: Field, text: string): string {
  const { only } = field.options;
  // The column reports the problem itself.
  if (only === 'time') return text;
  const checked = checkDateTime(text, undefined);
  // A date column would take the date of an invalid time.
  if (!('value' in checked)) throw valueRefusal(field, text, only ? said('value.no-date') : checked.problem);
  const [date = '', time] = checked.value.split('T');
  if (!/^\d{4}-/.test(date))
    throw valueRefusal(field, text, said(only ? 'value.no-date' : 'value.no-date-time'));
  return only ? date : `${date}T${time?.slice(0, 8) ?? '00:00:00'}Z`;
}

/**
 * Rounds a number to the column's precision, half to even like Go, without trailing zeros. Returns texts that are
 * no number unchanged, for the column's own check.
 */
function roundToPrecision(field: Field, text: string): string {
  const { precision = MAX_DECIMALS, unit } = field.options;
  const decimals = Math.min(precision, MAX_DECIMALS);
  const checked = checkNumber(text, unit);
  if (!('value' in checked)) return text;
  const { value } = checked;
  const [whole = '', fraction = ''] = value.split('.');
  if (fraction.length <= decimals) return withoutZeros(value);
  const number = Number(value);
  // A number of this size is whole, and is not written with digits by `toFixed`.
  if (Math.abs(number) >= 1e21) return Number.isFinite(number) ? String(BigInt(number)) : whole;
  const exact = number.toFixed(60);
  const end = exact.indexOf('.') + decimals;
  const isTie = /^5?0*$/.test(exact.slice(end + 1)) && exact[end + 1] === '5';
  const lastDigit = exact[decimals === 0 ? end - 1 : end];
  const isEven = Number(lastDigit) % 2 === 0;
  return withoutZeros(isTie && isEven ? exact.slice(0, end + 1) : number.toFixed(decimals));
}

/** Removes zeros at the end of a fraction. */
const withoutZeros = (number: string): string =>
  number.includes('.') ? number.replace(/0+$/, '').replace(/\.$/, '') : number;

/** Tags that Corteza keeps. It removes or rewrites others, and a `<` before a letter. */
const KEPT_TAG =
  /<\/?(?:b|blockquote|code|div|em|h[1-6]|i|li|ol|p|pre|s|small|span|strike|strong|sub|sup|u|ul)>|<[bh]r\/?>/g;
const TAG = /<[A-Za-z/!?][^>]*>?/;
/** HTML character references; a few names don't need a semicolon. */
const CHARACTER_REFERENCE = new RegExp(
  '&(?:#\\d+;?|#[xX][\\dA-Fa-f]+;?|[A-Za-z][\\dA-Za-z]*;|(?:[AEIOUaeiou](?:acute|circ|grave|uml)|[ANOano]tilde|[Aa]ring|' +
    'AElig|aelig|[Cc]cedil|ETH|eth|[Oo]slash|THORN|thorn|[Yy]acute|yuml|szlig|AMP|amp|COPY|copy|GT|gt|LT|lt|QUOT|quot|REG|reg|' +
    'acute|brvbar|cedil|cent|curren|deg|divide|frac12|frac14|frac34|iexcl|iquest|laquo|macr|micro|middot|nbsp|not|ord[fm]|' +
    'para|plusmn|pound|raquo|sect|shy|sup[123]|times|uml|yen))',
);
const MARKUP = 'a Corteza server would remove or rewrite; leave it out, or write it in words';
const REFERENCE = 'a Corteza server would replace; send the character itself';

/**
 * Returns the text with `\n` line ends. Throws `row.values` (422) for markup or character references that Corteza,
 * which treats every text as HTML, would change.
 */
function cortezaText(field: Field, text: string): string {
  const tag = TAG.exec(text.replaceAll(KEPT_TAG, ' '))?.[0];
  const found = tag ?? CHARACTER_REFERENCE.exec(text)?.[0];
  if (found === undefined) return text.replaceAll(/\r\n?/g, '\n');
  const shown = `has “${found.slice(0, 40)}”, which ${tag === undefined ? REFERENCE : MARKUP}`;
  throw valueRefusal(field, text, shown);
}

const ID = /^[1-9]\d{0,19}$/;
const NO_ID = 'is no id, and a text would be lost on a Corteza server; send the id';
const NO_ROW = 'is the id of no row of the list that the column refers to; look the row up first';
const NO_USER =
  'is not your own id, the only one of a user that is known here; use a column of kind String for names';
const NO_FILE =
  'is the id of no file, as no files are kept here; use a column of kind Url for their addresses';

/** Throws `row.values` (422) with `problem` for the first id that isn't known. */
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
 * Throws `row.values` (422) for a reference that is no id of a present row in the referenced list. Allows every id
 * if the column refers to no list.
 */
async function assertRows(lists: Lists, field: Field, ids: readonly string[]): Promise<void> {
  assertIDs(field, ids, (id) => ID.test(id), NO_ID);
  if (ids.length === 0 || !isReferring(field)) return;
  const { moduleID } = field.options;
  const isThere = (await lists.modules()).some((module) => module.moduleID === moduleID);
  const found = isThere ? await (await lists.rows(moduleID)).getMany(ids) : [];
  const missing = ids.find((_, at) => !found[at] || found[at].deletedAt !== undefined);
  if (missing !== undefined) throw valueRefusal(field, missing, NO_ROW);
}

/** Builds the 422 refusal that names the column, the text and the problem. */
const valueRefusal = (field: Field, text: string, problem: Words): Refusal =>
  new Refusal('impossible', 'row.values', said('sentence.ended', { text: ofColumn(field, text, problem) }));
