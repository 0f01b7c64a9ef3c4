/** Lets many through together, or one alone. */
export interface ReadWriteLock {
  /** Runs beside others, unless one that is exclusive runs or waits. */
  shared<R>(work: () => Promise<R>): Promise<R>;
  /** Runs when all that came before has ended; what comes later waits for its end. */
  exclusive<R>(work: () => Promise<R>): Promise<R>;
}

export function createReadWriteLock(): ReadWriteLock {
  let barrier: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  const ignore = (): undefined => undefined;
  return {
    shared<R>(work: () => Promise<R>): Promise<R> {
      const run = barrier.then(work);
      const ended: Promise<unknown> = run.then(ignore, ignore).then(() => running.delete(ended));
      running.add(ended);
      return run;
    },
    exclusive<R>(work: () => Promise<R>): Promise<R> {
      const run = Promise.all([barrier, ...running]).then(work);
      barrier = run.then(ignore, ignore);
      return run;
    },
  };
}
