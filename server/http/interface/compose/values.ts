import { Refusal } from '../../../base/refusal.ts';
import type { Field, Module, Values } from '../../../lists/definitions/model.ts';
import type { Lists } from '../../../lists/lists.ts';
import { isReferring } from '../../../lists/rows/references.ts';
import { ofColumn } from '../../../lists/values/check-values.ts';
import { checkDateTime } from '../../../lists/values/kinds/date-time.ts';
import { checkNumber } from '../../../lists/values/kinds/number.ts';
import { valuesOf } from '../../../lists/values/value-sets.ts';
import { said, type Words } from '../../../words/said.ts';

/** Decimals that Corteza keeps at most, whatever the `precision` of the column. */
export const MAX_DECIMALS = 6;

interface ValueContext {
  /** The id of the user who sends the values, the only one that is known here. */
  readonly by: string;
  /** The present values of the row. */
  readonly known?: Values;
}

/**
 * Returns values as Corteza stores them: dates in UTC, numbers rounded to the `precision` of their column. A value that the
 * row has already stays as it is, so that a client may send back what it read.
 * @throws Refusal `impossible` for what Corteza would read as another value or refuse
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
    const isOpen = (text: string): boolean => text !== '' && !kept.has(text);
    const texts = valuesOf(values, field.name);
    const ids = texts.filter(isOpen).map((text) => text.trim());
    if (field.kind === 'User') assertIDs(field, ids, (id) => id === by, NO_USER);
    if (field.kind === 'File') assertIDs(field, ids, () => false, NO_FILE);
    if (field.kind === 'Record') await assertRows(lists, field, ids);
    result[field.name] = texts.map((text) => (isOpen(text) ? cortezaValue(field, text) : text));
  }
  return result;
}

/** Words that Corteza takes for yes or no. Any other text means no there, and may mean yes here. */
const YES_OR_NO = /^(?:t|true|y|yes|1|f|false|n|no|0)$/i;

function cortezaValue(field: Field, given: string): string {
  if (field.kind === 'String') return cortezaText(field, given);
  const text = given.trim();
  if (field.kind === 'DateTime') return cortezaTime(field, text);
  if (field.kind === 'Number') return rounded(field, text);
  if (field.kind === 'Bool' && !YES_OR_NO.test(text)) throw misfit(field, text, said('value.no-bool'));
  return text;
}

/** A column that is neither for dates nor for times of day holds both: a date is the beginning of its day. */
function cortezaTime(field: Field, text: string): string {
  const { only } = field.options;
  // The column itself says what is wrong.
  if (only === 'time') return text;
  const checked = checkDateTime(text, undefined);
  // A column of dates would take the date of a time that there is not.
  if (!('value' in checked)) throw misfit(field, text, only ? said('value.no-date') : checked.problem);
  const [date = '', time] = checked.value.split('T');
  if (!/^\d{4}-/.test(date)) throw misfit(field, text, said(only ? 'value.no-date' : 'value.no-date-time'));
  return only ? date : `${date}T${time?.slice(0, 8) ?? '00:00:00'}Z`;
}

/** Rounds as Go does: of a tie, the even digit. Zeros at the end go. */
function rounded(field: Field, text: string): string {
  const { precision = MAX_DECIMALS, unit } = field.options;
  const decimals = Math.min(precision, MAX_DECIMALS);
  const checked = checkNumber(text, unit);
  if (!('value' in checked)) return text;
  const { value } = checked;
  if ((value.split('.')[1]?.length ?? 0) <= decimals) return withoutZeros(value);
  const number = Number(value);
  if (Math.abs(number) >= 1e21) return value;
  const exact = number.toFixed(60);
  const end = exact.indexOf('.') + decimals;
  const isTie = /^5?0*$/.test(exact.slice(end + 1)) && exact[end + 1] === '5';
  const lastDigit = exact[decimals === 0 ? end - 1 : end];
  const isEven = Number(lastDigit) % 2 === 0;
  return withoutZeros(isTie && isEven ? exact.slice(0, end + 1) : number.toFixed(decimals));
}

