import { appendFile, mkdir, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { systemDisk, type Disk } from '../../../server/store/files/disk.ts';
import { writeMarks } from '../../../server/store/recovery/high-water-marks-file.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { restoreBackup } from '../../../server/store/recovery/restore-backup.ts';
import { cuttableDisk } from '../../support/faults/disk-cut.ts';
import { faultyDisk } from '../../support/faults/disk-faults.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import {
  contentOf,
  copyFolder,
  makeSampleStore,
  marksOf,
  SAMPLE_PARTITION,
  sampleFiles,
  samples,
  type Content,
} from '../../support/faults/disk-sample.ts';

let folder: TemporaryFolder;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

const open = (): ReturnType<typeof openStore> => openStore({ dataDir, clock: systemClock });
const storePlace = (): { disk: Disk; clock: Clock; folder: string } => ({
  disk: systemDisk,
  clock: systemClock,
  folder: join(dataDir, 'store'),
});
const part = (): string => join(dataDir, 'store', SAMPLE_PARTITION);

describe('R3: a store whose process was stopped while it wrote', () => {
  let states: Content[];
  let last: string;

  /** The sample store as a kill leaves it: with the open mark, and without the note that all is well. */
  beforeEach(async () => {
    states = await makeSampleStore(dataDir);
    const bytes = (await sampleFiles(dataDir)).get('journal-000003.jsonl') ?? Buffer.alloc(0);
    last = join(part(), 'journal-000003.jsonl');
    const seal = bytes.lastIndexOf('{"ops":0');
    await truncate(last, seal);
    await writeFile(join(part(), 'open'), '');
  });

  it('has all that was acknowledged, and says nothing when nothing was torn', async () => {
    const store = await open();
    expect(await contentOf(store)).toEqual(states.at(-1));
    expect(store.notices()).toEqual([]);
    await store.close();
    expect(await readdir(part())).not.toContain('open');
  });

  it('cut at every byte of its last change: exactly that change is missing, told, and writing goes on', async () => {
    const whole = await sampleFiles(dataDir);
    const bytes = whole.get('journal-000003.jsonl') ?? Buffer.alloc(0);
    const noted = marksOf(bytes, 3).at(-2);
    const from = noted?.bytes ?? 0;
    // A change that was not complete was never called saved, and so it was not noted.
    await writeMarks(storePlace(), 1, new Map(noted ? [[SAMPLE_PARTITION, noted]] : []), undefined);
    const original = join(folder.path, 'original');
    await copyFolder(dataDir, original);
    for (let size = from; size < bytes.length; size++) {
      await copyFolder(original, dataDir);
      await truncate(last, size);
      const store = await open();
      expect(await contentOf(store), `cut to ${size}`).toEqual(states.at(-2));
      const codes = store.notices().map(({ code }) => code);
      expect(codes, `cut to ${size}`).toEqual(size === from ? [] : ['torn-tail']);
      const before = await (await store.partition(SAMPLE_PARTITION)).lastSeq();
      await (
        await store.partition(SAMPLE_PARTITION)
      ).transaction((tx) => tx.put(samples, 'later', { n: 1, text: 'x' }));
      await store.close();
      const again = await open();
      expect(await contentOf(again)).toEqual({ ...states.at(-2), later: { n: 1, text: 'x' } });
      expect(await (await again.partition(SAMPLE_PARTITION)).lastSeq()).toBe(before + 1);
      expect(again.notices()).toEqual([]);
      await again.close();
    }
  });

  it('cut anywhere in front of what had been called saved: told, with the number of changes, and no torn end', async () => {
    const bytes = (await sampleFiles(dataDir)).get('journal-000003.jsonl') ?? Buffer.alloc(0);
    const marks = marksOf(bytes, 3);
    const saved = marks.at(-1)?.last ?? 0;
    const original = join(folder.path, 'original');
    await copyFolder(dataDir, original);
    const ends = marks.slice(0, -1).map((mark) => mark.bytes);
    const between = Array.from({ length: 40 }, (_, n) => (ends[0] ?? 0) + 1 + n * 9);
    for (const size of [...ends, ...between.filter((size) => size < bytes.length)]) {
      await copyFolder(original, dataDir);
      await truncate(last, size);
      const reached = marks.filter((mark) => mark.bytes <= size).at(-1)?.last ?? 0;
      const store = await open();
      expect(store.notices(), `cut to ${size}`).toMatchObject([
        { code: 'damaged-put-aside', partition: SAMPLE_PARTITION, said: { with: { n: saved - reached } } },
      ]);
      expect(store.notices()[0]?.message).toMatch(
        /newest changes that had been saved are missing, \d+ in all\. Look/,
      );
      const changes = await (
        await store.partition(SAMPLE_PARTITION)
      ).changesSince(samples, { afterSeq: 0 }, 100);
      expect(changes.at(-1)?.seq, `cut to ${size}`).toBeLessThanOrEqual(reached);
      await store.close();
    }
  });

  it('and whose file of marks is gone as well: says that more may be missing', async () => {
    await rm(join(dataDir, 'store', 'marks.json'));
    await appendFile(last, '[99,"samples","half');
    const store = await open();
    expect(await contentOf(store)).toEqual(states.at(-1));
    expect(store.notices()).toMatchObject([{ code: 'mixed-ages' }, { code: 'torn-tail' }]);
    expect(store.notices()[1]?.message).toMatch(/in case more is missing/);
    await store.close();
  });

  it('with garbage or zeros behind the last change: cut off and told', async () => {
    for (const tail of [Buffer.alloc(5000), Buffer.from('[7,"samples","k'), Buffer.from('{"ops":3')]) {
      await appendFile(last, tail);
      await writeFile(join(part(), 'open'), '');
      const store = await open();
      expect(await contentOf(store)).toEqual(states.at(-1));
      expect(store.notices().map(({ code }) => code)).toEqual(['torn-tail']);
      await store.close();
      const again = await open();
      expect(await contentOf(again)).toEqual(states.at(-1));
      expect(again.notices(), 'nothing of it is left').toEqual([]);
      await again.close();
    }
  });

  it('damaged in front of what was on the disk for certain: not taken for a torn end', async () => {
    const bytes = (await sampleFiles(dataDir)).get('journal-000003.jsonl') ?? Buffer.alloc(0);
    bytes[bytes.indexOf('step') + 5] = 0x39;
    await writeFile(last, bytes);
    const store = await open();
    expect(store.notices()).toEqual([]);
    await store.partition(SAMPLE_PARTITION);
    expect(store.notices().map(({ code }) => code)).toEqual(['damaged-put-aside']);
    await store.close();
  });

  it('removes what a stopped compaction left unfinished', async () => {
    await writeFile(join(part(), 'snapshot-000004.jsonl.tmp'), 'half');
    const store = await open();
    expect(await contentOf(store)).toEqual(states.at(-1));
    expect(await readdir(part())).not.toContain('snapshot-000004.jsonl.tmp');
    await store.close();
  });
});

