import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeBackup } from '../../../server/store/recovery/backup.ts';
import { backUpWhenDue, listBackups } from '../../../server/store/recovery/backups.ts';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { systemDisk } from '../../../server/store/files/disk.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { createPartitionState } from '../../../server/store/engine/partition-state.ts';
import { restoreBackup } from '../../../server/store/recovery/restore-backup.ts';
import { takeConsistentView } from '../../../server/store/engine/store-writer.ts';
import { StoreError } from '../../../server/store/store.ts';
import { faultyDisk } from '../../support/faults/disk-faults.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import {
  contentOf,
  copyFolder,
  makeSampleStore,
  SAMPLE_PARTITION,
  samples,
} from '../../support/faults/disk-sample.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

let folder: TemporaryFolder;
let dataDir: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  dataDir = join(folder.path, 'data');
  file = join(folder.path, 'all.backup');
  await makeSampleStore(dataDir);
});
afterEach(() => folder.remove());

const open = (): ReturnType<typeof openStore> => openStore({ dataDir, clock: systemClock });
const restore = (from = file, to = dataDir): ReturnType<typeof restoreBackup> =>
  restoreBackup(from, to, { clock: systemClock });

describe('S8: a backup that somebody else made', () => {
  it.each(['../outside', '..', '/tmp/footbridge-outside', 'a/b', 'a\\b', '', 'x'.repeat(101)])(
    'is refused when it calls a partition %j, which would lie outside of the data folder',
    async (name) => {
      const store = await open();
      const content = await contentOf(store);
      await store.close();
      const view = takeConsistentView(name, createPartitionState());
      const place = { disk: systemDisk, clock: systemClock };
      await writeBackup(
        place,
        { file, number: 0 },
        [name],
        async (_, writer) => {
          await writer.control({ partition: name, last: view.last });
          await writer.appendEntries(view);
          return view.entries;
        },
        () => false,
      );
      const before = await readdir(folder.path, { recursive: true });
      await expect(restore()).rejects.toMatchObject({ code: 'damaged' });
      expect(await readdir(folder.path, { recursive: true })).toEqual(before);
      const again = await open();
      expect(await contentOf(again)).toEqual(content);
      await again.close();
    },
  );
});

