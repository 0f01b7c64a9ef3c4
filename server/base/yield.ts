import { setImmediate } from 'node:timers/promises';

/** How long work may occupy the event loop before it yields. */
const SLICE_MS = 1;

/** The last waiter. A process has one event loop and so one queue. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Yields to the event loop, at most one waiter per tick, so that N concurrent pulls don't add up to one
 * N-times-longer stall. Await it before a step that can't be split.
 */
export function yieldToEventLoop(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}

/**
 * Returns a function to call often in long work; it yields once the work has occupied the event loop for some
 * milliseconds. Measures real time, not the node's clock.
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
