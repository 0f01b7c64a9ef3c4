import type { Clock } from '../../base/clock.ts';

export interface StallDetector {
  /** Watches a pull. `quietFor` returns milliseconds since data last arrived. */
  watchPull(quietFor: () => number | undefined): void;
  /** Ends watching, and reports a stall's end. */
  end(): void;
  /** Returns the stall's milliseconds, if any. */
  stalledMs(): number | undefined;
}

/** Honest slow answers take less. */
const WORTH_SHOWING = 5000;
const LOOK_EVERY = 1000;
const REPORT_INTERVAL_MS = 5000;

/**
 * Detects five seconds without data in a running pull: calls `onChange` when a stall starts or ends, and every five
 * seconds meanwhile.
 */
export function createStallDetector(clock: Pick<Clock, 'after'>, onChange: () => void): StallDetector {
  let quietFor: (() => number | undefined) | undefined;
  let cancel: (() => void) | undefined;
  /** At the last `onChange`. */
  let lastReportedMs: number | undefined;

  /** Returns how long nothing has come in the watched pull, from five seconds on; otherwise undefined. */
  function stalledMs(): number | undefined {
    const quiet = quietFor?.() ?? 0;
    return quiet >= WORTH_SHOWING ? quiet : undefined;
  }

  /**
   * Calls `onChange` if a stall began, ended or has become longer, and looks again in a second while a pull is
   * watched.
   */
  function checkForStall(): void {
    cancel?.();
    cancel = quietFor && clock.after(LOOK_EVERY, checkForStall);
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
    /** Starts watching a pull, and checks it at once and every second. */
    watchPull(quiet) {
      quietFor = quiet;
      checkForStall();
    },
    /** Stops watching, and reports the end of a stall. */
    end() {
      quietFor = undefined;
      checkForStall();
    },
    // Counts only after `onChange`, which has the routes tested.
    stalledMs: () => (lastReportedMs === undefined ? undefined : stalledMs()),
  };
}
