import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { Translate } from '../../../text/catalogue.ts';
import type { Format } from '../../../text/format.ts';
import { readDay, readMoment, readTime, writeDay, writeMoment, writeTime } from './date-input.ts';
import { amountToInput, readAmount } from './numbers.ts';

/** How values of each kind are written for people, and read back from what they type. Stored values are text. */

/** What a value needs to be written: the words and formats of the window's language. */
export interface Wording {
  readonly t: Translate;
  readonly format: Format;
}

export type References = GridRow['references'];
type Reference = NonNullable<References>[string];

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d(:\d\d)?$/;
/** A value of such a length is a row's id and no text that a partner sent (server/lists/rows/references.ts). */
const SURELY_ID = /^\d{15,20}$/;

/** `latitude, longitude` of a place as it is stored; undefined if it is stored in some other way. */
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

/** The row that a value refers to, in words: what it is called, or that it is not there. */
export function referenceText({ state, text }: Reference, t: Translate): string {
  if (state === 'unreadable') return t('reference.unreadable');
  if (state === 'gone') return t('reference.gone');
  const name = text || t('reference.unnamed');
  return state === 'bin' ? t('reference.in-bin', { row: name }) : name;
}

function referred(column: ListColumn, stored: string, { t }: Wording, references: References): string {
  const reference = column.options.moduleID === undefined ? undefined : references?.[stored];
  return reference ? referenceText(reference, t) : stored;
}

/** Whether a value refers to a row that is not in its list any more. */
export const isMissing = (column: ListColumn, stored: string, references: References): boolean =>
  column.kind === 'Record' && (references?.[stored]?.state ?? 'there') !== 'there';

/** A value that was just chosen, for the eye: what a row is called comes with the node's answer. */
export const whilePending = (column: ListColumn, stored: string, references: References): string =>
  column.kind === 'Record' && SURELY_ID.test(stored) && !references?.[stored] ? '…' : stored;

function moment(stored: string, format: Format): string {
  if (DAY.test(stored)) return format.calendarDate(stored);
  return TIME.test(stored) ? stored.replace(/^(\d\d:\d\d):00$/, '$1') : format.dateTime(stored);
}

/** One value for the eye. What cannot be read is shown as it is. */
export function display(
  column: ListColumn,
  stored: string,
  wording: Wording,
  references?: References,
): string {
  // Of a yes or no the empty text says no; nothing said is no text at all.
  if (column.kind === 'Bool') return wording.t(stored === '1' ? 'grid.yes' : 'grid.no');
  if (stored === '') return '';
  switch (column.kind) {
    case 'Number':
      return wording.format.decimal(stored, column.options);
    case 'DateTime':
      return moment(stored, wording.format);
    case 'Select':
      return choiceText(column, stored);
    case 'Record':
      return referred(column, stored, wording, references);
    case 'Geometry': {
      const place = coordinates(stored);
      return place ? place.join(', ') : stored;
    }
    default:
      return stored;
  }
}

/** All values of a cell on one line. */
export const displayAll = (
  column: ListColumn,
  stored: readonly string[],
  wording: Wording,
  references?: References,
): string => stored.map((value) => display(column, value, wording, references)).join(', ');

/** What is shown for a choice of a Select. */
function choiceText({ options: { optionTexts = {} } }: ListColumn, choice: string): string {
  return (Object.hasOwn(optionTexts, choice) ? optionTexts[choice] : undefined) ?? choice;
}

/** What can be chosen in a Select, with a value that is there already and no choice any more. */
export function choicesOf(column: ListColumn, stored: readonly string[]): { value: string; label: string }[] {
  const values = [...(column.options.options ?? []), ...stored.filter((value) => value !== '')];
  return [...new Set(values)].map((value) => ({ value, label: choiceText(column, value) }));
}

/** The type of input that edits a value. */
export function inputType(column: ListColumn): 'email' | 'url' | 'text' {
  if (column.kind === 'Email') return 'email';
  return column.kind === 'Url' ? 'url' : 'text';
}

/** Whether a value of days and times is one or both; a column that takes any goes by the value that is there. */
export function momentType({ kind, options }: ListColumn, stored = ''): 'date' | 'time' | 'both' | undefined {
  if (kind !== 'DateTime') return undefined;
  if (options.only) return options.only;
  if (DAY.test(stored)) return 'date';
  return TIME.test(stored) ? 'time' : 'both';
}

/** A value as the language writes it, for who is about to type one. */
export function momentExample(type: 'date' | 'time' | 'both', format: Format): string {
  const day = writeDay('2026-12-31', format);
  const time = writeTime('14:30:00', format);
  return type === 'both' ? `${day} ${time}` : { date: day, time }[type];
}

/** What an input holds for a stored value: a moment in the computer's own time zone. */
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

/** The stored value for what was typed. What cannot be read goes to the node as it is, which says so. */
export function fromInput(column: ListColumn, typed: string, { decimalMark, dateOrder }: Format): string {
  const text = typed.trim();
  if (text === '') return '';
  if (column.kind === 'Number') return readAmount(text, decimalMark, column.options);
  // People leave out what every address begins with; the node would add it as well, but a form asks for it before.
  if (column.kind === 'Url' && /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(text)) return `https://${text}`;
  if (column.kind !== 'DateTime') return typed;
  return readDay(text, dateOrder) ?? readTime(text) ?? readMoment(text, dateOrder) ?? text;
}

/** An address that may be opened: http, https or mail; undefined for everything else. */
export function linkFor(column: ListColumn, stored: string): string | undefined {
  if (column.kind === 'Email') {
    // Escaped, as what came may ask for a copy to somebody else, or bring a text of its own.
    const parts = /^([^\s@]+)@([^\s@]+)$/.exec(stored)?.slice(1).map(encodeURIComponent);
    return parts && `mailto:${parts.join('@')}`;
  }
  return column.kind === 'Url' && /^https?:\/\//i.test(stored) ? stored : undefined;
}

/** Whether two cells hold the same; one without values holds nothing. */
export const sameValues = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