describe('R7: backup and restore', () => {
  it('brings everything back, in all partitions, and keeps the store that was there', async () => {
    const store = await open();
    const content = await contentOf(store);
    const second = await store.partition('second');
    await second.transaction((tx) => tx.put({ name: 'other' }, 'ü', [1, 2]));
    await store.partition('empty');
    const { entries, bytes } = await store.backup(file);
    expect(entries).toBe(Object.keys(content).length + 1);
    expect(bytes).toBe((await readFile(file)).length);
    const part = await store.partition(SAMPLE_PARTITION);
    await part.transaction((tx) => tx.put(samples, 'k1', { n: 0, text: 'changed' }));
    await store.drop('second');
    const later = await contentOf(store);
    await store.close();

    const restored = await restore();
    expect(restored).toMatchObject({ partitions: 3, entries });
    const again = await open();
    expect(await contentOf(again)).toEqual(content);
    expect(await (await again.partition('second')).get({ name: 'other' }, 'ü')).toEqual([1, 2]);
    expect(await again.partitions()).toEqual(['empty', 'p', 'second']);
    expect(again.notices()).toEqual([]);
    await again.close();

    const kept = join(folder.path, 'kept');
    await copyFolder(restored.kept ?? '', join(kept, 'store'));
    const old = await openStore({ dataDir: kept, clock: systemClock });
    expect(await contentOf(old)).toEqual(later);
    await old.close();
  });

  it('counts on behind every change number that was given out, so that partners who follow them miss nothing', async () => {
    const store = await open();
    await store.backup(file);
    const part = await store.partition(SAMPLE_PARTITION);
    for (let i = 0; i < 20; i++) {
      await part.transaction((tx) => tx.put(samples, 'k1', { n: 0, text: `${i}` }));
    }
    const given = await part.lastSeq();
    await store.close();
    await restore();
    const again = await open();
    const restored = await again.partition(SAMPLE_PARTITION);
    expect(await restored.lastSeq()).toBeGreaterThan(given);
    await restored.transaction((tx) => tx.put(samples, 'new', { n: 0, text: '' }));
    const changes = await restored.changesSince(samples, { afterSeq: given }, 100);
    expect(changes.map(({ key }) => key)).toEqual(['new']);
    await again.close();
  });

  it('is as of one moment: transactions meanwhile are in it whole or not at all', async () => {
    const store = await open();
    const part = await store.partition('pairs');
    const left = { name: 'left' };
    const right = { name: 'right' };
    const writer = { goesOn: true };
    const writing = (async () => {
      for (let i = 0; writer.goesOn; i++) {
        await part.transaction((tx) => {
          for (let key = 0; key < 50; key++) {
            tx.put(left, String(key), { i, pad: 'x'.repeat(2000) });
            tx.put(right, String(key), { i, pad: 'x'.repeat(2000) });
          }
        });
      }
    })();
    while ((await part.lastSeq()) < 1000) await new Promise(setImmediate);
    await store.backup(file);
    writer.goesOn = false;
    await writing;
    await store.close();
    await restore();
    const again = await open();
    const restored = await again.partition('pairs');
    const rounds = new Set<number>();
    for (const table of [left, right]) {
      const entries = await restored.page<{ i: number }>(table, { limit: 100 });
      expect(entries).toHaveLength(50);
      for (const { value } of entries) rounds.add(value.i);
    }
    expect(rounds.size).toBe(1);
    await again.close();
  });

  it('does not load what nobody uses, and a partition dropped meanwhile does not come back', async () => {
    let store = await open();
    const many = Array.from({ length: 5 }, (_, i) => `list-${i}`);
    for (const name of many) {
      await (await store.partition(name)).transaction((tx) => tx.put(samples, 'k', { n: 0, text: name }));
    }
    await store.close();
    store = await open();
    const backup = store.backup(file);
    await store.drop('list-4');
    // Used in the middle of being backed up: waits for it and goes on as ever.
    const part = await store.partition('list-2');
    await part.transaction((tx) => tx.put(samples, 'later', { n: 1, text: '' }));
    await backup;
    await store.drop('list-0');
    expect(await store.partitions()).toEqual(['list-1', 'list-2', 'list-3', 'p']);
    await store.close();
    await restore();
    const again = await open();
    expect(await (await again.partition('list-3')).get(samples, 'k')).toEqual({ n: 0, text: 'list-3' });
    expect(await (await again.partition('list-2')).get(samples, 'k')).toEqual({ n: 0, text: 'list-2' });
    expect(await again.partitions()).not.toContain('list-4');
    await again.close();
  });

  it('ends at once when the store is closed, and leaves nothing behind', async () => {
    const store = await open();
    const backup = store.backup(file);
    const refused = expect(backup).rejects.toMatchObject({ code: 'closed' });
    await store.close();
    await refused;
    expect(await readdir(folder.path)).toEqual(['data']);
  });

  it('refuses a file that is damaged anywhere, cut, or none, before touching anything', async () => {
    const store = await open();
    const content = await contentOf(store);
    await store.backup(file);
    await store.close();
    const bytes = await readFile(file);
    const before = await readdir(dataDir);
    const bad = join(folder.path, 'bad.backup');
    const step = Math.max(1, Math.floor(bytes.length / 150));
    for (let at = 0; at < bytes.length; at += step) {
      const turned = Buffer.from(bytes);
      turned[at] = (turned[at] ?? 0) ^ 1;
      for (const content of [turned, bytes.subarray(0, at)]) {
        await writeFile(bad, content);
        await expect(restore(bad), `byte ${at}`).rejects.toBeInstanceOf(StoreError);
      }
    }
    await writeFile(bad, await readFile(join(dataDir, 'store', 'p', 'snapshot-000003.jsonl')));
    await expect(restore(bad)).rejects.toThrow(/not a backup/);
    await expect(restore(join(folder.path, 'none'))).rejects.toBeInstanceOf(StoreError);
    expect(await readdir(dataDir)).toEqual(before);
    const again = await open();
    expect(await contentOf(again)).toEqual(content);
    await again.close();
  });

  it('keeps every store that was there, also of two restores by a clock that shows the same', async () => {
    const store = await open();
    await store.backup(file);
    await store.close();
    const clock = manualClock();
    const first = await restoreBackup(file, dataDir, { clock });
    const second = await restoreBackup(file, dataDir, { clock });
    expect(second.kept).not.toBe(first.kept);
    for (const { kept = '' } of [first, second]) expect(await readdir(kept)).toContain(SAMPLE_PARTITION);
  });

  it('refuses a data folder that is in use', async () => {
    const store = await open();
    await store.backup(file);
    await expect(restore()).rejects.toMatchObject({ code: 'locked' });
    await store.close();
  });

  it('makes a data folder that does not exist yet', async () => {
    const store = await open();
    const content = await contentOf(store);
    await store.backup(file);
    await store.close();
    const other = join(folder.path, 'new', 'office');
    expect((await restore(file, other)).kept).toBeUndefined();
    const there = await openStore({ dataDir: other, clock: systemClock });
    expect(await contentOf(there)).toEqual(content);
    await there.close();
  });

  it('interrupted at every disk call leaves the old store or the new one', async () => {
    const store = await open();
    const restoredContent = await contentOf(store);
    await store.backup(file);
    const part = await store.partition(SAMPLE_PARTITION);
    await part.transaction((tx) => tx.put(samples, 'later', { n: 0, text: '' }));
    const oldContent = await contentOf(store);
    await store.close();
    const original = await copyFolder(dataDir, join(folder.path, 'original'));
    let seen = 0;
    for (let n = 1, ended = false; !ended; n++) {
      await copyFolder(original, dataDir);
      const disk = faultyDisk(n, 'EIO');
      const done = await restoreBackup(file, dataDir, { clock: systemClock, disk }).then(
        () => true,
        () => false,
      );
      ended = disk.calls() < n;
      const again = await open();
      const content = await contentOf(again);
      await again.close();
      if (done) expect(content).toEqual(restoredContent);
      else expect([oldContent, restoredContent], `call ${n}, ${disk.lastFailed()}`).toContainEqual(content);
      seen |= content.later ? 1 : 2;
    }
    expect(seen).toBe(3);
  });
});

