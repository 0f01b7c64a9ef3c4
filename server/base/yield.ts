import { setImmediate } from 'node:timers/promises';

/** How long work may hold the event loop before it lets others run. Several pieces of it may come in one turn. */
const SLICE_MS = 1;

/**
 * Lets long work breathe: call the returned function often; it waits for other work whenever this one has
 * held the event loop for some milliseconds. Measures real time, as the loop does, not the node's clock.
 */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
