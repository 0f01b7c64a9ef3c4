import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFailedLoginLimiter } from '../../../server/http/auth/failed-login-limiter.ts';
import { bearerAuth, requireNode, requireUser } from '../../../server/http/auth/auth.ts';
import {
  toErrorAnswer,
  errorHandler,
  requireJSON,
  notFound,
  requireReadableQuery,
} from '../../../server/http/listeners/errors.ts';
import { PartnerUnreachableError } from '../../../server/peer/guard/errors.ts';
import { isLoopback } from '../../../server/base/loopback.ts';
import { Refusal } from '../../../server/base/refusal.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { StoreError } from '../../../server/store/store.ts';

const errorBody = z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) });

let server: Server;
let base: string;
beforeAll(async () => {
  const app = express();
  app.use(
    bearerAuth({
      verify: (token) =>
        token === 'right'
          ? Promise.resolve({ kind: 'user', userID: '1', role: 'editor' })
          : Promise.reject(new Refusal('unauthenticated', 'auth.wrong', 'Wrong token.')),
      attempts: createFailedLoginLimiter(systemClock),
    }),
  );
  app.use(requireReadableQuery, requireJSON, express.json({ limit: 100 }));
  app.post('/echo', (req, res) => void res.json({ response: req.body as unknown }));
  app.get('/editors', requireUser('editor'), (_req, res) => void res.json({ response: 1 }));
  app.get('/admins', requireUser('admin'), (_req, res) => void res.json({ response: 1 }));
  app.get('/nodes/5', requireNode, (_req, res) => void res.json({ response: 1 }));
  app.get('/by/:name', (_req, res) => void res.json({ response: 1 }));
  app.get('/broken', () => {
    throw new Error('secret detail');
  });
  app.use(notFound, errorHandler({ error: () => undefined }));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

describe('errors over HTTP', () => {
  it.each([
    [
      'broken JSON',
      '/echo',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
    ],
    [
      'another type',
      '/echo',
      { method: 'POST', body: 'a=b', headers: { 'content-type': 'text/plain' } },
      415,
    ],
    [
      'an oversized body',
      '/echo',
      {
        method: 'POST',
        body: JSON.stringify(['x'.repeat(200)]),
        headers: { 'content-type': 'application/json' },
      },
      413,
    ],
    ['a bad escape in the path', '/by/%zz', {}, 400],
    ['a bad escape in the query', '/editors?query=100%', bearer('right'), 400],
    ['a query that is no UTF-8', '/editors?query=M%FCller', bearer('right'), 400],
    ['an unknown address', '/nowhere', {}, 404],
    ['our own fault', '/broken', {}, 500],
    ['no credential', '/editors', {}, 401],
    ['no bearer', '/editors', { headers: { authorization: 'Basic abc' } }, 401],
    ['too low a role', '/admins', bearer('right'), 403],
    ['a user where partners belong', '/nodes/5', bearer('right'), 403],
  ])('%s: a true status and a JSON error', async (_name, path, init: RequestInit, status) => {
    const answer = await fetch(base + path, init);
    expect(answer.status).toBe(status);
    const body = errorBody.parse(await answer.json());
    expect(JSON.stringify(body)).not.toContain('secret detail');
  });

  it('A3: wrong tokens are slowed down after 20 a minute, a right one never', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 24; at++)
      statuses.push((await fetch(`${base}/nodes/${at}`, bearer('wrong'))).status);
    const held = statuses.indexOf(429);
    // One of the tests above sent a wrong one as well.
    expect([19, 20]).toContain(held);
    expect(statuses).toEqual(statuses.map((_, at) => (at < held ? 401 : 429)));
    const late = await fetch(`${base}/nodes/9`, bearer('wrong'));
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${base}/editors`, bearer('right'))).status).toBe(200);
  });
});

describe('toErrorAnswer', () => {
  it('says that the disk is full with 507', () => {
    expect(toErrorAnswer(new StoreError('full', 'Disk full.')).status).toBe(507);
  });
  it('says what a partner did wrong as the partner’s fault, with 502', () => {
    expect(
      toErrorAnswer(
        new PartnerUnreachableError(
          'timeout',
          'The partner took too long to answer. Ask them whether their computer is busy or asleep.',
        ),
      ),
    ).toEqual({
      status: 502,
      body: {
        error: {
          code: 'partner.unreachable',
          message: 'The partner took too long to answer. Ask them whether their computer is busy or asleep.',
        },
      },
    });
  });
  it('says where a body does not fit', () => {
    const fault = z.object({ name: z.string() }).safeParse({ name: 1 });
    expect(toErrorAnswer(fault.error)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('name') as string } },
    });
  });
});

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.168.1.5', false],
    ['::ffff:10.0.0.1', false],
    [undefined, false],
  ])('%s: %s', (address, expected) => expect(isLoopback(address)).toBe(expected));
});
