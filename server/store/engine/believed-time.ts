import type { Clock } from '../../base/clock.ts';
import type { Partition, Table } from '../store.ts';

/**
 * The time by which something is old enough to be removed for good. A clock that jumps ahead, for seconds or for a
 * day, must not empty anything: this time never runs ahead of the clock, and follows it at most 24 times as fast as
 * time is seen to pass. So a night in which the computer was off is caught up with in half an hour, three weeks in a
 * day, and a clock that stood a year ahead for 20 seconds has moved it by eight minutes. A clock that was put back
 * takes back what was believed half as fast, so that one that ran ahead for days soon counts for nothing any more.
 */
export interface BelievedTime {
  /** Milliseconds since the epoch; the clock's own time, or earlier. */
  now(): number;
  /** How far it has come, also where the clock stands behind that. */
  reached(): number;
  /** Milliseconds that were seen to pass since the data folder was made; of the time between two runs a night at most. */
  seen(): number;
  /** Notes on disk how far it has come. To be called every hour or so, and at the end. */
  look(): Promise<void>;
}

const BELIEVED: Table<{
  readonly at: number;
  /** When that was by the clock, and what had been seen to pass; absent in those of before. */
  readonly wall?: number;
  readonly seen?: number;
}> = { name: 'believed-time' };
/** Of the time between two runs only the clock knows, which may have been put forward: no more than this is taken for seen. */
const A_NIGHT = 16 * 3_600_000;
const KEY = 'believed-time';
const FASTER = 24;
/** Slower than the way there: an hour with a wrong clock is made up for in another. */
const BACK_FASTER = FASTER / 2;
/** Of a clock that is met for the first time it is not known whether it is right. */
const BEGINS_BEHIND_MS = 30 * 24 * 3_600_000;

/** How far it has come at the least, for who needs it before it goes by: older data knows an earlier one. */
export async function believedAtLeast(system: Pick<Partition, 'get'>, clock: Clock): Promise<number> {
  const stored = await system.get(BELIEVED, KEY);
  return Math.min(clock.now(), stored?.at ?? clock.now() - BEGINS_BEHIND_MS);
}

export async function openBelievedTime(system: Partition, clock: Clock): Promise<BelievedTime> {
  let stored = await system.get(BELIEVED, KEY);
  let reached = stored?.at ?? clock.now() - BEGINS_BEHIND_MS;
  let seenAt = clock.monotonic();
  const startedAt = clock.monotonic();
  const off = stored?.wall === undefined ? 0 : Math.min(Math.max(clock.now() - stored.wall, 0), A_NIGHT);
  const seenBefore = (stored?.seen ?? 0) + off;
  const seen = (): number => seenBefore + clock.monotonic() - startedAt;

  function advance(): number {
    const passed = clock.monotonic() - seenAt;
    seenAt += passed;
    const now = clock.now();
    reached =
      reached > now
        ? Math.max(now, reached - BACK_FASTER * passed)
        : Math.min(now, reached + FASTER * passed);
    return Math.min(now, reached);
  }

  async function note(): Promise<void> {
    if (reached === stored?.at && seen() === stored.seen) return;
    const next = { at: reached, wall: clock.now(), seen: seen() };
    await system.transaction((tx) => tx.put(BELIEVED, KEY, next));
    stored = next;
  }

  // Else an office that is shut down soon, and opened again after months, would believe these at once.
  if (!stored) await note();
  return {
    now: advance,
    reached() {
      advance();
      return reached;
    },
    seen,
    look() {
      advance();
      return note();
    },
  };
}
