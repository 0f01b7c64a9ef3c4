/** Lets many through together, or one alone. */
export interface Gate {
  /** Runs beside others, unless one that is alone runs or waits. */
  together<R>(work: () => Promise<R>): Promise<R>;
  /** Runs when all that came before has ended; what comes later waits for its end. */
  alone<R>(work: () => Promise<R>): Promise<R>;
}

export function createGate(): Gate {
  let barrier: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  const ignore = (): undefined => undefined;
  return {
    together<R>(work: () => Promise<R>): Promise<R> {
      const run = barrier.then(work);
      const ended: Promise<unknown> = run.then(ignore, ignore).then(() => running.delete(ended));
      running.add(ended);
      return run;
    },
    alone<R>(work: () => Promise<R>): Promise<R> {
      const run = Promise.all([barrier, ...running]).then(work);
      barrier = run.then(ignore, ignore);
      return run;
    },
  };
}
