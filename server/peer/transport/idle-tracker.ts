/** Follows whether anything arrives from a partner that was asked. */
export interface IdleTracker {
  ask(): PendingRequest;
  /** Returns the milliseconds since anything awaited arrived; undefined while nothing is awaited. */
  quietFor(): number | undefined;
}

export interface PendingRequest {
  /** Records that a part of the answer arrived. */
  recordPart(): void;
  waitUncounted(wait: Promise<void> | undefined): Promise<void>;
  end(): void;
}

/** Creates a tracker of how long awaited answers have been silent; `stopwatch` returns milliseconds. */
export function createIdleTracker(stopwatch: () => number = () => performance.now()): IdleTracker {
  let awaited = 0;
  let lastAt = 0;

  function beginWaiting(): void {
    if (awaited === 0) lastAt = stopwatch();
    awaited++;
  }

  return {
    /** Registers a request whose answer is awaited, until its `end`. */
    ask() {
      let ended = false;
      beginWaiting();
      return {
        recordPart: () => void (lastAt = stopwatch()),
        /** Waits while not counting the request as pending; throws what `wait` does. */
        async waitUncounted(wait) {
          if (!wait) return;
          awaited--;
          try {
            await wait;
          } finally {
            beginWaiting();
          }
        },
        end() {
          if (!ended) awaited--;
          ended = true;
        },
      };
    },
    quietFor: () => (awaited > 0 ? stopwatch() - lastAt : undefined),
  };
}
