import { ownMember } from '../../../../server/base/own-member.ts';
import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import type { ConditionTest, FilterOperator } from '../../../../server/base/vocabulary.ts';
import type { Key, Translate } from '../../../text/catalogue.ts';
import type { Format } from '../../../text/format.ts';
import { isMoment, readDay, readMoment, readTime, writeDay, writeMoment, writeTime } from './date-input.ts';
import { amountToInput, readAmount } from './numbers.ts';

export interface Wording {
  readonly t: Translate;
  readonly format: Format;
}

/** Decides how values are displayed. */
export type DisplayedColumn = Pick<ListColumn, 'kind' | 'options'>;

export type References = GridRow['references'];
type Reference = NonNullable<References>[string];

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d(:\d\d)?$/;
/** So many digits are a row's id, no partner's text. */
const SURELY_ID = /^\d{15,20}$/;

/** Returns `[latitude, longitude]` of a stored place; undefined for other text. */
export function coordinates(stored: string): readonly [number, number] | undefined {
  try {
    const parsed: unknown = JSON.parse(stored);
    const pair = (parsed as { coordinates?: unknown } | null)?.coordinates;
    if (!Array.isArray(pair)) return undefined;
    const [latitude, longitude] = pair as unknown[];
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
    return [latitude, longitude];
  } catch {
    return undefined;
  }
}

export const storedPlace = (latitude: number, longitude: number): string =>
  JSON.stringify({ coordinates: [latitude, longitude] });

/** Returns the row's title, or that it has none, is gone, unreadable or in the bin. */
export function referenceText({ state, text }: Reference, t: Translate): string {
  if (state === 'unreadable') return t('reference.unreadable');
  if (state === 'gone') return t('reference.gone');
  const name = text || t('reference.unnamed');
  return state === 'bin' ? t('reference.in-bin', { row: name }) : name;
}

/** Returns the referenced row's title, or its state; the value itself if unknown. */
function referredTitle(
  column: DisplayedColumn,
  stored: string,
  { t }: Wording,
  references: References,
): string {
  const reference = column.options.moduleID === undefined ? undefined : ownMember(references, stored);
  return reference ? referenceText(reference, t) : stored;
}

/** Returns whether the value's row is no longer in its list. */
export const isMissing = (column: ListColumn, stored: string, references: References): boolean =>
  column.kind === 'Record' && (ownMember(references, stored)?.state ?? 'there') !== 'there';

/** Shows `…` for a row's id without a known title, until the node answers. */
export const whilePending = (column: ListColumn, stored: string, references: References): string =>
  column.kind === 'Record' && SURELY_ID.test(stored) && !ownMember(references, stored) ? '…' : stored;

/** Returns a stored date, time or timestamp as displayed. */
function formatStoredMoment(stored: string, format: Format): string {
  if (DAY.test(stored)) return format.calendarDate(stored);
  return TIME.test(stored) ? stored.replace(/^(\d\d:\d\d):00$/, '$1') : format.dateTime(stored);
}

const STORED_NUMBER = /^-?(0|[1-9]\d*)(\.\d*)?$/;

/**
 * Returns whether a column of numbers, yes/no or dates stores such text; true in others. It may be refused input, or
 * from when the column had another kind.
 */
export function isStoredForm({ kind }: Pick<ListColumn, 'kind'>, text: string): boolean {
  if (kind === 'Bool') return text === '' || text === '1';
  if (kind === 'DateTime') return DAY.test(text) || TIME.test(text) || isMoment(text);
  return kind !== 'Number' || STORED_NUMBER.test(text);
}

/** Returns a value as displayed, an empty yes/no as “no”; unchanged if it doesn't fit its column's kind. */
export function displayValue(
  column: DisplayedColumn,
  stored: string,
  wording: Wording,
  references?: References,
): string {
  // Empty yes/no means no; other empty texts display nothing.
  if (stored === '' && column.kind !== 'Bool') return '';
  if (!isStoredForm(column, stored)) return stored;
  switch (column.kind) {
    case 'Bool':
      return wording.t(stored === '1' ? 'grid.yes' : 'grid.no');
    case 'Number':
      return wording.format.decimal(stored, column.options);
    case 'DateTime':
      return formatStoredMoment(stored, wording.format);
    case 'Select':
      return choiceText(column, stored);
    case 'Record':
      return referredTitle(column, stored, wording, references);
    case 'Geometry': {
      const place = coordinates(stored);
      return place ? place.join(', ') : stored;
    }
    default:
      return stored;
  }
}

