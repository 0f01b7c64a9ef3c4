import { said, type Said } from '../../words/said.ts';

/** Tokens live for hours at least: a clock that is off by less than this makes nobody refuse one. */
const FAR_OFF = 30 * 60_000;

/** From here on it is worth saying that two clocks differ; an answer may have been on its way for most of a minute. */
const WORTH_SAYING = 2 * 60_000;

/** Whether a clock that is ahead of ours by so many milliseconds, or behind, differs by more than can be let pass. */
export function isApart(ahead: number | undefined): ahead is number {
  return ahead !== undefined && Math.abs(ahead) >= WORTH_SAYING;
}

/**
 * Whether it must be ours that is wrong: several others are known, and all differ from ours by the same.
 * @param aheads milliseconds by which each of the others is ahead of ours
 */
export function isOursWrong(aheads: readonly number[]): boolean {
  const spread = Math.max(...aheads) - Math.min(...aheads);
  return aheads.length > 1 && aheads.every(isApart) && spread < WORTH_SAYING;
}

/**
 * How far two clocks are apart, in words, where that is so much that one side takes the other's token or invite for
 * ended; undefined where it is not. Both in milliseconds since the epoch; undefined: theirs is not known.
 */
export function farApart(theirs: number | undefined, ours: number): Said | undefined {
  const apart = theirs === undefined ? 0 : Math.abs(theirs - ours);
  return apart < FAR_OFF ? undefined : spanOf(apart);
}

/** A length of time, rounded to what is worth saying. */
export function spanOf(milliseconds: number): Said {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 120) return said('span.minutes', { n: minutes });
  const hours = Math.round(minutes / 60);
  return hours < 48 ? said('span.hours', { n: hours }) : said('span.days', { n: Math.round(hours / 24) });
}
