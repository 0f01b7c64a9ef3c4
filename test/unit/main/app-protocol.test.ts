import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAppProtocol } from '../../../main/window/app-protocol.ts';
import { createWindowSession } from '../../../main/window/window-session.ts';
import { soon } from '../../support/harness/soon.ts';

/** A window listener as the node's: a link becomes a cookie, and without it there is only 401. */
let server: Server;
let folder: string;
let base: string;
let cookies: string[];
let links: number;
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let closedStreams: number;
let fetchApp: (url: string, init?: RequestInit) => Promise<Response>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-window-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Footbridge</title>');
  [cookies, seen, links, closedStreams] = [[], [], 0, 0];
  server = createServer((req, res) => void answer(req, res).catch(() => res.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = createWindowSession(() => `${base}/?key=${++links}`);
  const handle = createAppProtocol({ folder, session });
  fetchApp = (url, init) => handle(new Request(url, init));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = req.url ?? '';
  if (url.startsWith('/?key=')) {
    const cookie = `footbridge_1=secret${cookies.length}`;
    cookies.push(cookie);
    res.writeHead(303, { 'set-cookie': `${cookie}; HttpOnly; SameSite=Strict`, location: './' }).end();
    return;
  }
  let body = '';
  for await (const chunk of req) body += String(chunk);
  seen.push({ method: req.method ?? '', url, headers: req.headers, body });
  if (!cookies.includes(req.headers.cookie ?? '')) {
    res.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"code":"x","message":"y"}}');
  } else if (url === '/app/events') {
    res.on('close', () => closedStreams++);
    res.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': 'a=b' });
    res.write('event: hello\n\n');
    setTimeout(() => res.write('event: overview\n\n'), 50);
  } else res.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ response: url }));
}

it('serves the window’s files with a policy without unsafe parts', async () => {
  const page = await fetchApp('app://footbridge/#/settings');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Footbridge');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*connect-src 'self'.*frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|\*|http/);
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
});

it('answers 404 for files that are not there, and does not write files', async () => {
  expect((await fetchApp('app://footbridge/none.js')).status).toBe(404);
  expect((await fetchApp('app://footbridge/..%2fsecret.json')).status).toBe(404);
  expect((await fetchApp('app://footbridge/', { method: 'POST', body: 'x' })).status).toBe(404);
  expect((await fetchApp('app://elsewhere/')).status).toBe(403);
});

it('passes the node’s interface through, signed in with a cookie that the page never sees', async () => {
  const answered = await fetchApp('app://footbridge/app/lists?page=2', {
    method: 'POST',
    headers: { 'x-csrf-token': 'abc', 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(answered.status).toBe(201);
  expect(await answered.json()).toEqual({ response: '/app/lists?page=2' });
  expect(seen).toMatchObject([{ method: 'POST', url: '/app/lists?page=2', body: '{"a":1}' }]);
  expect(seen[0]!.headers).toMatchObject({ cookie: 'footbridge_1=secret0', 'x-csrf-token': 'abc' });
});

it('says in which language and by which clock the window reads, or the node’s sentences would be in English', async () => {
  const wanted = { 'accept-language': 'de-AT', 'x-time-zone': 'Europe/Vienna' };
  await fetchApp('app://footbridge/app/overview', { headers: wanted });
  expect(seen[0]!.headers).toMatchObject(wanted);
});

it('passes on nothing by which a page could pretend to be another one', async () => {
  await fetchApp('app://footbridge/compose/namespace/', {
    headers: {
      authorization: 'Bearer x',
      cookie: 'footbridge_1=mine',
      origin: 'https://evil.example',
      host: 'evil',
    },
  });
  expect(seen[0]!.headers).toMatchObject({
    host: base.slice('http://'.length),
    cookie: 'footbridge_1=secret0',
  });
  expect(Object.keys(seen[0]!.headers)).not.toEqual(expect.arrayContaining(['authorization']));
  expect(seen[0]!.headers.origin).toBeUndefined();
});

it('streams events as they come, and hangs up when the page does', async () => {
  const stream = await fetchApp('app://footbridge/app/events');
  expect(stream.headers.getSetCookie(), 'cookies stay in the main process').toEqual([]);
  const reader = stream.body!.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toBe('event: hello\n\n');
  expect(await read()).toBe('event: overview\n\n');
  await reader.cancel();
  await soon(() => expect(closedStreams).toBe(1));
});

it('streams an upload through', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 100; i++) controller.enqueue(new TextEncoder().encode('0123456789'));
      controller.close();
    },
  });
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  expect((await fetchApp('app://footbridge/app/import?list=x', init)).status).toBe(201);
  expect(seen[0]!.body).toHaveLength(1000);
});

it('signs in once for many requests, and anew when the session has ended', async () => {
  await Promise.all([1, 2, 3].map((n) => fetchApp(`app://footbridge/app/${n}`)));
  expect(links).toBe(1);
  cookies.length = 0;
  expect((await fetchApp('app://footbridge/app/again')).status).toBe(201);
  expect(links).toBe(2);
});

it('says that the node is starting when it does not answer, and goes on when it does', async () => {
  const session = createWindowSession(() => {
    throw new Error('The node is not running.');
  });
  const handle = createAppProtocol({ folder, session });
  const answered = await handle(new Request('app://footbridge/app/overview'));
  expect(answered.status).toBe(503);
  expect(await answered.json()).toMatchObject({ error: { code: 'node.unreachable' } });

  let port = 9;
  const moved = createWindowSession(() => `http://127.0.0.1:${port}/?key=${++links}`);
  const through = createAppProtocol({ folder, session: moved });
  expect((await through(new Request('app://footbridge/app/overview'))).status).toBe(503);
  port = Number(new URL(base).port);
  expect((await through(new Request('app://footbridge/app/overview'))).status).toBe(201);
});

it('passes through the node’s interface only', async () => {
  for (const path of ['/healthz', '/appendix/x', '/exposed/records', '/api/federation/nodes'])
    expect((await fetchApp(`app://footbridge${path}`)).status, path).toBe(404);
  expect(seen).toEqual([]);
});
