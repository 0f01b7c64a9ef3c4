import type { Clock } from '../clock.ts';

/**
 * Throttles telling: each id is told at most once in `ms`, and not later than that after it was named. For what
 * happens many times a second, such as the pages of a long pull.
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
