import type { Clock } from '../../base/clock.ts';

/** Detects a stalled pull: an answer is pending, and nothing arrives. */
export interface StallDetector {
  /** Starts watching a pull; `quietFor` returns the milliseconds since data last arrived. */
  begin(quietFor: () => number | undefined): void;
  end(): void;
  /** Returns how long the pull has been stalled; undefined while it isn't. */
  stalledMs(): number | undefined;
}

/** From then on a user wonders; honest slow answers take less. */
const WORTH_SHOWING = 5000;
const LOOK_EVERY = 1000;
const REPORT_INTERVAL_MS = 5000;

/** @param onChange called when a pull stalls, occasionally while it does, and when it continues */
export function createStallDetector(clock: Pick<Clock, 'after'>, onChange: () => void): StallDetector {
  let quietFor: (() => number | undefined) | undefined;
  let cancel: (() => void) | undefined;
  /** The duration at the last call. */
  let lastReportedMs: number | undefined;

  function stoodFor(): number | undefined {
    const quiet = quietFor?.() ?? 0;
    return quiet >= WORTH_SHOWING ? quiet : undefined;
  }

  function look(): void {
    cancel?.();
    cancel = quietFor && clock.after(LOOK_EVERY, look);
    const now = stoodFor();
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
      look();
    },
    end() {
      quietFor = undefined;
      look();
    },
    stalledMs: stoodFor,
  };
}
