import {
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findFile, readWhole } from '../../../../server/lists/watched/find-file.ts';
import { inComparedFolder, inLockedFolder } from '../../../../server/lists/watched/locked-folder.ts';
import { replaceFile } from '../../../../server/lists/watched/replace-file.ts';
import { temporaryFolder } from '../../../support/harness/temporary-folder.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';

/** What somebody does who is told of each file that is opened, and is never too late. */
const somebody = vi.hoisted((): Record<'before' | 'after', (opened: string) => void> => {
  const nothing = (): void => undefined;
  return { before: nothing, after: nothing };
});
vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  const open: typeof real.open = async (path, ...more) => {
    const name = basename(String(path));
    somebody.before(name);
    return real.open(path, ...more).finally(() => somebody.after(name));
  };
  return { ...real, open };
});

const OWN = 'No,Name\n1,a colleague\n';
const PRIVATE = 'No,Name\n1,SALARY-9999\n';

let shared: string;
let place: string;
let documents: string;
beforeEach(async () => {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  [shared, documents] = [join(path, 'shared'), join(path, 'documents')];
  place = join(shared, 'sub');
  for (const folder of [shared, place, documents]) mkdirSync(folder);
  for (const [folder, text] of [
    [place, OWN],
    [documents, PRIVATE],
  ] as const) {
    writeFileSync(join(folder, 'z.csv'), text);
    utimesSync(join(folder, 'z.csv'), 1000, 1000);
  }
  onTestFinished(() => {
    somebody.before = somebody.after = () => undefined;
  });
});

/** The folder goes aside, and a link to the owner's own documents takes its place. */
const swap = (): void => {
  renameSync(place, `${place}-aside`);
  symlinkSync(documents, place);
};
const putBack = (): void => {
  rmSync(place);
  renameSync(`${place}-aside`, place);
};

/** Lays the link as this is opened, once; puts the folder back behind that, or does not. Tells whether it did. */
function exchanges(name: string, back: 'back' | 'for good'): () => boolean {
  let state: 'waits' | 'laid' | 'over' = 'waits';
  somebody.before = (opened) => {
    if (state !== 'waits' || opened !== name) return;
    state = 'laid';
    swap();
  };
  somebody.after = (opened) => {
    if (state !== 'laid' || opened !== name || back !== 'back') return;
    state = 'over';
    putBack();
  };
  return () => state !== 'waits';
}

describe('a folder of a place that was settled', () => {
  it.each(['sub', 'sub/z.csv'])(
    'lends nothing of another to a list whose place it takes for a moment: %s',
    async (name) => {
      expect(Buffer.byteLength(PRIVATE)).toBe(Buffer.byteLength(OWN));
      const found = await findFile(join(shared, name));
      if ('waits' in found) throw new Error('It is there.');
      const opened = exchanges('z.csv', 'back');
      const read = await readWhole(found);
      expect(opened()).toBe(true);
      // Where the folder is held it is read as if nothing had been.
      expect(Buffer.isBuffer(read) ? read.toString() : OWN).toBe(OWN);
    },
  );

  it('is where a copy goes, and no file of another that takes its place is written over', async () => {
    writeFileSync(join(documents, 'copy.csv'), 'MY OWN');
    exchanges('.copy.csv.footbridge', 'for good');
    async function* pieces(): AsyncGenerator<string> {
      yield await Promise.resolve('a list');
    }
    await replaceFile(manualClock(), join(place, 'copy.csv'), pieces()).catch(() => undefined);
    expect(readFileSync(join(documents, 'copy.csv'), 'utf8')).toBe('MY OWN');
  });

  it('costs no more than a file had when it was looked at, whatever becomes of that as it is opened', async () => {
    const found = await findFile(join(place, 'z.csv'));
    if ('waits' in found) throw new Error('It is there.');
    somebody.after = (opened) => {
      if (opened === 'z.csv') truncateSync(join(place, 'z.csv'), 3 * 2 ** 30);
    };
    expect(await readWhole(found)).toMatchObject({ waits: { code: 'watched.being-written' } });
  });

  it('is not looked through every two seconds where somebody lays very many files into it', async () => {
    for (let at = 0; at < 10_001; at++) writeFileSync(join(place, `${at}.csv`), '');
    expect(await findFile(place)).toMatchObject({ waits: { code: 'watched.full-folder' } });
    rmSync(join(place, '0.csv'));
    rmSync(join(place, '1.csv'));
    expect(await findFile(place)).toMatchObject({ path: join(place, 'z.csv') });
  });

  it('goes on being read and written where colleagues replace files in it', async () => {
    await inLockedFolder(place, async (folder) => {
      writeFileSync(join(shared, 'new'), 'newer');
      renameSync(join(shared, 'new'), join(place, 'z.csv'));
      const file = await folder.open('z.csv', constants.O_RDONLY);
      expect((await file.readFile()).toString()).toBe('newer');
      await file.close();
    });
  });

  it('is compared where it cannot be held: what was opened in another is not used', async () => {
    const open = (flags = constants.O_RDONLY): Promise<unknown> =>
      inComparedFolder(place, async (folder) => (await folder.open('z.csv', flags)).close());
    await open();
    const elsewhere = { code: 'watched.elsewhere' };
    exchanges('z.csv', 'back');
    await expect(open()).rejects.toMatchObject(elsewhere);
    exchanges('z.csv', 'for good');
    await expect(open()).rejects.toMatchObject(elsewhere);
    await expect(open()).rejects.toMatchObject(elsewhere);
    putBack();
    const another = inComparedFolder(place, async (folder) => {
      renameSync(place, `${place}-aside`);
      mkdirSync(place);
      await folder.assertUnmoved();
    });
    await expect(another).rejects.toMatchObject(elsewhere);
  });
});
