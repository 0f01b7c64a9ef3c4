/** Milliseconds between tries after errors. */
export const LONGEST_PAUSE = 10 * 60_000;
const LONGEST_REQUESTED = 24 * 3_600_000;
const FIRST_PAUSE = 5_000;

/**
 * Exponential backoff: returns the milliseconds until the next try: five seconds, doubled per failure up to `longest`,
 * shortened by jitter (`random`, 0 to 1) by up to half; at least `retryAfter` milliseconds, up to a day.
 */
export function retryDelayMs(
  failures: number,
  random: number,
  retryAfter = 0,
  longest = LONGEST_PAUSE,
): number {
  const full = Math.min(longest, FIRST_PAUSE * 2 ** Math.min(failures - 1, 20));
  return Math.max(full * (0.5 + random / 2), Math.min(retryAfter, LONGEST_REQUESTED));
}

/**
 * Returns the longest pause, in milliseconds, for an unreachable partner: with the last try, within the usual interval.
 */
export function longestUnreachedPauseMs(interval: number, took = 0): number {
  return Math.min(LONGEST_PAUSE, Math.max(interval - took, FIRST_PAUSE));
}
