import type { Clock } from '../../base/clock.ts';
import type { Partition, Table } from '../store.ts';
import type { PartitionState } from './partition-state.ts';
import { entryOf } from './record-ref.ts';

/**
 * Time for retention. It follows the system clock at most 24 times as fast as time passes, so that a jump
 * ahead empties nothing; back at most 12 times as fast.
 */
export interface SlewedClock {
  /** Milliseconds since the epoch, never ahead of the system clock. */
  now(): number;
  /** Returns the greatest time reached, even if ahead of the system clock. */
  highWater(): number;
  /** Milliseconds since the folder was made; counts up to 16 hours between runs. */
  elapsed(): number;
  /** Advances the clock and writes its state, hourly and at the end. */
  advance(): Promise<void>;
}

const SLEWED_TIME: Table<{
  readonly at: number;
  /** System time then, and elapsed milliseconds; absent in older records. */
  readonly wall?: number;
  readonly seen?: number;
}> = { name: 'believed-time' };
/** Maximum between runs: the system clock may have been set ahead. */
const MAX_OFF_MS = 16 * 3_600_000;
const KEY = 'believed-time';
const MAX_SLEW = 24;
const MAX_BACK_SLEW = MAX_SLEW / 2;
/** Start of a new clock, as the system clock may be wrong. */
const BEGINS_BEHIND_MS = 30 * 24 * 3_600_000;

/** Returns the stored time in milliseconds, at most the system clock's; 30 days ago if none is stored. */
export async function storedTime(system: Pick<Partition, 'get'>, clock: Clock): Promise<number> {
  const stored = await system.get(SLEWED_TIME, KEY);
  return Math.min(clock.now(), stored?.at ?? clock.now() - BEGINS_BEHIND_MS);
}

/** Returns the stored elapsed milliseconds of an unopened partition `system`; undefined without any. */
export function storedElapsed(system: PartitionState): number | undefined {
  const slot = system.table(SLEWED_TIME.name).byKey.get(KEY);
  return slot && entryOf<{ seen?: number }>(slot).value.seen;
}

/**
 * Opens the clock from its stored state; stores a new one, 30 days behind, at once. Its elapsed time includes up to 16
 * hours between two runs.
 */
export async function openSlewedClock(system: Partition, clock: Clock): Promise<SlewedClock> {
  let stored = await system.get(SLEWED_TIME, KEY);
  let reached = stored?.at ?? clock.now() - BEGINS_BEHIND_MS;
  let seenAt = clock.monotonic();
  const startedAt = clock.monotonic();
  const off = stored?.wall === undefined ? 0 : Math.min(Math.max(clock.now() - stored.wall, 0), MAX_OFF_MS);
  const elapsedBefore = (stored?.seen ?? 0) + off;
  const elapsed = (): number => elapsedBefore + clock.monotonic() - startedAt;

  /** Moves the clock at limited speed towards the system clock, and returns it, at most the system clock's time. */
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

  /** Stores the clock's state if it changed. */
  async function saveClock(): Promise<void> {
    if (reached === stored?.at && elapsed() === stored.seen) return;
    const next = { at: reached, wall: clock.now(), seen: elapsed() };
    await system.transaction((tx) => tx.put(SLEWED_TIME, KEY, next));
    stored = next;
  }

  // An office reopened months later must not trust its clock at once.
  if (!stored) await saveClock();
  return {
    now: advanceClock,
    /** Advances the clock, and returns the greatest time it has reached, even if ahead of the system clock. */
    highWater() {
      advanceClock();
      return reached;
    },
    elapsed,
    /** Advances the clock and writes its state. */
    advance() {
      advanceClock();
      return saveClock();
    },
  };
}
