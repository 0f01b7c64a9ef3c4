import type { Format } from '../../../text/format.ts';

/** Days and times as people type them in the language of the window, and as they are stored. */

type Style = Pick<Format, 'dateOrder' | 'dateMark' | 'hours'>;

const ISO_DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const TYPED_DAY = /^(\d{1,4})[./\-\s]+(\d{1,2})[./\-\s]+(\d{1,4})\.?$/;
const TYPED_TIME = /^(\d{1,2})[:.h](\d\d)(?:[:.](\d\d))?\s*(?:([ap])\.?\s?m\.?)?$/i;

const pad = (value: number | string): string => String(value).padStart(2, '0');

/** `31.12.2026` of a stored `2026-12-31`; text that is no day stays as it is. */
export function writeDay(stored: string, { dateOrder, dateMark }: Style): string {
  const [, year = '', month = '', day = ''] = ISO_DAY.exec(stored) ?? [];
  if (year === '') return stored;
  const orders = { YMD: [year, month, day], DMY: [day, month, year], MDY: [month, day, year] };
  return orders[dateOrder].join(dateMark);
}

/**
 * The stored day for a typed one, its parts in the order of the language, or in another where only that makes a day;
 * undefined if no day can be meant. A year of two digits lies at most 20 years ahead.
 */
export function readDay(typed: string, order: Style['dateOrder'], now = new Date()): string | undefined {
  const text = typed.trim();
  if (ISO_DAY.test(text)) return isDay(text) ? text : undefined;
  const parts = TYPED_DAY.exec(text)?.slice(1);
  if (!parts) return undefined;
  // Nobody writes a month first with points.
  const orders = [order, 'DMY', text.includes('.') ? order : 'MDY', 'YMD'] as const;
  return orders.map((each) => assembled(parts, each, now)).find((day) => day !== undefined && isDay(day));
}

function assembled(parts: readonly string[], order: Style['dateOrder'], now: Date): string | undefined {
  const part = (name: string): string => parts[order.indexOf(name)] ?? '';
  const year = fullYear(part('Y'), now.getFullYear());
  if (year === undefined || part('D').length > 2) return undefined;
  return `${year}-${pad(part('M'))}-${pad(part('D'))}`;
}

function fullYear(typed: string, thisYear: number): string | undefined {
  if (typed.length === 4) return typed;
  if (typed.length !== 2) return undefined;
  const century = thisYear - (thisYear % 100);
  const year = century + Number(typed);
  return String(year > thisYear + 20 ? year - 100 : year);
}

/** A day that its month does not have would be read as one of the next. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return (
    !Number.isNaN(day.getTime()) && day.getUTCDate() === Number(text.slice(8)) && !text.startsWith('0000')
  );
}

/** `14:05` or `2:05 PM` of a stored `14:05:00`, with seconds where there are any. */
export function writeTime(stored: string, { hours }: Style): string {
  const [hour = '', minutes = '', seconds = '00'] = stored.split(':');
  const tail = `${minutes}${seconds === '00' ? '' : `:${seconds}`}`;
  if (hours === 24) return `${hour}:${tail}`;
  return `${((Number(hour) + 11) % 12) + 1}:${tail} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

/** The stored time of day for a typed one; undefined if none can be meant. */
export function readTime(typed: string): string | undefined {
  const [, hour = '', minutes = '', seconds = '00', half] = TYPED_TIME.exec(typed.trim()) ?? [];
  if (minutes === '' || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
  const full =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return full > 23 ? undefined : `${pad(full)}:${minutes}:${seconds}`;
}

/** A day and a time of day in this computer's time zone, as native inputs spell them. */
export function localMoment(stored: string): readonly [day: string, time: string] | undefined {
  const date = new Date(stored);
  if (stored === '' || Number.isNaN(date.getTime())) return undefined;
  return [
    `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`,
    [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':'),
  ];
}

/** `31.12.2026 14:05` of a stored moment, in this computer's time zone; text that is no moment stays as it is. */
export function writeMoment(stored: string, style: Style): string {
  const local = localMoment(stored);
  return local ? `${writeDay(local[0], style)} ${writeTime(local[1], style)}` : stored;
}

/** The stored moment (UTC) for a typed one in this computer's time zone; undefined if none can be meant. */
export function readMoment(typed: string, order: Style['dateOrder']): string | undefined {
  const text = typed.trim();
  // The time begins behind the last blank before its first sign, as a day may have blanks of its own.
  const [, day = '', time = ''] = /^(.*\d{2}\.?)(?:,?\s+|T)(\d{1,2}[:.h]\d\d.*)$/i.exec(text) ?? [];
  const read = [readDay(day, order), readTime(time)];
  const moment = new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${read[0]}T${read[1]}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace('.000Z', 'Z');
}
