import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { backUpWhenDue } from '../../../server/store/recovery/backups.ts';
import { inspectStore } from '../../../server/store/recovery/inspect.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import {
  contentOf,
  makeSampleStore,
  sampleFiles,
  sorted,
  type Content,
} from '../../support/faults/disk-sample.ts';

let folder: TemporaryFolder;
let dataDir: string;
let newest: Content;
beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  dataDir = join(folder.path, 'data');
  newest = (await makeSampleStore(dataDir)).at(-1) ?? {};
});
afterEach(() => folder.remove());

const inStore = (...names: string[]): string => join(dataDir, 'store', ...names);
const open = (goesOn = false): Promise<DiskStore> =>
  openStore({ dataDir, clock: systemClock, goesOnWithout: () => goesOn });
async function holdsAll(): Promise<void> {
  const store = await open();
  expect(sorted(await contentOf(store))).toEqual(sorted(newest));
  expect(store.notices()).toEqual([]);
  await store.close();
}
const JOURNAL = 'journal-000003.jsonl';

describe('the newest file of a partition that was renamed, with older ones beside it', () => {
  const others = [
    'journal-000003 (1).jsonl',
    'journal-000003-KONTOR-PC.jsonl',
    'Kopie von journal-000003.jsonl',
  ];
  it.each(others)(
    '(%s) is named before anything takes its place, and is the newest again with its name',
    async (other) => {
      await rename(inStore('p', JOURNAL), inStore('p', other));
      const before = await sampleFiles(dataDir);
      expect((await inspectStore(dataDir)).advice.join()).toContain(`"p/${other}" to "p/${JOURNAL}"`);
      await expect(open()).rejects.toThrow(`“p/${other}”`.replaceAll(/[“”]/g, '"'));
      const without = await open(true);
      expect(await without.isUnreadable('p')).toBe(true);
      expect(without.notices().map(({ message }) => message)).toEqual([
        expect.stringContaining(`rename “p/${other}” to “p/${JOURNAL}”`),
      ]);
      await without.close();
      expect(await sampleFiles(dataDir)).toEqual(before);
      await rename(inStore('p', other), inStore('p', JOURNAL));
      await holdsAll();
    },
  );

  it('is named also where a backup is there, and where an older copy took its name', async () => {
    const closed = await open();
    await backUpWhenDue(closed, systemClock);
    const part = await closed.partition('p');
    newest = { ...newest, later: { n: 1, text: 'behind the backup' } };
    await cp(inStore('p'), join(folder.path, 'older'), { recursive: true });
    await part.transaction((tx) => tx.put({ name: 'samples' }, 'later', newest.later));
    await closed.close();
    await rename(inStore('p', JOURNAL), inStore('p', 'journal-000003 (1).jsonl'));
    await expect(open()).rejects.toThrow(/lies "p\/journal-000003 \(1\)\.jsonl"/);
    await cp(join(folder.path, 'older', JOURNAL), inStore('p', JOURNAL));
    await expect(open()).rejects.toThrow(/lies "p\/journal-000003 \(1\)\.jsonl"/);
    await rename(inStore('p', 'journal-000003 (1).jsonl'), inStore('p', JOURNAL));
    await holdsAll();
  });

  it('is gone on without once it lies elsewhere', async () => {
    await rename(inStore('p', JOURNAL), join(folder.path, JOURNAL));
    const store = await open();
    expect(store.notices()).toMatchObject([{ code: 'damaged-put-aside' }]);
    await store.close();
  });

  it('is not named where it reaches no further than what is there', async () => {
    await cp(inStore('p', JOURNAL), inStore('p', 'journal-000003 (1).jsonl'));
    await cp(inStore('p', 'snapshot-000003.jsonl'), inStore('p', 'snapshot-000003 (1).jsonl'));
    await writeFile(inStore('p', 'snapshot-000003.jsonl'), 'garbage');
    expect((await inspectStore(dataDir)).advice.join()).not.toContain('(1)');
    await (await open()).close();
  });
});

describe('the folder of a partition that was renamed', () => {
  it.each(['p-KONTOR-PC', 'p (1)'])(
    '(%s) is told to be renamed, not to be put elsewhere, and nothing stands in its way',
    async (other) => {
      await rename(inStore('p'), inStore(other));
      const { advice } = await inspectStore(dataDir);
      expect(advice.join('\n')).toContain(`"${other}" to "p"`);
      expect(advice.join('\n')).not.toMatch(/not one of Footbridge’s/);
      const store = await open(true);
      expect(store.notices().map(({ message }) => message)).toEqual([
        expect.stringContaining(`rename “${other}” to “p”`),
      ]);
      await store.close();
      expect(await readdir(inStore())).not.toContain('p');
      await rename(inStore(other), inStore('p'));
      await holdsAll();
    },
  );

  it('is told to be put elsewhere where it is a copy of one that is well', async () => {
    await cp(inStore('p'), inStore('p-KONTOR-PC'), { recursive: true });
    await mkdir(inStore('Photos'));
    const { advice } = await inspectStore(dataDir);
    expect(advice.filter((text) => text.includes('not one of Footbridge’s'))).toHaveLength(2);
    const store = await open();
    expect(store.notices().map(({ code }) => code)).toEqual(['left-alone', 'left-alone']);
    await store.close();
    await rm(inStore('Photos'), { recursive: true });
  });
});
