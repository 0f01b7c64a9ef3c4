/** The node's only source of time, which tests can change. */
export interface Clock {
  /** Milliseconds since the Unix epoch by the system clock; may jump. */
  now(): number;
  /** Milliseconds since a fixed point, monotonic. For measuring and deadlines. */
  monotonic(): number;
  /** Calls `fn` once after `ms`; returns a cancel function. Doesn't keep the process alive. */
  after(ms: number, fn: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  /** Runs `fn` once after `ms`, unless the returned function is called first. Doesn't keep the process running. */
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

export interface EndingClock extends Clock {
  /** Cancels all timers; later ones never fire. */
  end(): void;
}

/** Returns the same clock with an `end` that cancels all its timers, and lets it start no more. */
export function endingClock(clock: Clock): EndingClock {
  const waiting = new Set<() => void>();
  let isOver = false;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    /** Starts a timer that `end` cancels; once ended, starts none. */
    after(ms, fn) {
      if (isOver) return () => undefined;
      const cancel = clock.after(ms, () => {
        waiting.delete(stop);
        fn();
      });
      /** Cancels the timer; nothing after it fired. */
      const stop = (): void => {
        waiting.delete(stop);
        cancel();
      };
      waiting.add(stop);
      return stop;
    },
    /** Cancels all timers; later ones never fire. */
    end() {
      isOver = true;
      for (const stop of [...waiting]) stop();
    },
  };
}
