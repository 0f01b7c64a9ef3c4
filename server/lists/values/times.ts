import type { Row } from '../definitions/model.ts';

/**
 * Compares two ISO 8601 times with up to nanoseconds and any offset: negative, 0 or positive. Fractions are
 * compared to the last digit, as partners give them. What is no time counts as the beginning of time.
 */
export function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  const difference = seconds(a) - seconds(b);
  if (difference !== 0) return difference;
  const length = Math.max(a.length, b.length);
  return fraction(a, length) < fraction(b, length) ? -1 : fraction(a, length) > fraction(b, length) ? 1 : 0;
}

/** The later of two times, either of which may be missing. */
export function later(a: string, b: string | undefined): string {
  return b === undefined || compareTimes(a, b) >= 0 ? a : b;
}

/** As of when a version of a row is, a deleted one included. */
export function versionTime(version: { readonly updatedAt: string; readonly deletedAt?: string }): string {
  return later(version.updatedAt, version.deletedAt);
}

/**
 * Since when a row is as partners see it: its last change, or that of what a row is called that it refers to. Both are
 * of our own making, and so of one form.
 */
export function seenSince({ updatedAt, retitledAt }: Pick<Row, 'updatedAt' | 'retitledAt'>): string {
  return retitledAt !== undefined && retitledAt > updatedAt ? retitledAt : updatedAt;
}

const FRACTION = /\.(\d+)/;

function seconds(text: string): number {
  const milliseconds = Date.parse(text.replace(FRACTION, ''));
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}

/**
 * Texts that stand to each other by their code units as {@link compareTimes} says of their times, the same for the same
 * time in two spellings.
 */
export function timeKey(text: string): string {
  const at = seconds(text);
  if (at === -Infinity) return '';
  return String(at + OFFSET).padStart(16, '0') + fraction(text, 0).replace(/0+$/, '');
}

/** Makes every time that there is a positive number. */
const OFFSET = 8_640_000_000_000_000;

function fraction(text: string, length: number): string {
  return (FRACTION.exec(text)?.[1] ?? '').padEnd(length, '0');
}
