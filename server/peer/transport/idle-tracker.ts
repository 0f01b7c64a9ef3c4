/** Follows whether awaited answers arrive from a partner. */
export interface IdleTracker {
  ask(): PendingRequest;
  /** Returns milliseconds since anything awaited arrived; undefined while nothing is awaited. */
  quietFor(): number | undefined;
}

export interface PendingRequest {
  /** Records that a part of the answer arrived. */
  recordPart(): void;
  /** Waits, without counting the answer as awaited meanwhile. */
  waitUncounted(wait: Promise<void> | undefined): Promise<void>;
  /** Ends the waiting; a no-op the second time. */
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
