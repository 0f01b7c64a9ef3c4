import type { Clock } from '../../../server/base/clock.ts';

/** A clock that stands still until it is moved, and may be put back. */
export interface ManualClock extends Clock {
  /** Moves both times on by `ms` and runs what falls due meanwhile, in order. */
  advance(ms: number): void;
  /** Puts the computer's time elsewhere; what is due by {@link Clock.after} does not care. */
  set(time: number | string): void;
}

export function manualClock(start: number | string = '2026-01-01T00:00:00Z'): ManualClock {
  let time = new Date(start).getTime();
  let passed = 0;
  let timers: { at: number; fn: () => void }[] = [];
  return {
    // Whole milliseconds, as the computer's own clock gives them; timers may fall due in between.
    now: () => Math.round(time),
    monotonic: () => passed,
    after(ms, fn) {
      const timer = { at: passed + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = passed + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((other) => other !== next);
        time += next.at - passed;
        passed = next.at;
        next.fn();
      }
      time += end - passed;
      passed = end;
    },
    set(to) {
      time = new Date(to).getTime();
    },
  };
}
