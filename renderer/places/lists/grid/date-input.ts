import { fullYear } from '../../../../server/base/full-year.ts';
import type { Format } from '../../../text/format.ts';

type Style = Pick<Format, 'dateOrder' | 'dateMark' | 'hours'>;

const ISO_DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
/** Narrower than `Date`, to which “Offer 7” is a day too. */
const STORED_MOMENT = /^(\d{4}-\d\d-\d\d)T/;
/** Behind a time; behind a day or number it belongs to these. */
const ZONE = /(?<=[:.h]\d\d(?:\.\d+)?)\s?(Z|[+-]\d\d:?\d\d)$/i;
const TYPED_DAY = /^(\d{1,4})[./\-\s]+(\d{1,2})[./\-\s]+(\d{1,4})\.?$/;
const TYPED_TIME = /^(\d{1,2})[:.h](\d\d)(?:[:.](\d\d))?\s*(?:([ap])\.?\s?m\.?)?$/i;

const pad = (value: number | string): string => String(value).padStart(2, '0');

/** Writes a stored date (`2026-12-31`) in the language's order, such as `31.12.2026`; other text unchanged. */
export function writeDay(stored: string, { dateOrder, dateMark }: Style): string {
  const [, year = '', month = '', day = ''] = ISO_DAY.exec(stored) ?? [];
  if (!isDay(stored)) return stored;
  const orders = { YMD: [year, month, day], DMY: [day, month, year], MDY: [month, day, year] };
  return orders[dateOrder].join(dateMark);
}

/**
 * Returns the stored date for one in stored form, the language's order, or the first other order in which it exists;
 * undefined for others. A two-digit year is at most 20 years ahead.
 */
export function readDay(typed: string, order: Style['dateOrder'], now = new Date()): string | undefined {
  const text = typed.trim();
  if (ISO_DAY.test(text)) return isDay(text) ? text : undefined;
  const parts = TYPED_DAY.exec(text)?.slice(1);
  if (!parts) return undefined;
  // Points never have the month first.
  const orders = [order, 'DMY', text.includes('.') ? order : 'MDY', 'YMD'] as const;
  return orders.map((each) => assembleDate(parts, each, now)).find((day) => day !== undefined && isDay(day));
}

/** Returns `2026-12-31`, existing or not; undefined for a year or day of wrong length. */
function assembleDate(parts: readonly string[], order: Style['dateOrder'], now: Date): string | undefined {
  const part = (name: string): string => parts[order.indexOf(name)] ?? '';
  const year = fullYear(part('Y'), now.getFullYear());
  if (year === undefined || part('D').length > 2) return undefined;
  return `${year}-${pad(part('M'))}-${pad(part('D'))}`;
}

/** Returns whether the text is an existing date in stored form, from the year 1 on. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return (
    !Number.isNaN(day.getTime()) && day.getUTCDate() === Number(text.slice(8)) && !text.startsWith('0000')
  );
}

/** Writes a stored time (`14:05:00`) as `14:05` or `2:05 PM`, with seconds unless zero. */
export function writeTime(stored: string, { hours }: Style): string {
  const [hour = '', minutes = '', seconds = '00'] = stored.split(':');
  const tail = `${minutes}${seconds === '00' ? '' : `:${seconds}`}`;
  if (hours === 24) return `${hour}:${tail}`;
  return `${((Number(hour) + 11) % 12) + 1}:${tail} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

/** Returns the stored form (`14:05:00`) of a typed time; undefined for other text. */
export function readTime(typed: string): string | undefined {
  const [, hour = '', minutes = '', seconds = '00', half] = TYPED_TIME.exec(typed.trim()) ?? [];
  if (minutes === '' || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
  const full =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return full > 23 ? undefined : `${pad(full)}:${minutes}:${seconds}`;
}

/** Returns whether the text has the form of a stored timestamp, of an existing day. */
export const isMoment = (text: string): boolean => isDay(STORED_MOMENT.exec(text)?.[1] ?? '');

/** Splits a stored timestamp into local date and time, for native inputs; undefined for other text. */
export function localMoment(stored: string): readonly [day: string, time: string] | undefined {
  const date = new Date(stored);
  if (!isMoment(stored) || Number.isNaN(date.getTime())) return undefined;
  return [
    `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`,
    [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':'),
  ];
}

/** Writes a stored timestamp as `31.12.2026 14:05` in local time; other text unchanged. */
export function writeMoment(stored: string, style: Style): string {
  const local = localMoment(stored);
  return local ? `${writeDay(local[0], style)} ${writeTime(local[1], style)}` : stored;
}

/** Returns the timestamp to store (UTC) for one typed in local time or with its zone; undefined for other text. */
export function readMoment(typed: string, order: Style['dateOrder']): string | undefined {
  const text = typed.trim();
  const [end = '', zone = ''] = ZONE.exec(text) ?? [];
  // The time begins after the last blank before its first separator: dates may contain blanks.
  const [, day = '', time = '', fraction = ''] =
    /^(.*\d{2}\.?)(?:,?\s+|T)(\d{1,2}[:.h]\d\d.*?)(\.\d{3,})?$/i.exec(
      text.slice(0, text.length - end.length),
    ) ?? [];
  const offset = zone.replace(/^(...)(\d\d)$/, '$1:$2').toUpperCase();
  const moment = new Date(`${readDay(day, order)}T${readTime(time)}${fraction}${offset}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace('.000Z', 'Z');
}