describe('a backup that was put back', () => {
  it('is known as one until it was seen to what it opens, whatever ends the program before that', async () => {
    const store = await open();
    await store.backup(file);
    await store.close();
    await restore();
    for (let start = 0; start < 2; start++) {
      const again = await open();
      expect(again.revocationPosition()).toMatchObject({ restored: true });
      if (start === 1) again.advanceRevocationPosition({ book: '', no: 0 });
      await again.close();
    }
    const seenTo = await open();
    expect(seenTo.revocationPosition()).toEqual({ book: '', no: 0 });
    await seenTo.close();
  });

  it('was tried out beside the store first: where that fails everything stays, and nothing of it', async () => {
    const store = await open();
    await store.backup(file);
    const part = await store.partition(SAMPLE_PARTITION);
    await part.transaction((tx) => tx.put(samples, 'later', { n: 0, text: '' }));
    const content = await contentOf(store);
    await store.close();
    const before = await readdir(dataDir);
    const tryOut = async (trial: string): Promise<void> => {
      expect(await readdir(join(trial, 'store'))).toContain(SAMPLE_PARTITION);
      throw new TypeError('fields.filter is not a function');
    };
    await expect(restoreBackup(file, dataDir, { clock: systemClock, tryOut })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('fields.filter is not a function') as string,
    });
    expect(await readdir(dataDir)).toEqual(before);
    await mkdir(join(dataDir, 'restore.trial', 'store'), { recursive: true });
    const again = await open();
    expect(await contentOf(again)).toEqual(content);
    expect(await readdir(dataDir)).not.toContain('restore.trial');
    await again.close();
  });
});

describe('automatic backups', () => {
  const at = (now: number): Clock => ({ ...systemClock, now: () => now });
  const day = 24 * 3600 * 1000;
  const start = Date.UTC(2026, 10, 1, 8);

  it('are made once a day, and only the newest seven are kept', async () => {
    const store = await open();
    for (let i = 0; i < 10; i++) {
      expect(await backUpWhenDue(store, at(start + i * day))).toBeDefined();
      expect(await backUpWhenDue(store, at(start + i * day + day / 2))).toBeUndefined();
    }
    const backups = await listBackups(dataDir);
    expect(backups.map((backup) => (backup.at - start) / day)).toEqual([9, 8, 7, 6, 5, 4, 3]);
    expect(await readdir(join(dataDir, 'backups'))).toHaveLength(7);
    await store.close();
    const newest = backups[0]?.file ?? '';
    expect((await restore(newest)).partitions).toBe(1);
  });

  it('are made although one seems to come from the future', async () => {
    const store = await open();
    await backUpWhenDue(store, at(start + 400 * day));
    expect(await backUpWhenDue(store, at(start))).toBeDefined();
    await store.close();
  });

  it('are in the order in which they were made, one from while the clock was a year ahead among them', async () => {
    const store = await open();
    await backUpWhenDue(store, at(start));
    const ahead = await backUpWhenDue(store, at(start + 365 * day));
    await (
      await store.partition(SAMPLE_PARTITION)
    ).transaction((tx) => tx.put(samples, 'since', { n: 1, text: 'since' }));
    const right = await backUpWhenDue(store, at(start + day / 24));
    expect(right).toBeDefined();
    expect(await backUpWhenDue(store, at(start + day / 12))).toBeUndefined();
    expect((await listBackups(dataDir)).map(({ file }) => file).slice(0, 2)).toEqual([right, ahead]);
    for (let i = 2; i < 9; i++) await backUpWhenDue(store, at(start + i * day));
    expect((await listBackups(dataDir)).map(({ at }) => (at - start) / day)).toEqual([8, 7, 6, 5, 4, 3, 2]);
    await store.close();
  });

  it('put what was saved since in place of damaged files, whatever the clock said before', async () => {
    const store = await open();
    await backUpWhenDue(store, at(start + 365 * day));
    await (
      await store.partition(SAMPLE_PARTITION)
    ).transaction((tx) => tx.put(samples, 'since', { n: 1, text: 'since' }));
    await backUpWhenDue(store, at(start));
    await store.close();
    await rm(join(dataDir, 'store'), { recursive: true });
    const again = await open();
    expect((await contentOf(again)).since).toBeDefined();
    await again.close();
  });

  it('never take the last room on the disk', async () => {
    const store = await open();
    const disk = { ...systemDisk, free: () => Promise.resolve(1000) };
    await expect(backUpWhenDue(store, at(start), {}, disk)).rejects.toMatchObject({ code: 'full' });
    expect(await listBackups(dataDir)).toEqual([]);
    await store.close();
  });
});
