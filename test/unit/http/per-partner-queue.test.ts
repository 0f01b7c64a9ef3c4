import express, { type Response } from 'express';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { setCaller } from '../../../server/http/auth/caller.ts';
import { errorHandler } from '../../../server/http/listeners/errors.ts';
import {
  createPartnerQueue,
  whileInTurn,
  limitConcurrency,
} from '../../../server/http/listeners/per-partner-queue.ts';
import { serveOnce } from '../../support/harness/http.ts';

let server: Awaited<ReturnType<typeof serveOnce>>;
/** Requests that are being answered, by the name that they came under. */
let inside: Map<string, Response>;
let open: ClientRequest[];
/** What came to the turnstile, and what has gone again. */
let arrived: string[];
let gone: string[];
/** Who was found not to read. */
let told: string[];
/** Long work, in the order in which it began, and what ends the last of it. */
let working: string[];
let finish: (failed?: boolean) => void;

beforeEach(async () => {
  inside = new Map();
  open = [];
  arrived = [];
  gone = [];
  const app = express();
  app.use((req, res, next) => {
    arrived.push(req.path);
    res.once('close', () => gone.push(req.path));
    const nodeID = req.get('x-partner');
    if (nodeID === undefined) setCaller(req, { kind: 'user', userID: '1', role: 'viewer' });
    else setCaller(req, { kind: 'node', node: { nodeID } as Node });
    // As where a token is used for the first time, which is written down before anything else.
    if (req.path === '/leaves-before') res.once('close', () => next());
    else next();
  });
  told = [];
  working = [];
  const unread = {
    recordStalled: (nodeID: string, question: string) =>
      void told.push(`${nodeID} does not read ${question}`),
    recordResumed: () => undefined,
  };
  const patient = createPartnerQueue({ unread, mostWaiting: 2 });
  const impatient = createPartnerQueue({ unread, patience: { noticeAfter: 500, endAfter: 1000 } });
  const noticing = createPartnerQueue({ unread, patience: { noticeAfter: 500, endAfter: 600_000 } });
  const atOnce = limitConcurrency(3);
  app.use((req, res, next) => {
    const partner = req.get('x-partner');
    const doors = new Map([
      ['stalled', impatient],
      ['gives-up', noticing],
    ]);
    const door = doors.get(partner ?? '') ?? (partner?.startsWith('waits') ? atOnce : patient);
    void door(req, res, next);
  });
  app.get('/work/:name', async (req) => {
    await whileInTurn(req, () => {
      working.push(req.params.name);
      return new Promise<void>((resolve, reject) => {
        finish = (failed = false) => (failed ? reject(new Error('failed')) : resolve());
      });
    });
  });
  app.get('/:name', (req, res) => void inside.set(req.params.name, res));
  app.use(errorHandler({ error: () => undefined }));
  server = await serveOnce(app);
});
afterEach(async () => {
  for (const each of open) each.destroy();
  await server.close();
});

interface Asked {
  readonly status: Promise<number>;
  readonly leave: () => Promise<void>;
}

/** Sends a request, waits until it is there, and leaves it open; the status when it is answered. */
async function ask(name: string, partner?: string): Promise<Asked> {
  const headers = partner === undefined ? {} : { 'x-partner': partner };
  const sent = request({ port: server.port, path: `/${name}`, headers, agent: false });
  open.push(sent);
  const status = new Promise<number>((resolve) => {
    sent.on('response', (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    });
    sent.on('error', () => resolve(0));
  });
  sent.end();
  await expect.poll(() => arrived).toContain(`/${name}`);
  return {
    status,
    async leave() {
      sent.destroy();
      await expect.poll(() => gone).toContain(`/${name}`);
    },
  };
}
const names = (): string => [...inside.keys()].join(' ');
const comesIn = (expected: string): Promise<void> => expect.poll(names).toBe(expected);

