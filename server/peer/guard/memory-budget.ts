import { TooLargeAhead } from './errors.ts';
import { Semaphore, type Holder, type Permit } from '../../base/concurrency/semaphore.ts';

/**
 * What answers may take in memory while they come in, and large ones until they are worked through, over all partners
 * together: small ones pass, larger ones wait for each other.
 */
export interface MemoryBudget {
  readonly middle: Semaphore;
  readonly large: Semaphore;
}

/** Beyond these sizes an answer needs a place. */
const MIDDLE_BYTES = 64 * 1024;
const LARGE_BYTES = 2 * 1024 * 1024;

/** One for all partners of a node. */
export function createMemoryBudget(): MemoryBudget {
  return { middle: new Semaphore(32), large: new Semaphore(1) };
}

/** One answer's reservation. */
export interface Reservation {
  /** It has so many bytes by now; something to wait for where there is no room yet. @throws TooLargeAhead */
  grow(size: number): Promise<void> | undefined;
  /** All of it is here. */
  arrived(): void;
  end(): void;
}

/**
 * Whoever holds the place of a large answer never waits for another partner, nor for a later answer of the same one:
 * only so does everybody have a turn.
 */
export function reserveMemory(
  budget: MemoryBudget,
  holder: Holder & { readonly isAhead: boolean },
): Reservation {
  let middle: Permit | undefined;
  let large: Permit | undefined;
  return {
    grow(size) {
      if (size > MIDDLE_BYTES && !middle)
        return budget.middle.take(holder).then((place) => void (middle = place));
      if (size <= LARGE_BYTES || large) return undefined;
      if (holder.isAhead) throw new TooLargeAhead();
      return budget.large.take(holder).then((place) => void (large = place));
    },
    arrived() {
      middle?.release();
      large?.arrived();
    },
    end() {
      middle?.release();
      large?.release();
    },
  };
}
