import type { Clock } from '../../base/clock.ts';

/** Estimates clock skew from answers. */
export class PartnerClock {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** `time` in milliseconds since the epoch, `at` our monotonic time. */
  #reported: { readonly time: number; readonly at: number } | undefined;
  #ahead: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** Records the partner's time, in milliseconds since the epoch, as of now. */
  recordTime(time: number): void {
    this.#reported = { time, at: this.#clock.monotonic() };
    this.#ahead = time - this.#clock.now();
  }

  /** Milliseconds by which the partner's clock was ahead of ours at its last answer. */
  get aheadMs(): number | undefined {
    return this.#ahead;
  }

  /** Returns the partner's time in milliseconds since the epoch, whatever our clock shows; undefined if unknown. */
  now(): number | undefined {
    return this.#reported && this.#reported.time + this.#clock.monotonic() - this.#reported.at;
  }
}
