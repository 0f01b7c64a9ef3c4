import { cp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUpWhenDue } from '../../../server/store/recovery/backups.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { inspectStore, type StoreReport } from '../../../server/store/recovery/inspect.ts';
import { FORMAT_VERSION } from '../../../server/store/files/format.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import { makeSampleStore, sampleFiles } from '../../support/faults/disk-sample.ts';

let folder: TemporaryFolder;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  dataDir = join(folder.path, 'data');
  await makeSampleStore(dataDir);
});
afterEach(() => folder.remove());

/** The report, made with the certainty that making it changed nothing. */
async function inspect(): Promise<StoreReport> {
  const before = await sampleFiles(dataDir);
  const report = await inspectStore(dataDir);
  expect(await sampleFiles(dataDir)).toEqual(before);
  return report;
}
const path = (name: string): string => join(dataDir, 'store', 'p', name);

describe('inspecting a data folder', () => {
  it('that is well: every file with its generation and number of entries, and nothing to do', async () => {
    const store = await openStore({ dataDir, clock: systemClock });
    await backUpWhenDue(store, systemClock);
    await store.close();
    const report = await inspect();
    expect(report.partitions).toMatchObject([
      { name: 'p', generation: 3, entries: 13, state: 'good', aside: [] },
    ]);
    expect(report.partitions[0]?.files.map(({ kind, state, version }) => [kind, state, version])).toEqual([
      ['snapshot', 'whole', FORMAT_VERSION],
      ['snapshot', 'whole', FORMAT_VERSION],
      ['journal', 'whole', FORMAT_VERSION],
      ['journal', 'whole', FORMAT_VERSION],
    ]);
    expect(report.backups).toMatchObject([{ kind: 'backup', state: 'whole', operations: 13 }]);
    expect(report.inUseBy).toBeUndefined();
    expect(report.freeBytes).toBeGreaterThan(0);
    expect(report.advice.filter((text) => !text.includes('nearly full'))).toEqual([]);
  });

  it('in use: says by whom, and calls nothing damaged', async () => {
    const store = await openStore({ dataDir, clock: systemClock });
    const part = await store.partition('p');
    await part.transaction((tx) => tx.put({ name: 'x' }, 'k', 1));
    const report = await inspect();
    expect(report.inUseBy?.pid).toBe(process.pid);
    expect(report.partitions[0]).toMatchObject({ state: 'not-closed', entries: 14 });
    await store.close();
  });

  it('after a kill: says that it was not closed, and advises nothing for it', async () => {
    await writeFile(path('open'), '');
    const bytes = await readFile(path('journal-000003.jsonl'));
    await truncate(path('journal-000003.jsonl'), bytes.length - 70);
    const report = await inspect();
    expect(report.partitions[0]).toMatchObject({ state: 'not-closed', advice: undefined });
  });

  it('damaged: names the file, and says what the next start will do', async () => {
    await writeFile(path('snapshot-000003.jsonl'), 'garbage');
    const report = await inspect();
    expect(report.partitions[0]).toMatchObject({ state: 'damaged', generation: 2, entries: 13 });
    const bad = report.partitions[0]?.files.filter(({ state }) => state === 'damaged');
    expect(bad?.map((file) => file.path)).toEqual([path('snapshot-000003.jsonl')]);
    expect(report.advice.join()).toMatch(/Part p: A file is damaged\. The next start/);
  });

  it('damaged beyond reading: says to restore a backup', async () => {
    for (const name of (await sampleFiles(dataDir)).keys()) await writeFile(path(name), '');
    expect((await inspect()).advice.join()).toMatch(/footbridge restore/);
  });

  it('in the middle of a restore: says that the next start finishes it, or tells of it, and to delete nothing', async () => {
    await rename(join(dataDir, 'store'), join(dataDir, 'store.restoring'));
    await cp(join(dataDir, 'store.restoring'), join(dataDir, 'store.before-restore-20261124T010203Z'), {
      recursive: true,
    });
    const cutOff = (await inspectStore(dataDir)).advice.filter((text) => !text.includes('nearly full'));
    expect(cutOff).toEqual([
      expect.stringMatching(/cut off right before its end\. Start Footbridge: it finishes/),
    ]);
    await rename(join(dataDir, 'store.restoring'), join(dataDir, 'store'));
    await writeFile(join(dataDir, 'store', 'restored.json'), '{}\n');
    expect((await inspectStore(dataDir)).advice.join()).toMatch(/A backup took the place of the data/);
  });

  it('of a newer version, without a store, or without its list: says so', async () => {
    await writeFile(join(dataDir, 'store', 'partitions.json'), 'x');
    expect((await inspect()).advice.join()).toMatch(/list of the parts/);
    const text = await readFile(path('snapshot-000003.jsonl'), 'utf8');
    await writeFile(
      path('snapshot-000003.jsonl'),
      text.replace(/"version":\d+/, `"version":${FORMAT_VERSION + 1}`),
    );
    expect((await inspect()).partitions[0]?.state).toBe('newer-version');
    await rm(join(dataDir, 'store'), { recursive: true });
    expect((await inspectStore(dataDir)).advice.join()).toMatch(/no store here/);
    expect((await inspectStore(join(dataDir, 'nowhere'))).advice.join()).toMatch(/no store here/);
  });
});
