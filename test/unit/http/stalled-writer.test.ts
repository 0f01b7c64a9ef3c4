import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { streamResponse } from '../../../server/http/listeners/stream-response.ts';
import { watchForStall, type StallTimeouts } from '../../../server/http/listeners/per-partner-queue.ts';
import { serveOnce } from '../../support/harness/http.ts';
import { noise } from '../../support/data/office-lists.ts';
import { seeded } from '../../support/data/seeded.ts';

const PIECE = noise(seeded(3), 32 * 1024);
/** More than the system keeps for both ends of a connection. */
const PIECES = 1200;

let close: (() => Promise<void>) | undefined;
let reader: Socket | undefined;
afterEach(async () => {
  reader?.destroy();
  await close?.();
});

/** Asks for an answer of 38 MB and reads nothing yet; `told` is what becomes of the answer. */
async function asked(
  patience: StallTimeouts,
  makeFor = 0,
): Promise<{ told: string[]; socket: Socket; left: Promise<unknown> }> {
  const told: string[] = [];
  let leaves: (value: unknown) => void = () => undefined;
  const left = new Promise((resolve) => (leaves = resolve));
  const app = express().get('/', async (_req, res) => {
    watchForStall(res, patience, { stalled: () => told.push('stands'), resumed: () => told.push('moves') });
    await wait(makeFor);
    res.set('Connection', 'close');
    leaves(
      await streamResponse(
        res,
        Array.from({ length: PIECES }, () => PIECE),
      ),
    );
  });
  const server = await serveOnce(app);
  close = server.close;
  const socket = connect(server.port, '127.0.0.1');
  reader = socket;
  socket.pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return { told, socket, left };
}

describe('a reader of an answer', () => {
  it('that takes nothing is noticed, and then the connection is ended', async () => {
    const { told, left } = await asked({ noticeAfter: 500, endAfter: 1500 });
    expect(await left).toBe(false);
    expect(told).toEqual(['stands']);
  });

  it('that stops and goes on is noticed, and has all of it', async () => {
    const { told, socket, left } = await asked({ noticeAfter: 500, endAfter: 600_000 });
    await expect.poll(() => told, { timeout: 15_000 }).toEqual(['stands']);
    let size = 0;
    socket.on('data', (part) => (size += part.length));
    socket.resume();
    expect(await left).toBe(true);
    await once(socket, 'end');
    expect(size).toBeGreaterThan(PIECES * PIECE.length);
    // Once more when it has left, unless all that was left went at once.
    await expect.poll(() => [told.slice(0, 2), told.at(-1)]).toEqual([['stands', 'moves'], 'moves']);
    expect(told.length).toBeLessThanOrEqual(3);
  });

  it('that is slow is not taken for one that takes nothing', { tags: 'nightly-waits' }, async () => {
    const { told, socket, left } = await asked({ noticeAfter: 5000, endAfter: 6000 });
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 8);
    });
    socket.resume();
    expect(await left).toBe(true);
    expect(told).not.toContain('stands');
  });

  it('that waits for an answer to be made is not meant', async () => {
    const { told, socket, left } = await asked({ noticeAfter: 300, endAfter: 400 }, 2000);
    socket.resume();
    expect(await left).toBe(true);
    expect(told).not.toContain('stands');
  });
});
