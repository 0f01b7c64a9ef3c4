/** A permit while an answer arrives and is processed. */
export interface Lease {
  /** Aborts waiting, and releases a forgotten permit. */
  readonly signal?: AbortSignal | undefined;
  /** Called when others wait and this answer arrives too slowly. */
  readonly preempt: () => void;
}

export interface Permit {
  /** The answer is complete: only our own work is left. */
  bodyReceived(): void;
  /** Releases the permit; idempotent. */
  release(): void;
}

/** An answer's time to arrive while others wait for its permit. */
const ARRIVAL_MS = 15_000;

interface Holder {
  until: number;
  readonly preempt: () => void;
  bodyReceived: boolean;
}

/**
 * Bounds concurrency, and so the memory of large answers; callers wait in order. Preempts answers that arrive
 * for 15 seconds while others wait.
 */
export class Semaphore {
  readonly #count: number;
  readonly #arrivalMs: number;
  readonly #held = new Set<Holder>();
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(count: number, arrivalMs = ARRIVAL_MS) {
    this.#count = count;
    this.#arrivalMs = arrivalMs;
  }

  /**
   * Waits for a permit, in the order of the calls. An abort rejects the wait with the signal's reason, or releases the
   * permit. Calls `preempt` if others wait and the body hasn't arrived in time.
   */
  async acquire({ signal, preempt }: Lease): Promise<Permit> {
    signal?.throwIfAborted();
    const place: Holder = { until: 0, preempt, bodyReceived: false };
    /** Gives the permit back; nothing if it was given back already. */
    const release = (): void => {
      signal?.removeEventListener('abort', release);
      this.#removeHolder(place);
    };
    await this.#acquirePermit(place, signal);
    signal?.addEventListener('abort', release, { once: true });
    if (signal?.aborted === true) release();
    this.#preemptOverdue();
    return { bodyReceived: () => void (place.bodyReceived = true), release };
  }

  /**
   * While others wait, calls `preempt` of each holder whose time is over and whose body hasn't arrived; starts a timer
   * for the next one.
   */
  #preemptOverdue(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    const now = performance.now();
    let next = Infinity;
    for (const each of this.#held) {
      if (each.bodyReceived) continue;
      if (each.until <= now) each.preempt();
      else next = Math.min(next, each.until - now);
    }
    if (next < Infinity) this.#timer = setTimeout(() => this.#preemptOverdue(), next);
  }

  /** Gives back a holder's permit, which passes to the first waiter; nothing if it was given back already. */
  #removeHolder(place: Holder): void {
    if (!this.#held.delete(place)) return;
    const [first] = this.#waiting;
    if (first) {
      this.#waiting.delete(first);
      first();
    }
    this.#preemptOverdue();
  }

  /**
   * Takes a permit after earlier callers; a released one passes on synchronously, so that nobody slips in. Rejects with
   * the signal's reason if it aborts during the wait; a signal aborted before isn't noticed here.
   */
  async #acquirePermit(place: Holder, signal: AbortSignal | undefined): Promise<void> {
    /** Counts the caller as holder, and begins the time within which its answer should arrive. */
    const addHolder = (): void => {
      place.until = performance.now() + this.#arrivalMs;
      this.#held.add(place);
    };
    if (this.#held.size < this.#count) {
      addHolder();
      return;
    }
    await new Promise<void>((resolve, reject) => {
      /** Ends the wait with a permit. */
      const takePermit = (): void => {
        signal?.removeEventListener('abort', leaveQueue);
        addHolder();
        resolve();
      };
      /** Ends the wait with the signal's reason. */
      const leaveQueue = (): void => {
        this.#waiting.delete(takePermit);
        reject(signal?.reason as Error);
      };
      this.#waiting.add(takePermit);
      signal?.addEventListener('abort', leaveQueue, { once: true });
      this.#preemptOverdue();
    });
  }
}
