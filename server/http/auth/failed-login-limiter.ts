import type { Clock } from '../../base/clock.ts';

export interface FailedLoginLimiter {
  fail(key: string): number;
}

const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/**
 * Creates a limiter of failed logins in memory, which allows `perMinute` per key in the minute from its first; at most
 * 10,000 keys, the oldest are forgotten.
 */
export function createFailedLoginLimiter(
  clock: Pick<Clock, 'monotonic'>,
  perMinute = 20,
): FailedLoginLimiter {
  const windows = new Map<string, { since: number; failures: number }>();
  return {
    /**
     * Counts a failure. Returns the seconds until the key's minute ends if it failed more often than allowed, else 0.
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
