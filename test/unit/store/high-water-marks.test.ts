import { appendFile, cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { systemDisk, type Disk, type DiskFile } from '../../../server/store/files/disk.ts';
import { inspectStore } from '../../../server/store/recovery/inspect.ts';
import { LOCK_FILE } from '../../../server/store/files/lock.ts';
import { MARKS_FILE, readMarks } from '../../../server/store/recovery/high-water-marks-file.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import type { StoreNotice, Table } from '../../../server/store/store.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const invoices: Table<{ customer: string; euros: number }> = { name: 'invoice' };
const CUSTOMERS = ['Ødegård', 'Brandt & Co', 'Nowak', 'O’Leary', 'Ibáñez', 'Sato'];

/** For tests that open very many stores, on a machine that has much else to do. */
const LONG = { timeout: 120_000 };

let folder: TemporaryFolder;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

async function write(store: DiskStore, part: string, from: number, count: number): Promise<void> {
  const partition = await store.partition(part);
  for (let n = from; n < from + count; n++) {
    const customer = CUSTOMERS[(n * 7) % CUSTOMERS.length] ?? '';
    await partition.transaction((tx) =>
      tx.put(invoices, String(n), { customer, euros: (n * 7919) % 10_007 }),
    );
  }
}

const noted = async (part: string): Promise<number | undefined> =>
  (await readMarks(systemDisk, join(dataDir, 'store'))).marks.get(part)?.last;

const shown = (notices: readonly StoreNotice[]): StoreNotice['code'][] =>
  notices.map(({ code }) => code).filter((code) => code !== 'stale-lock');

/** As a kill leaves it at this moment. */
async function killed(): Promise<void> {
  const copy = join(folder.path, 'killed');
  await rm(copy, { recursive: true, force: true });
  await cp(dataDir, copy, { recursive: true });
  await rm(join(copy, LOCK_FILE));
}

/** What a disk is asked to do to one file. */
function watchedDisk(watch: { sync?: (path: string) => void; write?: (path: string) => void }): Disk {
  const wrap = (path: string, file: DiskFile): DiskFile => ({
    ...file,
    sync: () => {
      watch.sync?.(path);
      return file.sync();
    },
    write: async (pieces, position) => {
      watch.write?.(path);
      return file.write(pieces, position);
    },
  });
  return { ...systemDisk, open: async (path, mode) => wrap(path, await systemDisk.open(path, mode)) };
}

describe('noting how far the parts of a store have come', () => {
  it('costs no write an fsync of its own', async () => {
    let syncs = 0;
    const disk = watchedDisk({ sync: () => syncs++ });
    const store = await openStore({ dataDir, clock: systemClock, disk });
    await write(store, 'list-1', 0, 1);
    syncs = 0;
    await write(store, 'list-1', 1, 300);
    expect(syncs).toBe(300);
    await expect.poll(() => noted('list-1')).toBe(301);
    await store.close();
  });

  it('that fails does not fail the change, promises less, and is made up for', async () => {
    let full = false;
    const disk = watchedDisk({
      write(path) {
        if (full && path.includes(MARKS_FILE)) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    });
    const store = await openStore({ dataDir, clock: systemClock, disk });
    await write(store, 'list-1', 0, 3);
    await expect.poll(() => noted('list-1')).toBe(3);
    full = true;
    await write(store, 'list-1', 3, 4);
    expect(await noted('list-1')).toBe(3);
    await killed();
    full = false;
    await write(store, 'list-1', 7, 1);
    await expect.poll(() => noted('list-1')).toBe(8);
    await store.close();

    const again = await openStore({ dataDir: join(folder.path, 'killed'), clock: systemClock });
    expect(await (await again.partition('list-1')).count(invoices)).toBe(7);
    expect(shown(again.notices())).toEqual([]);
    await again.close();
  });

  it('that fails for one part is made up for with the next mark of another one', async () => {
    let full = false;
    const disk = watchedDisk({
      write(path) {
        if (full && path.includes(MARKS_FILE)) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    });
    const store = await openStore({ dataDir, clock: systemClock, disk });
    await write(store, 'list-1', 0, 3);
    await write(store, 'list-2', 0, 2);
    await expect.poll(async () => [await noted('list-1'), await noted('list-2')]).toEqual([3, 2]);
    full = true;
    await write(store, 'list-1', 3, 4);
    full = false;
    await write(store, 'list-2', 2, 1);
    await expect.poll(() => noted('list-2')).toBe(3);
    expect(await noted('list-1')).toBe(7);
    await store.close();
  });

  it('loses its newest lines when the power goes, and then says nothing that is not so', LONG, async () => {
    const store = await openStore({ dataDir, clock: systemClock });
    await write(store, 'list-1', 0, 20);
    await write(store, 'system', 0, 5);
    await expect.poll(async () => [await noted('list-1'), await noted('system')]).toEqual([20, 5]);
    await killed();
    await store.close();
    const path = join(folder.path, 'killed', 'store', MARKS_FILE);
    const bytes = await readFile(path);
    const left = join(folder.path, 'left');
    const header = bytes.indexOf('\n') + 1;
    for (let size = header; size < bytes.length; size += 61) {
      for (const tail of [
        Buffer.alloc(0),
        Buffer.alloc(bytes.length - size),
        Buffer.from('{"partition":"list-1'),
      ]) {
        await rm(left, { recursive: true, force: true });
        await cp(join(folder.path, 'killed'), left, { recursive: true });
        await truncate(join(left, 'store', MARKS_FILE), size);
        await appendFile(join(left, 'store', MARKS_FILE), tail);
        const again = await openStore({ dataDir: left, clock: systemClock });
        expect(await (await again.partition('list-1')).count(invoices)).toBe(20);
        expect(shown(again.notices()), `cut to ${size}`).toEqual([]);
        await again.close();
      }
    }
  });

  describe('of which the power took the newest lines, while the list kept what was saved', () => {
    /** Where a list that nothing is written to any more stands at each moment; 4 changes were noted, of 9. */
    let left: string;
    const list = (): string => join(left, 'store', 'list-1');
    const older = (): string => join(folder.path, 'older', 'store', 'list-1');

    async function leave(ending: 'open' | 'closed'): Promise<void> {
      const first = await openStore({ dataDir, clock: systemClock });
      await write(first, 'list-1', 0, 4);
      await first.close();
      await cp(dataDir, join(folder.path, 'older'), { recursive: true });
      const store = await openStore({ dataDir, clock: systemClock });
      await write(store, 'system', 0, 1);
      await expect.poll(() => noted('system')).toBe(1);
      const marks = await readFile(join(dataDir, 'store', MARKS_FILE));
      await write(store, 'list-1', 4, 5);
      if (ending === 'closed') await store.release('list-1');
      await killed();
      await store.close();
      left = join(folder.path, 'killed');
      // They stand in front of what was lost: the power takes the end of the file.
      await writeFile(join(left, 'store', MARKS_FILE), marks);
    }

    async function startAgain(work: (store: DiskStore) => Promise<unknown>): Promise<StoreNotice[]> {
      const store = await openStore({ dataDir: left, clock: systemClock });
      const notices = [...store.notices()];
      await work(store);
      await store.close();
      return notices;
    }

    it.each([
      ['was open, and is looked at', 'open', true],
      ['was open, and nobody asks for', 'open', false],
      ['was closed, and is looked at', 'closed', true],
      ['was closed, and nobody asks for', 'closed', false],
    ] as const)(
      'notes at the next start one that %s: an older one is missed',
      async (_how, ending, isUsed) => {
        await leave(ending);
        const nothing = await startAgain(async (store) => {
          if (isUsed) expect(await (await store.partition('list-1')).count(invoices)).toBe(9);
        });
        expect(shown(nothing)).toEqual([]);
        const journal = 'journal-000001.jsonl';
        await cp(join(older(), journal), join(list(), journal));
        const notices = await startAgain((store) => store.partition('list-1'));
        expect(shown(notices)).toEqual(['damaged-put-aside']);
        expect(notices.at(-1)).toMatchObject({ partition: 'list-1', said: { with: { n: 5 } } });
      },
    );

    it('notes at the next start one of which nothing was noted at all', async () => {
      await leave('open');
      await truncate(
        join(left, 'store', MARKS_FILE),
        (await readFile(join(left, 'store', MARKS_FILE))).indexOf('\n') + 1,
      );
      expect(shown(await startAgain(() => Promise.resolve()))).toEqual([]);
      await rm(list(), { recursive: true });
      await cp(older(), list(), { recursive: true });
      const notices = await startAgain((store) => store.partition('list-1'));
      expect(shown(notices)).toEqual(['damaged-put-aside']);
      expect(notices.at(-1)).toMatchObject({ partition: 'list-1', said: { with: { n: 5 } } });
    });

    it('notes it behind an fsync of the list: a program that was only stopped may have left it half way', async () => {
      await leave('open');
      const steps: string[] = [];
      const disk = watchedDisk({
        sync(path) {
          if (path.includes('journal-')) steps.push('list on the disk');
        },
        write(path) {
          if (path.includes(MARKS_FILE)) steps.push('noted');
        },
      });
      const store = await openStore({ dataDir: left, clock: systemClock, disk });
      await expect.poll(() => steps).toContain('noted');
      expect(steps[0]).toBe('list on the disk');
      await store.close();
    });
  });

  it('shows that everything but one list went back within one run that lasted for days', LONG, async () => {
    const clock = manualClock();
    const store = await openStore({ dataDir, clock });
    await write(store, 'system', 0, 4);
    await write(store, 'list-1', 0, 4);
    await expect.poll(async () => [await noted('system'), await noted('list-1')]).toEqual([4, 4]);
    await killed();
    const older = join(folder.path, 'older');
    await cp(join(folder.path, 'killed'), older, { recursive: true });
    for (let hour = 0; hour < 24; hour++) {
      clock.advance(3_600_000);
      await write(store, 'list-1', 10 + hour, 1);
      await expect.poll(() => noted('list-1')).toBe(5 + hour);
    }
    await write(store, 'system', 4, 1);
    await expect.poll(() => noted('system')).toBe(5);
    await killed();
    await store.close();

    // A share was withdrawn in that last change; with the older files it is there again.
    const mixed = join(folder.path, 'killed', 'store');
    for (const name of ['system', MARKS_FILE]) {
      await rm(join(mixed, name), { recursive: true });
      await cp(join(older, 'store', name), join(mixed, name), { recursive: true });
    }
    const { advice } = await inspectStore(join(folder.path, 'killed'));
    expect(advice.join()).toMatch(/Some files are older than others/);
    const again = await openStore({ dataDir: join(folder.path, 'killed'), clock });
    expect(shown(again.notices())).toEqual(['mixed-ages']);
    expect(again.notices().at(-1)?.message).toMatch(/Changes made in between may be missing\. Look through/);
    await again.close();
  });

  it('does not bring back a list that was deleted, though an older file names it', async () => {
    const store = await openStore({ dataDir, clock: systemClock });
    await write(store, 'list-1', 0, 3);
    await write(store, 'list-2', 0, 3);
    const older = await readFile(join(dataDir, 'store', 'partitions.json'));
    await mkdir(join(dataDir, 'backups'));
    await store.backup(join(dataDir, 'backups', 'footbridge-2026-01-01T000000Z.backup'));
    await store.drop('list-2');
    await store.close();
    await writeFile(join(dataDir, 'store', 'partitions.json'), older);
    const again = await openStore({ dataDir, clock: systemClock });
    expect(await again.partitions()).toEqual(['list-1']);
    expect(shown(again.notices())).toEqual(['damaged-put-aside']);
    await again.close();
  });

  it('keeps count of a part that was dropped and made anew', async () => {
    const store = await openStore({ dataDir, clock: systemClock });
    await write(store, 'list-1', 0, 30);
    await store.drop('list-1');
    await write(store, 'list-1', 0, 2);
    await store.close();
    const again = await openStore({ dataDir, clock: systemClock });
    expect(await (await again.partition('list-1')).count(invoices)).toBe(2);
    expect(shown(again.notices())).toEqual([]);
    await again.close();
  });
});
