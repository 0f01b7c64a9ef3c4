import { setImmediate } from 'node:timers/promises';

/** How long work may hold the event loop before it lets others run. */
const SLICE_MS = 1;

/** Who waits last. There is one event loop in a process, and so one queue for it. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A turn of the event loop that no other work takes which waits here: of many pulls at once each would else have its slice in
 * the same turn, and all of them together would hold up the window. To be waited for before a step that cannot be parted.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}

/**
 * Lets long work breathe: call the returned function often; it waits for other work whenever this one has
 * held the event loop for some milliseconds. Measures real time, as the loop does, not the node's clock.
 */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
