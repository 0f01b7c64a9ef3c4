import { Socket } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { requireThisComputer } from '../../../server/http/auth/auth.ts';
import { listenOnFirstFree } from '../../../server/http/listeners/listen.ts';
import { createConnectionSlots } from '../../../server/http/listeners/connection-slots.ts';
import { parseTrustedProxies } from '../../../server/http/listeners/trusted-proxies.ts';

describe('load balancers whose word is taken', () => {
  const isProxy = parseTrustedProxies(['10.0.0.5', '192.168.7.0/24', 'fd00:1::/32', '::1']);

  it.each(['10.0.0.5', '::ffff:10.0.0.5', '192.168.7.200', '::ffff:192.168.7.1', 'fd00:1:2::9', '::1'])(
    'are %s',
    (address) => expect(isProxy(address)).toBe(true),
  );

  it.each(['10.0.0.6', '192.168.8.1', 'fd00:2::9', '127.0.0.1', 'nonsense', '', undefined])(
    'are not %s',
    (address) => expect(isProxy(address)).toBe(false),
  );

  it.each(['10.0.0', 'balancer.example', '10.0.0.0/40', ''])('cannot be given as “%s”', (text) =>
    expect(() => parseTrustedProxies([text])).toThrow(),
  );

  it.each([
    ['10.0.0.5', '127.0.0.1', 403],
    ['10.0.0.5', '127.0.0.1, 10.0.0.5', 403],
    ['10.0.0.5', '::1', 403],
    ['::1', '127.0.0.1', 200],
    ['::1', '::ffff:127.0.0.1', 200],
    ['::1', '203.0.113.7', 403],
    ['::1', '127.0.0.1, 203.0.113.7', 403],
    ['::1', 'localhost', 403],
    ['127.0.0.1', '203.0.113.7', 403],
    ['127.0.0.1', '127.0.0.1', 403],
  ])('at %s say that %s called: management is answered with %d', async (remoteAddress, forwarded, status) => {
    const app = express().set('trust proxy', isProxy);
    app.use((req, _res, next) => {
      Object.defineProperty(req.socket, 'remoteAddress', { value: remoteAddress });
      next();
    });
    app.get('/', requireThisComputer, (_req, res) => void res.end());
    const refused: ErrorRequestHandler = (error, _req, res, next) => {
      if (res.headersSent) next(error);
      else res.status(403).end();
    };
    app.use(refused);
    const listener = await listenOnFirstFree(app, { host: '127.0.0.1', port: 0 });
    const headers = { 'x-forwarded-for': forwarded };
    expect((await fetch(`http://127.0.0.1:${listener.port}/`, { headers })).status).toBe(status);
    await listener.close(0);
  });

  it('count as no neighbours of each other: the callers behind one are many', () => {
    const from = (remoteAddress: string, remotePort: number): Socket =>
      Object.defineProperties(new Socket(), {
        remoteAddress: { value: remoteAddress },
        remotePort: { value: remotePort },
      });
    const places = createConnectionSlots(
      { total: 100, perNetwork: 5, reservedForKnown: 10, perCaller: 5 },
      isProxy,
    );
    const behind = Array.from({ length: 20 }, (_, at) => from('10.0.0.5', at));
    const stranger = Array.from({ length: 20 }, (_, at) => from('10.0.0.6', at));
    for (const socket of [...behind, ...stranger]) places.admitSocket(socket);
    expect(behind.filter(({ destroyed }) => destroyed)).toHaveLength(0);
    expect(stranger.filter(({ destroyed }) => destroyed)).toHaveLength(15);
    places.closeAll();
  });
});
