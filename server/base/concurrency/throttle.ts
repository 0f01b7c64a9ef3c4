import type { Clock } from '../clock.ts';

/**
 * Returns a function that collects ids. It passes each of them to `tell` once, `ms` after the first was added, and
 * then begins again.
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
