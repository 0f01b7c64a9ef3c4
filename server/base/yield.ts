import { setImmediate } from 'node:timers/promises';

/** Work yields to the event loop after this time. */
const SLICE_MS = 1;

let last: Promise<unknown> = Promise.resolve();

/** Resolves in a later turn of the event loop, one waiter per turn: concurrent pulls don't stall it. */
export function yieldToEventLoop(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}

/**
 * Returns a function that long work calls often. It returns a promise to await if the work has occupied the event loop
 * for a millisecond, else undefined.
 */
export function createYielder(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return yieldToEventLoop().then(() => {
      since = performance.now();
    });
  };
}
