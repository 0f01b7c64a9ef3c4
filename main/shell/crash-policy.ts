interface CrashDecision {
  readonly action: 'restart' | 'give-up';
  readonly crashes: readonly number[];
}

const WINDOW_MS = 10 * 60_000;
const MAX_RESTARTS = 3;

/**
 * Decides after a crash at `now` (milliseconds): restart, or give up at the fourth within ten minutes. Also returns the
 * recent crashes' times for the next call; begin with none.
 */
export function afterCrash(crashes: readonly number[], now: number): CrashDecision {
  const recent = [...crashes.filter((at) => at > now - WINDOW_MS && at <= now), now];
  return { action: recent.length > MAX_RESTARTS ? 'give-up' : 'restart', crashes: recent };
}
