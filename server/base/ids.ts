import { randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes ids: 64-bit, rising with time, as decimal texts (docs/interface.md: Limits). */
export interface Ids {
  /**
   * Returns an id greater than all earlier ones of this process, and than `after`, which another process may
   * have made by a clock that was ahead. It may be ahead of the clock.
   */
  next(after?: string): string;
}

/** Ids count milliseconds from here: 18 to 19 digits for decades. */
const EPOCH = Date.UTC(2010, 0, 1);
const SEQUENCE_BITS = 12n;
const MACHINE_BITS = 10n;

/**
 * Returns a source of ids: 41 bits of time, 10 random bits, 12 bits of sequence. Its ids rise strictly; for an order
 * over several sources, callers pass the previous id.
 */
export function createIds(clock: Clock, machine = randomInt(2 ** Number(MACHINE_BITS))): Ids {
  // With a clock before the epoch, runs would otherwise repeat ids.
  let lastTime = clock.now() > EPOCH ? 0 : randomInt(2 ** 31);
  let last = 0n;
  let left = 0;
  let floor = { after: '', time: 1 };
  return {
    /**
     * Returns the next id by the clock, at least a millisecond later than `after`, and greater than all before: after
     * 4,096 in a millisecond, or if the clock went back, it runs ahead of the clock.
     */
    next(after) {
      // IDs made together share the previous ID.
      if (after !== undefined && after !== floor.after) floor = { after, time: timeOf(after) + 1 };
      const now = Math.max(clock.now() - EPOCH, after === undefined ? 1 : floor.time);
      if (now > lastTime || left === 0) {
        lastTime = Math.max(now, lastTime + 1);
        last = (BigInt(lastTime) << (MACHINE_BITS + SEQUENCE_BITS)) | (BigInt(machine) << SEQUENCE_BITS);
        left = 2 ** Number(SEQUENCE_BITS) - 1;
      } else {
        last += 1n;
        left--;
      }
      return last.toString();
    },
  };
}

const timeOf = (id: string): number => Number(BigInt(id) >> (MACHINE_BITS + SEQUENCE_BITS));