describe('R3: after something was lost', () => {
  it('change numbers that may have been given out are not given out again', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const before = await (await store.partition(SAMPLE_PARTITION)).lastSeq();
    await store.close();
    const bytes = (await sampleFiles(dataDir)).get('journal-000003.jsonl') ?? Buffer.alloc(0);
    await truncate(join(part(), 'journal-000003.jsonl'), bytes.length >> 1);
    const again = await open();
    const partition = await again.partition(SAMPLE_PARTITION);
    const lastSeen = (await partition.changesSince(samples, { afterSeq: 0 }, 100)).at(-1)?.seq ?? 0;
    expect(lastSeen).toBeLessThan(before);
    await partition.transaction((tx) => tx.put(samples, 'new', { n: 0, text: '' }));
    const [change] = await partition.changesSince(samples, { afterSeq: before }, 10);
    expect(change?.key).toBe('new');
    await again.close();
  });

  it('change numbers jump each time, however soon after the last, or whatever the clock says since', async () => {
    await makeSampleStore(dataDir);
    const clock = manualClock('2027-03-02T08:00:00Z');
    for (let loss = 0; loss < 4; loss++) {
      // The last one while the clock is a year behind where it was.
      if (loss === 3) clock.set('2026-03-02T08:00:00Z');
      const store = await openStore({ dataDir, clock });
      const partition = await store.partition(SAMPLE_PARTITION);
      for (let n = 0; n < 5; n++)
        await partition.transaction((tx) => tx.put(samples, `after ${loss}`, { n, text: 'x'.repeat(n) }));
      const given = await partition.lastSeq();
      await store.close();
      const journal =
        (await readdir(part()))
          .filter((name) => name.startsWith('journal-'))
          .sort()
          .at(-1) ?? '';
      const { size } = await stat(join(part(), journal));
      await truncate(join(part(), journal), size - 250);
      const again = await openStore({ dataDir, clock });
      expect(again.notices().map(({ code }) => code)).toContain('damaged-put-aside');
      const jump = (await (await again.partition(SAMPLE_PARTITION)).lastSeq()) - given;
      expect(jump, `loss ${loss}`).toBeGreaterThanOrEqual(2 ** 20);
      await again.close();
    }
  });

  it('a backup takes the place of files that are damaged beyond reading', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const content = await contentOf(store);
    const backups = join(dataDir, 'backups');
    await mkdir(backups);
    await store.backup(join(backups, 'footbridge-2026-01-01T000000Z.backup'));
    await store.close();
    await writeFile(join(backups, 'footbridge-2026-01-02T000000Z.backup'), 'damaged');
    for (const name of (await sampleFiles(dataDir)).keys()) await writeFile(join(part(), name), '');
    const again = await open();
    expect(again.notices().map(({ code }) => code)).toContain('restored-from-backup');
    expect(await contentOf(again)).toEqual(content);
    await again.close();
    const third = await open();
    expect(await contentOf(third)).toEqual(content);
    expect(third.notices()).toEqual([]);
    await third.close();
  });

  it('a partition whose folder vanished is missed, not made anew', async () => {
    await makeSampleStore(dataDir);
    await rm(part(), { recursive: true });
    await expect(open()).rejects.toMatchObject({ code: 'damaged' });
    await expect(open()).rejects.toMatchObject({ code: 'damaged' });
  });

  it('a store that vanished while backups are there is restored from the newest, and told', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const content = await contentOf(store);
    await mkdir(join(dataDir, 'backups'));
    await store.backup(join(dataDir, 'backups', 'footbridge-2026-01-01T000000Z.backup'));
    await store.close();
    await rename(join(dataDir, 'store'), join(folder.path, 'elsewhere'));
    const again = await open();
    expect(again.notices().map(({ code }) => code)).toEqual(['restored-from-backup']);
    expect(await contentOf(again)).toEqual(content);
    await again.close();
  });

  it('a store that vanished is restored by a later start, whenever the power went in the first', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const content = await contentOf(store);
    await mkdir(join(dataDir, 'backups'));
    await store.backup(join(dataDir, 'backups', 'footbridge-2026-01-01T000000Z.backup'));
    await store.close();
    await rm(join(dataDir, 'store'), { recursive: true });
    const disk = cuttableDisk();
    for (let calls = 1, isCut = true; isCut; calls++) {
      const tried = await copyFolder(dataDir, join(folder.path, `tried-${calls}`));
      disk.cutAfter(calls);
      const first = await openStore({ dataDir: tried, clock: systemClock, disk }).catch(() => undefined);
      ({ isCut } = disk);
      await first?.close().catch(() => undefined);
      const again = await openStore({ dataDir: tried, clock: systemClock });
      expect(await contentOf(again), `cut at call ${calls}`).toEqual(content);
      await again.close();
      await rm(tried, { recursive: true });
    }
  });

  it('a backup that came into place only with the second start is told of like one of the first', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const file = join(folder.path, 'all.backup');
    await store.backup(file);
    await store.close();
    const disk = cuttableDisk();
    let halves = 0;
    for (let calls = 1, isCut = true; isCut; calls++) {
      const tried = await copyFolder(dataDir, join(folder.path, `half-${calls}`));
      disk.cutAfter(calls);
      await restoreBackup(file, tried, { clock: systemClock, disk }).catch(() => undefined);
      ({ isCut } = disk);
      const names = await readdir(tried);
      if (!names.includes('store') && names.includes('store.restoring')) {
        const again = await openStore({ dataDir: tried, clock: systemClock });
        expect(again.notices().map(({ code }) => code)).toContain('restored-from-backup');
        await again.close();
        halves++;
      }
      await rm(tried, { recursive: true });
    }
    expect(halves).toBeGreaterThan(0);
  });

  it('a backup is told of by the next start wherever the power went before its restore had said so', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const file = join(folder.path, 'all.backup');
    await store.backup(file);
    const newer = await store.partition(SAMPLE_PARTITION);
    await newer.transaction((tx) => tx.put(samples, 'since the backup', { n: 1, text: 'x' }));
    await store.close();
    const disk = cuttableDisk();
    const told = { none: 0, older: 0 };
    for (let calls = 1, isDone = false; !isDone; calls++) {
      const tried = await copyFolder(dataDir, join(folder.path, `tried-${calls}`));
      disk.cutAfter(calls);
      isDone = await restoreBackup(file, tried, { clock: systemClock, disk }).then(
        () => true,
        () => false,
      );
      for (const start of ['first', 'second']) {
        const again = await openStore({ dataDir: tried, clock: systemClock });
        const isOlder = !('since the backup' in (await contentOf(again)));
        const codes = again.notices().map(({ code }) => code);
        const isTold = isOlder && !isDone && start === 'first';
        expect(codes, `cut at call ${calls}, ${start} start`).toEqual(isTold ? ['restored-from-backup'] : []);
        if (!isDone && start === 'first') told[isOlder ? 'older' : 'none']++;
        await again.close();
      }
      await rm(tried, { recursive: true });
    }
    expect(told.none).toBeGreaterThan(0);
    // The old store was moved away; the new one came in its place; and that was made durable.
    expect(told.older).toBeGreaterThan(2);
  });

  it('a half of a backup is no store, where the power went while it was put into a new folder', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const content = await contentOf(store);
    const file = join(folder.path, 'all.backup');
    await store.backup(file);
    await store.close();
    const disk = cuttableDisk();
    for (let calls = 1, isCut = true; isCut; calls++) {
      const tried = join(folder.path, `tried-${calls}`);
      disk.cutAfter(calls);
      await restoreBackup(file, tried, { clock: systemClock, disk }).catch(() => undefined);
      ({ isCut } = disk);
      const again = await openStore({ dataDir: tried, clock: systemClock });
      if ((await again.partitions()).length > 0)
        expect(await contentOf(again), `cut at call ${calls}`).toEqual(content);
      else expect(isCut).toBe(true);
      await again.close();
    }
  });

  it('a damaged list of partitions is made anew and told', async () => {
    await makeSampleStore(dataDir);
    await writeFile(join(dataDir, 'store', 'partitions.json'), '[]');
    const store = await open();
    expect(store.notices().map(({ code }) => code)).toEqual(['damaged-put-aside']);
    expect(await store.partitions()).toEqual([SAMPLE_PARTITION]);
    await store.close();
    const again = await open();
    expect(again.notices()).toEqual([]);
    await again.close();
  });
});

