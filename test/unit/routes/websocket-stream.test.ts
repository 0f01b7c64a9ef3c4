import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import {
  CARRIED_UNSENT_BYTES,
  MAX_MESSAGE_BYTES,
  WebSocketStream,
} from '../../../server/routes/websocket-stream.ts';

/** A WebSocket whose other end reads nothing, over a network that takes nothing. */
class StalledSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  bufferedAmount = 0;
  isPaused = false;

  send(chunk: Buffer, _options?: unknown, done?: () => void): void {
    this.bufferedAmount += chunk.length;
    this.emit('sent', chunk, done);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  terminate(): void {
    this.emit('close');
  }
}

const RECORD = Buffer.alloc(16 * 1024, 'Nordvik Timber AS;Bergen\n');

function stalled(options?: { readonly maxUnsentBytes: number }): {
  readonly socket: StalledSocket;
  readonly stream: WebSocketStream;
} {
  const socket = new StalledSocket();
  return { socket, stream: new WebSocketStream(socket as unknown as WebSocket, options) };
}

it('holds few bytes for an end that reads nothing, where it is carried for others', () => {
  const acceptedBy = (stream: WebSocketStream): number => {
    let bytes = RECORD.length;
    while (stream.write(RECORD)) bytes += RECORD.length;
    return bytes;
  };
  const carried = acceptedBy(stalled({ maxUnsentBytes: CARRIED_UNSENT_BYTES }).stream);
  expect(carried).toBeLessThanOrEqual(2 * CARRIED_UNSENT_BYTES + 2 * RECORD.length);
  expect(acceptedBy(stalled().stream)).toBeGreaterThan(carried);
});

it('reads no second message while nobody takes the first', () => {
  const { socket, stream } = stalled();
  socket.emit('message', Buffer.alloc(MAX_MESSAGE_BYTES), true);
  expect(socket.isPaused).toBe(true);
  stream.read();
  expect(socket.isPaused).toBe(false);
});

it('sends no small messages within a fast stream, as the other end would take them for a flood', () => {
  const [from, to] = [stalled(), stalled()];
  const receiver = new WebSocketStream(to.socket as unknown as WebSocket, { stopwatch: () => 0 }).resume();
  from.socket.on('sent', (chunk: Buffer, done?: () => void) => {
    to.socket.emit('message', chunk, true);
    from.socket.bufferedAmount = 0;
    done?.();
  });
  // What TLS makes of 64 KiB.
  const records = Buffer.alloc(64 * 1024 + 4 * 22, 'Nordvik Timber AS;Bergen\n');
  for (let at = 0; at < 4_000; at++) from.stream.write(records);
  expect(receiver.destroyed).toBe(false);
});