/** Returns a cell's values as displayed, joined by commas. */
export const displayValues = (
  column: DisplayedColumn,
  stored: readonly string[],
  wording: Wording,
  references?: References,
): string => stored.map((value) => displayValue(column, value, wording, references)).join(', ');

/** Returns a choice's text; the choice itself without one. */
function choiceText({ options: { optionTexts } }: DisplayedColumn, choice: string): string {
  return ownMember(optionTexts, choice) ?? choice;
}

/** Returns a column's choices, and present values that are none any more. */
export function choicesOf(column: ListColumn, stored: readonly string[]): { value: string; label: string }[] {
  const values = [...(column.options.options ?? []), ...stored.filter((value) => value !== '')];
  return [...new Set(values)].map((value) => ({ value, label: choiceText(column, value) }));
}

export function inputType(column: ListColumn): 'email' | 'url' | 'text' {
  if (column.kind === 'Email') return 'email';
  return column.kind === 'Url' ? 'url' : 'text';
}

/** Returns what a column's timestamps have, by the column, else the value; undefined for kinds other than DateTime. */
export function momentType({ kind, options }: ListColumn, stored = ''): 'date' | 'time' | 'both' | undefined {
  if (kind !== 'DateTime') return undefined;
  if (options.only) return options.only;
  if (DAY.test(stored)) return 'date';
  return TIME.test(stored) ? 'time' : 'both';
}

/** Returns an example of how to type it in this language. */
export function momentExample(type: 'date' | 'time' | 'both', format: Format): string {
  const day = writeDay('2026-12-31', format);
  const time = writeTime('14:30:00', format);
  return type === 'both' ? `${day} ${time}` : { date: day, time }[type];
}

/** Returns a stored value as typed: numbers and dates in the language's format, timestamps in local time. */
export function toInput(
  column: Pick<ListColumn, 'kind'> & { readonly options?: Pick<ListColumn['options'], 'unit'> },
  stored: string,
  format: Format,
): string {
  if (column.kind === 'Number') return amountToInput(stored, format.decimalMark, column.options?.unit);
  if (column.kind !== 'DateTime' || stored === '') return stored;
  if (DAY.test(stored)) return writeDay(stored, format);
  return TIME.test(stored) ? writeTime(stored, format) : writeMoment(stored, format);
}

/**
 * Returns the value to store, a web address without scheme with `https://`. Most text that doesn't fit the column's
 * kind stays: the node rejects it.
 */
export function fromInput(column: ListColumn, typed: string, { decimalMark, dateOrder }: Format): string {
  const text = typed.trim();
  if (text === '') return '';
  if (column.kind === 'Number') return readAmount(text, decimalMark, column.options);
  // People omit the scheme, which a form checks.
  if (column.kind === 'Url' && /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(text)) return `https://${text}`;
  if (column.kind !== 'DateTime') return typed;
  return readDay(text, dateOrder) ?? readTime(text) ?? readMoment(text, dateOrder) ?? text;
}

/** Returns a mail or web column's link, the latter only with http or https; undefined for others. */
export function linkFor(column: ListColumn, stored: string): string | undefined {
  if (column.kind === 'Email') {
    // Escaped: a received address could request copies or carry a text.
    const parts = /^([^\s@]+)@([^\s@]+)$/.exec(stored)?.slice(1).map(encodeURIComponent);
    return parts && `mailto:${parts.join('@')}`;
  }
  return column.kind === 'Url' && /^https?:\/\//i.test(stored) ? stored : undefined;
}

/** Returns whether both cells have the same values in the same order; undefined is an empty cell. */
export const sameValues = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Words of comparisons that order dates and times: before or after, not less or greater. */
const MOMENT_WORDS: Readonly<Partial<Record<Key, Key>>> = {
  'test.greater': 'test.after',
  'test.at-least': 'test.from',
  'test.less': 'test.before',
  'test.at-most': 'test.until',
  'grid.operator.more': 'test.after',
  'grid.operator.less': 'test.before',
};

/** Returns a comparison's words in a condition or filter on a column of this kind; undefined: the column is gone. */
export const comparisonText = (
  t: Translate,
  kind: ListColumn['kind'] | undefined,
  key: `test.${ConditionTest}` | `grid.operator.${FilterOperator}`,
): string => t((kind === 'DateTime' ? MOMENT_WORDS[key] : undefined) ?? key);

/** Returns a kind's name; `only` is for a `DateTime` that is a date or a time. */
export const kindName = (t: Translate, kind: ListColumn['kind'], only?: 'date' | 'time'): string =>
  kind === 'DateTime' && only ? t(`list.moment-${only}`) : t(`kind.${kind}`);
