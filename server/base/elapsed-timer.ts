import type { Clock } from './clock.ts';

/** A moment from which elapsed time can be computed later, in this run or after a restart. */
export interface ElapsedMark {
  /** Milliseconds since the Unix epoch by the system clock. */
  readonly wall: number;
  /** The run in which it was taken, and its monotonic time. */
  readonly run: string;
  readonly monotonic: number;
}

/** Computes the elapsed time at least, whatever happened to the system clock. */
export interface ElapsedTimer {
  mark(): ElapsedMark;
  /** In milliseconds, at least 0. */
  since(mark: ElapsedMark): number;
}

/** Between two runs only the system clock knows the time, perhaps set ahead: one night at most. */
const MAX_UNSEEN_MS = 16 * 3_600_000;

/**
 * Returns a timer that measures elapsed time across restarts. Call it once, as the program starts.
 * @param run unique for each run of the program
 */
export function createElapsedTimer(clock: Pick<Clock, 'now' | 'monotonic'>, run: string): ElapsedTimer {
  const start: ElapsedMark = { wall: clock.now(), run, monotonic: clock.monotonic() };
  return {
    mark: () => ({ wall: clock.now(), run, monotonic: clock.monotonic() }),
    /** Returns the milliseconds since a mark; until this start at most 16 hours, and never negative. */
    since(mark) {
      if (mark.run === run) return clock.monotonic() - mark.monotonic;
      const unseen = Math.min(Math.max(start.wall - mark.wall, 0), MAX_UNSEEN_MS);
      return unseen + clock.monotonic() - start.monotonic;
    },
  };
}
