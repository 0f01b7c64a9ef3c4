import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sessionAnswer } from '../../server/contract/app/overview.ts';
import { rawRequest } from '../support/harness/http.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import { askNode } from '../support/partners/scripted-partner.ts';

const MIB = 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';
let a: NodeOffice;
let token: string;
let sockets: Socket[] = [];
beforeAll(async () => {
  a = await startNode('Oslo');
  token = a.node.userToken('admin', 600_000);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await a.stop();
});

/** A JSON object of exactly so many bytes that is a good request but for its size. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ name: 'x', baseURL: '', pad: '' });
  return JSON.stringify({ name: 'x', baseURL: '', pad: 'p'.repeat(bytes - empty.length) });
}

const create = async (body: string): Promise<number> =>
  (await askNode(a.port, 'POST', '/federation/nodes', { body, token })).status;

/** Sends text as it is; what comes back until the other side closes. */
function raw(text: string, keepOpen = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(a.port, '127.0.0.1');
    sockets.push(socket);
    let answer = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      answer += part;
      if (!keepOpen) socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.write(text);
  });
}

const alive = async (): Promise<void> => {
  expect((await rawRequest(a.port, '/healthz')).status).toBe(200);
};

describe('S7: limits', () => {
  it('a body of 1 MiB is taken, one byte more is not; of a stranger’s handshake 64 KiB', async () => {
    expect(await create(bodyOf(MIB))).toBe(200);
    expect(await create(bodyOf(MIB + 1))).toBe(413);
    const handshake = async (bytes: number): Promise<number> =>
      (await askNode(a.port, 'POST', '/federation/nodes/1/handshake', { body: bodyOf(bytes) })).status;
    expect(await handshake(64 * 1024)).toBe(400);
    expect(await handshake(64 * 1024 + 1)).toBe(413);
  });

  it('H2: a packed body counts as what it unpacks to', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(a.port, '127.0.0.1');
      sockets.push(socket);
      socket.setEncoding('latin1').once('data', (part: string) => {
        resolve(part);
        socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.write(
        `POST /federation/nodes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
          `Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
      );
      socket.write(bomb);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    await alive();
  });

  it('H2: a body of brackets is refused, not followed down', async () => {
    expect(await create('['.repeat(500_000))).toBe(400);
    expect(await create(`${'['.repeat(400_000)}${']'.repeat(400_000)}`)).toBe(400);
    await alive();
  });

  it('ten thousand header lines and one long one are refused', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `X-${at}: 1\r\n`).join('');
    expect(await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\n${lines}\r\n`)).toMatch(/^HTTP\/1\.1 431/);
    expect(await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431/,
    );
    await alive();
  });

  it('S8: what is no HTTP, or two requests in one, is refused and ends the connection', async () => {
    expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    const smuggled =
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await raw(smuggled)).toMatch(/^HTTP\/1\.1 400/);
    await alive();
  });

  it('a head that comes too slowly is cut off after ten seconds, and others are served meanwhile', async () => {
    const began = performance.now();
    const slow = raw('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ', true);
    await alive();
    expect(await slow).toMatch(/^HTTP\/1\.1 408/);
    expect(performance.now() - began).toBeLessThan(16_000);
  }, 30_000);
});

describe('S8: what looks like a path or a property of an object', () => {
  it.each([
    '/federation/nodes/..%2f..%2fetc%2fpasswd',
    '/federation/nodes/%00',
    '/federation/nodes/constructor',
    '/federation/nodes/__proto__/modules/',
    '/federation/nodes/1/modules/toString/records',
    '/federation/exposed/modules/..%2F..%2Fx/records',
    '/compose/namespace/constructor/module/',
    '//evil.example/federation',
  ])('%s is refused with 400, 403 or 404', async (path) => {
    const answer = await askNode(a.port, 'GET', path, { token });
    expect([400, 403, 404]).toContain(answer.status);
    expect(answer.text).toMatch(/"error"/);
  });

  it.each([
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/assets/..%5c..%5cpackage.json',
    '/%00',
    '/.env',
    '/constructor',
  ])('the window serves nothing at %s', async (path) => {
    const port = Number(new URL(a.ready.window).port);
    const { status, text } = await rawRequest(port, path, { headers: { host: `127.0.0.1:${port}` } });
    expect([400, 401, 403, 404]).toContain(status);
    expect(text).not.toContain('root:');
  });
});

describe('S6: other pages and programs at the window’s port', () => {
  const ask = async (
    path: string,
    headers: Record<string, string>,
    method = 'GET',
    body?: string,
  ): Promise<number> => {
    const port = Number(new URL(a.ready.window).port);
    const own = { host: `127.0.0.1:${port}` };
    return (
      await rawRequest(port, path, { method, headers: { ...own, ...headers }, ...(body ? { body } : {}) })
    ).status;
  };

  it.each([
    ['a foreign Host', { host: 'evil.example' }, 'GET', 403],
    ['a name that was rebound', { host: 'footbridge.evil.example:80' }, 'GET', 403],
    ['a foreign Origin', { origin: 'https://evil.example' }, 'GET', 403],
    ['the Origin null of a sandboxed frame', { origin: 'null' }, 'GET', 403],
    ['a form of another site', { 'content-type': FORM, 'sec-fetch-site': 'cross-site' }, 'POST', 403],
    ['a form', { 'content-type': FORM }, 'POST', 401],
    ['a simple request with text', { 'content-type': 'text/plain' }, 'POST', 401],
    ['a name and password in an address', { authorization: 'Basic YTpi' }, 'POST', 401],
    ['nobody’s cookie', { cookie: 'footbridge_1=x' }, 'GET', 401],
    ['no cookie', {}, 'GET', 401],
    ['a token without its session', { 'x-csrf-token': 'x', 'content-type': 'application/json' }, 'POST', 401],
  ])('%s gets nothing', async (_name, headers, method, status) => {
    expect(await ask('/app/lists', headers, method, method === 'POST' ? '{}' : undefined)).toBe(status);
  });

  it('a change needs the token of its own session, and of no other', async () => {
    const enter = async (): Promise<{ cookie: string; token: string }> => {
      const link = new URL(a.node.windowLink());
      const at = { headers: { host: link.host } };
      const { headers } = await rawRequest(Number(link.port), `${link.pathname}${link.search}`, at);
      const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const { text } = await rawRequest(Number(link.port), '/app/session', {
        headers: { host: link.host, cookie },
      });
      const { response } = z.object({ response: sessionAnswer }).parse(JSON.parse(text));
      return { cookie, token: response.csrfToken };
    };
    const [own, other] = [await enter(), await enter()];
    const change = (
      headers: Record<string, string>,
      method = 'PATCH',
      path = '/app/settings',
    ): Promise<number> =>
      ask(path, { 'content-type': 'application/json', cookie: own.cookie, ...headers }, method, '{}');
    expect(await change({ 'x-csrf-token': own.token })).toBe(200);
    expect(await change({})).toBe(403);
    expect(await change({ 'x-csrf-token': '' })).toBe(403);
    expect(await change({ 'x-csrf-token': `${own.token}x` })).toBe(403);
    expect(await change({ 'x-csrf-token': other.token })).toBe(403);
    expect(await change({ 'x-footbridge': '1' })).toBe(403);
    for (const path of [
      '/app/import?list=x',
      '/app/restore',
      '/app/lists',
      '/federation/nodes',
      '/compose/namespace/',
    ])
      expect(await change({}, 'POST', path), path).toBe(403);
    expect(await ask('/app/session', {})).toBe(401);
    expect(
      await ask('/federation/nodes/1/handshake', { 'content-type': 'application/json' }, 'POST', '{}'),
    ).toBe(401);
  });

  it('a one-time link works once', async () => {
    const link = new URL(a.node.windowLink());
    const open = async (): Promise<boolean> => {
      const { headers } = await rawRequest(Number(link.port), `${link.pathname}${link.search}`, {
        headers: { host: link.host },
      });
      return headers['set-cookie'] !== undefined;
    };
    expect(await open()).toBe(true);
    expect(await open()).toBe(false);
  });

  it('listens on this computer only, and without CORS', async () => {
    const port = Number(new URL(a.ready.window).port);
    const { headers } = await rawRequest(port, '/app/overview', {
      headers: { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` },
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const { networkAddresses } = await import('../../server/http/listeners/own-address.ts');
    for (const host of networkAddresses()) {
      const refused = await new Promise<boolean>((resolve) => {
        const socket = connect(port, host.replace(/^\[|\]$/g, ''), () => {
          socket.destroy();
          resolve(false);
        });
        socket.on('error', () => resolve(true));
      });
      expect(refused, host).toBe(true);
    }
  });
});
