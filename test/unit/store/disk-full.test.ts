import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { systemDisk, type Disk, type DiskFile } from '../../../server/store/files/disk.ts';
import { asStoreError } from '../../../server/store/files/disk-steps.ts';
import { LOCK_FILE } from '../../../server/store/files/lock.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import type { Table } from '../../../server/store/store.ts';
import { faultyDisk } from '../../support/faults/disk-faults.ts';
import { copyFolder } from '../../support/faults/disk-sample.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';

const table: Table<{ n: number }> = { name: 't' };

/** A disk whose fsync fails once when told to, and which does not let anything be taken back that was written. */
function stubbornDisk(): { disk: Disk; refuseSync: (nth: number) => void } {
  let left = Infinity;
  const no = (): Promise<never> => Promise.reject(Object.assign(new Error('EIO: made up'), { code: 'EIO' }));
  const wrap = (file: DiskFile): DiskFile => ({
    read: (into, position) => file.read(into, position),
    write: (pieces, position) => file.write(pieces, position),
    sync: () => (--left === 0 ? no() : file.sync()),
    truncate: no,
    size: () => file.size(),
    close: () => file.close(),
  });
  const disk: Disk = { ...systemDisk, open: async (path, mode) => wrap(await systemDisk.open(path, mode)) };
  return { disk, refuseSync: (nth) => (left = nth) };
}

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

