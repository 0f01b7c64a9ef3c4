import type { Clock } from '../../base/clock.ts';

/**
 * Number of refusals, over at least {@link MIN_TIME}, after which a token counts as invalid. One refusal may
 * be a hiccup.
 */
const MIN_TIMES = 4;
const MIN_TIME = 5 * 60_000;

/** Consecutive refusals of our token by a partner. */
export interface TokenRefusals {
  /** Counts a refusal. @returns whether the connection counts as ended */
  add(): boolean;
  /** It was accepted, or replaced. */
  clear(): void;
}

/** Counts monotonic time, so that a corrected clock changes nothing. */
export function createTokenRefusals(clock: Pick<Clock, 'monotonic'>): TokenRefusals {
  let times = 0;
  let first = 0;
  return {
    add() {
      if (times === 0) first = clock.monotonic();
      times++;
      return times >= MIN_TIMES && clock.monotonic() - first >= MIN_TIME;
    },
    clear() {
      times = 0;
    },
  };
}
