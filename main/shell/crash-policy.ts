/** What to do about a crash of node or page: restart, or stop and tell the user. */
export interface CrashDecision {
  readonly action: 'restart' | 'give-up';
  /** Times of recent crashes, for the next call. */
  readonly crashes: readonly number[];
}

const WINDOW_MS = 10 * 60_000;
const MAX_RESTARTS = 3;

/**
 * Returns whether to restart after a crash at `now`, or to give up as it is the fourth within ten minutes.
 * `crashes` are the times of earlier crashes in milliseconds, from the last call. Changes nothing.
 */
export function afterCrash(crashes: readonly number[], now: number): CrashDecision {
  const recent = [...crashes.filter((at) => at > now - WINDOW_MS && at <= now), now];
  return { action: recent.length > MAX_RESTARTS ? 'give-up' : 'restart', crashes: recent };
}
