/** What an answer has to bring at the least, as long as it is not whole. */
export interface LeastFlow {
  readonly bytes: number;
  /** Milliseconds. */
  readonly within: number;
}

/** Watches an answer that comes, whose partner may send a byte now and then for as long as it likes. */
export interface TrickleWatch {
  /** So much of it has come. */
  grew(size: number): void;
  /** Waits for what is not the partner's doing. */
  aside(wait: Promise<void>): Promise<void>;
  stop(): void;
}

/** @param onTrickle told when a whole span has brought less than that */
export function watchTrickle({ bytes, within }: LeastFlow, onTrickle: () => void): TrickleWatch {
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
        // What came meanwhile could not be taken in; the span begins anew.
        before = -Infinity;
      }
    },
    stop: () => clearInterval(timer),
  };
}
