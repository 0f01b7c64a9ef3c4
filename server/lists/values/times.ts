import type { Row } from '../definitions/model.ts';

/**
 * Compares two ISO 8601 times with up to nanoseconds and any offset: negative, 0 or positive. Fractions are
 * compared to the last digit, as partners send them. Anything else sorts first.
 */
export function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  const difference = seconds(a) - seconds(b);
  if (difference !== 0) return difference;
  const length = Math.max(a.length, b.length);
  return fraction(a, length) < fraction(b, length) ? -1 : fraction(a, length) > fraction(b, length) ? 1 : 0;
}

/** Returns the later of two times; the first if the second is missing. */
export function later(a: string, b: string | undefined): string {
  return b === undefined || compareTimes(a, b) >= 0 ? a : b;
}

/** Returns the time of a row's version: its last change or its deletion, the later one. */
export function versionTime(version: { readonly updatedAt: string; readonly deletedAt?: string }): string {
  return later(version.updatedAt, version.deletedAt);
}

/**
 * Returns the time since which partners see a row as it is: its last change, or that of a referenced row's title.
 * Both are made here in the same format, so they compare as texts.
 */
export function seenSince({ updatedAt, retitledAt }: Pick<Row, 'updatedAt' | 'retitledAt'>): string {
  return retitledAt !== undefined && retitledAt > updatedAt ? retitledAt : updatedAt;
}

const FRACTION = /\.(\d+)/;

/** Returns a time's whole seconds as milliseconds since the epoch; -Infinity for other text. */
function seconds(text: string): number {
  const milliseconds = Date.parse(text.replace(FRACTION, ''));
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}

/**
 * Returns a sort key of a time: comparing keys as texts orders like {@link compareTimes}, and equal times have
 * equal keys. Empty for other text.
 */
export function timeKey(text: string): string {
  const at = seconds(text);
  if (at === -Infinity) return '';
  return String(at + OFFSET).padStart(16, '0') + fraction(text, 0).replace(/0+$/, '');
}

/** Makes every possible time a positive number. */
const OFFSET = 8_640_000_000_000_000;

/** Returns the digits of the fraction of a second, padded with zeros to `length`. */
function fraction(text: string, length: number): string {
  return (FRACTION.exec(text)?.[1] ?? '').padEnd(length, '0');
}
