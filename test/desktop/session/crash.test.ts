import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview } from '../../../server/contract/app/overview.ts';
import { launchDesktop, type DesktopApp } from '../desktop-app.ts';
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
  const reports = (): Promise<string[]> => readdir(join(desktop.dataDir, 'reports')).catch(() => []);

  it('starts the node again three times in its own process, says so, and goes on', async () => {
    for (let times = 1; times <= 3; times += 1) {
      await crash();
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
    await crash();
    await expect.poll(windowsSeen, { timeout: 10_000 }).toContain('Footbridge');
    const status = async (): Promise<string | undefined> => (await (await traySeen())?.menu())?.[0]?.label;
    await expect.poll(status).toBe('Problem: Nothing is synced');
    await picture('crash-gave-up');
    await run('xdotool', 'key', 'Return');
    await expect.poll(status, { timeout: 10_000 }).toMatch(/partner/);
    await picture('crash-tried-again');
  });
});
