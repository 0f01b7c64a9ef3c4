import { pipeline } from 'node:stream';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../base/clock.ts';

/** Longer than the one that serves waits for a caller that reads nothing: here it cannot be seen that it has ended that. */
const STALLED_MS = 40_000;

interface Brought {
  readonly caller: Socket;
  /** What its caller had read, and since when it is so much. */
  read: number;
  since: number;
}

/** Callers who speak with the one that serves, through this process. */
export class BroughtCallers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #stalledMs: number;
  readonly #all = new Map<TLSSocket, Brought>();
  #ended: () => void = () => undefined;

  /** @param stalledMs so long a caller may leave unread what waits for it */
  constructor(clock: Pick<Clock, 'monotonic'>, stalledMs = STALLED_MS) {
    this.#clock = clock;
    this.#stalledMs = stalledMs;
  }

  join(caller: Socket, there: TLSSocket): void {
    this.#all.set(there, { caller, read: 0, since: this.#clock.monotonic() });
    pipeline(caller, there, caller, () => {
      this.#all.delete(there);
      there.destroy();
      caller.destroy();
      if (this.#all.size === 0) this.#ended();
    });
  }

  cutStalled(): void {
    const now = this.#clock.monotonic();
    for (const brought of this.#all.values()) {
      const { bytesWritten, writableLength } = brought.caller;
      if (writableLength === 0 || bytesWritten !== brought.read) {
        brought.read = bytesWritten;
        brought.since = now;
      } else if (now - brought.since >= this.#stalledMs) brought.caller.destroy();
    }
  }

  cutAll(): void {
    for (const there of this.#all.keys()) there.destroy();
  }

  /** Resolves when none is left, after so long at the most. */
  async ended(graceMs: number): Promise<void> {
    if (this.#all.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#ended = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
