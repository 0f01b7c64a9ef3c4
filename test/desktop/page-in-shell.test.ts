import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppProtocol } from '../../main/window/app-protocol.ts';
import { createWindowSession } from '../../main/window/window-session.ts';
import type { FootbridgeNode } from '../../server/node/node.ts';
import { startNode } from '../support/harness/node.ts';
import { launchBrowser } from '../support/harness/browser.ts';
import { askThrough, type Ask } from './origin-office.ts';

/*
 * The built window as the shell serves it (files, policy, forwarding), in a real browser. Chromium outside of
 * Electron knows no `app:`, so a server on loopback stands between and passes everything on as it is.
 */

const WINDOW = resolve('dist', 'window');
let folder: string;
let node: FootbridgeNode;
let server: Server;
let browser: Browser;
let page: Page;
let ask: Ask;
const complaints: string[] = [];
/** Streams of events that the page holds, and how many it has opened. */
const streams = new Set<ServerResponse>();
let opened = 0;

async function pass(
  handle: (request: Request) => Promise<Response>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const body =
    req.method === 'GET' || req.method === 'HEAD' ? {} : { body: Readable.toWeb(req), duplex: 'half' };
  const headers = Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const request = new Request(`app://footbridge${req.url ?? '/'}`, {
    method: req.method ?? 'GET',
    headers,
    ...body,
  } as RequestInit);
  const answer = await handle(request);
  res.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (req.url === '/app/events') {
    opened++;
    streams.add(res);
    res.on('close', () => streams.delete(res));
  }
  if (answer.body) await pipeline(Readable.fromWeb(answer.body as ReadableStream), res);
  else res.end();
}

beforeAll(async () => {
  if (!existsSync(join(WINDOW, 'index.html')))
    throw new Error('There is no build. Run `npm run build` first.');
  folder = await mkdtemp(join(tmpdir(), 'footbridge-page-'));
  ({ node } = await startNode('Shell office', { dataDir: folder }));
  const session = createWindowSession(() => node.windowLink());
  ask = askThrough((path, init) => session.fetch(path, init));
  await ask('/app/settings', { method: 'PATCH', body: '{"office":"Shell office","firstRunDone":true}' });
  const handle = createAppProtocol({ folder: WINDOW, session });
  // Where the stream was ended in between, the one behind it ends as well.
  server = createServer((req, res) => void pass(handle, req, res).catch(() => res.destroy()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

  browser = await launchBrowser();
  page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}, 60_000);
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
  await node.stop();
  await rm(folder, { recursive: true, force: true });
});

it('runs every place of the window under the shell’s policy without a complaint', async () => {
  for (const place of ['#/', '#/partners', '#/partners/add', '#/lists', '#/lists/import', '#/settings']) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, place);
    await page.getByRole('heading').first().waitFor();
    await page.waitForTimeout(150);
    expect(complaints, place).toEqual([]);
  }
});

it('hears of a change by itself, through the forwarded event stream', async () => {
  await page.evaluate(() => {
    location.hash = '#/partners';
  });
  await ask('/app/invites', { method: 'POST', body: '{"name":"Office by the stream"}' });
  await page.getByText('Office by the stream').first().waitFor({ timeout: 15_000 });
  expect(complaints).toEqual([]);
});

it('opens the pairing page with the invite of a link filled in', async () => {
  const invite =
    'corteza+federation://1234:abcdefghijklmnopqrstuvwxyz012345@office.example/federation?name=Far%20office';
  await page.evaluate((text) => {
    location.hash = `#/partners/add?invite=${encodeURIComponent(text)}`;
  }, invite);
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.querySelectorAll('textarea, input')].map((field) => (field as HTMLInputElement).value),
      ),
    )
    .toContain(invite);
  expect((await ask<{ partners: unknown[] }>('/app/overview')).partners).toHaveLength(1);
});

it('shows in Settings what the shell says of updates and of starting at login, and looks when asked', async () => {
  const context = await browser.newContext({ locale: 'en-GB' });
  // In the preload's place.
  await context.addInitScript(() => {
    const update = { state: 'idle', message: 'Nothing looked for yet.' };
    const answers = {
      info: {
        platform: 'linux',
        version: '1',
        trayShown: true,
        loginItem: { available: false, message: 'Cannot start at login here.' },
        update,
      },
      checkForUpdates: { state: 'ready', message: 'Version 2 is ready.', version: '2' },
      installUpdate: true,
    };
    const called: string[] = [];
    const methods = Object.entries(answers).map(([name, answer]) => [
      name,
      () => {
        called.push(name);
        return Promise.resolve(answer);
      },
    ]);
    Object.assign(window, { called, footbridge: Object.fromEntries(methods) as object });
  });
  const own = await context.newPage();
  await own.goto(`${page.url().split('#')[0] ?? ''}#/settings`);
  await own.getByText('Nothing looked for yet.').waitFor();
  await own.getByText('Cannot start at login here.').waitFor();
  await own.getByRole('button', { name: 'Look now' }).click();
  await own.getByText('Version 2 is ready.').waitFor();
  await own.getByRole('button', { name: 'Restart to update' }).click();
  const called = (): Promise<string[]> =>
    own.evaluate(() => (window as unknown as { called: string[] }).called);
  await expect.poll(called).toContain('installUpdate');
  await context.close();

  await page.evaluate(() => {
    location.hash = '#/settings';
  });
  await page.getByText('Takes effect in the desktop app').first().waitFor();
});

it('misses nothing that happens while its stream is away, and holds one stream at a time', async () => {
  const before = opened;
  await page.evaluate(() => {
    location.hash = '#/partners';
  });
  for (const name of ['Office in the first gap', 'Office in the second gap']) {
    await expect.poll(() => streams.size).toBe(1);
    const gap = ask('/app/invites', { method: 'POST', body: JSON.stringify({ name }) });
    for (const stream of streams) stream.end();
    await gap;
    await page.getByText(name).first().waitFor({ timeout: 15_000 });
  }
  await expect.poll(() => streams.size).toBe(1);
  expect(opened - before).toBeGreaterThanOrEqual(2);
  expect(complaints).toEqual([]);
});
