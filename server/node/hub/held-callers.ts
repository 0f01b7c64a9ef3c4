import type { Socket } from 'node:net';
import { networkOf } from '../../base/network-of.ts';
import type { Entry } from './hello.ts';

/** Longer than another process needs to take over (`store/sql/lease.ts`). */
const HELD_MS = 15_000;
const MOST_HELD = 500;

interface Held {
  readonly to: Entry;
  readonly forget: () => void;
}

/** Callers who wait until somebody serves, nothing of what they say read yet. */
export class HeldCallers {
  readonly #held = new Map<Socket, Held>();

  hold(socket: Socket, to: Entry): void {
    if (this.#held.size >= MOST_HELD) this.#makeRoom();
    const timer = setTimeout(() => socket.destroy(), HELD_MS);
    const gone = (): void => void this.release(socket);
    socket.once('close', gone);
    this.#held.set(socket, {
      to,
      forget: () => {
        clearTimeout(timer);
        socket.off('close', gone);
      },
    });
  }

  /** Lets go of a caller who is brought on. Answers where that one wants to; undefined for one who has gone. */
  release(socket: Socket): Entry | undefined {
    const held = this.#held.get(socket);
    held?.forget();
    this.#held.delete(socket);
    return held?.to;
  }

  all(): Socket[] {
    return [...this.#held.keys()];
  }

  /** Nobody keeps the others out by coming often: of those who hold the most the first has to go. */
  #makeRoom(): void {
    const byNetwork = new Map<string, Socket[]>();
    for (const socket of this.#held.keys()) {
      const network = networkOf(socket.remoteAddress);
      byNetwork.set(network, [...(byNetwork.get(network) ?? []), socket]);
    }
    const [first] = [...byNetwork.values()].reduce((most, held) => (held.length > most.length ? held : most));
    if (!first) return;
    this.release(first);
    first.destroy();
  }
}
