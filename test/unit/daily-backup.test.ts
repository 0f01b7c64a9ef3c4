import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepDailyBackups } from '../../server/daily-backup.ts';
import type { Clock } from '../../server/store/clock.ts';
import { openStore, type DiskStore } from '../../server/store/open-store.ts';

describe('the daily backup', () => {
  let folder: string;
  let store: DiskStore;
  let now = Date.UTC(2026, 0, 1);
  const timers: (() => void)[] = [];
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after(_ms, fn) {
      timers.push(fn);
      return () => void timers.splice(timers.indexOf(fn), 1);
    },
  };
  const passTime = (ms: number): void => {
    now += ms;
    timers.shift()?.();
  };
  const backups = (): Promise<string[]> => readdir(join(folder, 'backups')).catch(() => []);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-daily-'));
    store = await openStore({ dataDir: folder, clock });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is written after the start and then once a day, not at every look', async () => {
    const stop = keepDailyBackups({ store, clock, log: pino({ level: 'silent' }) });
    passTime(60_000);
    await expect.poll(backups).toHaveLength(1);
    passTime(15 * 60_000);
    await stop();
    expect(await backups()).toHaveLength(1);
    const again = keepDailyBackups({ store, clock, log: pino({ level: 'silent' }) });
    passTime(86_400_000);
    await expect.poll(backups).toHaveLength(2);
    await again();
    expect(timers).toHaveLength(0);
  });
});
