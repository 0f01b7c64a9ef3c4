import type { Clock } from '../clock.ts';

/**
 * Returns a function that requests a call of `tell` for an id; `tell` is called at most once in `ms` for each
 * id, and no later than that after the request.
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
