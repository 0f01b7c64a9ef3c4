import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { RateLimiter } from './rate-limiter.ts';

/** Receivers refuse larger messages, to hold no more. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
/** A message's pieces (fragments, arrived chunks) take memory before they count for a stream. */
export const MAX_PIECES = { maxFragments: 64, maxBufferedChunks: 1_024 } as const;
/** Smaller messages, pings and pongs cost as much as a full one. A pull of 4,000 rows sends 100. */
const SMALL_BYTES = 256;
const SMALL_RATE = { perSecond: 200, burst: 2_000 };
/** With fewer unsent bytes a write counts as done: chunks don't wait for each other. */
const MAX_UNSENT_BYTES = 128 * 1024;
/** For forwarded streams: many, and some ends never read. */
export const CARRIED_UNSENT_BYTES = 32 * 1024;
/** No connection is found dead sooner after the last byte. */
const SILENT_MS = 3_000;

/** A stream that ends early is no fault of the partner whose bytes it carries. */
const cut = (message: string, cause?: Error): Error =>
  Object.assign(new Error(message, { cause }), { code: 'ECONNRESET' });

/**
 * A WebSocket's binary messages as a duplex stream with back-pressure. A text message destroys it. After the
 * other side's close it ends, closes, and discards writes.
 */
export class WebSocketStream extends Duplex {
  private readonly socket: WebSocket;
  private readonly stopwatch: () => number;
  private readonly maxUnsentBytes: number;
  private readonly smallFrames: RateLimiter;
  private heardAt: number;

  constructor(
    socket: WebSocket,
    { stopwatch = (): number => performance.now(), maxUnsentBytes = MAX_UNSENT_BYTES } = {},
  ) {
    // An unread message pauses the socket at once.
    super({ readableHighWaterMark: 1, writableHighWaterMark: maxUnsentBytes });
    this.socket = socket;
    this.stopwatch = stopwatch;
    this.maxUnsentBytes = maxUnsentBytes;
    this.heardAt = stopwatch();
    this.smallFrames = new RateLimiter({ monotonic: stopwatch }, SMALL_RATE);
    // An error without listener must not end the process.
    this.on('error', () => undefined);
    /** Counts a small frame, and destroys the stream if there are too many. */
    const endFlood = (): void => {
      if (!this.destroyed && !this.smallFrames.takeUnit('')) this.destroy(cut('a flood of small messages'));
    };
    socket.on('message', (data, isBinary) => {
      // The last message's remaining bytes are still reported.
      if (this.destroyed) return;
      this.heardAt = stopwatch();
      if (!isBinary || !Buffer.isBuffer(data)) {
        this.destroy(cut('text in a byte stream'));
        return;
      }
      if (data.length < SMALL_BYTES) endFlood();
      if (!this.push(data)) socket.pause();
    });
    socket.on('ping', endFlood);
    socket.on('pong', endFlood);
    socket.on('error', (error) => this.destroy(cut(error.message, error)));
    socket.on('close', () => {
      if (!this.destroyed && !this.readableEnded) this.push(null);
    });
    // Later, so that a goodbye of TLS above is no error.
    this.once('end', () => setImmediate(() => this.destroy()));
  }

  /** Bytes in this program's memory, with those that the network hasn't taken yet. */
  get heldBytes(): number {
    return this.readableLength + this.writableLength + this.socket.bufferedAmount;
  }

  /** Destroys the stream if nothing came for 3 seconds, as another connection over the network is dead. */
  destroyIfSilent(): void {
    if (this.stopwatch() - this.heardAt >= SILENT_MS) this.destroy();
  }

  /** Lets the socket deliver messages again. */
  override _read(): void {
    this.socket.resume();
  }

  /** Joins waiting chunks, as TLS above writes records of only 16 KiB. */
  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
  }

  /**
   * Sends a chunk in equal messages of at most 64 KiB: a small rest of each would look like a flood. Calls `done` at
   * once, or later while too many bytes are unsent (back-pressure). Discards the chunk if the socket isn't open.
   */
  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding | 'buffer',
    done: (error?: Error | null) => void,
  ): void {
    if (this.socket.readyState !== this.socket.OPEN) {
      done();
      return;
    }
    const bytes = Math.ceil(chunk.length / Math.ceil(chunk.length / MAX_MESSAGE_BYTES));
    for (let from = 0; from < chunk.length; from += bytes) {
      const isLast = from + bytes >= chunk.length;
      const mustWait = isLast && this.socket.bufferedAmount > this.maxUnsentBytes;
      this.socket.send(chunk.subarray(from, from + bytes), { binary: true }, mustWait ? done : undefined);
      if (isLast && !mustWait) done();
    }
    if (chunk.length === 0) done();
  }

  /** Closes the socket normally, without waiting for the other side. */
  override _final(done: (error?: Error | null) => void): void {
    this.socket.close(1000);
    done();
  }

  /** Cuts the socket off. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.terminate();
    done(error);
  }
}
