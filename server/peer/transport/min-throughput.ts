/** Minimum throughput of an incomplete answer. */
export interface MinThroughput {
  readonly bytes: number;
  /** Milliseconds. */
  readonly within: number;
}

/** Watches an answer, whose partner may trickle single bytes for as long as it likes. */
export interface MinThroughputGuard {
  /** Records its present size. */
  grew(size: number): void;
  /** Excludes waiting that isn't the partner's fault. */
  aside(wait: Promise<void>): Promise<void>;
  stop(): void;
}

/** @param onTrickle called when a whole period brought less than that */
export function guardMinThroughput(
  { bytes, within }: MinThroughput,
  onTrickle: () => void,
): MinThroughputGuard {
  let size = 0;
  let before = 0;
  let isAside = false;
  const timer = setInterval(() => {
    if (!isAside && size - before < bytes) onTrickle();
    before = size;
  }, within);
  return {
    grew: (now) => void (size = now),
    async aside(wait) {
      isAside = true;
      try {
        await wait;
      } finally {
        isAside = false;
        // What arrived meanwhile couldn't be received; the period starts again.
        before = -Infinity;
      }
    },
    stop: () => clearInterval(timer),
  };
}
