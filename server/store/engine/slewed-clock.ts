import type { Clock } from '../../base/clock.ts';
import type { Partition, Table } from '../store.ts';
import type { PartitionState } from './partition-state.ts';
import { entryOf } from './record-ref.ts';

/**
 * The time by which retention decides what is old. It follows the system clock at most 24 times as fast as time passes,
 * so that a clock that jumps ahead empties nothing, and back at most 12 times as fast.
 */
export interface SlewedClock {
  /** Milliseconds since the epoch; never later than the system clock. */
  now(): number;
  highWater(): number;
  /** Returns elapsed milliseconds since the folder was made; the time between two runs counts up to 16 hours. */
  elapsed(): number;
  /** Advances the clock and writes its state; called about once an hour and at the end. */
  advance(): Promise<void>;
}

const SLEWED_TIME: Table<{
  readonly at: number;
  /** The system clock's time at that moment, and the elapsed milliseconds; absent in older records. */
  readonly wall?: number;
  readonly seen?: number;
}> = { name: 'believed-time' };
/** The time between two runs counts up to this, as the system clock may have been set ahead. */
const MAX_OFF_MS = 16 * 3_600_000;
const KEY = 'believed-time';
const MAX_SLEW = 24;
const MAX_BACK_SLEW = MAX_SLEW / 2;
/** It begins this much behind, as a system clock seen for the first time may be wrong. */
const BEGINS_BEHIND_MS = 30 * 24 * 3_600_000;

/** Returns the stored time in milliseconds, at most the system clock's; 30 days ago if none is stored. */
export async function storedTime(system: Pick<Partition, 'get'>, clock: Clock): Promise<number> {
  const stored = await system.get(SLEWED_TIME, KEY);
  return Math.min(clock.now(), stored?.at ?? clock.now() - BEGINS_BEHIND_MS);
}

/** Returns the stored elapsed milliseconds of a partition `system` that isn't open; undefined if there are none. */
export function storedElapsed(system: PartitionState): number | undefined {
  const slot = system.table(SLEWED_TIME.name).byKey.get(KEY);
  return slot && entryOf<{ seen?: number }>(slot).value.seen;
}

/** Opens the clock, continued from its stored state; a new one begins 30 days behind, which is stored at once. */
export async function openSlewedClock(system: Partition, clock: Clock): Promise<SlewedClock> {
  let stored = await system.get(SLEWED_TIME, KEY);
  let reached = stored?.at ?? clock.now() - BEGINS_BEHIND_MS;
  let seenAt = clock.monotonic();
  const startedAt = clock.monotonic();
  const off = stored?.wall === undefined ? 0 : Math.min(Math.max(clock.now() - stored.wall, 0), MAX_OFF_MS);
  const elapsedBefore = (stored?.seen ?? 0) + off;
  const elapsed = (): number => elapsedBefore + clock.monotonic() - startedAt;

  /** Moves the clock towards the system clock and returns its time, which is never later than the system clock's. */
  function advanceClock(): number {
    const passed = clock.monotonic() - seenAt;
    seenAt += passed;
    const now = clock.now();
    reached =
      reached > now
        ? Math.max(now, reached - MAX_BACK_SLEW * passed)
        : Math.min(now, reached + MAX_SLEW * passed);
    return Math.min(now, reached);
  }

  async function saveClock(): Promise<void> {
    if (reached === stored?.at && elapsed() === stored.seen) return;
    const next = { at: reached, wall: clock.now(), seen: elapsed() };
    await system.transaction((tx) => tx.put(SLEWED_TIME, KEY, next));
    stored = next;
  }

  // An office that closes soon and reopens months later mustn't trust its clock at once.
  if (!stored) await saveClock();
  return {
    now: advanceClock,
    highWater() {
      advanceClock();
      return reached;
    },
    elapsed,
    advance() {
      advanceClock();
      return saveClock();
    },
  };
}
