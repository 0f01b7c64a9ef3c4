import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowGuard } from '../../../server/http/auth/window-guard.ts';
import { rawRequest, serveOnce } from '../../support/harness/http.ts';

/** Where a tunnel from another computer begins; the listener itself never gets it. */
const TUNNEL = 9;

describe('S6: the window listener keeps other pages out', () => {
  let port = 0;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const app = express();
    app.use(windowGuard(TUNNEL));
    app.use((_req, res) => {
      res.json({ response: 'in' });
    });
    ({ port, close } = await serveOnce(app));
  });
  afterAll(() => close());

  const ask = async (method: string, headers: Record<string, string>): Promise<number> =>
    (await rawRequest(port, '/app/overview', { method, headers })).status;

  it('lets its own page read', async () => {
    expect(await ask('GET', { Host: `127.0.0.1:${port}` })).toBe(200);
    expect(await ask('GET', { Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(200);
  });

  it('lets its page read and write through the tunnel, and a page of another port not', async () => {
    const host = { Host: `localhost:${TUNNEL}` };
    expect(await ask('GET', host)).toBe(200);
    expect(await ask('POST', { ...host, Origin: `http://localhost:${TUNNEL}` })).toBe(200);
    expect(await ask('POST', { ...host, Origin: 'http://localhost:10' })).toBe(403);
    expect(await ask('GET', { Host: `evil.example:${TUNNEL}` })).toBe(403);
  });

  it.each([
    ['a rebound name', { Host: 'evil.example' }],
    ['the right name on another port', { Host: '127.0.0.1:1' }],
  ])('refuses %s as Host', async (_what, headers) => {
    expect(await ask('GET', headers)).toBe(403);
  });

  it.each([['https://evil.example'], ['null'], ['http://127.0.0.1:1'], ['http://localhost.evil.example']])(
    'refuses the Origin %s',
    async (origin) => {
      expect(await ask('GET', { Host: `127.0.0.1:${port}`, Origin: origin })).toBe(403);
    },
  );

  it('refuses a change that the browser says comes from another site', async () => {
    const headers = { Host: `127.0.0.1:${port}`, 'Sec-Fetch-Site': 'cross-site' };
    expect(await ask('POST', headers)).toBe(403);
  });

  it.each([
    ['a frame', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }],
    ['an image', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['an event stream', { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
    ['a page of its own', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }],
  ])('refuses a read that a page on another port of this computer loads as %s', async (_what, how) => {
    for (const path of ['/app/backup', '/app/events', '/app/overview'])
      for (const site of ['same-site', 'cross-site']) {
        const headers = { Host: `127.0.0.1:${port}`, 'Sec-Fetch-Site': site, ...how };
        expect((await rawRequest(port, path, { headers })).status).toBe(403);
      }
  });

  it('opens for its user from a link elsewhere and from the address bar, and shows itself in no frame', async () => {
    const opened = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const open = async (site: string, how = opened): Promise<number> =>
      (
        await rawRequest(port, '/', {
          headers: { Host: `127.0.0.1:${port}`, 'Sec-Fetch-Site': site, ...how },
        })
      ).status;
    expect(await open('cross-site')).toBe(200);
    expect(await open('same-site')).toBe(200);
    expect(await open('none')).toBe(200);
    expect(await open('same-site', { ...opened, 'Sec-Fetch-Dest': 'iframe' })).toBe(403);
  });
});
