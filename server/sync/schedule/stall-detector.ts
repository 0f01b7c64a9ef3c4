import type { Clock } from '../../base/clock.ts';

/** Follows whether a pull stands still: something is awaited from the partner, and nothing comes. */
export interface StallDetector {
  /** A pull begins; `quietFor` says for how many milliseconds nothing has come. */
  begin(quietFor: () => number | undefined): void;
  end(): void;
  /** For how many milliseconds the pull has stood still; undefined while it goes on. */
  stalledMs(): number | undefined;
}

/** An office worker wonders from then on; honest answers that take long are made in less. */
const WORTH_SHOWING = 5000;
const LOOK_EVERY = 1000;
const TOLD_EVERY = 5000;

/** @param onChange told when a pull comes to stand still, now and then while it does, and when it goes on */
export function createStallDetector(clock: Pick<Clock, 'after'>, onChange: () => void): StallDetector {
  let quietFor: (() => number | undefined) | undefined;
  let cancel: (() => void) | undefined;
  /** For how long it had when that was told last. */
  let toldFor: number | undefined;

  function stoodFor(): number | undefined {
    const quiet = quietFor?.() ?? 0;
    return quiet >= WORTH_SHOWING ? quiet : undefined;
  }

  function look(): void {
    cancel?.();
    cancel = quietFor && clock.after(LOOK_EVERY, look);
    const now = stoodFor();
    if (now === undefined ? toldFor === undefined : now - (toldFor ?? -Infinity) < TOLD_EVERY) return;
    toldFor = now;
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
