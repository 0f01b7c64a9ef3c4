/** Runs the work when all that was asked for before has ended, well or not; answers as the work does. */
export type Mutex = <R>(work: () => R | Promise<R>) => Promise<R>;

/** One at a time, in the order in which they were asked for; one that fails takes no other's turn. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
