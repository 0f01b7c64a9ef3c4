/** Admits many shared holders, or one exclusive one. */
export interface ReadWriteLock {
  /** Runs beside other shared work, unless exclusive work runs or waits. */
  shared<R>(work: () => Promise<R>): Promise<R>;
  /** Runs after all earlier work; later work waits for its end. */
  exclusive<R>(work: () => Promise<R>): Promise<R>;
}

/**
 * Returns a lock for shared and exclusive work. Exclusive work isn't starved: shared work that comes later waits
 * for it.
 */
export function createReadWriteLock(): ReadWriteLock {
  let barrier: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  const ignore = (): undefined => undefined;
  return {
    /** Runs `work` beside other shared work, after exclusive work that runs or waits. Returns its result. */
    shared<R>(work: () => Promise<R>): Promise<R> {
      const run = barrier.then(work);
      const ended: Promise<unknown> = run.then(ignore, ignore).then(() => running.delete(ended));
      running.add(ended);
      return run;
    },
    /** Runs `work` alone, after all earlier work; later work waits for its end. Returns its result. */
    exclusive<R>(work: () => Promise<R>): Promise<R> {
      const run = Promise.all([barrier, ...running]).then(work);
      barrier = run.then(ignore, ignore);
      return run;
    },
  };
}
