import type { Clock } from '../../base/clock.ts';

/** One timer that is set anew as often as needed: when a partner is to be tried next. */
export class Timer {
  readonly #clock: Pick<Clock, 'monotonic' | 'now' | 'after'>;
  readonly #ring: () => void;
  #cancel: (() => void) | undefined;
  #dueAt: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic' | 'now' | 'after'>, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** By the stopwatch. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  /** Milliseconds since the epoch: by the stopwatch it stays as far off as it is, wherever the clock on the wall is put. */
  get dueAtWallClock(): number | undefined {
    return this.#dueAt === undefined ? undefined : this.#clock.now() + this.#dueAt - this.#clock.monotonic();
  }

  /** In place of what was set before. */
  setIn(milliseconds: number): void {
    this.#cancel?.();
    this.#dueAt = this.#clock.monotonic() + milliseconds;
    this.#cancel = this.#clock.after(milliseconds, this.#ring);
  }

  /** Nothing is due any more. */
  clear(): void {
    this.cancel();
    this.#dueAt = undefined;
  }

  /** It does not ring, though what was due stays due. */
  cancel(): void {
    this.#cancel?.();
  }
}
