/** The only source of time in the node, so that tests can put it forward, back or to sleep. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as this computer believes. May jump in either direction. */
  now(): number;
  /** Milliseconds since some fixed point; never goes back. For measuring and deadlines. */
  monotonic(): number;
  /** Calls `fn` once after `ms`; the returned function cancels it. Does not keep the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** The computer's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
