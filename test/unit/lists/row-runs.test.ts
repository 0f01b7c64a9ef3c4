import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRunNotes, isReachedInRun, findRunAt } from '../../../server/lists/rows/row-runs.ts';
import { createIds } from '../../../server/base/ids.ts';
import { createRowWriter } from '../../../server/lists/rows/row-batch.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import type { Partition } from '../../../server/store/store.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';

let folder: TemporaryFolder;
let store: DiskStore;
let partition: Partition;
let write: (...names: string[]) => Promise<number>;

/** Opens a list as one run of the program does. */
async function open(name: string): Promise<void> {
  store = await openStore({ dataDir: join(folder.path, name), clock: systemClock });
  partition = await store.partition('list-7');
  const writer = createRowWriter({
    partition,
    clock: systemClock,
    ids: createIds(systemClock),
    onWritten: () => undefined,
    naming: () => [],
    fields: () => [],
  });
  let recordID = await partition.lastSeq();
  write = async (...names) => {
    await writer.write((batch) => {
      const { now } = batch;
      for (const name of names) {
        const times = { createdAt: now, updatedAt: now, createdBy: '1', updatedBy: '1' };
        batch.put(undefined, {
          recordID: String(++recordID),
          ...times,
          values: { Name: [name] },
        } satisfies Row);
      }
    });
    return partition.lastSeq();
  };
}

const isOf = (run: string, seq: number): Promise<boolean> => isReachedInRun(partition, run, seq);

const runNow = (of: Partition): Promise<string> => findRunAt(of, Number.MAX_SAFE_INTEGER);

beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  await open('data');
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

describe('the runs that wrote a list', () => {
  it('begin with the first row that is written, and hold for what was read in any of them', async () => {
    expect(await runNow(partition)).toBe('');
    const first = await write('Ada', 'Bo');
    const run = await runNow(partition);
    expect(run).not.toBe('');
    await store.close();
    await open('data');
    expect(await runNow(partition)).toBe(run);
    const second = await write('Cleo');
    expect(await runNow(partition)).not.toBe(run);
    expect(await findRunAt(partition, first)).toBe(run);
    expect(await findRunAt(partition, second)).toBe(await runNow(partition));
    expect(await findRunAt(partition, 0)).toBe('');
    expect(await isOf(run, first)).toBe(true);
    expect(await isOf(await runNow(partition), second)).toBe(true);
    // What was read before any run was noted, of a list of an older version.
    expect([await isOf('', 0), await isOf('', first)]).toEqual([true, false]);
  });

  it('tell numbers that were used again from those that were read', async () => {
    const common = await write('Ada', 'Bo', 'Cleo');
    const [before, lost] = [await runNow(partition), join(folder.path, 'lost')];
    await store.close();
    await cp(join(folder.path, 'data'), lost, { recursive: true });
    await open('data');
    const read = await write('Dora', 'Emil');
    const later = await runNow(partition);
    await store.close();

    await open('lost');
    expect([await isOf(before, common), await isOf(later, read)]).toEqual([true, false]);
    expect(await write('Finn', 'Gil', 'Hana')).toBeGreaterThan(read);
    expect([await isOf(before, common), await isOf(later, read), await isOf(before, read)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('are not noted where nothing is written', async () => {
    await write();
    expect([await runNow(partition), await partition.lastSeq()]).toEqual(['', 0]);
  });

  it('are forgotten behind the newest thousand', { timeout: 60_000 }, async () => {
    const runs: string[] = [];
    for (let run = 0; run < 1003; run++) {
      const writer = createRowWriter({
        partition,
        clock: systemClock,
        ids: createIds(systemClock),
        onWritten: () => undefined,
        naming: () => [],
        fields: () => [],
      });
      await writer.write((batch) => {
        const { now } = batch;
        const times = { createdAt: now, updatedAt: now, createdBy: '1', updatedBy: '1' };
        batch.put(undefined, { recordID: String(run + 1), ...times, values: { Name: [`Row ${run}`] } });
      });
      runs.push(await runNow(partition));
    }
    const [first = '', last = ''] = [runs[0], runs.at(-1)];
    expect([await isOf(first, 1), await isOf(runs[3] ?? '', 1), await isOf(last, 1)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

it('a disk that could not be read at the first write stands in the way of no later one', async () => {
  store = await openStore({ dataDir: join(folder.path, 'unread'), clock: systemClock });
  const real = await store.partition('list-7');
  let fails = true;
  const noteRun = createRunNotes({
    ...real,
    page: (table, options) => (fails ? Promise.reject(new Error('EIO')) : real.page(table, options)),
  });
  await expect(real.transaction(noteRun)).rejects.toThrow('EIO');
  fails = false;
  await real.transaction(async (tx) => (await noteRun(tx))());
  expect(await runNow(real)).not.toBe('');
});
