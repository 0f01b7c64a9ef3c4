import type { Clock } from './clock.ts';

/** A moment for computing elapsed time, even after a restart. */
export interface ElapsedMark {
  /** Milliseconds since the Unix epoch by the system clock. */
  readonly wall: number;
  /** The run that took it. */
  readonly run: string;
  readonly monotonic: number;
}

export interface ElapsedTimer {
  mark(): ElapsedMark;
  /** Milliseconds since a mark: never negative, and between two runs at most 16 hours. */
  elapsedSince(mark: ElapsedMark): number;
}

/** Between runs only the system clock, perhaps wrong, knows the time. */
const MAX_OFF_MS = 16 * 3_600_000;

/**
 * Returns a timer that measures time across restarts, whatever happened to the system clock. Create it as the program
 * starts; `run` is unique for each run.
 */
export function createElapsedTimer(clock: Pick<Clock, 'now' | 'monotonic'>, run: string): ElapsedTimer {
  const start: ElapsedMark = { wall: clock.now(), run, monotonic: clock.monotonic() };
  return {
    mark: () => ({ wall: clock.now(), run, monotonic: clock.monotonic() }),
    /**
     * Returns milliseconds: exact within this run; for a mark of an earlier run the system clock's gap to this start,
     * within 0 and 16 hours, plus this run's time.
     */
    elapsedSince(mark) {
      if (mark.run === run) return clock.monotonic() - mark.monotonic;
      const unseen = Math.min(Math.max(start.wall - mark.wall, 0), MAX_OFF_MS);
      return unseen + clock.monotonic() - start.monotonic;
    },
  };
}
