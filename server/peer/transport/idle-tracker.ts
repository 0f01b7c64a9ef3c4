/** Follows whether anything arrives from a partner that was asked. */
export interface IdleTracker {
  /** Registers an awaited answer, until its `end`. */
  ask(): PendingRequest;
  /** Returns the milliseconds since anything awaited arrived; undefined while nothing is awaited. */
  quietFor(): number | undefined;
}

/** An awaited answer. */
export interface PendingRequest {
  /** Part of it arrived. */
  heard(): void;
  /** Excludes waiting that isn't the partner's fault. */
  exclude(wait: Promise<void> | undefined): Promise<void>;
  end(): void;
}

/** Creates a tracker of how long awaited answers have been silent. @param stopwatch returns milliseconds */
export function createIdleTracker(stopwatch: () => number = () => performance.now()): IdleTracker {
  let awaited = 0;
  let lastAt = 0;

  /** Counts one more awaited answer; quiet time starts with the first. */
  function begin(): void {
    if (awaited === 0) lastAt = stopwatch();
    awaited++;
  }

  return {
    /** Registers a request whose answer is awaited, until its `end`. */
    ask() {
      let ended = false;
      begin();
      return {
        heard: () => void (lastAt = stopwatch()),
        /** Waits while not counting the request as pending; throws what `wait` does. */
        async exclude(wait) {
          if (!wait) return;
          awaited--;
          try {
            await wait;
          } finally {
            begin();
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
