import type { Clock } from '../clock.ts';

/** Returns a function that collects ids and passes each to `emit` once, `ms` after the first, then begins again. */
export function throttle(
  clock: Pick<Clock, 'after'>,
  ms: number,
  emit: (id: string) => void,
): (id: string) => void {
  const waiting = new Set<string>();
  return (id) => {
    if (waiting.size === 0) {
      clock.after(ms, () => {
        const due = [...waiting];
        waiting.clear();
        due.forEach(emit);
      });
    }
    waiting.add(id);
  };
}
