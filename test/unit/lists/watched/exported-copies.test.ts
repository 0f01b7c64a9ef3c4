import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readTable } from '../../../../server/lists/csv/read.ts';
import {
  createSlowDriveGuard,
  type SlowDriveGuard,
} from '../../../../server/lists/watched/slow-drive-guard.ts';
import { ListCopies } from '../../../../server/lists/watched/exported-copies.ts';
import { english } from '../../../../server/words/said.ts';
import { temporaryFolder } from '../../../support/harness/temporary-folder.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';
import { makeList, testLists, text, values, type TestLists } from '../../../support/harness/lists.ts';
import { USER } from './watching.ts';

interface Copying extends TestLists {
  readonly copies: ListCopies;
  readonly folder: string;
  /** Lets time go by until this holds. */
  until(holds: () => Promise<boolean>): Promise<void>;
}

async function copying(asking: SlowDriveGuard = createSlowDriveGuard(manualClock())): Promise<Copying> {
  const world = await testLists();
  const { path: folder, remove } = await temporaryFolder();
  const { lists, store, clock } = world;
  const copies = new ListCopies({
    ...{ lists, store, clock, system: await store.partition('system') },
    log: { warn: (about: unknown) => console.warn(about) },
    asking,
    sources: () => Promise.resolve([join(folder, 'source.csv'), join(folder, 'followed')]),
    onState: () => undefined,
  });
  copies.start();
  onTestFinished(async () => {
    await copies.stop();
    await remove();
  });
  let told = 0;
  return {
    ...world,
    copies,
    folder,
    async until(holds) {
      const end = Date.now() + 50_000;
      while (!(await holds())) {
        if (Date.now() > end) throw new Error('It never came to this.');
        for (const change of world.changes.slice(told)) copies.scheduleWrites(change);
        told = world.changes.length;
        clock.advance(10_000);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

let world: Copying;
beforeEach(async () => {
  world = await copying();
});

/** The cells of a copy, line by line. */
async function cells(path: string): Promise<string[][]> {
  const file = await readTable(await readFile(path), {});
  const lines: string[][] = [];
  for await (const { records } of file.read())
    for (const record of records) if ('fields' in record) lines.push([...record.fields]);
  return lines;
}
const shows = (path: string, value: string) => async (): Promise<boolean> =>
  (await cells(path)).some((line) => line.includes(value));

describe('a copy of a list for the spreadsheet', () => {
  it.each(['copy.xlsx', 'copy.csv'])('is written anew after each change, whole: %s', async (name) => {
    const { module, rows } = await makeList(world);
    const { moduleID } = module;
    for (let at = 0; at < 30; at++)
      await rows.create(values({ Name: `Büro ${String(at)}`, City: '=1+1', Note: '京都, "5"' }), USER);
    const path = join(world.folder, name);
    await world.copies.startCopy(moduleID, { path, replace: false });
    expect(await cells(path)).toHaveLength(30);
    await rows.create(values({ Name: 'Später' }), USER);
    await world.until(shows(path, 'Später'));
    const fields = module.fields.map((field) => ({ ...field, label: `${field.label} neu` }));
    await world.lists.updateModule(moduleID, { fields });
    await world.until(async () =>
      (await readTable(await readFile(path), {})).columns.some(({ header }) => header === 'City neu'),
    );
    expect(await readdir(world.folder)).toEqual([name]);
    await world.copies.stopCopy(moduleID);
    await rows.create(values({ Name: 'Danach' }), USER);
    await world.until(async () => Promise.resolve(true));
    expect(await shows(path, 'Danach')()).toBe(false);
  });

  it('follows what rows of other lists are called', async () => {
    const { module: cities, rows } = await makeList(world, [text('Name')], 'Cities');
    const city = await rows.create(values({ Name: 'Ulm' }), USER);
    const { module, rows: people } = await makeList(
      world,
      [text('Name'), { name: 'City', kind: 'Record', options: { moduleID: cities.moduleID } }],
      'People',
    );
    await people.create(values({ Name: 'Ada', City: city.recordID }), USER);
    const path = join(world.folder, 'people.xlsx');
    await world.copies.startCopy(module.moduleID, { path, replace: false });
    await rows.patch(city.recordID, values({ Name: 'Neu-Ulm' }), USER);
    await world.until(shows(path, 'Neu-Ulm'));
  });

  it('takes no other file’s place unasked, nor that of the file that the list is kept as in, and keeps the rights of one', async () => {
    const { module } = await makeList(world);
    const refused = async (path: string, code: string): Promise<void> => {
      const wish = { path, replace: false };
      await expect(world.copies.startCopy(module.moduleID, wish)).rejects.toMatchObject({ code });
    };
    const path = join(world.folder, 'mine.csv');
    await writeFile(path, 'mine');
    await chmod(path, 0o640);
    await refused(path, 'copy.there-already');
    expect(await readFile(path, 'utf8')).toBe('mine');
    await refused('mine.csv', 'watched.path');
    await refused(join(world.folder, 'mine.sh'), 'copy.kind');
    await refused(join(world.folder, 'source.csv'), 'copy.a-source');
    await refused(join(world.store.dataDir, 'a.csv'), 'copy.inside');
    await refused(join(world.folder, 'none', 'a.csv'), 'copy.folder');
    expect(await world.copies.all()).toEqual([]);
    await world.copies.startCopy(module.moduleID, { path, replace: true });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await world.copies.startCopy(module.moduleID, { path, replace: false });
  });

  it('writes through nothing that somebody laid beside it', async () => {
    const { module, rows } = await makeList(world);
    const [path, other] = [join(world.folder, 'copy.csv'), join(world.folder, 'other.txt')];
    await writeFile(other, 'theirs');
    await symlink(other, join(world.folder, '.copy.csv.footbridge'));
    await world.copies.startCopy(module.moduleID, { path, replace: false });
    expect(await readFile(other, 'utf8')).toBe('theirs');
    expect((await readdir(world.folder)).sort()).toEqual(['copy.csv', 'other.txt']);
    // Nor does a link that is laid in the copy's own place later lend it the rights of what it leads to.
    await chmod(other, 0o666);
    await rm(path);
    await symlink(other, path);
    await rows.create(values({ Name: 'Later' }), USER);
    await world.until(async () =>
      english((await world.copies.get(module.moduleID))?.problem?.words ?? '').includes('somewhere else'),
    );
    expect(await readFile(other, 'utf8')).toBe('theirs');
    expect((await stat(other)).mode & 0o777).toBe(0o666);
  });

  it('lies in no folder that a list follows, nor by a link among the data, nor where another list’s copy lies', async () => {
    const { module } = await makeList(world);
    const { module: other } = await makeList(world, [text('Name')], 'Others');
    await mkdir(join(world.folder, 'followed'));
    await symlink(world.store.dataDir, join(world.folder, 'data'));
    await symlink(join(world.folder, 'followed'), join(world.folder, 'aside'));
    await mkdir(join(world.folder, '..x'));
    const refused = async (path: string, code: string): Promise<void> => {
      const wish = { path, replace: true };
      await expect(world.copies.startCopy(module.moduleID, wish)).rejects.toMatchObject({ code });
    };
    await refused(join(world.folder, 'data', 'a.csv'), 'copy.inside');
    await refused(join(world.folder, 'followed', 'a.csv'), 'copy.a-source');
    await refused(join(world.folder, 'aside', 'a.csv'), 'copy.a-source');
    await world.copies.startCopy(other.moduleID, {
      path: join(world.folder, '..x', 'a.csv'),
      replace: false,
    });
    await refused(join(world.folder, '..x', 'a.csv'), 'copy.of-another');
  });

  it('has a name that is a file’s on every system, and looks like what it is; what cannot be is said in words', async () => {
    const { module } = await makeList(world);
    await writeFile(join(world.folder, 'a-file'), '');
    const refused = async (path: string, code: string): Promise<void> => {
      const wish = { path, replace: true };
      await expect(world.copies.startCopy(module.moduleID, wish)).rejects.toMatchObject({ code });
    };
    for (const name of ['CON.csv', 'nul.xlsx', 'Com1.tar.csv', 'LPT³ .csv', 'a.txt:b.csv'])
      await refused(join(world.folder, name), 'copy.reserved');
    for (const unseen of ['\u0000', '\n', '\u001b[2J', '\u202e', '\u2066'])
      await refused(join(world.folder, `a${unseen}vsc.csv`), 'watched.unseen');
    await symlink(join(world.folder, 'a\u202evsc.csv'), join(world.folder, 'plain.csv'));
    await writeFile(join(world.folder, 'a\u202evsc.csv'), '');
    await refused(join(world.folder, 'plain.csv'), 'watched.unseen');
    await refused(join(world.folder, `${'n'.repeat(300)}.csv`), 'watched.way');
    // It has room for this name, and none for that of the unfinished one.
    await refused(join(world.folder, `${'n'.repeat(251)}.csv`), 'copy.file');
    await refused(join(world.folder, 'a-file', 'x.csv'), 'watched.way');
    await mkdir(join(world.folder, 'folder.csv'));
    await refused(join(world.folder, 'folder.csv'), 'copy.file');
    expect(await world.copies.all()).toEqual([]);
    await world.copies.startCopy(module.moduleID, {
      path: join(world.folder, 'Console.csv'),
      replace: false,
    });
  });

  it('is no file that is another list’s on a drive to which large and small letters are the same', async () => {
    const { module } = await makeList(world);
    const { module: other } = await makeList(world, [text('Name')], 'Others');
    await world.copies.startCopy(module.moduleID, { path: join(world.folder, 'Büro.csv'), replace: false });
    const wish = { path: join(world.folder, 'BU\u0308RO.CSV'), replace: true };
    await expect(world.copies.startCopy(other.moduleID, wish)).rejects.toMatchObject({
      code: 'copy.of-another',
    });
    const source = { path: join(world.folder, 'Source.csv'), replace: true };
    await expect(world.copies.startCopy(other.moduleID, source)).rejects.toMatchObject({
      code: 'copy.a-source',
    });
    expect(await readdir(world.folder)).toEqual(['Büro.csv']);
  });

  it('waits for a drive that is away, says so, and writes once it is back', async () => {
    const { module, rows } = await makeList(world);
    const { moduleID } = module;
    const [drive, away] = [join(world.folder, 'drive'), join(world.folder, 'away')];
    await mkdir(drive);
    const path = join(drive, 'copy.csv');
    await world.copies.startCopy(moduleID, { path, replace: false });
    await rename(drive, away);
    await rows.create(values({ Name: 'Meanwhile' }), USER);
    const said = async (): Promise<string> =>
      english((await world.copies.get(moduleID))?.problem?.words ?? '');
    await world.until(async () => (await said()).includes('Connect its drive'));
    await rename(away, drive);
    await world.until(async () => (await said()) === '');
    expect(await shows(path, 'Meanwhile')()).toBe(true);
  });

  it('does not hold up the others while its drive does not answer, says so, and is written by one at a time', async () => {
    let answers = (): void => undefined;
    const dead = new Promise<void>((resolve) => (answers = resolve));
    let isDead = false;
    let asked = 0;
    const patience = manualClock();
    const real = createSlowDriveGuard(patience);
    const away = await copying({
      ...real,
      runTimed: (path, work, ends) =>
        real.runTimed(
          path,
          async (goes) => {
            const hangs = async (): Promise<void> => {
              if (!isDead || !path.includes('away')) return;
              asked++;
              await dead;
            };
            await hangs();
            return work(goes);
          },
          ends,
        ),
    });
    await mkdir(join(away.folder, 'away'));
    const places = ['away/one.csv', 'near.csv'].map((name) => join(away.folder, name));
    const lists = await Promise.all(places.map((_, at) => makeList(away, undefined, `List ${String(at)}`)));
    for (const [at, { module }] of lists.entries())
      await away.copies.startCopy(module.moduleID, { path: places[at] ?? '', replace: false });
    isDead = true;
    for (const { rows } of lists) await rows.create(values({ Name: 'Später' }), USER);
    const [one, near] = [lists[0]?.module.moduleID ?? '', places[1] ?? ''];
    const says = async (): Promise<string> => {
      const words = (await away.copies.get(one))?.problem?.words;
      return words === undefined ? '' : english(words);
    };
    await away.until(async () => {
      if (asked > 0) patience.advance(60_000);
      return (await shows(near, 'Später')()) && (await says()).includes('doesn’t answer');
    });
    // Asked once, and not again as long as that has no answer.
    expect(asked).toBe(1);
    expect(await readdir(join(away.folder, 'away'))).toEqual(['one.csv']);
    isDead = false;
    answers();
    await away.until(shows(places[0] ?? '', 'Später'));
    // The file is there a moment before it is noted that it is.
    await away.until(async () => (await says()) === '');
    expect(await readdir(join(away.folder, 'away'))).toEqual(['one.csv']);
  });

  it('goes on once its list is out of the bin, and ends when that is purged', async () => {
    const { module, rows } = await makeList(world);
    const path = join(world.folder, 'a.csv');
    const { moduleID } = (await makeList(world, undefined, 'Another')).module;
    const other = join(world.folder, 'b.csv');
    await rows.create(values({ Name: 'Vorher' }), USER);
    await world.copies.startCopy(module.moduleID, { path, replace: false });
    await world.copies.startCopy(moduleID, { path: other, replace: false });
    await world.lists.removeModule(module.moduleID);
    // The other one is written after the look at both.
    await (await world.lists.rows(moduleID)).create(values({ Name: 'Derweil' }), USER);
    await world.until(shows(other, 'Derweil'));
    expect(await world.copies.all()).toHaveLength(2);
    await world.lists.restoreModule(module.moduleID);
    await (await world.lists.rows(module.moduleID)).create(values({ Name: 'Danach' }), USER);
    await world.until(shows(path, 'Danach'));
    await world.copies.stopCopy(moduleID);
    await world.lists.removeModule(module.moduleID);
    await world.lists.purgeModule(module.moduleID);
    await world.until(async () => (await world.copies.all()).length === 0);
  });

  it.each<[string, (world: Copying) => string]>([
    ['of another kind', ({ folder }) => join(folder, '.profile')],
    ['within the data', ({ store }) => join(store.dataDir, 'keys.csv')],
    ['that a list is kept as in', ({ folder }) => join(folder, 'source.csv')],
  ])('is not written into a file %s, be it that the stored data says so', async (_, place) => {
    const { module, rows } = await makeList(world);
    const path = place(world);
    await writeFile(path, 'mine');
    const system = await world.store.partition('system');
    const copy = { moduleID: module.moduleID, path };
    await system.transaction((tx) => tx.put({ name: 'list-copy' }, module.moduleID, copy));
    await rows.create(values({ Name: 'Ada' }), USER);
    await world.until(async () => (await world.copies.get(module.moduleID))?.problem !== undefined);
    expect(await readFile(path, 'utf8')).toBe('mine');
  });
});
