import express from 'express';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListedSession } from '../../../server/contract/app/settings.ts';
import { Sessions } from '../../../server/http/auth/session.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { rawRequest, serveOnce } from '../../support/harness/http.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';

describe('the way into the window', () => {
  let folder: string;
  let store: DiskStore;
  let sessions: Sessions;
  let server: Awaited<ReturnType<typeof serveOnce>>;
  let clock: ManualClock;
  let believed: () => number;

  async function open(): Promise<void> {
    store = await openStore({ dataDir: folder, clock });
    const time = { now: () => believed(), highWater: () => believed(), elapsed: () => clock.monotonic() };
    sessions = new Sessions({ system: await store.partition('system'), clock, time, name: () => '7421' });
    const app = express();
    app.use((req, res, next) => sessions.redeemKey(req, res, next));
    app.use(async (req, res) => {
      res.status((await sessions.findByCookie(req.headers.cookie)) ? 200 : 401).end();
    });
    server = await serveOnce(app);
  }

  beforeEach(async () => {
    clock = manualClock('2026-01-01T00:00:00Z');
    believed = () => clock.now();
    folder = await mkdtemp(join(tmpdir(), 'footbridge-session-'));
    await open();
  });
  afterEach(async () => {
    await server.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const follow = async (link: string): Promise<string> => {
    const answer = await rawRequest(server.port, link.replace('http://x', ''));
    return (answer.headers['set-cookie'] ?? []).join(';');
  };
  const enter = async (cookie: string): Promise<number> =>
    (await rawRequest(server.port, '/', { headers: { Cookie: cookie.split(';')[0] ?? '' } })).status;

  it('is a link that works once and becomes a cookie that scripts and other sites cannot use', async () => {
    const link = sessions.createLink('http://x');
    const cookie = await follow(link);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(await enter(cookie)).toBe(200);
    expect(await follow(link)).toBe('');
  });

  it('ends after ten minutes when it was not followed', async () => {
    const link = sessions.createLink('http://x');
    clock.advance(11 * 60_000);
    expect(await follow(link)).toBe('');
  });

  it('stays open over a restart of the node, for thirty days', async () => {
    const cookie = await follow(sessions.createLink('http://x'));
    await server.close();
    await store.close();
    await open();
    expect(await enter(cookie)).toBe(200);
    clock.advance(31 * 86_400_000);
    expect(await enter(cookie)).toBe(401);
  });

  it('A6: leaves nothing on disk that could be used as the cookie, and takes no made-up one', async () => {
    const cookie = await follow(sessions.createLink('http://x'));
    const secret = /=([^;]+)/.exec(cookie)?.[1] ?? '';
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain(secret);
    }
    expect(await enter('footbridge_7421=made-up')).toBe(401);
    expect(await enter('')).toBe(401);
  });

  it('is listed with its browser and times, and ended from the next request on', async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
    const path = sessions.createLink('http://x').replace('http://x', '');
    const entered = await rawRequest(server.port, path, { headers: { 'User-Agent': agent } });
    const first = (entered.headers['set-cookie'] ?? []).join(';');
    clock.advance(60_000);
    const second = await follow(sessions.createLink('http://x'));
    const third = await follow(sessions.createLink('http://x'));
    clock.advance(2 * 3_600_000);
    expect(await enter(first)).toBe(200);
    const listed = (): Promise<ListedSession[]> => sessions.list(first.split(';')[0]);
    await expect.poll(async () => (await listed()).at(-1)?.usedAt).toBe(new Date(clock.now()).toISOString());
    expect(await listed()).toMatchObject([
      { own: false },
      { own: false },
      {
        own: true,
        browser: 'Firefox',
        begunAt: new Date(clock.now() - 2 * 3_600_000 - 60_000).toISOString(),
      },
    ]);
    const secret = /=([^;]+)/.exec(first)?.[1] ?? '';
    expect(JSON.stringify(await listed())).not.toContain(secret);
    clock.advance(11 * 60_000);
    expect((await listed()).at(-1)?.usedAt, 'whoever looks is there now').toBe(
      new Date(clock.now()).toISOString(),
    );

    const others = (await listed()).filter(({ own }) => !own).map(({ sessionID }) => sessionID);
    await sessions.endSessions(others);
    expect([await enter(first), await enter(second), await enter(third)]).toEqual([200, 401, 401]);
    await sessions.endSessions((await listed()).map(({ sessionID }) => sessionID));
    expect(await enter(first)).toBe(401);
    expect(await listed()).toEqual([]);
  });

  it('is neither hidden nor ended by a clock that stands ahead for a while, and can be signed out meanwhile', async () => {
    const right = clock.now();
    believed = () => right;
    const cookies = [
      await follow(sessions.createLink('http://x')),
      await follow(sessions.createLink('http://x')),
    ];
    clock.set(right + 40 * 86_400_000);
    const [first = '', second = ''] = cookies;
    const listed = await sessions.list(first.split(';')[0]);
    expect(listed).toHaveLength(2);
    expect(await enter(first)).toBe(200);
    await follow(sessions.createLink('http://x'));
    await sessions.endSessions(listed.filter(({ own }) => !own).map(({ sessionID }) => sessionID));
    clock.set(right);
    expect([await enter(first), await enter(second)]).toEqual([200, 401]);
  });

  it('that was used under a clock that stood ahead is said to be used once the clock is right, not in a year', async () => {
    const other = await follow(sessions.createLink('http://x'));
    clock.advance(365 * 86_400_000);
    believed = () => Date.UTC(2026, 0, 1, 1);
    clock.set('2027-01-01T00:00:00Z');
    const cookie = await follow(sessions.createLink('http://x'));
    clock.set('2026-01-02T10:00:00Z');
    expect(await enter(cookie)).toBe(200);
    const used = async (): Promise<string | undefined> =>
      (await sessions.list(other.split(';')[0])).find(({ own }) => !own)?.usedAt;
    await expect.poll(used).toBe('2026-01-02T10:00:00.000Z');
  });

  it('that began under a clock that stood a year ahead ends after thirty days all the same', async () => {
    const right = clock.now();
    clock.set(right + 365 * 86_400_000);
    const cookie = await follow(sessions.createLink('http://x'));
    clock.set(right);
    clock.advance(29 * 86_400_000);
    expect(await enter(cookie)).toBe(200);
    clock.advance(2 * 86_400_000);
    expect(await enter(cookie)).toBe(401);
    expect(await sessions.list(undefined)).toEqual([]);
  });
});
