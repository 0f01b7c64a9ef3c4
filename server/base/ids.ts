import { randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes ids: 64-bit, rising with time, as decimal texts (docs/interface.md: Limits). */
export interface Ids {
  /**
   * @param after the new id is greater than this one, which another process may have made under a clock that
   * was ahead
   */
  next(after?: string): string;
}

/** Ids count milliseconds from here, which keeps them at 18 to 19 digits for decades. */
const EPOCH = Date.UTC(2010, 0, 1);
const SEQUENCE_BITS = 12n;
const MACHINE_BITS = 10n;

/**
 * Makes ids of 41 bits of time, 10 random bits for this process, and 12 bits of sequence. They rise strictly
 * within a process even if the clock goes back; the random part separates processes. Callers that rely on the
 * order pass the previous id, as a process doesn't know earlier ones.
 */
export function createIds(clock: Clock, machine = randomInt(2 ** Number(MACHINE_BITS))): Ids {
  // With a clock before the epoch, each run would otherwise start with the ids of the previous one.
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
