import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDailyBackups } from '../../../server/node/daily-backup.ts';
import { listBackups } from '../../../server/store/recovery/backups.ts';
import type { Clock } from '../../../server/base/clock.ts';
import type { Store } from '../../../server/store/store.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

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
  /** Those that are whole: one being written has another name. */
  const backups = async (): Promise<string[]> => (await listBackups(folder)).map(({ file }) => file);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-daily-'));
    store = await openStore({ dataDir: folder, clock });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is written after the start and then once a day, not at every look', async () => {
    const { stop } = startDailyBackups({ store, clock, log: pino({ level: 'silent' }) });
    passTime(60_000);
    await expect.poll(backups).toHaveLength(1);
    passTime(15 * 60_000);
    await stop();
    expect(await backups()).toHaveLength(1);
    const { stop: again } = startDailyBackups({ store, clock, log: pino({ level: 'silent' }) });
    passTime(86_400_000);
    await expect.poll(backups).toHaveLength(2);
    await again();
    expect(timers).toHaveLength(0);
  });

  it('is not of one day seven times, where each start has a clock in the past that is put right later', async () => {
    const right = now;
    let seen = 0;
    const looks = async (at: number): Promise<void> => {
      const { stop } = startDailyBackups({
        store,
        clock,
        time: { elapsed: () => seen },
        log: pino({ level: 'silent' }),
      });
      now = at;
      passTime(0);
      await stop();
    };
    await looks(right);
    for (let start = 1; start <= 5; start++) {
      seen += 3_600_000;
      await looks(Date.UTC(2009, 0, 1 + start));
      await looks(right + start * 3_600_000);
    }
    expect(await backups()).toHaveLength(1);
    seen += 12 * 3_600_000;
    await looks(right + 86_400_000);
    expect(await backups()).toHaveLength(2);
    // As after a restore: what was seen by then is not known any more.
    seen = 1000;
    await looks(right + 2 * 86_400_000);
    expect(await backups()).toHaveLength(3);
  });

  it('is also written for new lists, once for several, and keeps the days', async () => {
    const at = manualClock();
    const day = 86_400_000;
    const other = await mkdtemp(join(tmpdir(), 'footbridge-daily-'));
    const office = await openStore({ dataDir: other, clock: at });
    const days = async (): Promise<number[]> =>
      (await listBackups(other)).map((each) => (each.at - Date.UTC(2026, 0, 1)) / day);
    const running = startDailyBackups({
      store: office,
      clock: at,
      log: pino({ level: 'silent' }),
    });
    /** Lets time pass in steps, as a backup that is due takes turns of the event loop. */
    const pass = async (ms: number, parts = 1): Promise<void> => {
      for (let part = 0; part < parts; part++) {
        at.advance(ms / parts);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await pass(60_000);
    await expect.poll(days).toHaveLength(1);
    for (let list = 0; list < 20; list++) {
      running.scheduleNewLists();
      await pass(1000);
    }
    expect(await days()).toHaveLength(1);
    await pass(3 * 60_000);
    await expect.poll(days).toHaveLength(2);
    const [first = 0] = await days();
    running.scheduleNewLists();
    await pass(30 * 60_000, 3);
    expect((await days())[0]).toBe(first);
    await pass(40 * 60_000, 4);
    await expect.poll(async () => (await days())[0], { timeout: 10_000 }).toBeGreaterThan(first);
    await expect.poll(days).toHaveLength(2);
    /** Looks again each 15 minutes, as a node does, until there is a backup of the last hour or two. */
    const becomesNew = (): Promise<void> =>
      expect
        .poll(
          async () => {
            await pass(15 * 60_000);
            return at.now() - ((await listBackups(other))[0]?.at ?? 0);
          },
          { timeout: 20_000 },
        )
        .toBeLessThan(day / 12);
    await pass(3 * 3_600_000);
    for (let n = 1; n < 9; n++) {
      running.scheduleNewLists();
      await pass(3 * 60_000);
      await becomesNew();
      await pass(day, 2);
      await becomesNew();
    }
    await running.stop();
    const kept = await days();
    expect(kept).toHaveLength(8);
    // One a day, and the latest one for a new list.
    expect((kept[0] ?? 0) - (kept[7] ?? 0)).toBeGreaterThan(5.5);
    await office.close();
    await rm(other, { recursive: true, force: true });
  });

  it('is one at a time, also where writing it takes longer than until the next look', async () => {
    const done: (() => void)[] = [];
    const slow: Store = {
      ...store,
      backup: () => new Promise((resolve) => done.push(() => resolve({ bytes: 0, entries: 0 }))),
    };
    const { stop } = startDailyBackups({ store: slow, clock, log: pino({ level: 'silent' }) });
    passTime(60_000);
    await expect.poll(() => done.length).toBe(1);
    passTime(15 * 60_000);
    passTime(15 * 60_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toHaveLength(1);
    done[0]?.();
    await stop();
  });
});
