/** Longest pause between two tries of a partner that answers, and says no (docs/architecture.md: The pull engine). */
export const LONGEST_PAUSE = 10 * 60_000;
/** A partner that asks for more patience than this is asked again all the same. */
const LONGEST_REQUESTED = 24 * 3_600_000;
const FIRST_PAUSE = 5_000;

/**
 * Milliseconds until the next try after `failures` failed ones in a row: doubling from five seconds, at most
 * ten minutes, jittered over its upper half so that partners do not all come back at once. What the partner
 * asked for by Retry-After is the least.
 * @param random from 0 to 1
 * @param longest in place of the ten minutes
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
 * The longest pause of a partner that is not reached at all: whoever mends a network sees within the usual interval
 * that it works, and nobody is bothered by calls that do not get there.
 * @param took milliseconds for which the last try waited in vain: tries begin within the interval, however they end
 */
export function longestUnreached(interval: number, took = 0): number {
  return Math.min(LONGEST_PAUSE, Math.max(interval - took, FIRST_PAUSE));
}