describe('files', () => {
  it('are readable by their owner only, and so are the folders', async () => {
    if (process.platform === 'win32') {
      console.log('Skipped: Windows has no such permissions.');
      return;
    }
    await makeSampleStore(dataDir);
    const store = await open();
    await store.partition('second');
    await store.backup(join(dataDir, 'copy'));
    const look = async (path: string): Promise<void> => {
      const { mode } = await stat(path);
      const isFolder = (mode & 0o170000) === 0o040000;
      expect(`${path} ${(mode & 0o777).toString(8)}`).toBe(`${path} ${isFolder ? '700' : '600'}`);
      if (isFolder) for (const name of await readdir(path)) await look(join(path, name));
    };
    await look(dataDir);
    await store.close();
  });

  it('of earlier generations are kept as far as the last but one snapshot needs them, and no further', async () => {
    await makeSampleStore(dataDir);
    const store = await open();
    const partition = await store.partition(SAMPLE_PARTITION);
    for (let i = 0; i < 5; i++) {
      await partition.transaction((tx) => tx.put(samples, `${i}`, { n: 1, text: 'x' }));
      await store.compact(SAMPLE_PARTITION);
    }
    await store.close();
    expect([...(await sampleFiles(dataDir)).keys()]).toEqual([
      'journal-000007.jsonl',
      'journal-000008.jsonl',
      'snapshot-000007.jsonl',
      'snapshot-000008.jsonl',
    ]);
  });

  it('do not grow in number by compactions that are interrupted', async () => {
    await makeSampleStore(dataDir);
    for (let i = 0; i < 5; i++) {
      const disk = faultyDisk();
      const store = await openStore({ dataDir, clock: systemClock, disk });
      await store.partition(SAMPLE_PARTITION);
      disk.full(true);
      await store.compact(SAMPLE_PARTITION).catch(() => undefined);
      disk.full(false);
      await store.close();
    }
    expect((await sampleFiles(dataDir)).size).toBeLessThanOrEqual(6);
  });
});
