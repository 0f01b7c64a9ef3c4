/**
 * Longest pause between tries of a partner that answers with an error (docs/architecture.md: The pull
 * engine).
 */
export const LONGEST_PAUSE = 10 * 60_000;
/** Maximum of a Retry-After. */
const LONGEST_REQUESTED = 24 * 3_600_000;
const FIRST_PAUSE = 5_000;

/**
 * Returns the milliseconds until the next try after `failures` (at least 1) consecutive failures: from five
 * seconds, doubled each time, to `longest`, with jitter over the upper half; at least the partner's
 * Retry-After, but no more than a day. @param random from 0 to 1
 */
export function pauseAfter(
  failures: number,
  random: number,
  retryAfter = 0,
  longest = LONGEST_PAUSE,
): number {
  const full = Math.min(longest, FIRST_PAUSE * 2 ** Math.min(failures - 1, 20));
  return Math.max(full * (0.5 + random / 2), Math.min(retryAfter, LONGEST_REQUESTED));
}

/**
 * Returns the longest pause, in milliseconds, for an unreachable partner: with the `took` milliseconds of the
 * last try, within the usual interval.
 */
export function longestUnreached(interval: number, took = 0): number {
  return Math.min(LONGEST_PAUSE, Math.max(interval - took, FIRST_PAUSE));
}
