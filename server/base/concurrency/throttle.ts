import type { Clock } from '../clock.ts';

/** Returns a function that has `tell` called for an id: once in `ms` at most, and no later than that. */
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
