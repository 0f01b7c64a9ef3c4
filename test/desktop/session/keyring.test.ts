import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsAnswer } from '../../../server/contract/app/settings.ts';
import { launchDesktop, type DesktopApp } from '../desktop-app.ts';
import { notOnDesktop, picture, property, run, titled, windowsSeen } from './whole-desktop.ts';

/** Ends whatever keeps secrets on this bus; the bus starts one of its own, shut, when somebody asks. */
async function endKeyring(): Promise<void> {
  const asked = ['--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'];
  const method = 'org.freedesktop.DBus.GetConnectionUnixProcessID';
  const answer = await run('gdbus', 'call', ...asked, '--method', method, 'org.freedesktop.secrets').catch(
    () => '',
  );
  const pid = /uint32 (\d+)/.exec(answer)?.[1];
  if (pid !== undefined) process.kill(Number(pid));
  await new Promise((resolve) => setTimeout(resolve, 300));
}

/** Opens GNOME's keyring on this bus with a password; resolves to the way to end it. */
async function openKeyring(): Promise<() => Promise<void>> {
  await endKeyring();
  const keyrings = join(homedir(), '.local', 'share', 'keyrings');
  await mkdir(keyrings, { recursive: true });
  await writeFile(join(keyrings, 'default'), 'login');
  const args = ['--foreground', '--components=secrets', '--unlock'];
  const daemon = spawn('gnome-keyring-daemon', args, { stdio: ['pipe', 'ignore', 'ignore'] });
  daemon.stdin.end('a password');
  const path = '/org/freedesktop/secrets/collection/login';
  const locked = (): Promise<string> =>
    property('org.freedesktop.secrets', path, 'org.freedesktop.Secret.Collection', 'Locked').catch(
      () => 'not there',
    );
  await expect.poll(locked, { timeout: 10_000 }).toMatch(/boolean false/);
  return () =>
    new Promise((resolve) => {
      daemon.on('exit', () => resolve());
      daemon.kill();
    });
}

describe.skipIf(notOnDesktop !== undefined)(titled('secrets on a desktop'), () => {
  let folder: string;
  let desktop: DesktopApp | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-keyring-'));
  });
  afterEach(async () => {
    await desktop?.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const data = (): string => join(folder, 'data');
  const launch = async (): Promise<DesktopApp> => {
    // As a desktop that is none of the known ones, Chromium has to be told which keyring there is.
    desktop = await launchDesktop({ dataDir: data(), args: ['--password-store=gnome-libsecret'] });
    return desktop;
  };
  const protection = async (of: DesktopApp): Promise<string> =>
    (await of.ask<SettingsAnswer>('/app/settings')).secretProtection;

  afterEach(endKeyring);

  it('keeps the key in a file of the user’s where there is no keyring, and says so', async () => {
    const now = await launch();
    expect(await protection(now)).toBe('file');
    expect(await readdir(join(data(), 'keys'))).toContain('secrets.key');
  });

  it('moves the key into the keyring when there is one, opens it at the next start, and asks when it is gone', async () => {
    let now = await launch();
    await now.quit();
    const close = await openKeyring();
    try {
      now = await launch();
      expect(await protection(now)).toBe('system');
      const keys = await readdir(join(data(), 'keys'));
      expect(keys).toContain('secrets.key.guarded');
      expect(keys).not.toContain('secrets.key');
      await now.ask('/app/settings', { method: 'PATCH', body: '{"office":"Keyring","firstRunDone":true}' });
      await now.page.evaluate(() => {
        location.hash = '#/settings';
      });
      const told = now.page.getByText('are kept in this system’s own safe');
      await told.scrollIntoViewIfNeeded();
      await now.page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 300)));
      await picture('keyring-settings');
      await now.quit();
      now = await launch();
      expect(await protection(now)).toBe('system');
      await now.quit();
    } finally {
      await close();
    }
    const start = launchDesktop({ dataDir: data(), args: ['--password-store=gnome-libsecret'] });
    start.catch(() => undefined);
    await expect.poll(windowsSeen, { timeout: 60_000 }).toContain('Footbridge');
    await picture('keyring-shut');
    await run('xdotool', 'key', 'Return');
    expect(existsSync(join(data(), 'keys', 'secrets.key.guarded'))).toBe(true);
    await start.catch(() => undefined);
  });
});
