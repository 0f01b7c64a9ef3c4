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

/** So many at a time; whoever comes later waits for a place, in order. */
export interface Semaphore {
  /** @throws the signal's reason */
  take(holder: Holder): Promise<Permit>;
}

/** So long an answer may come in while others wait for its place. */
const PATIENCE_MS = 15_000;

interface Held {
  until: number;
  readonly giveWay: () => void;
  arrived: boolean;
}

/**
 * Bounds what large answers take in memory over all partners together. A partner that lets its answer trickle in
 * does not keep the others out: it gives way to them after {@link PATIENCE_MS}.
 */
export function createSemaphore(count: number, patience = PATIENCE_MS): Semaphore {
  const held = new Set<Held>();
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;

  /** Asks those to give way whose time is over, and comes back for the next one's. */
  function look(): void {
    clearTimeout(timer);
    if (waiting.size === 0) return;
    const now = performance.now();
    let next = Infinity;
    for (const each of held) {
      if (each.arrived) continue;
      if (each.until <= now) each.giveWay();
      else next = Math.min(next, each.until - now);
    }
    if (next < Infinity) timer = setTimeout(look, next);
  }

  function free(place: Held): void {
    if (!held.delete(place)) return;
    const [first] = waiting;
    if (first) {
      waiting.delete(first);
      first();
    }
    look();
  }

  /** Holds at once what comes to be free, so that nobody slips in between. */
  async function enter(place: Held, signal: AbortSignal | undefined): Promise<void> {
    const begin = (): void => {
      place.until = performance.now() + patience;
      held.add(place);
    };
    if (held.size < count) {
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
        waiting.delete(first);
        reject(signal?.reason as Error);
      };
      waiting.add(first);
      signal?.addEventListener('abort', leave, { once: true });
      look();
    });
  }

  return {
    async take({ signal, giveWay }) {
      signal?.throwIfAborted();
      const place: Held = { until: 0, giveWay, arrived: false };
      const release = (): void => {
        signal?.removeEventListener('abort', release);
        free(place);
      };
      await enter(place, signal);
      signal?.addEventListener('abort', release, { once: true });
      if (signal?.aborted === true) release();
      look();
      return { arrived: () => void (place.arrived = true), release };
    },
  };
}
