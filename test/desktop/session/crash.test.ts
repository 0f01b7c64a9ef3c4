import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview } from '../../../server/contract/app/overview.ts';
import { processStart } from '../../../server/store/files/lock.ts';
import { killNode, launchDesktop, nodePid, type DesktopApp } from '../desktop-app.ts';
import { notOnDesktop, picture, run, titled, traySeen, windowsSeen } from './whole-desktop.ts';

describe.skipIf(notOnDesktop !== undefined)(titled('a crash on a desktop'), () => {
  let desktop: DesktopApp;
  beforeAll(async () => {
    desktop = await launchDesktop();
    await desktop.ask('/app/settings', { method: 'PATCH', body: '{"office":"Crash","firstRunDone":true}' });
  });
  afterAll(() => desktop.remove());
  const crash = (): Promise<void> =>
    desktop.app.evaluate(() => {
      setTimeout(() => {
        throw new Error('broken for a test');
      }, 10);
    });
  const broken = [crash, () => killNode(desktop), () => killNode(desktop)];
  const reports = (): Promise<string[]> => readdir(join(desktop.dataDir, 'reports')).catch(() => []);

  it('starts the node again three times, whichever process broke, says so, and goes on', async () => {
    for (const [before, crashNow] of broken.entries()) {
      const times = before + 1;
      await crashNow();
      await expect.poll(windowsSeen, { timeout: 10_000 }).toContain('Footbridge');
      if (times === 1) await picture('crash-restarted');
      expect(await reports()).toHaveLength(times);
      await run('xdotool', 'key', 'Return');
      await expect.poll(windowsSeen, { timeout: 5000 }).not.toContain('Footbridge');
      await desktop.page.waitForLoadState('load');
      await expect
        .poll(async () => (await desktop.ask<Overview>('/app/overview')).office, { timeout: 5000 })
        .toBe('Crash');
    }
  });

  it('stops at the fourth, says that nothing is synced, and starts again when asked to', async () => {
    await killNode(desktop);
    await expect.poll(windowsSeen, { timeout: 10_000 }).toContain('Footbridge');
    const status = async (): Promise<string | undefined> => (await (await traySeen())?.menu())?.[0]?.label;
    await expect.poll(status).toBe('Problem: Nothing is synced');
    await picture('crash-gave-up');
    await run('xdotool', 'key', 'Return');
    await expect.poll(status, { timeout: 10_000 }).toMatch(/partner/);
    await picture('crash-tried-again');
  });

  it('leaves none behind either that was halted, when it is quit, and starts again at once', async () => {
    const pid = await nodePid(desktop);
    process.kill(pid, 'SIGSTOP');
    expect(await desktop.quit()).toBeLessThan(6_000);
    expect(await processStart(pid)).toBeUndefined();
    desktop = await launchDesktop({ dataDir: desktop.dataDir });
    expect((await desktop.ask<Overview>('/app/overview')).office).toBe('Crash');
  });

  it('leaves no process behind when the program itself is killed, and starts again at once on the same data', async () => {
    const pid = await nodePid(desktop);
    desktop.app.process().kill('SIGKILL');
    const next = await launchDesktop({ dataDir: desktop.dataDir });
    try {
      expect((await next.ask<Overview>('/app/overview')).office).toBe('Crash');
      expect(await processStart(pid), 'the node of the one that was killed').toBeUndefined();
    } finally {
      await next.remove();
    }
  });
});
