import type { Clock } from '../../base/clock.ts';
import type { Partition, Table } from '../store.ts';
import type { PartitionState } from './partition-state.ts';
import { entryOf } from './record-ref.ts';

/**
 * The time by which retention decides what is old. It follows the system clock at most 24 times as fast as
 * time really passes, so that a clock that jumps ahead empties nothing, and back half as fast.
 */
export interface SlewedClock {
  /** Milliseconds since the epoch; never later than the system clock. */
  now(): number;
  /** The greatest value reached, which may be ahead of the system clock. */
  highWater(): number;
  /** Elapsed milliseconds since the folder was made; between two runs one night at most. */
  elapsed(): number;
  /** Writes the current state to disk: about once an hour and at the end. */
  advance(): Promise<void>;
}

const SLEWED_TIME: Table<{
  readonly at: number;
  /** System clock and elapsed time at that moment; absent in older records. */
  readonly wall?: number;
  readonly seen?: number;
}> = { name: 'believed-time' };
/** The time between two runs counts up to this: the system clock may have been set ahead. */
const A_NIGHT = 16 * 3_600_000;
const KEY = 'believed-time';
const MAX_SLEW = 24;
/** An hour with a wrong clock is undone within another. */
const MAX_BACK_SLEW = MAX_SLEW / 2;
/** A system clock seen for the first time may be wrong. */
const BEGINS_BEHIND_MS = 30 * 24 * 3_600_000;

/** Returns the stored time, at most the system clock's; 30 days ago if none is stored. */
export async function storedTime(system: Pick<Partition, 'get'>, clock: Clock): Promise<number> {
  const stored = await system.get(SLEWED_TIME, KEY);
  return Math.min(clock.now(), stored?.at ?? clock.now() - BEGINS_BEHIND_MS);
}

/** Returns the elapsed time stored in a partition `system` that isn't open, in milliseconds; undefined if unknown. */
export function storedElapsed(system: PartitionState): number | undefined {
  const slot = system.table(SLEWED_TIME.name).byKey.get(KEY);
  return slot && entryOf<{ seen?: number }>(slot).value.seen;
}

/**
 * Opens a clock that follows the system clock only slowly, so that a wrong one does little harm. It continues from
 * its stored state, or begins 30 days behind.
 */
export async function openSlewedClock(system: Partition, clock: Clock): Promise<SlewedClock> {
  let stored = await system.get(SLEWED_TIME, KEY);
  let reached = stored?.at ?? clock.now() - BEGINS_BEHIND_MS;
  let seenAt = clock.monotonic();
  const startedAt = clock.monotonic();
  const off = stored?.wall === undefined ? 0 : Math.min(Math.max(clock.now() - stored.wall, 0), A_NIGHT);
  const seenBefore = (stored?.seen ?? 0) + off;
  const seen = (): number => seenBefore + clock.monotonic() - startedAt;

  /**
   * Moves the clock towards the system clock and returns its time in milliseconds. Forwards it moves at most 24 times
   * as fast as time passes, backwards 12 times.
   */
  function advance(): number {
    const passed = clock.monotonic() - seenAt;
    seenAt += passed;
    const now = clock.now();
    reached =
      reached > now
        ? Math.max(now, reached - MAX_BACK_SLEW * passed)
        : Math.min(now, reached + MAX_SLEW * passed);
    return Math.min(now, reached);
  }

  /** Writes the current state to disk, if it changed. */
  async function save(): Promise<void> {
    if (reached === stored?.at && seen() === stored.seen) return;
    const next = { at: reached, wall: clock.now(), seen: seen() };
    await system.transaction((tx) => tx.put(SLEWED_TIME, KEY, next));
    stored = next;
  }

  // An office that closes soon and reopens months later mustn't trust its clock at once.
  if (!stored) await save();
  return {
    now: advance,
    /** Advances the clock and returns its high-water mark in milliseconds. */
    highWater() {
      advance();
      return reached;
    },
    elapsed: seen,
    /** Advances the clock and writes its state to disk. */
    advance() {
      advance();
      return save();
    },
  };
}
