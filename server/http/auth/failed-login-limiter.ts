import type { Clock } from '../../base/clock.ts';

/**
 * Counts wrong credentials, so that guessing is slowed down and a valid credential never is
 * (docs/interface.md: Limits).
 */
export interface FailedLoginLimiter {
  /** Records a failure under `key`. @returns seconds to wait after too many within a minute, else 0 */
  fail(key: string): number;
}

const WINDOW_MS = 60_000;
/** More keys at once are an attack from many addresses; the oldest are forgotten. */
const MAX_KEYS = 10_000;

/**
 * Creates a limiter in memory that allows `perMinute` failures per key in a minute. It keeps 10,000 keys and
 * forgets the oldest.
 */
export function createFailedLoginLimiter(
  clock: Pick<Clock, 'monotonic'>,
  perMinute = 20,
): FailedLoginLimiter {
  const windows = new Map<string, { since: number; failures: number }>();
  return {
    /**
     * Counts the failure in the key's current window of one minute, or in a new one if that has ended. Returns the
     * seconds until the window ends if there were too many, otherwise 0.
     */
    fail(key) {
      const now = clock.monotonic();
      let window = windows.get(key);
      if (!window || now - window.since >= WINDOW_MS) {
        window = { since: now, failures: 0 };
        windows.delete(key);
        windows.set(key, window);
        const oldest = windows.keys().next();
        if (windows.size > MAX_KEYS && !oldest.done) windows.delete(oldest.value);
      }
      window.failures += 1;
      return window.failures > perMinute ? Math.ceil((window.since + WINDOW_MS - now) / 1000) : 0;
    },
  };
}
