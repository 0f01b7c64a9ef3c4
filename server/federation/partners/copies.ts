import type { Clock } from '../../base/clock.ts';

/**
 * Tells when two computers call as one partner: a data folder that was copied is in use twice, each side with a part of
 * what happens. Every start of a Footbridge gives itself a random name, so that a name which comes back after another
 * one was there is of a program that ran all the time. Kept in memory: two that go on show it again.
 */
export interface Copies {
  /** A partner's program of this name asks. Answers whether two are at it. */
  seen(nodeID: string, run: string): boolean;
  /** Whether two programs called as this partner within the last while. */
  inUseTwice(nodeID: string): boolean;
}

interface Caller {
  /** Newest last. */
  runs: string[];
  /** How often one of them came back. */
  returns: number;
  /** When that was last, by the stopwatch. */
  at: number;
}

/** One late request of a program that has ended makes two returns. */
const ENOUGH_RETURNS = 3;
/** After so long without a return they are taken for one again. */
const REMEMBERED = 15 * 60_000;
const MOST_RUNS = 8;

export function createCopies(clock: Pick<Clock, 'monotonic'>, onChange: (nodeID: string) => void): Copies {
  const callers = new Map<string, Caller>();

  function inUseTwice(nodeID: string): boolean {
    const caller = callers.get(nodeID);
    return (
      caller !== undefined && caller.returns >= ENOUGH_RETURNS && clock.monotonic() - caller.at < REMEMBERED
    );
  }

  function note(nodeID: string, run: string): void {
    const caller = callers.get(nodeID) ?? { runs: [], returns: 0, at: 0 };
    callers.set(nodeID, caller);
    if (caller.runs.at(-1) === run) return;
    const now = clock.monotonic();
    if (caller.runs.includes(run)) {
      if (now - caller.at >= REMEMBERED) caller.returns = 0;
      caller.returns++;
      caller.at = now;
    }
    caller.runs = [...caller.runs.filter((each) => each !== run), run].slice(-MOST_RUNS);
  }

  return {
    inUseTwice,
    seen(nodeID, run) {
      const before = inUseTwice(nodeID);
      note(nodeID, run);
      const now = inUseTwice(nodeID);
      if (before !== now) onChange(nodeID);
      return now;
    },
  };
}
