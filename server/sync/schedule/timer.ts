import type { Clock } from '../../base/clock.ts';

/** A restartable timer for the next try of a partner. */
export class Timer {
  readonly #clock: Pick<Clock, 'monotonic' | 'now' | 'after'>;
  readonly #ring: () => void;
  #cancel: (() => void) | undefined;
  #dueAt: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic' | 'now' | 'after'>, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Monotonic. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  /** Milliseconds since the epoch: the monotonic due time, converted by the present system clock. */
  get dueAtWallClock(): number | undefined {
    return this.#dueAt === undefined ? undefined : this.#clock.now() + this.#dueAt - this.#clock.monotonic();
  }

  /** Replaces the previous time. */
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

  /** Doesn't fire; the due time stays known. */
  cancel(): void {
    this.#cancel?.();
  }
}
