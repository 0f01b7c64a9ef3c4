/** Follows whether a partner's answers arrive. */
export interface IdleTracker {
  ask(): PendingRequest;
  /** Returns milliseconds since anything awaited arrived; undefined if nothing is awaited. */
  quietFor(): number | undefined;
}

export interface PendingRequest {
  recordPart(): void;
  /** Waits; meanwhile the answer doesn't count as awaited. */
  waitUncounted(wait: Promise<void> | undefined): Promise<void>;
  /** Ends the waiting; idempotent. */
  end(): void;
}

/**
 * Creates a tracker: `quietFor` returns for how long no awaited answer has brought anything, undefined if none is
 * awaited. `stopwatch` returns milliseconds.
 */
export function createIdleTracker(stopwatch: () => number = () => performance.now()): IdleTracker {
  let awaited = 0;
  let lastAt = 0;

  /** Counts one more awaited answer; the silence begins now if it is the only one. */
  function beginWaiting(): void {
    if (awaited === 0) lastAt = stopwatch();
    awaited++;
  }

  return {
    /** Counts an answer as awaited until its `end`. `waitUncounted` leaves it out meanwhile. */
    ask() {
      let ended = false;
      beginWaiting();
      return {
        recordPart: () => void (lastAt = stopwatch()),
        /**
         * Awaits `wait`, during which this answer isn't awaited; afterwards the silence starts at 0, if no other is
         * awaited.
         */
        async waitUncounted(wait) {
          if (!wait) return;
          awaited--;
          try {
            await wait;
          } finally {
            beginWaiting();
          }
        },
        /** Counts the answer as awaited no longer, once. */
        end() {
          if (!ended) awaited--;
          ended = true;
        },
      };
    },
    quietFor: () => (awaited > 0 ? stopwatch() - lastAt : undefined),
  };
}
