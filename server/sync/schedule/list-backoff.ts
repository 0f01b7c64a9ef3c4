import type { Clock } from '../../base/clock.ts';
import { pauseAfter } from './backoff.ts';

/** Lists that rest after a failure of their own, while the others of the partner go on. */
export class ListBackoff {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  /** By {@link listKey}: how many times in a row each failed, and until when it rests. */
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

  /** Milliseconds until the first of them has rested; infinite where none rests. */
  get nextRetryMs(): number {
    const rests = [...this.#resting.values()].map(({ until }) =>
      Math.max(0, until - this.#clock.monotonic()),
    );
    return Math.min(...rests);
  }
}
