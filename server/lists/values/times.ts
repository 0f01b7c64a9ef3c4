import { said, type Said } from '../../words/said.ts';
import type { Row } from '../definitions/model.ts';

/** Compares ISO 8601 times to the last digit: negative, 0 or positive. Other text sorts first. */
export function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  const difference = wholeSecondsMs(a) - wholeSecondsMs(b);
  if (difference !== 0) return difference;
  const length = Math.max(a.length, b.length);
  return fractionDigits(a, length) < fractionDigits(b, length)
    ? -1
    : fractionDigits(a, length) > fractionDigits(b, length)
      ? 1
      : 0;
}

/** Returns the later of two ISO 8601 times, the first one if equal. */
export function laterOf(a: string, b: string | undefined): string {
  return b === undefined || compareTimes(a, b) >= 0 ? a : b;
}

/** Returns the later of last change and deletion. */
export function versionTime(version: { readonly updatedAt: string; readonly deletedAt?: string }): string {
  return laterOf(version.updatedAt, version.deletedAt);
}

/** Returns, in the list's time, the later of a row's last change and the last new title of a row that it refers to. */
export function lastChangeTime({ updatedAt, retitledAt }: Pick<Row, 'updatedAt' | 'retitledAt'>): string {
  return retitledAt !== undefined && retitledAt > updatedAt ? retitledAt : updatedAt;
}

const FRACTION = /\.(\d+)/;

/** Returns ms since the epoch; -Infinity for other text. */
function wholeSecondsMs(text: string): number {
  const milliseconds = Date.parse(text.replace(FRACTION, ''));
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}

/** Returns a sort key that compares as text like {@link compareTimes}. Empty for other text. */
export function timeKey(text: string): string {
  const at = wholeSecondsMs(text);
  if (at === -Infinity) return '';
  return String(at + OFFSET).padStart(16, '0') + fractionDigits(text, 0).replace(/0+$/, '');
}

const OFFSET = 8_640_000_000_000_000;

/** Returns the digits of a second's fraction, padded with zeros to at least `length`. */
function fractionDigits(text: string, length: number): string {
  return (FRACTION.exec(text)?.[1] ?? '').padEnd(length, '0');
}

/** Returns the note that these columns of days take no times, with the zone whose days they are: the node's. */
export const sayDroppedTimes = (columns: string): Said =>
  said('import.times-dropped', { columns, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone });
