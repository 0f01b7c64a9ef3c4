import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { checkedLine, FORMAT_VERSION } from '../../../server/store/files/format.ts';
import { MIGRATIONS, type Migrations } from '../../../server/store/engine/migrations.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { StoreError, type Table } from '../../../server/store/store.ts';
import { faultyDisk } from '../../support/faults/disk-faults.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';

/** Versions since 1 know people by one name; the made-up version 0 had two, in a table of another name. */
const people: Table<{ name: string }> = { name: 'people' };
const migrations: Migrations = {
  ...MIGRATIONS,
  0: ({ table, key, value }) => {
    if (table !== 'persons') return { table, key, value };
    if (value === undefined) return { table: 'people', key };
    const { first, last } = value as { first: string; last: string };
    return { table: 'people', key, value: { name: `${first} ${last}` } };
  },
};
const EXPECTED = { '1': { name: 'Ada Lovelace' }, '2': { name: 'Grace Hopper' } };

/** A file as version `version` would have written it. */
function fileOf(kind: string, version: number, after: number, groups: unknown[][][], end: object[]): Buffer {
  let { line, crc } = checkedLine({ footbridge: kind, version, partition: 'p', after }, 0);
  const parts = [line];
  const control = (body: object): void => {
    ({ line, crc } = checkedLine(body, crc));
    parts.push(line);
  };
  for (const operations of groups) {
    const bytes = Buffer.from(operations.map((operation) => `${JSON.stringify(operation)}\n`).join(''));
    parts.push(bytes);
    crc = crc32(bytes, crc);
    control({ ops: operations.length, last: operations.at(-1)?.[0], durable: 0 });
  }
  for (const body of end) control(body);
  return Buffer.concat(parts);
}

let folder: TemporaryFolder;
let dataDir: string;
let partition: string;
beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  dataDir = folder.path;
  partition = join(dataDir, 'store', 'p');
  await mkdir(partition, { recursive: true });
});
afterEach(() => folder.remove());

async function writeOld(version: number): Promise<void> {
  const ada = [1, 'persons', '1', { first: 'Ada', last: 'Lovelace' }];
  const snapshot = fileOf('snapshot', version, 1, [[ada]], [{ end: true, entries: 1 }]);
  const grace = [2, 'persons', '2', { first: 'Grace', last: 'Hopper' }];
  const gone = [
    [3, 'persons', '3', { first: 'No', last: 'Body' }],
    [4, 'persons', '3'],
  ];
  const seal = { ops: 0, last: 4, durable: 0, closed: true };
  await writeFile(join(partition, 'snapshot-000002.jsonl'), snapshot);
  await writeFile(
    join(partition, 'journal-000002.jsonl'),
    fileOf('journal', version, 1, [[grace], gone], [seal]),
  );
}

/** Data of version 1, with rows of every table as they are. */
async function writeFirst(): Promise<void> {
  const ada = [1, 'people', '1', EXPECTED['1']];
  const grace = [2, 'people', '2', EXPECTED['2']];
  const seal = { ops: 0, last: 2, durable: 0, closed: true };
  await writeFile(
    join(partition, 'snapshot-000002.jsonl'),
    fileOf('snapshot', 1, 1, [[ada]], [{ end: true, entries: 1 }]),
  );
  await writeFile(join(partition, 'journal-000002.jsonl'), fileOf('journal', 1, 1, [[grace]], [seal]));
}

async function content(store: Awaited<ReturnType<typeof openStore>>): Promise<Record<string, unknown>> {
  const entries = await (await store.partition('p')).page(people, { limit: 10 });
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

describe('R6: a store of an older version', () => {
  it('of before there were conditions is as it was, and of a version that programs of before refuse to open', async () => {
    await writeFirst();
    const store = await openStore({ dataDir, clock: systemClock });
    expect(await content(store)).toEqual(EXPECTED);
    await store.close();
    const headers = await Promise.all(
      ['snapshot-000003.jsonl', 'journal-000003.jsonl'].map(
        async (file) => (await readFile(join(partition, file), 'utf8')).split('\n')[0] ?? '',
      ),
    );
    expect(headers).toEqual([expect.stringContaining('"version":4'), expect.stringContaining('"version":4')]);
    const again = await openStore({ dataDir, clock: systemClock });
    expect(await content(again)).toEqual(EXPECTED);
    await again.close();
  });

  it('is taken over, told, and stays taken over; the old files stay until new ones have proven themselves', async () => {
    await writeOld(0);
    const store = await openStore({ dataDir, clock: systemClock, migrations });
    expect(await content(store)).toEqual(EXPECTED);
    expect(store.notices().map(({ code }) => code)).toEqual(['migrated']);
    await store.close();
    expect(await readdir(partition)).toContain('snapshot-000002.jsonl');
    const again = await openStore({ dataDir, clock: systemClock, migrations });
    expect(await content(again)).toEqual(EXPECTED);
    expect(again.notices()).toEqual([]);
    await (await again.partition('p')).transaction((tx) => tx.put(people, '3', { name: 'x' }));
    await again.compact('p');
    expect(await readdir(partition)).not.toContain('snapshot-000002.jsonl');
    await again.close();
  });

  it('interrupted at every disk call: the old files are good until the new ones are', async () => {
    for (let n = 1, ended = false; !ended; n++) {
      await folder.remove();
      await mkdir(partition, { recursive: true });
      await writeOld(0);
      const disk = faultyDisk(n, 'EIO');
      try {
        const store = await openStore({ dataDir, clock: systemClock, migrations, disk });
        try {
          expect(await content(store)).toEqual(EXPECTED);
        } finally {
          await store.close();
        }
        ended = disk.calls() < n;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        expect(error.code, disk.lastFailed()).toBe('io');
      }
      const store = await openStore({ dataDir, clock: systemClock, migrations });
      expect(await content(store), `after call ${n}, ${disk.lastFailed()}`).toEqual(EXPECTED);
      await store.close();
    }
  });

  it('that nobody knows how to read is refused and left as it is', async () => {
    await writeOld(0);
    const before = await readdir(partition);
    const store = await openStore({ dataDir, clock: systemClock });
    await expect(store.partition('p')).rejects.toMatchObject({ code: 'damaged' });
    await store.close();
    expect(await readdir(partition)).toEqual(before);
  });
});

describe('R3: a store of a newer version', () => {
  it('is refused at once, in plain words, and left as it is', async () => {
    await writeOld(FORMAT_VERSION + 1);
    const before = await readdir(partition);
    const opening = openStore({ dataDir, clock: systemClock });
    await expect(opening).rejects.toMatchObject({ code: 'newer-version' });
    await expect(opening).rejects.toThrow(/newer version of Footbridge/);
    expect(await readdir(partition)).toEqual(before);
    expect(await readdir(dataDir)).toEqual(['store']);
  });

  it('also when only the list of partitions says so', async () => {
    await (await openStore({ dataDir: join(dataDir, 'other'), clock: systemClock })).close();
    const { line } = checkedLine({ footbridge: 'store', version: FORMAT_VERSION + 1, partitions: [] }, 0);
    await writeFile(join(dataDir, 'other', 'store', 'partitions.json'), line);
    const opening = openStore({ dataDir: join(dataDir, 'other'), clock: systemClock });
    await expect(opening).rejects.toMatchObject({ code: 'newer-version' });
  });
});
