import type { Clock } from '../../base/clock.ts';

/** Detects a pull for which no data arrives. */
export interface StallDetector {
  /** Starts watching a pull. @param quietFor returns the milliseconds since data last arrived */
  begin(quietFor: () => number | undefined): void;
  end(): void;
  /** Returns how long the pull has been stalled; undefined while it isn't. */
  stalledMs(): number | undefined;
}

/** Honest slow answers take less. */
const WORTH_SHOWING = 5000;
const LOOK_EVERY = 1000;
const REPORT_INTERVAL_MS = 5000;

/**
 * Creates a detector that tells when nothing arrives in a running pull. @param onChange called when a stall starts or
 * ends, and every five seconds while it lasts
 */
export function createStallDetector(clock: Pick<Clock, 'after'>, onChange: () => void): StallDetector {
  let quietFor: (() => number | undefined) | undefined;
  let cancel: (() => void) | undefined;
  /** The duration at the last call of `onChange`. */
  let lastReportedMs: number | undefined;

  /** Returns the milliseconds without data if they are at least five seconds; else undefined. */
  function stalledMs(): number | undefined {
    const quiet = quietFor?.() ?? 0;
    return quiet >= WORTH_SHOWING ? quiet : undefined;
  }

  /** Calls `onChange` if a stall started, lasts or ended. While a pull runs, schedules the next check in a second. */
  function check(): void {
    cancel?.();
    cancel = quietFor && clock.after(LOOK_EVERY, check);
    const now = stalledMs();
    if (
      now === undefined
        ? lastReportedMs === undefined
        : now - (lastReportedMs ?? -Infinity) < REPORT_INTERVAL_MS
    )
      return;
    lastReportedMs = now;
    onChange();
  }

  return {
    begin(quiet) {
      quietFor = quiet;
      check();
    },
    /** Stops watching; reports the end of a stall. */
    end() {
      quietFor = undefined;
      check();
    },
    // Not before `onChange`, which has the routes tested.
    stalledMs: () => (lastReportedMs === undefined ? undefined : stalledMs()),
  };
}
