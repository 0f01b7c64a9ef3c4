import type { Clock } from '../../base/clock.ts';

/** Detects two programs with one partner's credentials: an earlier run's name returns. */
export interface CloneDetector {
  /** Records a request under this run name; returns whether there are two programs. */
  observe(nodeID: string, run: string): boolean;
  /** Returns whether two programs call: names returned three times, last within 15 minutes. */
  isCloned(nodeID: string): boolean;
}

interface Caller {
  /** The newest is last. */
  runs: string[];
  /** Number of times a name returned, the last time `at` (monotonic). */
  returns: number;
  at: number;
}

/** An ended program's late request makes two. */
const MIN_RETURNS = 3;
/** Later returns count as the first. */
const MEMORY_MS = 15 * 60_000;
const MAX_RUNS = 8;

/**
 * Creates the detector, in memory: it sees two programs taking turns if former run names came back repeatedly and
 * lately. `observe` calls `onChange` when that begins; nothing does when it ends.
 */
export function createCloneDetector(
  clock: Pick<Clock, 'monotonic'>,
  onChange: (nodeID: string) => void,
): CloneDetector {
  const callers = new Map<string, Caller>();

  /** Returns whether two programs took turns with this partner at least three times, the last one within 15 minutes. */
  function isCloned(nodeID: string): boolean {
    const caller = callers.get(nodeID);
    return caller !== undefined && caller.returns >= MIN_RETURNS && clock.monotonic() - caller.at < MEMORY_MS;
  }

  /**
   * Stores the run name as the partner's latest; counts a return if it was one before, from 1 again after a long time
   * without. Remembers only the last few names.
   */
  function storeRun(nodeID: string, run: string): void {
    const caller = callers.get(nodeID) ?? { runs: [], returns: 0, at: 0 };
    callers.set(nodeID, caller);
    if (caller.runs.at(-1) === run) return;
    const now = clock.monotonic();
    if (caller.runs.includes(run)) {
      if (now - caller.at >= MEMORY_MS) caller.returns = 0;
      caller.returns++;
      caller.at = now;
    }
    caller.runs = [...caller.runs.filter((each) => each !== run), run].slice(-MAX_RUNS);
  }

  return {
    isCloned,
    /**
     * Records a call by this run, and returns whether two programs are seen; calls `onChange` if that begins with it.
     */
    observe(nodeID, run) {
      const before = isCloned(nodeID);
      storeRun(nodeID, run);
      const now = isCloned(nodeID);
      if (before !== now) onChange(nodeID);
      return now;
    },
  };
}
