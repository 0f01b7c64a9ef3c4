export interface ReadWriteLock {
  /** Runs beside other shared work, unless exclusive work runs or waits. */
  shared<R>(work: () => Promise<R>): Promise<R>;
  /** Runs after all earlier work; later work waits for its end. */
  exclusive<R>(work: () => Promise<R>): Promise<R>;
}

/**
 * Creates a lock in order of the calls: shared runs overlap, an exclusive one runs alone, and waiting holds up later
 * ones. An error rejects that call only.
 */
export function createReadWriteLock(): ReadWriteLock {
  let barrier: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  const ignore = (): undefined => undefined;
  return {
    /** Runs `work` after earlier exclusive runs, perhaps beside other shared ones. */
    shared<R>(work: () => Promise<R>): Promise<R> {
      const run = barrier.then(work);
      const ended: Promise<unknown> = run.then(ignore, ignore).then(() => running.delete(ended));
      running.add(ended);
      return run;
    },
    /** Runs `work` alone, after all earlier runs; later ones wait for it. */
    exclusive<R>(work: () => Promise<R>): Promise<R> {
      const run = Promise.all([barrier, ...running]).then(work);
      barrier = run.then(ignore, ignore);
      return run;
    },
  };
}