describe('the turnstile before what partners read', () => {
  it('lets one request of a partner in at a time, in the order in which they came', async () => {
    const first = await ask('first', '7');
    await comesIn('first');
    const second = await ask('second', '7');
    const third = await ask('third', '7');
    expect(names()).toBe('first');
    inside.get('first')?.end();
    expect(await first.status).toBe(200);
    await comesIn('first second');
    inside.get('second')?.end();
    expect(await second.status).toBe(200);
    await comesIn('first second third');
    inside.get('third')?.end();
    expect(await third.status).toBe(200);
    const next = await ask('next', '7');
    await comesIn('first second third next');
    inside.get('next')?.end();
    expect(await next.status).toBe(200);
  });

  it('refuses those that come while enough are waiting, and tells them to come back', async () => {
    await ask('first', '7');
    await comesIn('first');
    const waiting = [await ask('second', '7'), await ask('third', '7')];
    expect(await (await ask('fourth', '7')).status).toBe(429);
    for (const { leave } of waiting) await leave();
  });

  it('keeps no place for one that left before it came here', async () => {
    await (await ask('leaves-before', '7')).leave();
    const next = await ask('next', '7');
    await comesIn('next');
    inside.get('next')?.end();
    expect(await next.status).toBe(200);
  });

  it('goes on when whoever is inside or waits goes away', async () => {
    const first = await ask('first', '7');
    await comesIn('first');
    const second = await ask('second', '7');
    const third = await ask('third', '7');
    await second.leave();
    await first.leave();
    await comesIn('first third');
    inside.get('third')?.end();
    expect(await third.status).toBe(200);
  });

  it('begins no work for a partner whose abandoned work goes on, however often it asks and leaves', async () => {
    await (await ask('work/first', '7')).leave();
    for (let at = 0; at < 5; at++) await (await ask(`work/left-${at}`, '7')).leave();
    await ask('work/second', '7');
    await ask('other', '8');
    await comesIn('other');
    expect(working).toEqual(['first']);
    finish();
    await expect.poll(() => working).toEqual(['first', 'second']);
    finish(true);
    const last = await ask('last', '7');
    await comesIn('other last');
    inside.get('last')?.end();
    expect(await last.status).toBe(200);
  });

  it('cuts off whoever stops taking in its answer, and lets the next one in', async () => {
    const stalled = connect(server.port, '127.0.0.1');
    stalled.on('error', () => undefined);
    stalled.pause();
    stalled.write('GET /stalled HTTP/1.1\r\nHost: x\r\nX-Partner: stalled\r\n\r\n');
    await comesIn('stalled');
    inside.get('stalled')?.end(Buffer.alloc(64 * 1024 * 1024));
    await ask('next', 'stalled');
    await expect.poll(names, { timeout: 15_000 }).toBe('stalled next');
    expect(told).toEqual(['stalled does not read /stalled']);
    stalled.destroy();
  });

  it('cuts off whoever asks again for an answer that it does not take in, with all that it asked before', async () => {
    const given = connect(server.port, '127.0.0.1');
    given.on('error', () => undefined);
    given.pause();
    given.write('GET /given-up HTTP/1.1\r\nHost: x\r\nX-Partner: gives-up\r\n\r\n');
    await comesIn('given-up');
    const stuck = inside.get('given-up');
    stuck?.end(Buffer.alloc(64 * 1024 * 1024));
    const behind = await ask('behind', 'gives-up');
    await expect.poll(() => told, { timeout: 15_000 }).toEqual(['gives-up does not read /given-up']);
    const other = await ask('other', 'gives-up');
    expect(stuck?.closed).toBe(false);
    inside.delete('given-up');
    const again = await ask('given-up', 'gives-up');
    expect(await behind.status).toBe(0);
    await comesIn('other');
    inside.get('other')?.end();
    expect(await other.status).toBe(200);
    await comesIn('other given-up');
    inside.get('given-up')?.end();
    expect(await again.status).toBe(200);
    given.destroy();
  });

  it('keeps no other partner waiting, and none of our own users', async () => {
    await ask('first', '7');
    await comesIn('first');
    await ask('other', '8');
    await comesIn('first other');
    await ask('user');
    await ask('user2');
    await expect.poll(() => inside.size).toBe(4);
  });
});

describe('where a few of one partner may be open at the same time', () => {
  it('the next one is turned away, until one of them has gone', async () => {
    const first = await ask('a', 'waits-1');
    await ask('b', 'waits-1');
    await ask('c', 'waits-1');
    await comesIn('a b c');
    expect(await (await ask('d', 'waits-1')).status).toBe(429);
    await ask('e', 'waits-2');
    await comesIn('a b c e');
    await first.leave();
    await ask('f', 'waits-1');
    await comesIn('a b c e f');
    expect(await (await ask('g', 'waits-1')).status).toBe(429);
  });
});
