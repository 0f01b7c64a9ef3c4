import type { Clock } from '../../base/clock.ts';

/** A token that was refused so often, for so long, is not good any more. One refusal may be a hiccup on the way. */
const MIN_TIMES = 4;
const MIN_TIME = 5 * 60_000;

/** How often in a row a partner did not accept our token. */
export interface TokenRefusals {
  /** One more. @returns whether they are enough to take the connection for ended */
  add(): boolean;
  /** It was accepted, or is another one now. */
  clear(): void;
}

/** Counts by the stopwatch, so that a clock that is put right in between changes nothing. */
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
