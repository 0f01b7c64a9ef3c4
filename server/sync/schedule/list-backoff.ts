import type { Clock } from '../../base/clock.ts';
import { pauseAfter } from './backoff.ts';

/** Back-off of single lists after their own failures, while the partner's other lists continue. */
export class ListBackoff {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  /** By {@link listKey}: consecutive failures, and the end of the pause. */
  readonly #resting = new Map<string, { readonly failures: number; readonly until: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  isBackingOff(key: string): boolean {
    return (this.#resting.get(key)?.until ?? 0) > this.#clock.monotonic();
  }

  failed(key: string): void {
    const failures = (this.#resting.get(key)?.failures ?? 0) + 1;
    const until = this.#clock.monotonic() + pauseAfter(failures, this.#random());
    this.#resting.set(key, { failures, until });
  }

  succeeded(key: string): void {
    this.#resting.delete(key);
  }

  /** Milliseconds until the first list may be retried; infinite if none backs off. */
  get nextRetryMs(): number {
    const rests = [...this.#resting.values()].map(({ until }) =>
      Math.max(0, until - this.#clock.monotonic()),
    );
    return Math.min(...rests);
  }
}
