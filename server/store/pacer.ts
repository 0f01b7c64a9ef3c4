/** Milliseconds of work without a break: far below what a person or a waiting request notices. */
const STRETCH = 4;

/** Lets long work breathe: returns at once most times, and lets everything else run once a stretch is over. */
export type Pacer = () => Promise<void> | undefined;

/** A pacer for one piece of work; call it often, between steps that may be interrupted. */
export function createPacer(stretch = STRETCH): Pacer {
  let since = performance.now();
  return () => {
    if (performance.now() - since < stretch) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
