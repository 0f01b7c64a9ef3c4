/** Who holds a place while an answer comes in and is worked through. */
export interface Holder {
  /** Ends the waiting, and gives the place back where that was forgotten. */
  readonly signal?: AbortSignal | undefined;
  /** Somebody else waits, and this one's answer has been coming in for too long. */
  readonly giveWay: () => void;
}

export interface Permit {
  /** The answer is here: what takes time from now on is our own work. */
  arrived(): void;
  /** Can be called more than once. */
  release(): void;
}

/** So long an answer may come in while others wait for its place. */
const PATIENCE_MS = 15_000;

interface Held {
  until: number;
  readonly giveWay: () => void;
  arrived: boolean;
}

/**
 * So many at a time; whoever comes later waits for a place, in order. Bounds what large answers take in memory over all
 * partners together. A partner that lets its answer trickle in does not keep the others out: it gives way to them after
 * {@link PATIENCE_MS}.
 */
export class Semaphore {
  readonly #count: number;
  readonly #patience: number;
  readonly #held = new Set<Held>();
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(count: number, patience = PATIENCE_MS) {
    this.#count = count;
    this.#patience = patience;
  }

  /** @throws the signal's reason */
  async take({ signal, giveWay }: Holder): Promise<Permit> {
    signal?.throwIfAborted();
    const place: Held = { until: 0, giveWay, arrived: false };
    const release = (): void => {
      signal?.removeEventListener('abort', release);
      this.#free(place);
    };
    await this.#enter(place, signal);
    signal?.addEventListener('abort', release, { once: true });
    if (signal?.aborted === true) release();
    this.#look();
    return { arrived: () => void (place.arrived = true), release };
  }

  /** Asks those to give way whose time is over, and comes back for the next one's. */
  #look(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    const now = performance.now();
    let next = Infinity;
    for (const each of this.#held) {
      if (each.arrived) continue;
      if (each.until <= now) each.giveWay();
      else next = Math.min(next, each.until - now);
    }
    if (next < Infinity) this.#timer = setTimeout(() => this.#look(), next);
  }

  #free(place: Held): void {
    if (!this.#held.delete(place)) return;
    const [first] = this.#waiting;
    if (first) {
      this.#waiting.delete(first);
      first();
    }
    this.#look();
  }

  /** Holds at once what comes to be free, so that nobody slips in between. */
  async #enter(place: Held, signal: AbortSignal | undefined): Promise<void> {
    const begin = (): void => {
      place.until = performance.now() + this.#patience;
      this.#held.add(place);
    };
    if (this.#held.size < this.#count) {
      begin();
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const first = (): void => {
        signal?.removeEventListener('abort', leave);
        begin();
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(first);
        reject(signal?.reason as Error);
      };
      this.#waiting.add(first);
      signal?.addEventListener('abort', leave, { once: true });
      this.#look();
    });
  }
}
