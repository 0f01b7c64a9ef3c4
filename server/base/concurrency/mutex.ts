/** Runs the work after all earlier work, even failed; settles like it. */
export type Mutex = <R>(work: () => R | Promise<R>) => Promise<R>;

/** Creates a mutex that runs work in the order of the calls; an error rejects that call only. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
