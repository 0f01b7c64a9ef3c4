import type { Clock } from '../../base/clock.ts';

/** Detects two programs that call as one partner, as of a copied folder: a run name returns after another. */
export interface CloneDetector {
  /** Notes a request under this run name. Returns whether there are two programs. */
  observe(nodeID: string, run: string): boolean;
  /** Returns whether two programs recently called as this partner. */
  isCloned(nodeID: string): boolean;
}

interface Caller {
  /** Newest last. */
  runs: string[];
  /** How often a name returned. */
  returns: number;
  /** When that was last, monotonic. */
  at: number;
}

/** One late request of an ended program makes two returns. */
const MIN_RETURNS = 3;
/** Without a return for this long they count as one again. */
const MEMORY_MS = 15 * 60_000;
const MAX_RUNS = 8;

/**
 * Creates a detector of two programs that call with one partner's credentials: it counts how often a name of an
 * earlier run returns. Each start of a program has a new random name.
 */
export function createCloneDetector(
  clock: Pick<Clock, 'monotonic'>,
  onChange: (nodeID: string) => void,
): CloneDetector {
  const callers = new Map<string, Caller>();

  /** Returns whether run names returned {@link MIN_RETURNS} times, the last within {@link MEMORY_MS}. */
  function isCloned(nodeID: string): boolean {
    const caller = callers.get(nodeID);
    return caller !== undefined && caller.returns >= MIN_RETURNS && clock.monotonic() - caller.at < MEMORY_MS;
  }

  /**
   * Stores the run name as the partner's latest. Counts a return if another one was the latest but this one was seen
   * before.
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
     * Records a request under this run name. Returns whether two programs use the partner's credentials, and calls
     * `onChange` if that changed.
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
