import type { Clock } from '../../base/clock.ts';

/** The clock of a partner, as its answers tell it. */
export class PartnerClock {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Milliseconds since the epoch, and when that was by our stopwatch. */
  #told: { readonly time: number; readonly at: number } | undefined;
  #ahead: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** An answer has told that it is this time there, in milliseconds since the epoch. */
  note(time: number): void {
    this.#told = { time, at: this.#clock.monotonic() };
    this.#ahead = time - this.#clock.now();
  }

  /** Milliseconds by which it was ahead of ours at the last answer; undefined: none has told. */
  get ahead(): number | undefined {
    return this.#ahead;
  }

  /** What time it is there by now, wherever our own clock was put since; undefined: no answer has told. */
  now(): number | undefined {
    return this.#told && this.#told.time + this.#clock.monotonic() - this.#told.at;
  }
}
