import { NextPageTooLargeError } from './errors.ts';
import { Semaphore, type Lease, type Permit } from '../../base/concurrency/semaphore.ts';

/** Bounds memory of all partners' answers: small ones pass, larger ones wait. */
export interface ReceiveBufferBudget {
  readonly middle: Semaphore;
  readonly large: Semaphore;
}

/** Larger answers need a permit. */
const MIDDLE_BYTES = 64 * 1024;
const LARGE_BYTES = 2 * 1024 * 1024;

/** Returns a node's budget: 32 middle-sized answers and one large one at a time. */
export function createReceiveBufferBudget(): ReceiveBufferBudget {
  return { middle: new Semaphore(32), large: new Semaphore(1) };
}

export interface Reservation {
  /**
   * Takes the permit for over 64 KiB or 2 MiB; returns a promise while it isn't free. Throws {@link
   * NextPageTooLargeError} for a large prefetch.
   */
  growTo(totalBytes: number): Promise<void> | undefined;
  /** The answer is complete: frees the middle permit; the large one can't be preempted any more. */
  bodyReceived(): void;
  release(): void;
}

/**
 * Returns a reservation for one answer, empty at first. A middle-sized and a large answer wait for a permit each, small
 * ones for none; with the large one it never waits, so answers don't block each other. Calls `holder.preempt` if the
 * answer takes too long while others wait.
 */
export function reserveMemory(
  budget: ReceiveBufferBudget,
  holder: Lease & { readonly isAhead: boolean },
): Reservation {
  let middle: Permit | undefined;
  let large: Permit | undefined;
  return {
    /**
     * Returns a promise of memory for the bytes so far, undefined if there is enough; await it before the next call.
     * Throws NextPageTooLargeError for a large answer requested ahead.
     */
    growTo(totalBytes) {
      if (totalBytes > MIDDLE_BYTES && !middle)
        return budget.middle.acquire(holder).then((place) => void (middle = place));
      if (totalBytes <= LARGE_BYTES || large) return undefined;
      if (holder.isAhead) throw new NextPageTooLargeError();
      return budget.large.acquire(holder).then((place) => void (large = place));
    },
    /** Frees the middle permit; the large one stays, and can't be preempted any more. */
    bodyReceived() {
      middle?.release();
      large?.bodyReceived();
    },
    /** Frees all permits. */
    release() {
      middle?.release();
      large?.release();
    },
  };
}
