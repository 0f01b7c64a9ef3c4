import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListSummary } from '../../server/contract/app/lists.ts';
import { launchDesktop, notRun, type DesktopApp } from './desktop-app.ts';
import { startOrigin, until } from './origin-office.ts';

const title = notRun === undefined ? 'the desktop app' : `the desktop app (NOT RUN: ${notRun})`;
describe.skipIf(notRun !== undefined)(title, () => {
  it('quits within two seconds in the middle of a pull, and goes on after the next start (E5)', async () => {
    const rows = 20_000;
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-quit-'));
    const origin = await startOrigin(join(folder, 'origin'), rows);
    const launch = (): Promise<DesktopApp> =>
      launchDesktop({ dataDir: join(folder, 'data'), args: ['--allow-loopback-partners'] });
    let desktop = await launch();
    try {
      const { moduleID } = await origin.shareWith((path, init) => desktop.ask(path, init));
      const received = async (): Promise<number> =>
        (await desktop.ask<ListSummary[]>('/app/lists')).find((list) => list.moduleID === moduleID)?.rows ??
        0;
      const before = await until(async () => (await received()) || false);
      expect(await desktop.quit()).toBeLessThan(2_500);
      expect(before, 'the pull was to be under way still').toBeLessThan(rows);

      desktop = await launch();
      expect(await received()).toBeGreaterThanOrEqual(before);
      await until(async () => (await received()) === rows);
    } finally {
      await desktop.remove();
      await origin.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  });
});
