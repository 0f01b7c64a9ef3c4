import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askNode } from '../support/partners/scripted-partner.ts';
import { serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';

/** What SECURITY.md states: the whole process, under everything that a stranger can send at once. */
const MAX_MEGABYTES = 300;
/** The same under what its own users send. */
const MAX_OF_USERS = 700;
const MIB = 1024 * 1024;

let served: Served;
let port: number;
const sockets = new Set<Socket>();
beforeAll(async () => {
  served = await serveBuilt();
  port = Number(new URL(served.federation).port);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await served.remove();
});

async function megabytes(): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${served.pid}/status`, 'utf8');
  const of = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) / 1024);
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

function open(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    sockets.add(socket);
    socket.on('error', () => resolve(socket));
    socket.on('close', () => sockets.delete(socket));
  });
}

/** Sends all it can of an endless request until the node has had enough. */
async function pour(head: string, chunk: Buffer, most: number): Promise<void> {
  const socket = await open();
  socket.resume();
  await new Promise<void>((done) => {
    socket.once('close', () => done());
    socket.write(head);
    let sent = 0;
    const more = (): void => {
      while (!socket.destroyed && sent < most) {
        sent += chunk.length;
        if (!socket.write(chunk)) {
          socket.once('drain', more);
          return;
        }
      }
      socket.end();
    };
    more();
  });
}

/** A file as large as an import takes, of few and long values. */
const largestFile = (): string => `Text\n${`${'x'.repeat(65_535)}\n`.repeat(1023)}`;

const refused = (promise: Promise<unknown>): Promise<unknown> => promise.catch(() => undefined);

describe.skipIf(process.platform !== 'linux')('S7: memory', () => {
  it(`stays below ${MAX_MEGABYTES} MB under idle connections, endless bodies and rows of requests, packed bombs and brackets`, async () => {
    const before = await megabytes();
    await Promise.all(Array.from({ length: 150 }, open));
    const json = 'Host: x\r\nContent-Type: application/json\r\n';
    const handshake = `POST /federation/nodes/1/handshake HTTP/1.1\r\n${json}`;
    const bomb = gzipSync(Buffer.alloc(100 * MIB, ' '));
    const brackets = '['.repeat(60_000);
    const requests = Buffer.from('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000));
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        ...Array.from({ length: 20 }, () =>
          refused(
            pour(
              `${handshake}Transfer-Encoding: chunked\r\n\r\n`,
              Buffer.from(`100000\r\n${' '.repeat(MIB)}\r\n`),
              64 * MIB,
            ),
          ),
        ),
        ...Array.from({ length: 20 }, () =>
          refused(
            pour(
              `${handshake}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
              bomb,
              bomb.length,
            ),
          ),
        ),
        ...Array.from({ length: 5 }, () => refused(pour('', requests, 8 * MIB))),
        ...Array.from({ length: 20 }, () =>
          refused(askNode(port, 'POST', '/federation/nodes/1/handshake', { body: brackets })),
        ),
        ...Array.from({ length: 20 }, (_, at) =>
          refused(askNode(port, 'GET', `/federation/exposed/modules?pad=${at}`, { token: 'x'.repeat(8000) })),
        ),
      ]);
    }
    const after = await megabytes();
    console.log(`memory: ${before.now} MB at rest, ${after.peak} MB at most, ${after.now} MB afterwards`);
    expect(after.peak).toBeLessThan(MAX_MEGABYTES);
    expect((await askNode(port, 'GET', '/healthz')).status).toBe(200);
  }, 120_000);

  it(
    `stays below ${MAX_OF_USERS} MB under files of the full size that come all at once`,
    { timeout: 120_000, tags: 'nightly-sizes' },
    async () => {
      const token = userTokenOf(served);
      const { origin } = new URL(served.window);
      const file = largestFile();
      const looks = Array.from({ length: 6 }, () =>
        fetch(`${origin}/app/import/preview`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: file,
        }),
      );
      const answers = await Promise.all(looks);
      expect(answers.map(({ status }) => status)).toEqual(looks.map(() => 200));
      const { peak } = await megabytes();
      console.log(`memory: ${peak} MB at most under ${looks.length} files of 64 MiB`);
      expect(peak).toBeLessThan(MAX_OF_USERS);
    },
  );
});
