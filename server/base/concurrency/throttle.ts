import type { Clock } from '../clock.ts';

/**
 * Returns a function that requests a call of `tell` for an id. For each id, `tell` is called at most once in `ms`,
 * and no later than that after the request. For frequent events such as the pages of a long pull.
 */
export function throttle(
  clock: Pick<Clock, 'after'>,
  ms: number,
  tell: (id: string) => void,
): (id: string) => void {
  const waiting = new Set<string>();
  return (id) => {
    if (waiting.size === 0) {
      clock.after(ms, () => {
        const due = [...waiting];
        waiting.clear();
        due.forEach(tell);
      });
    }
    waiting.add(id);
  };
}
