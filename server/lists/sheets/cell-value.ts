/** Invalid in XML, or changed by it. */
const NOT_IN_XML = '[\\0-\\x08\\x0b-\\x1f\\ufffe\\uffff]|\\p{Cs}';
/** Includes underscores that begin an escape, or would before the next one. */
const ESCAPED = new RegExp(`_(?=x[\\da-f]{4}(?:_|${NOT_IN_XML}))|${NOT_IN_XML}`, 'giu');

/** Writes a character XML can't hold, or a false escape, as `_xFFFE_` (ECMA-376, 22.4.2.4). */
export const toTextCell = (text: string): string =>
  text.replace(ESCAPED, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);

const DIGITS = 15;

/** Returns a number; the text itself if it is none, or has more digits than a cell. */
export function toNumberCell(text: string): number | string {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '');
  const value = Number(text);
  return digits.length <= DIGITS && Number.isFinite(value) ? value : text;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d\d):(\d\d):(\d\d)$/;
/** Before, programs disagree whether 1900 is a leap year. */
const EARLIEST_MS = Date.UTC(1900, 2, 1);
const DAY_SECONDS = 86_400;

/** Returns a `YYYY-MM-DD` as a date; the text itself if too early for a cell, undefined for other text. */
export function toDayCell(text: string): Date | string | undefined {
  if (!DAY.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return day.getTime() >= EARLIEST_MS ? day : text;
}

/** Returns a time as the fraction of a day; undefined for other texts. */
export function toTimeCell(text: string): number | undefined {
  const parts = TIME.exec(text);
  if (!parts) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map(Number);
  return (hours * 3600 + minutes * 60 + seconds) / DAY_SECONDS;
}

/**
 * Returns a moment as a date whose UTC fields are the local time, as workbooks have no time zones. Returns the text
 * itself for moments that a cell would change: with milliseconds, at local midnight (read back as a date), in the
 * repeated hour of a clock change, or before March 1900. Undefined if the text is no moment.
 * @param offset minutes ahead of UTC of the zone to take instead of the local one
 */
export function toMomentCell(text: string, offset?: number): Date | string | undefined {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return undefined;
  const local = [
    ...([moment.getFullYear(), moment.getMonth(), moment.getDate()] as const),
    ...([moment.getHours(), moment.getMinutes(), moment.getSeconds()] as const),
  ] as const;
  const isSame = offset !== undefined || new Date(...local).getTime() === moment.getTime();
  const cell = offset === undefined ? Date.UTC(...local) : moment.getTime() + offset * 60_000;
  const isDay = cell % (DAY_SECONDS * 1000) === 0;
  return isSame && !isDay && !text.includes('.') && cell >= EARLIEST_MS ? new Date(cell) : text;
}
