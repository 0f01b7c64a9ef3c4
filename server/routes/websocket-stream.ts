import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Largest message; receivers refuse larger ones, which bounds what a connection can make them hold. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
/** Unsent bytes up to which a write counts as done, so that one chunk does not wait for the flush of another. */
const MAX_UNSENT_BYTES = 128 * 1024;

/**
 * The bytes of a WebSocket's binary messages as a duplex stream with back-pressure both ways. Message boundaries carry
 * no meaning. A text message destroys the stream, as no honest peer sends one. Once the other side has closed, the stream
 * ends and then closes; what is written meanwhile is discarded.
 */
export class WebSocketStream extends Duplex {
  private readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    super({ highWaterMark: MAX_UNSENT_BYTES });
    this.socket = socket;
    // An error before somebody listens must not end the process.
    this.on('error', () => undefined);
    socket.on('message', (data, isBinary) => {
      if (!isBinary || !Buffer.isBuffer(data)) this.destroy(new Error('text in a byte stream'));
      else if (!this.push(data)) socket.pause();
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => {
      if (!this.destroyed && !this.readableEnded) this.push(null);
    });
    // Later, so that TLS above may still write its goodbye to nobody, which is no error.
    this.once('end', () => setImmediate(() => this.destroy()));
  }

  override _read(): void {
    this.socket.resume();
  }

  /** TLS above writes records of 16 KiB: those that come together leave as one message. */
  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding | 'buffer',
    done: (error?: Error | null) => void,
  ): void {
    if (this.socket.readyState !== this.socket.OPEN) {
      done();
      return;
    }
    for (let from = 0; from < chunk.length; from += MAX_MESSAGE_BYTES) {
      const isLast = from + MAX_MESSAGE_BYTES >= chunk.length;
      const mustWait = isLast && this.socket.bufferedAmount > MAX_UNSENT_BYTES;
      this.socket.send(
        chunk.subarray(from, from + MAX_MESSAGE_BYTES),
        { binary: true },
        mustWait ? done : undefined,
      );
      if (isLast && !mustWait) done();
    }
    if (chunk.length === 0) done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.socket.close(1000);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.terminate();
    done(error);
  }
}
