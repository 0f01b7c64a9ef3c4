import type { Clock } from './clock.ts';

/** Resolves after a delay by the given clock (at once for 0 or less), or when the signal aborts. Never rejects. */
export function delay(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (milliseconds <= 0 || signal.aborted) {
      resolve();
      return;
    }
    /** Resolves, and cancels the timer and the signal's listener. */
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    signal.addEventListener('abort', finish);
  });
}
