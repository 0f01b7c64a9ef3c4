import type { Clock } from '../../base/clock.ts';
import { createContactMemory, SLACK, type Contact, type ContactMemory } from './contact.ts';

/** When each partner last asked us for anything, and whether it is overdue. */
export interface Asking {
  /** Notes a request with its token. */
  note(nodeID: string): void;
  /** Notes a long poll: it comes back after so many milliseconds at the latest. */
  waits(nodeID: string, milliseconds: number): void;
  /** Returns the milliseconds between its last two rounds of requests in this run; else the usual interval. */
  every(nodeID: string): number;
  /** Undefined: no request in this run. */
  last(nodeID: string): Contact | undefined;
}

/** Other requests of a Footbridge come within its longest usual long poll. */
const USUAL_WAIT = 25_000;
/** Requests within this time belong to one round. */
const ONE_ROUND = 5_000;
/** A partner with its own schedule is overdue after this multiple of its last interval. */
const PATIENCE = 1.5;

interface Asker {
  readonly memory: ContactMemory;
  /** Milliseconds until it should ask again, as announced or as before; and its usual wait. */
  waits?: number;
  usualWait?: number;
  gap?: number;
  at?: number;
}

/**
 * @param interval the usual interval of this office in milliseconds @param onChange called when a partner
 * becomes overdue, and when it asks after all
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
