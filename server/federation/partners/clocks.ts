import { said, type Said } from '../../words/said.ts';

/** Tokens live for hours: smaller differences invalidate none. */
const FAR_OFF = 30 * 60_000;

/** An answer may have taken most of a minute. */
const WORTH_SAYING = 2 * 60_000;

/**
 * Returns whether clocks differ by two minutes or more.
 * @param ahead milliseconds that the other is ahead
 */
export function isApart(ahead: number | undefined): ahead is number {
  return ahead !== undefined && Math.abs(ahead) >= WORTH_SAYING;
}

/** Returns whether our clock must be wrong: all others, at least two, are far apart from it by nearly the same time. */
export function isOursWrong(aheads: readonly number[]): boolean {
  const spread = Math.max(...aheads) - Math.min(...aheads);
  return aheads.length > 1 && aheads.every(isApart) && spread < WORTH_SAYING;
}

/** Returns the clock skew in words; undefined below half an hour, as no token then seems expired. */
export function describeClockSkew(theirs: number | undefined, ours: number): Said | undefined {
  const apart = theirs === undefined ? 0 : Math.abs(theirs - ours);
  return apart < FAR_OFF ? undefined : durationInWords(apart);
}

/** Returns a duration in words, rounded: minutes below two hours, hours below two days, else days. */
export function durationInWords(milliseconds: number): Said {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 120) return said('span.minutes', { n: minutes });
  const hours = Math.round(minutes / 60);
  return hours < 48 ? said('span.hours', { n: hours }) : said('span.days', { n: Math.round(hours / 24) });
}
