import type { Clock } from '../../base/clock.ts';
import { createLastSeen, GRACE_MS, type LastContact, type LastSeen } from './last-seen.ts';

/** Tracks when each partner last asked us, and whether it is overdue. */
export interface IncomingRequests {
  /** Records a request and restarts the overdue timer. Gaps over five seconds are its interval. */
  record(nodeID: string): void;
  /** Likewise, for a long poll. `milliseconds`: its length; 0: as before. */
  recordLongPoll(nodeID: string, milliseconds: number): void;
  /** Returns the time between its last two rounds in this run, at least the usual interval. */
  intervalMs(nodeID: string): number;
  /** Returns the last request of this run. */
  lastRequest(nodeID: string): LastContact | undefined;
}

/** A Footbridge's longest usual long poll. */
const LONG_POLL_MS = 25_000;
/** Requests within this time are one round. */
const ROUND_MS = 5_000;
/** Partners with their own schedule are overdue after so many last intervals. */
const OVERDUE_FACTOR = 1.5;

interface Asker {
  readonly memory: LastSeen;
  /** Milliseconds until its next request, as announced or as before. */
  waits?: number;
  usualWait?: number;
  gap?: number;
  at?: number;
}

/**
 * Creates the record of partners' requests, in memory: when the last came, and at which interval. `onChange`: a partner
 * becomes overdue, or calls after all.
 */
export function createIncomingRequests(
  clock: Clock,
  interval: () => number,
  onChange: (nodeID: string) => void,
): IncomingRequests {
  const askers = new Map<string, Asker>();

  /** Returns a partner's record, made if missing. */
  function askerOf(nodeID: string): Asker {
    const known = askers.get(nodeID);
    if (known) return known;
    const asker: Asker = {
      memory: createLastSeen(
        clock,
        () => (asker.waits ?? Math.max(interval(), OVERDUE_FACTOR * (asker.gap ?? 0))) + GRACE_MS,
        () => onChange(nodeID),
      ),
    };
    askers.set(nodeID, asker);
    return asker;
  }

  return {
    /**
     * Records a request, and restarts the time until the partner is overdue. A gap of more than a round to the one
     * before becomes the expected interval.
     */
    record(nodeID) {
      const asker = askerOf(nodeID);
      const now = clock.monotonic();
      const gap = now - (asker.at ?? now);
      if (gap > ROUND_MS) asker.gap = gap;
      asker.at = now;
      if (asker.waits !== undefined) asker.waits = asker.usualWait ?? LONG_POLL_MS;
      asker.memory.record();
    },
    /**
     * Records a long poll of so many milliseconds (0: as long as the one before), which delays when the partner counts
     * as overdue.
     */
    recordLongPoll(nodeID, milliseconds) {
      const asker = askerOf(nodeID);
      if (milliseconds > 0) asker.usualWait = milliseconds;
      asker.waits = asker.usualWait ?? LONG_POLL_MS;
      asker.memory.record();
    },
    intervalMs: (nodeID) => Math.max(interval(), askers.get(nodeID)?.gap ?? 0),
    lastRequest: (nodeID) => askers.get(nodeID)?.memory.lastContact(),
  };
}
