import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Overview } from '../../../server/contract/app/overview.ts';
import { launchDesktop, type DesktopApp } from '../desktop-app.ts';
import { notOnDesktop, run, titled } from './whole-desktop.ts';

/** A bus of the system with a login manager on it that does as it is told, in place of the computer's own. */
async function startLoginManager(): Promise<{ address: string; stop: () => void }> {
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1']);
  const [said] = (await once(bus.stdout, 'data')) as [Buffer];
  const address = said.toString().trim();
  const env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: address };
  // Debian's own Python has it, whichever comes first in the path.
  const manager: ChildProcess = spawn(
    '/usr/bin/python3',
    ['-m', 'dbusmock', '--system', '--template', 'logind'],
    {
      env,
      stdio: 'ignore',
    },
  );
  const there = [
    '--address',
    address,
    '--dest',
    'org.freedesktop.login1',
    '--object-path',
    '/org/freedesktop/login1',
  ];
  await expect
    .poll(() => run('gdbus', 'introspect', ...there).catch(() => ''), { timeout: 10_000 })
    .toContain('PreparingForSleep');
  return {
    address,
    stop() {
      manager.kill();
      bus.kill();
    },
  };
}

describe.skipIf(notOnDesktop !== undefined)(titled('the power of a computer'), () => {
  let manager: Awaited<ReturnType<typeof startLoginManager>> | undefined;
  let desktop: DesktopApp | undefined;
  beforeEach(async () => {
    manager = await startLoginManager();
    process.env.DBUS_SYSTEM_BUS_ADDRESS = manager.address;
  });
  afterEach(async () => {
    delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
    await desktop?.remove();
    manager?.stop();
  });
  const manage = (method: string, ...args: string[]): Promise<string> => {
    const there = ['--address', manager?.address ?? '', '--dest', 'org.freedesktop.login1'];
    return run(
      'gdbus',
      'call',
      ...there,
      '--object-path',
      '/org/freedesktop/login1',
      '--method',
      method,
      ...args,
    );
  };
  const announce = (signal: string, yes: boolean): Promise<string> =>
    manage(
      'org.freedesktop.DBus.Mock.EmitSignal',
      'org.freedesktop.login1.Manager',
      signal,
      'b',
      `[<${yes}>]`,
    );

  it('sleeps and wakes with it, and goes on', async () => {
    desktop = await launchDesktop();
    const now = desktop;
    await now.app.evaluate(({ powerMonitor }) => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      powerMonitor.on('suspend', () => heard.push('suspend'));
      powerMonitor.on('resume', () => heard.push('resume'));
    });
    const heard = (): Promise<unknown> => now.app.evaluate(() => (globalThis as { heard?: unknown }).heard);
    await announce('PrepareForSleep', true);
    await expect.poll(heard).toEqual(['suspend']);
    await announce('PrepareForSleep', false);
    await expect.poll(heard).toEqual(['suspend', 'resume']);
    expect((await now.ask<Overview>('/app/overview')).state).toBe('offline');
  });

  it('ends in order before it goes off, and holds that up for no longer than two seconds', async () => {
    desktop = await launchDesktop();
    const ended = desktop.app.waitForEvent('close', { timeout: 10_000 });
    const began = performance.now();
    await announce('PrepareForShutdown', true);
    await ended;
    expect(performance.now() - began).toBeLessThan(6_000);
  });
});
