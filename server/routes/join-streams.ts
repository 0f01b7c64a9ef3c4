import type { Duplex } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { WebSocketStream } from './websocket-stream.ts';

export interface JoinRules {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly lifetimeMs: number;
  /** Counts passing bytes; returns milliseconds to wait before the next. */
  readonly chargeBytes: (bytes: number) => number;
  readonly budget: BufferBudget;
}

const MAX_FRAME_BYTES = 14;

interface JoinedPair {
  readonly heldBytes: () => number;
  readonly cut: () => void;
}

/** Bounds bytes held by all joined streams: cuts those unread for longest. */
export class BufferBudget {
  private readonly maxBytes: number;
  /** Held bytes, in the order in which the ends last read everything. */
  private readonly pairs = new Map<JoinedPair, number>();
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Updates what a pair holds after `arrived` more bytes; above the budget cuts stalled pairs. */
  update(pair: JoinedPair, arrived: number): void {
    const held = pair.heldBytes();
    this.setHeld(pair, held, held <= arrived + MAX_FRAME_BYTES);
    if (this.bytes > this.maxBytes) this.cutStalled();
  }

  /** Forgets a pair and what it holds. */
  remove(pair: JoinedPair): void {
    this.bytes -= this.pairs.get(pair) ?? 0;
    this.pairs.delete(pair);
  }

  /** Sets the bytes that a pair holds. With `isLast`, its ends have just read everything, so it is cut last. */
  private setHeld(pair: JoinedPair, held: number, isLast: boolean): void {
    this.bytes += held - (this.pairs.get(pair) ?? 0);
    if (isLast) this.pairs.delete(pair);
    this.pairs.set(pair, held);
  }

  /** Cuts pairs, longest unread first, until all hold at most `maxBytes`. */
  private cutStalled(): void {
    for (const pair of [...this.pairs.keys()]) {
      const held = pair.heldBytes();
      this.setHeld(pair, held, held === 0);
    }
    for (const pair of [...this.pairs.keys()]) {
      if (this.bytes <= this.maxBytes) return;
      this.remove(pair);
      pair.cut();
    }
  }
}

/**
 * Copies bytes between two streams both ways with back-pressure. Once one closes, the other has {@link LINGER_MS} left.
 * Cuts both on an error, or beyond the limits of `rules`. Resolves when both are closed; never rejects.
 */
export function joinStreams(one: WebSocketStream, other: WebSocketStream, rules: JoinRules): Promise<void> {
  const { clock, budget } = rules;
  let usedAt = clock.monotonic();
  const both = [one, other];
  const cut = (): void => both.forEach((stream) => stream.destroy());
  const pair = { heldBytes: (): number => one.heldBytes + other.heldBytes, cut };
  /**
   * Restarts the idle time and updates the bytes that the pair holds, which may cut stalled pairs, this one too, if all
   * hold too much. Returns the milliseconds to wait.
   */
  const chargeBytes = (bytes: number): number => {
    usedAt = clock.monotonic();
    budget.update(pair, bytes);
    return rules.chargeBytes(bytes);
  };
  const stopPumps = [copyOneWay(one, other, clock, chargeBytes), copyOneWay(other, one, clock, chargeBytes)];

  let cancelIdle: () => void = () => undefined;
  /** Cuts the pair once nothing passed for `idleMs`; looks first in `ms`. */
  const watchIdle = (ms: number): void => {
    cancelIdle = clock.after(ms, () => {
      const left = usedAt + rules.idleMs - clock.monotonic();
      if (left <= 0) cut();
      else watchIdle(left);
    });
  };
  watchIdle(rules.idleMs);
  const cancelLifetime = clock.after(rules.lifetimeMs, cut);

  return new Promise((resolve) => {
    let open = both.length;
    for (const stream of both) {
      stream.on('error', cut);
      stream.once('close', () => {
        open -= 1;
        // The other may deliver remaining bytes, but not for ever.
        if (open === 1) clock.after(LINGER_MS, cut);
        if (open > 0) return;
        budget.remove(pair);
        [...stopPumps, cancelIdle, cancelLifetime].forEach((stop) => stop());
        resolve();
      });
    }
  });
}

const LINGER_MS = 10_000;

/**
 * Copies one way, and passes on the end, or destroys the target if the source was cut. Pauses while the target is full,
 * and for the milliseconds that `charge` returns for each chunk's length. Returns a function that cancels its timer.
 */
function copyOneWay(from: Duplex, to: Duplex, clock: Clock, charge: (bytes: number) => number): () => void {
  let isHeld = false;
  let isFull = false;
  let cancel: () => void = () => undefined;
  /** Reads on unless the target is full or must wait. */
  const resumeIfAllowed = (): void => {
    if (!isHeld && !isFull) from.resume();
  };
  from.on('data', (chunk: Buffer) => {
    if (to.destroyed || to.writableEnded) return;
    isFull = !to.write(chunk);
    const waitMs = charge(chunk.length);
    if (waitMs >= 1) {
      isHeld = true;
      cancel = clock.after(waitMs, () => {
        isHeld = false;
        resumeIfAllowed();
      });
    }
    if (isFull || isHeld) from.pause();
  });
  to.on('drain', () => {
    isFull = false;
    resumeIfAllowed();
  });
  from.once('end', () => to.end());
  from.once('close', () => {
    if (!from.readableEnded) to.destroy();
  });
  return () => cancel();
}