describe('R2: a disk that is full for a while', () => {
  it('says so until something can be written again, and finds out by itself', async () => {
    const disk = faultyDisk();
    const clock = manualClock();
    const heard: (string | undefined)[] = [];
    const store = await openStore({
      dataDir: folder.path,
      clock,
      disk,
      onWritability: () => heard.push(store.unwritable()?.code),
    });
    const part = await store.partition('p');
    const put = (n: number): Promise<void> => part.transaction((tx) => tx.put(table, String(n), { n }));
    await put(1);
    expect(store.unwritable()).toBeUndefined();
    disk.full(true);
    await expect(put(2)).rejects.toMatchObject({ code: 'full' });
    const since = new Date(clock.now()).toISOString();
    expect(store.unwritable()).toEqual({ at: since, code: 'full' });
    const before = disk.calls();
    clock.advance(5_000);
    await expect.poll(() => disk.calls()).toBeGreaterThan(before);
    expect(store.unwritable()).toEqual({ at: since, code: 'full' });

    disk.full(false);
    const tried = (): unknown => (clock.advance(5_000), store.unwritable());
    await expect.poll(tried).toBeUndefined();
    expect(await disk.list(join(folder.path, 'store'))).not.toContain('room.tmp');

    disk.full(true);
    await expect(store.partition('new')).rejects.toMatchObject({ code: 'full' });
    expect(store.unwritable()?.code).toBe('full');
    disk.full(false);
    await put(3);
    expect(store.unwritable()).toBeUndefined();
    disk.failNext('sync', 'EIO', 1);
    await expect(put(4)).rejects.toMatchObject({ code: 'io' });
    expect(heard).toEqual(['full', undefined, 'full', undefined, 'io']);
    await store.close();
  });

  it('refuses every change, shows only what is saved, and goes on when there is room', async () => {
    const disk = faultyDisk();
    const store = await openStore({ dataDir: folder.path, clock: systemClock, disk });
    const part = await store.partition('p');
    const put = (n: number): Promise<void> => part.transaction((tx) => tx.put(table, String(n), { n }));
    await put(1);
    disk.full(true);
    const results = await Promise.allSettled([put(2), put(3), put(4)]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StoreError', code: 'full' } });
    }
    await expect(put(5)).rejects.toMatchObject({ code: 'full' });
    await expect(store.compact('p')).rejects.toMatchObject({ code: 'full' });
    await expect(store.backup(`${folder.path}/b`)).rejects.toMatchObject({ code: 'full' });
    expect(await part.count(table)).toBe(1);
    const last = await part.lastSeq();
    disk.full(false);
    await put(6);
    expect(await part.lastSeq()).toBe(last + 1);
    await store.close();
    const again = await openStore({ dataDir: folder.path, clock: systemClock });
    const keys = (await (await again.partition('p')).page(table, { limit: 10 })).map(({ key }) => key);
    expect(keys).toEqual(['1', '6']);
    expect(again.notices()).toEqual([]);
    await again.close();
  });

  it('takes a change back together with all that were built on it', async () => {
    const disk = faultyDisk();
    const store = await openStore({ dataDir: folder.path, clock: systemClock, disk });
    const part = await store.partition('p');
    await part.transaction((tx) => tx.put(table, 'n', { n: 1 }));
    for (let round = 0; round < 50; round++) {
      const before = (await part.get(table, 'n'))?.n ?? 0;
      disk.failNext('write', 'ENOSPC', 1);
      const seen: (number | undefined)[] = [];
      const add = async (moments: number): Promise<void> =>
        part.transaction(async (tx) => {
          const { n } = (await tx.get(table, 'n')) ?? { n: 0 };
          seen.push(n);
          for (let i = 0; i < moments; i++) await Promise.resolve();
          if (round % 2) await new Promise(setImmediate);
          tx.put(table, 'n', { n: n + 1 });
        });
      const results = await Promise.allSettled([add(0), add(round % 7), add(round % 11), add(3)]);
      // The first one fails, and whoever had seen its change fails with it.
      expect(results[0].status).toBe('rejected');
      const done = results.filter(({ status }) => status === 'fulfilled').length;
      expect(await part.get(table, 'n'), seen.join()).toEqual({ n: before + done });
    }
    await store.close();
  });

  it('keeps out for good what a failed fsync may have left, though the very same change follows it', async () => {
    const { disk, refuseSync } = stubbornDisk();
    const store = await openStore({ dataDir: folder.path, clock: systemClock, disk });
    const part = await store.partition('p');
    const put = (n: number): Promise<void> => part.transaction((tx) => tx.put(table, String(n), { n }));
    await put(1);
    // The second is on its way while the others gather behind it, and these are refused together.
    refuseSync(2);
    const results = await Promise.allSettled([put(2), put(3), put(4)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await put(3);
    const killed = await temporaryFolder();
    await copyFolder(folder.path, killed.path);
    await rm(join(killed.path, LOCK_FILE));
    const again = await openStore({ dataDir: killed.path, clock: systemClock });
    const keys = (await (await again.partition('p')).page(table, { limit: 10 })).map(({ key }) => key);
    expect(keys).toEqual(['1', '2', '3']);
    await again.close();
    await killed.remove();
    await store.close();
  });

  it.each([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EPERM', 'permission'],
    ['EACCES', 'permission'],
    ['EROFS', 'permission'],
    ['EIO', 'io'],
    ['EMFILE', 'io'],
  ])('says %s as "%s", in a sentence', (code, meaning) => {
    const error = asStoreError(Object.assign(new Error('x'), { code }));
    expect(error.code).toBe(meaning);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
  });
});

describe('R4: another program holds a file while it is to be renamed', () => {
  it.each(['EPERM', 'EBUSY'] as const)('%s: tried again until it lets go', async (code) => {
    const disk = faultyDisk();
    const store = await openStore({ dataDir: folder.path, clock: systemClock, disk });
    await (await store.partition('p')).transaction((tx) => tx.put(table, '1', { n: 1 }));
    disk.failNext('rename', code, 4);
    await store.compact('p');
    await store.close();
  });

  it('for good: an error to be seen, and nothing lost', { timeout: 30_000 }, async () => {
    const disk = faultyDisk();
    const store = await openStore({ dataDir: folder.path, clock: systemClock, disk });
    const part = await store.partition('p');
    await part.transaction((tx) => tx.put(table, '1', { n: 1 }));
    disk.failNext('rename', 'EBUSY', Infinity);
    await expect(store.compact('p')).rejects.toMatchObject({ code: 'io' });
    await expect(part.transaction((tx) => tx.put(table, '2', { n: 2 }))).rejects.toMatchObject({
      code: 'io',
    });
    disk.failNext('rename', 'EBUSY', 0);
    await part.transaction((tx) => tx.put(table, '3', { n: 3 }));
    await store.close();
    const again = await openStore({ dataDir: folder.path, clock: systemClock });
    const keys = (await (await again.partition('p')).page(table, { limit: 10 })).map(({ key }) => key);
    expect(keys).toEqual(['1', '3']);
    await again.close();
  });
});
