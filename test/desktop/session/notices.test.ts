import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListSummary } from '../../../server/contract/app/lists.ts';
import { launchDesktop } from '../desktop-app.ts';
import { startOrigin, until } from '../origin-office.ts';
import { notOnDesktop, picture, titled } from './whole-desktop.ts';

describe.skipIf(notOnDesktop !== undefined)(titled('notifications of a desktop'), () => {
  it('tells on the bus of the rows that came, once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-notices-'));
    const monitor = spawn('dbus-monitor', [
      '--session',
      'interface=org.freedesktop.Notifications,member=Notify',
    ]);
    let heard = '';
    monitor.stdout.on('data', (bytes: Buffer) => (heard += bytes.toString()));
    const rows = 500;
    const origin = await startOrigin(join(folder, 'origin'), rows);
    const desktop = await launchDesktop({
      dataDir: join(folder, 'data'),
      args: ['--allow-loopback-partners'],
    });
    try {
      const { moduleID } = await origin.shareWith((path, init) => desktop.ask(path, init));
      await until(async () => {
        const lists = await desktop.ask<ListSummary[]>('/app/lists');
        return lists.find((list) => list.moduleID === moduleID)?.rows === rows;
      });
      // That a list was offered is told as well, where the machine is slower than who takes it here.
      const arrived = /string "Origin office"\s+string "500 [^"]*Received customers"/g;
      await expect.poll(() => heard, { timeout: 30_000 }).toMatch(arrived);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await picture('notice');
      expect(heard.match(arrived)).toHaveLength(1);
    } finally {
      monitor.kill();
      await desktop.remove();
      await origin.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  });
});