const withoutZeros = (number: string): string =>
  number.includes('.') ? number.replace(/0+$/, '').replace(/\.$/, '') : number;

/** Tags that Corteza keeps as they are. Any other one it removes or writes in another way, also a `<` before a letter. */
const KEPT_TAG =
  /<\/?(?:b|blockquote|code|div|em|h[1-6]|i|li|ol|p|pre|s|small|span|strike|strong|sub|sup|u|ul)>|<[bh]r\/?>/g;
const TAG = /<[A-Za-z/!?][^>]*>?/;
/** What HTML reads as one character; a few names also without a semicolon. */
const CHARACTER_REFERENCE = new RegExp(
  '&(?:#\\d+;?|#[xX][\\dA-Fa-f]+;?|[A-Za-z][\\dA-Za-z]*;|(?:[AEIOUaeiou](?:acute|circ|grave|uml)|[ANOano]tilde|[Aa]ring|' +
    'AElig|aelig|[Cc]cedil|ETH|eth|[Oo]slash|THORN|thorn|[Yy]acute|yuml|szlig|AMP|amp|COPY|copy|GT|gt|LT|lt|QUOT|quot|REG|reg|' +
    'acute|brvbar|cedil|cent|curren|deg|divide|frac12|frac14|frac34|iexcl|iquest|laquo|macr|micro|middot|nbsp|not|ord[fm]|' +
    'para|plusmn|pound|raquo|sect|shy|sup[123]|times|uml|yen))',
);
const MARKUP = 'a Corteza server would remove or rewrite; leave it out, or write it in words';
const REFERENCE = 'a Corteza server would replace; send the character itself';

/** Corteza takes texts for HTML, whatever the options of the column. @throws Refusal `impossible` for markup that it changes */
function cortezaText(field: Field, text: string): string {
  const tag = TAG.exec(text.replaceAll(KEPT_TAG, ' '))?.[0];
  const found = tag ?? CHARACTER_REFERENCE.exec(text)?.[0];
  if (found === undefined) return text.replaceAll(/\r\n?/g, '\n');
  const shown = `has “${found.slice(0, 40)}”, which ${tag === undefined ? REFERENCE : MARKUP}`;
  throw misfit(field, text, shown);
}

const ID = /^[1-9]\d{0,19}$/;
const NO_ID = 'is no id, and a text would be lost on a Corteza server; send the id';
const NO_ROW = 'is the id of no row of the list that the column refers to; look the row up first';
const NO_USER =
  'is not your own id, the only one of a user that is known here; use a column of kind String for names';
const NO_FILE =
  'is the id of no file, as no files are kept here; use a column of kind Url for their addresses';

function assertIDs(
  field: Field,
  ids: readonly string[],
  isKnown: (id: string) => boolean,
  problem: string,
): void {
  const unknown = ids.find((id) => !isKnown(id));
  if (unknown !== undefined) throw misfit(field, unknown, problem);
}

/** @throws Refusal `impossible` for a reference that is no id, or the id of no row of the list that it refers to */
async function assertRows(lists: Lists, field: Field, ids: readonly string[]): Promise<void> {
  assertIDs(field, ids, (id) => ID.test(id), NO_ID);
  if (ids.length === 0 || !isReferring(field)) return;
  const { moduleID } = field.options;
  const isThere = (await lists.modules()).some((module) => module.moduleID === moduleID);
  const found = isThere ? await (await lists.rows(moduleID)).getMany(ids) : [];
  const missing = ids.find((_, at) => !found[at] || found[at].deletedAt !== undefined);
  if (missing !== undefined) throw misfit(field, missing, NO_ROW);
}

const misfit = (field: Field, text: string, problem: Words): Refusal =>
  new Refusal('impossible', 'row.values', said('sentence.ended', { text: ofColumn(field, text, problem) }));
