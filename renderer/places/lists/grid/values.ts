import type { ListColumn } from '../../../../server/contract/app-lists.ts';
import type { Format } from '../../../text/format.ts';

/** How values of each kind are written for people, and read back from what they type. Stored values are text. */

const pad = (value: number): string => String(value).padStart(2, '0');

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

/** One value for the eye. `yes` is the word for a ticked Bool. What cannot be read is shown as it is. */
export function display(column: ListColumn, stored: string, format: Format, yes: string): string {
  if (stored === '') return '';
  switch (column.kind) {
    case 'Bool':
      return stored === '1' ? yes : '';
    case 'Number':
      return format.decimal(stored, column.options.precision);
    case 'DateTime':
      if (column.options.only === 'date') return format.calendarDate(stored);
      return column.options.only === 'time'
        ? stored.replace(/^(\d\d:\d\d):00$/, '$1')
        : format.dateTime(stored);
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
  format: Format,
  yes: string,
): string => stored.map((value) => display(column, value, format, yes)).join(', ');

/** The type of input that edits a kind. */
export function inputType(column: ListColumn): string {
  switch (column.kind) {
    case 'Email':
      return 'email';
    case 'Url':
      return 'url';
    case 'DateTime':
      return column.options.only ?? 'datetime-local';
    default:
      return 'text';
  }
}

/** What an input of that type holds for a stored value: a moment in the computer's own time zone. */
export function toInput(column: ListColumn, stored: string): string {
  if (column.kind !== 'DateTime' || column.options.only || stored === '') return stored;
  const date = new Date(stored);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** The stored value for what was typed. */
export function fromInput(column: ListColumn, typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  if (column.kind === 'Number') return normalNumber(text);
  if (column.kind !== 'DateTime') return typed;
  if (column.options.only === 'date') return text;
  if (column.options.only === 'time') return text.length === 5 ? `${text}:00` : text;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString().replace('.000Z', 'Z');
}

/** `1,5` is taken as 1.5 where that is the only way to read it; all else goes to the node as typed. */
function normalNumber(text: string): string {
  return /^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text;
}

/** An address that may be opened: http, https or mail; undefined for everything else. */
export function linkFor(column: ListColumn, stored: string): string | undefined {
  if (column.kind === 'Email') return /^[^\s@]+@[^\s@]+$/.test(stored) ? `mailto:${stored}` : undefined;
  return column.kind === 'Url' && /^https?:\/\//i.test(stored) ? stored : undefined;
}
