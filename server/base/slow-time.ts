import type { Clock } from './clock.ts';

/** A moment, such that the time since then can be told later, in this run or after a restart. */
export interface SlowMark {
  /** Milliseconds since the Unix epoch, as this computer believed. */
  readonly wall: number;
  /** The run of the program in which it was taken, and the time by the clock that never jumps. */
  readonly run: string;
  readonly monotonic: number;
}

/** Tells how much time has passed at the least, whatever became of the computer's clock meanwhile. */
export interface SlowTime {
  mark(): SlowMark;
  /** Milliseconds, 0 at the least. */
  since(mark: SlowMark): number;
}

/**
 * Of the time between two runs only the computer's own clock knows, which may have been put forward: more than a
 * night of it is not believed.
 */
const MOST_UNSEEN = 16 * 3_600_000;

/** To be made at the start. @param run different in every run of the program */
export function createSlowTime(clock: Pick<Clock, 'now' | 'monotonic'>, run: string): SlowTime {
  const start: SlowMark = { wall: clock.now(), run, monotonic: clock.monotonic() };
  return {
    mark: () => ({ wall: clock.now(), run, monotonic: clock.monotonic() }),
    since(mark) {
      if (mark.run === run) return clock.monotonic() - mark.monotonic;
      const unseen = Math.min(Math.max(start.wall - mark.wall, 0), MOST_UNSEEN);
      return unseen + clock.monotonic() - start.monotonic;
    },
  };
}
