/** Follows whether anything comes from a partner that was asked. */
export interface Quiet {
  ask(): Asked;
  /** Milliseconds since the last that came of what is awaited; undefined while nothing is. */
  quietFor(): number | undefined;
}

/** One answer that is awaited. */
export interface Asked {
  /** Something of it came. */
  heard(): void;
  /** Waits for what is not the partner's doing. */
  aside(wait: Promise<void> | undefined): Promise<void>;
  end(): void;
}

export function createQuiet(stopwatch: () => number = () => performance.now()): Quiet {
  let awaited = 0;
  let lastAt = 0;

  function begin(): void {
    if (awaited === 0) lastAt = stopwatch();
    awaited++;
  }

  return {
    ask() {
      let ended = false;
      begin();
      return {
        heard: () => void (lastAt = stopwatch()),
        async aside(wait) {
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
