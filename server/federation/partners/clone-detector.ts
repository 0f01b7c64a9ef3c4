import type { Clock } from '../../base/clock.ts';

/**
 * Detects two computers that call as one partner: a copied data folder is used twice, each side with part of
 * the data. Every start of a Footbridge has a random name; one that returns after another name was seen
 * belongs to a program that ran all the time. In memory: two that continue show it again.
 */
export interface CloneDetector {
  /** Notes a request by a partner's program of this name. Returns whether there are two. */
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

/** Detects clones by run names that return after another one was used. */
export function createCloneDetector(
  clock: Pick<Clock, 'monotonic'>,
  onChange: (nodeID: string) => void,
): CloneDetector {
  const callers = new Map<string, Caller>();

  function isCloned(nodeID: string): boolean {
    const caller = callers.get(nodeID);
    return caller !== undefined && caller.returns >= MIN_RETURNS && clock.monotonic() - caller.at < MEMORY_MS;
  }

  /** Counts a return to an earlier run name of the partner. */
  function note(nodeID: string, run: string): void {
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
    observe(nodeID, run) {
      const before = isCloned(nodeID);
      note(nodeID, run);
      const now = isCloned(nodeID);
      if (before !== now) onChange(nodeID);
      return now;
    },
  };
}
