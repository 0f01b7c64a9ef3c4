import type { Clock } from '../../base/clock.ts';
import { createContactMemory, SLACK, type Contact, type ContactMemory } from './contact.ts';

/** When each partner last asked us for anything, and whether it is overdue. */
export interface Asking {
  /** It sent a request with its token. */
  note(nodeID: string): void;
  /** It waits to be told of changes, and comes back after so many milliseconds at the latest. */
  waits(nodeID: string, milliseconds: number): void;
  /** Milliseconds between the last two rounds of its questions, where there were two in this run; else what is usual. */
  every(nodeID: string): number;
  /** Undefined: it has not asked since this node runs. */
  last(nodeID: string): Contact | undefined;
}

/** What another Footbridge asks beside its waiting comes within this: the longest wait that is usual. */
const USUAL_WAIT = 25_000;
/** Requests that follow each other within this belong to one round of questions. */
const ONE_ROUND = 5_000;
/** A partner that comes at its own times is overdue when it stays away so many times longer than last time. */
const PATIENCE = 1.5;

interface Asker {
  readonly memory: ContactMemory;
  /** Milliseconds until it should ask again, as it said or as it did before; and for how long it usually waits. */
  waits?: number;
  usualWait?: number;
  gap?: number;
  at?: number;
}

/**
 * @param interval milliseconds between two looks at a partner as this office has set it: what is usual
 * @param onChange told when a partner did not ask again in time, and when it did after all
 */
export function createAsking(
  clock: Clock,
  interval: () => number,
  onChange: (nodeID: string) => void,
): Asking {
  const askers = new Map<string, Asker>();

  function askerOf(nodeID: string): Asker {
    const known = askers.get(nodeID);
    if (known) return known;
    const asker: Asker = {
      memory: createContactMemory(
        clock,
        () => (asker.waits ?? Math.max(interval(), PATIENCE * (asker.gap ?? 0))) + SLACK,
        () => onChange(nodeID),
      ),
    };
    askers.set(nodeID, asker);
    return asker;
  }

  return {
    note(nodeID) {
      const asker = askerOf(nodeID);
      const now = clock.monotonic();
      const gap = now - (asker.at ?? now);
      if (gap > ONE_ROUND) asker.gap = gap;
      asker.at = now;
      if (asker.waits !== undefined) asker.waits = asker.usualWait ?? USUAL_WAIT;
      asker.memory.note();
    },
    waits(nodeID, milliseconds) {
      const asker = askerOf(nodeID);
      if (milliseconds > 0) asker.usualWait = milliseconds;
      asker.waits = asker.usualWait ?? USUAL_WAIT;
      asker.memory.note();
    },
    every: (nodeID) => Math.max(interval(), askers.get(nodeID)?.gap ?? 0),
    last: (nodeID) => askers.get(nodeID)?.memory.contact(),
  };
}
