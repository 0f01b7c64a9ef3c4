/**
 * Stored texts as what a workbook computes with. What it cannot hold, such as a number of twenty digits, a day before
 * 1900 or the hour that a clock shows twice, stays text: it is read back as the same value.
 */

/** Text that looks as workbooks write signs that they cannot hold would be read as those. */
export const textCell = (text: string): string => text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');

/** A workbook keeps fifteen digits. */
const DIGITS = 15;

export function numberCell(text: string): number | string {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '');
  const value = Number(text);
  return digits.length <= DIGITS && Number.isFinite(value) ? value : text;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d\d):(\d\d):(\d\d)$/;
/** Programs do not agree on what comes before: to some, 1900 was a leap year. */
const FROM = Date.UTC(1900, 2, 1);
const DAY_SECONDS = 86_400;

export function dayCell(text: string): Date | string | undefined {
  if (!DAY.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return day.getTime() >= FROM ? day : text;
}

/** A part of a day. */
export function timeCell(text: string): number | undefined {
  const parts = TIME.exec(text);
  if (!parts) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map(Number);
  return (hours * 3600 + minutes * 60 + seconds) / DAY_SECONDS;
}

/** As this computer's clock shows it, as a moment in a workbook has no zone. */
export function momentCell(text: string): Date | string | undefined {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return undefined;
  const shown = [moment.getFullYear(), moment.getMonth(), moment.getDate()] as const;
  const clock = [moment.getHours(), moment.getMinutes(), moment.getSeconds()] as const;
  const isSame = new Date(...shown, ...clock).getTime() === moment.getTime();
  const cell = new Date(Date.UTC(...shown, ...clock));
  // At midnight it would be taken for a day.
  const isDay = clock.every((part) => part === 0);
  return isSame && !isDay && !text.includes('.') && cell.getTime() >= FROM ? cell : text;
}
