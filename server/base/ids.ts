import { randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes ids: 64-bit, rising with time, as decimal strings (docs/interface.md: Limits). */
export interface Ids {
  /** @param after it comes behind this one, which another process may have made by a clock that was ahead */
  next(after?: string): string;
}

/** Ids count milliseconds from here, which keeps them at 18 to 19 digits for the next decades. */
const EPOCH = Date.UTC(2010, 0, 1);
const SEQUENCE_BITS = 12n;
const MACHINE_BITS = 10n;

/**
 * Ids of 41 bits of time, 10 bits drawn at random for this process, 12 bits of sequence. They rise strictly
 * within a process even when the clock goes back; the random part keeps two processes apart. Who goes by their order
 * says behind which one they must come, as a process knows nothing of those before it.
 */
export function createIds(clock: Clock, machine = randomInt(2 ** Number(MACHINE_BITS))): Ids {
  // By a clock that stands before all ids, each run would else begin with those of the run before.
  let lastTime = clock.now() > EPOCH ? 0n : BigInt(randomInt(2 ** 31));
  let sequence = 0n;
  return {
    next(after) {
      const floor = after === undefined ? 1n : timeOf(after) + 1n;
      const byClock = BigInt(Math.max(clock.now() - EPOCH, 1));
      const now = byClock > floor ? byClock : floor;
      if (now > lastTime) {
        lastTime = now;
        sequence = 0n;
      } else {
        sequence += 1n;
        if (sequence >> SEQUENCE_BITS) {
          lastTime += 1n;
          sequence = 0n;
        }
      }
      return (
        (lastTime << (MACHINE_BITS + SEQUENCE_BITS)) |
        (BigInt(machine) << SEQUENCE_BITS) |
        sequence
      ).toString();
    },
  };
}

const timeOf = (id: string): bigint => BigInt(id) >> (MACHINE_BITS + SEQUENCE_BITS);
