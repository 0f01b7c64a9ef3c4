import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview } from '../../../server/contract/app/overview.ts';
import { PACKED, notPacked, startPacked, type PackedApp } from './packed-app.ts';
import { picture, run, traySeen, windowsSeen } from './whole-desktop.ts';

const ENTRY = join(homedir(), '.config', 'autostart', 'footbridge.desktop');
const NAME = notPacked === undefined ? 'a packed app' : `a packed app (NOT RUN: ${notPacked})`;

/** Titles of windows of which one is ours. */
const OURS: unknown = expect.arrayContaining([expect.stringContaining('Footbridge')]);

/** Ends the app by its own menu, and says how long that took. */
async function quitByTray(ended?: Promise<unknown>): Promise<number> {
  const began = performance.now();
  // It may be gone before it answers.
  await (await traySeen())?.click('Quit Footbridge').catch(() => undefined);
  await ended;
  await expect.poll(async () => (await traySeen()) === undefined, { timeout: 5000 }).toBe(true);
  return performance.now() - began;
}

describe.skipIf(notPacked !== undefined)(NAME, () => {
  let app: PackedApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-packed-'));
    app = await startPacked('--data', join(folder, 'data'), '--port', '0', '--window-port', '0');
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  it('starts out of its archive, on its own page, and its node answers', async () => {
    await expect.poll(() => app.evaluate('document.title'), { timeout: 20_000 }).toContain('Footbridge');
    expect(await app.evaluate('location.href')).toMatch(/^app:\/\/footbridge\//);
    expect((await app.ask<Overview>('/app/overview')).partners).toEqual([]);
    expect(existsSync(join(PACKED, '..', 'resources', 'app.asar'))).toBe(true);
    await picture('packed');
  });

  it('runs its page without Node and under its content policy, and gives it the shell’s own calls alone', async () => {
    expect(await app.evaluate('[typeof process, typeof require, typeof globalThis.footbridge]')).toEqual([
      'undefined',
      'undefined',
      'object',
    ]);
    const ran = `(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.head.append(script);
      return 'ran' in globalThis;
    })()`;
    expect(await app.evaluate(ran)).toBe(false);
    expect(await app.evaluate("fetch('https://example.org/').then(() => 'reached', () => 'refused')")).toBe(
      'refused',
    );
  });

  it('is no Node for whoever asks it to be one (E1)', async () => {
    // As Node it would print this; as the app it is a second start, which ends at once.
    const args = ['-e', 'console.log("node")', '--', '--data', join(folder, 'data')];
    expect(await run('env', 'ELECTRON_RUN_AS_NODE=1', PACKED, ...args)).not.toContain('node');
  });

  it('takes an invite link of a second start, and stays the only one', async () => {
    await app.ask('/app/settings', { method: 'PATCH', body: '{"office":"Packed","firstRunDone":true}' });
    await run(PACKED, '--data', join(folder, 'data'), 'corteza://1:wrong@127.0.0.1:9/federation');
    await expect
      .poll(() => app.evaluate('location.hash'), { timeout: 10_000 })
      .toMatch(/pair|invite|connect/);
    expect(await windowsSeen()).toEqual(OURS);
  });

  it('is quit by its tray within two seconds', async () => {
    await app.ask('/app/settings', { method: 'PATCH', body: '{"startAtLogin":true}' });
    await expect.poll(() => existsSync(ENTRY), { timeout: 5000 }).toBe(true);
    expect(await quitByTray(app.ended)).toBeLessThan(2500);
  });

  it('starts at login in the tray, as the desktop starts what its entry says, and no more once it is switched off', async () => {
    expect(await readFile(ENTRY, 'utf8')).toContain(`Exec="${PACKED}" --hidden`);
    // What a desktop does with each entry when somebody logs in.
    spawn('gio', ['launch', ENTRY], { stdio: 'ignore', detached: true }).unref();
    await expect.poll(traySeen, { timeout: 30_000 }).toBeDefined();
    expect(await windowsSeen()).not.toEqual(OURS);
    await (await traySeen())?.click('Open Footbridge');
    // The page says what it shows in front of the name.
    const drawn: unknown = expect.arrayContaining([expect.stringMatching(/. Footbridge$/)]);
    await expect.poll(windowsSeen, { timeout: 20_000 }).toEqual(drawn);
    await picture('packed-after-login');
    await quitByTray();

    const again = await startPacked();
    await expect.poll(() => again.evaluate('document.title'), { timeout: 20_000 }).toContain('Footbridge');
    try {
      await again.ask('/app/settings', { method: 'PATCH', body: '{"startAtLogin":false}' });
      await expect.poll(() => existsSync(ENTRY), { timeout: 5000 }).toBe(false);
      await quitByTray(again.ended);
    } finally {
      await again.stop();
    }
  });
});
