import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { systemDisk, type Disk } from '../../../server/store/files/disk.ts';
import { FORMAT_VERSION } from '../../../server/store/files/format.ts';
import { operationLine } from '../../../server/store/files/line-buffer.ts';
import { readLineBlocks } from '../../../server/store/files/lines.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { readOperation } from '../../../server/store/engine/operation.ts';
import { checkBackupFile, restoreBackup } from '../../../server/store/recovery/restore-backup.ts';
import type { RecordRef } from '../../../server/store/engine/record-ref.ts';
import { createStoreWriter } from '../../../server/store/engine/store-writer.ts';
import type { Table } from '../../../server/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import { seeded } from '../../support/data/seeded.ts';

const MIB = 1024 * 1024;
const NOTES: Table<{ readonly text: string }> = { name: 'note' };
const HEADER = { footbridge: 'backup' as const, version: FORMAT_VERSION, partition: '', after: 0 };

let folder: TemporaryFolder;
let file: string;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'large.backup');
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

function slot(seq: number, key: string, value: unknown): RecordRef {
  const line = Buffer.from(`${operationLine(seq, NOTES.name, key, JSON.stringify(value))}\n`);
  const made = readOperation(line, 0, line.length - 1);
  if (!made) throw new Error('That is no operation.');
  return made.slot;
}

/** A backup of two partitions, so many stretches of `ROWS` entries each, that never was in memory as a whole. */
const ROWS = 64;
async function makeBackup(stretches: number, textOf: (seq: number) => string): Promise<number> {
  const writer = await createStoreWriter(systemDisk, file, HEADER, () => false);
  let entries = 0;
  for (const partition of ['list-1', 'list-2']) {
    const last = stretches * ROWS;
    await writer.control({ partition, last });
    for (let stretch = 0; stretch < stretches; stretch++) {
      const slots = Array.from({ length: ROWS }, (_, at) => {
        const seq = stretch * ROWS + at + 1;
        return slot(seq, String(100_000_000 + seq), { text: textOf(seq) });
      });
      await writer.appendGroup(slots, last);
      entries += slots.length;
    }
  }
  await writer.finish(entries);
  return entries;
}

/** The disk, that looks at the memory with every step. */
function watched(): { readonly disk: Disk; readonly peak: () => number } {
  let peak = 0;
  const look = (): void => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    peak = Math.max(peak, arrayBuffers + heapUsed);
  };
  const disk: Disk = {
    ...systemDisk,
    async open(...to) {
      const opened = await systemDisk.open(...to);
      return {
        ...opened,
        read(...what) {
          look();
          return opened.read(...what);
        },
      };
    },
  };
  return { disk, peak: () => peak };
}

it(
  'R7: restores a backup of 300 MB in the memory that a stretch of it takes',
  { tags: 'nightly-sizes', timeout: 240_000 },
  async () => {
    const random = seeded(7);
    // Hardly any two of them alike, and nothing that could be stored in less.
    const noise = Array.from({ length: 997 }, () =>
      Buffer.from(Array.from({ length: 1500 }, () => random.below(256))).toString('base64'),
    );
    const textOf = (seq: number): string => `${seq} ${noise[seq % noise.length] ?? ''}`;
    const entries = await makeBackup(1150, textOf);
    const size = await systemDisk.open(file, 'read').then(async (opened) => {
      const bytes = await opened.size();
      await opened.close();
      return bytes;
    });
    expect(size).toBeGreaterThan(280 * MIB);

    const { disk, peak } = watched();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    expect(await restoreBackup(file, dataDir, { clock: systemClock, disk })).toMatchObject({ entries });
    expect(peak() - arrayBuffers - heapUsed).toBeLessThan(120 * MIB);

    const store = await openStore({ dataDir, clock: systemClock });
    const list = await store.partition('list-2');
    expect(await list.count(NOTES)).toBe(entries / 2);
    expect(await list.get(NOTES, '100000777')).toEqual({ text: textOf(777) });
    await store.close();
  },
);

it.each<[string, (slots: readonly RecordRef[]) => RecordRef[]]>([
  ['twice', (slots) => [...slots, ...slots.slice(-1)]],
  ['out of order', (slots) => slots.toReversed()],
])('refuses a backup in which an entry stands %s, before touching anything', async (_, turned) => {
  const writer = await createStoreWriter(systemDisk, file, HEADER, () => false);
  const slots = turned(['a', 'b', 'c'].map((key, at) => slot(at + 1, key, { text: key })));
  await writer.control({ partition: 'list-1', last: 9 });
  await writer.appendGroup(slots, 9);
  await writer.finish(slots.length);
  await expect(restoreBackup(file, dataDir, { clock: systemClock })).rejects.toMatchObject({
    code: 'damaged',
  });
  await expect(systemDisk.list(dataDir)).rejects.toThrow();
});

it('refuses a backup whose groups have more entries than ours, without keeping them all', async () => {
  const written = async (entries: number): Promise<void> => {
    const writer = await createStoreWriter(systemDisk, file, HEADER, () => false);
    await writer.control({ partition: 'list-1', last: entries });
    await writer.appendGroup(
      Array.from({ length: entries }, (_, at) => slot(at + 1, String(100_000_000 + at), { text: 'Ulm' })),
      entries,
    );
    await writer.finish(entries);
  };
  await written(20_000);
  await checkBackupFile(file);
  await systemDisk.remove(file);
  await written(60_000);
  await expect(checkBackupFile(file)).rejects.toMatchObject({ code: 'damaged' });
});

it('ends before a line that is longer than wanted, and keeps nothing of it', async () => {
  await writeFile(file, `{"footbridge":"backup"}\n["${'x'.repeat(8 * MIB)}"]\n`);
  const opened = await systemDisk.open(file, 'read');
  const read = async (longest?: number): Promise<number> => {
    let bytes = 0;
    for await (const block of readLineBlocks(opened, await opened.size(), longest))
      bytes += block.bytes.length;
    return bytes;
  };
  expect(await read()).toBe(await opened.size());
  expect(await read(MIB)).toBeLessThan(100);
  await opened.close();
});
