import iconv from 'iconv-lite';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeXlsx } from 'hucre/xlsx';
import { z } from 'zod';
import type { Module } from '../../../../server/lists/definitions/model.ts';
import { exportXlsx } from '../../../../server/lists/sheets/export-xlsx.ts';
import type { FollowRequest } from '../../../../server/lists/watched/choose-reading.ts';
import type { WatchedState } from '../../../../server/lists/watched/file-states.ts';
import { english, said } from '../../../../server/words/said.ts';
import {
  createSlowDriveGuard,
  type SlowDriveGuard,
} from '../../../../server/lists/watched/slow-drive-guard.ts';
import { Refusal } from '../../../../server/base/refusal.ts';
import type { Table } from '../../../../server/store/store.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';
import { listOf, USER, watching, type Watching } from './watching.ts';

const CITIES = ['Ulm', 'Łódź', 'Æbeltoft', 'São Paulo', 'Würzburg', '京都'];

/** One line of an office's customers: none like another. */
const line = (at: number, more = ''): string =>
  `K-${String(1000 + at)},"${CITIES[(at * 7) % 6] ?? ''} & Söhne, No. ${String(at)}${more}",${CITIES[at % 6] ?? ''},${String(1 + (at % 28))}/${String(13 + ((at * 3) % 5))}`;
const table = (lines: readonly string[]): string => `No,Name,City,Floor\n${lines.join('\n')}\n`;
const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => line(at));

/** With a number that can be added up. */
const count = (at: number): number => 3 + ((at * 7) % 5);
const ordered = (many: number): string =>
  `No,Name,Pieces\n${lines(many)
    .map(
      (text, at) =>
        `${text.split(',').slice(0, 1).join()},"${CITIES[(at * 5) % 6] ?? ''} ${String(at)}",${String(count(at))}\n`,
    )
    .join('')}`;
const pieces = (many: number): number =>
  Array.from({ length: many }, (_, at) => count(at)).reduce((sum, each) => sum + each, 0);

let world: Watching;
beforeEach(async () => {
  world = await watching();
});

const FILES: Table<unknown> = { name: 'watched-file' };

const last = async (moduleID: string): Promise<WatchedState['last']> =>
  (await world.files.get(moduleID))?.last;
const problem = async (moduleID: string): Promise<string> => {
  const words = (await world.files.get(moduleID))?.problem?.words;
  return words === undefined ? '' : english(words);
};
/** Whether it was read since this many readings found so much. */
const read = (moduleID: string, counts: object) => async (): Promise<boolean> => {
  const found = await last(moduleID);
  return found !== undefined && Object.entries(counts).every(([key, n]) => Reflect.get(found, key) === n);
};

/** A list that follows a file with these lines, which was read once. */
async function followed(
  before: readonly string[],
): Promise<{ readonly module: Module; readonly moduleID: string; readonly path: string }> {
  const module = await listOf(world, table(before));
  const path = world.at('list.csv');
  await writeFile(path, table(before));
  await world.files.watch(module.moduleID, { path, key: ['No'] }, USER);
  await world.until(read(module.moduleID, { created: 0 }));
  return { module, moduleID: module.moduleID, path };
}

describe('a list that is kept as in a file', () => {
  it('leaves out a line that adds up the others where that was confirmed, wherever it stands by then, and only there', async () => {
    const withSum = (count: number): string => `${ordered(count)},,\nSumme,,${String(pieces(count))}\n`;
    const module = await listOf(world, ordered(20));
    const { moduleID } = module;
    const path = world.at('Kunden.csv');
    await writeFile(path, withSum(20));
    expect((await world.files.tryFile(moduleID, { path }, ['No'])).created).toBe(1);
    const wish = { path, key: ['No'], reading: { sums: 'out' } } as const;
    expect(await world.files.tryFile(moduleID, wish, ['No'])).toMatchObject({
      created: 0,
      sums: [{ text: 'Summe' }],
    });
    await world.files.watch(moduleID, wish, USER);
    await world.until(read(moduleID, { created: 0, removed: 0 }));
    await writeFile(path, withSum(22));
    await world.until(read(moduleID, { created: 2, removed: 0 }));
    expect(await (await world.lists.rows(moduleID)).count()).toBe(22);
  });

  it('tells by name which lines are left out as sums, of those as well that came since nobody looked', async () => {
    const module = await listOf(world, ordered(5));
    const { moduleID } = module;
    const path = world.at('list.csv');
    await writeFile(path, `${ordered(5)}Summe,,${String(pieces(5))}\n`);
    const reading = { sums: 'out' } as const;
    await world.files.watch(moduleID, { path, key: ['No'], reading }, USER);
    await world.until(read(moduleID, { created: 0, updated: 0 }));
    expect((await last(moduleID))?.sums).toEqual([{ line: 7, text: 'Summe' }]);
    expect(await world.rows(module)).toHaveLength(5);
  });

  it.each([
    ['out', { removed: 0, updated: 0, created: 1 }, 6],
    ['in', { created: 2 }, 7],
  ] as const)(
    'asks about a total that a later version gained, and goes by the answer: %s',
    async (sums, counts, rows) => {
      const module = await listOf(world, ordered(5));
      const { moduleID } = module;
      const path = world.at('list.csv');
      await writeFile(path, ordered(5));
      await world.files.watch(moduleID, { path, key: ['No'] }, USER);
      await world.until(read(moduleID, { created: 0 }));
      const withTotal = (count: number): string => `${ordered(count)}Gesamt,,${String(pieces(count))}\n`;
      await writeFile(path, withTotal(6));
      await world.until(async () => (await problem(moduleID)) !== '');
      expect(await problem(moduleID)).toContain('“list.csv” can now be read in more than one way');
      const doubts = [{ kind: 'sums', chosen: 'out', alternatives: ['in'], example: 'Gesamt' }];
      expect(await last(moduleID)).toMatchObject({ created: 0, doubts });
      expect(await world.rows(module)).toHaveLength(5);
      // The first answer is the one that is chosen.
      await world.files.settleDoubts(moduleID, sums === 'out' ? {} : { sums });
      expect(await last(moduleID)).toMatchObject({ ...counts, doubts: [] });
      expect(await problem(moduleID)).toBe('');
      expect(await world.rows(module)).toHaveLength(rows);
      await writeFile(path, withTotal(7));
      await world.until(async () => (await world.rows(module)).length === rows + 1);
    },
  );

  it('asks about no total that was a row when it began to follow the file', async () => {
    const total = (count: number): string => `${ordered(5)}Gesamt,,${String(count)}\n`;
    const module = await listOf(world, ordered(5));
    const { moduleID } = module;
    const path = world.at('list.csv');
    await writeFile(path, total(pieces(5)));
    const reading = { sums: 'in' } as const;
    await world.files.watch(moduleID, { path, key: ['No'], reading }, USER);
    await world.until(read(moduleID, { created: 1 }));
    expect(await world.rows(module)).toHaveLength(6);
  });

  it('keeps a row that begins as a sum does and says nothing but numbers, as it adds up nothing', async () => {
    const total = (count: number): string => `${ordered(count)}Total SA,,7\n`;
    const module = await listOf(world, `${total(4)}Z-9,Zuse,5\n`);
    const { moduleID } = module;
    const path = world.at('Kunden.csv');
    const reading = { sums: 'out' } as const;
    await writeFile(path, `${total(4)}Z-9,Zuse,5\nSumme,,${String(pieces(4) + 12)}\n`);
    await world.files.watch(moduleID, { path, key: ['No'], reading }, USER);
    await world.until(read(moduleID, { created: 0, removed: 0 }));
    await writeFile(path, total(4));
    await world.until(read(moduleID, { removed: 1 }));
    expect((await last(moduleID))?.sums).toEqual([]);
    expect((await world.rows(module)).map(({ No }) => No)).toContain('Total SA');
  });

  it('tells of numbers that go in without what stands beside them, and lets none become money that is none', async () => {
    const module = await listOf(world, 'No,Pieces\nK-1,5\nK-2,6\n');
    const { moduleID, fields } = module;
    const path = world.at('Kunden.csv');
    await writeFile(path, 'No,Pieces\nK-1,€ 5.50\nK-2,€ 6.00\n');
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { updated: 2 }));
    expect((await last(moduleID))?.notes.map(english)).toEqual([
      'Only the numbers are imported, without what is written beside them: Pieces (€).',
    ]);
    await world.lists.updateModule(moduleID, {
      fields: fields.map((field) => ({ ...field, options: field.name === 'Pieces' ? { unit: '$' } : {} })),
    });
    await writeFile(path, 'No,Pieces\nK-1,€ 7.50\nK-2,€ 6.00\n');
    await world.until(read(moduleID, { rejectedLines: 2 }));
    expect((await last(moduleID))?.reasons).toMatchObject([{ count: 2, lines: [2, 3] }]);
    expect((await world.rows(module)).map(({ Pieces }) => Pieces)).toEqual(['5.50', '6.00']);
  });

  it('takes in what changed in the file, as an edit by the file, and leaves what was changed here until the file says something else of it', async () => {
    const before = lines(1500);
    const module = await listOf(world, table(before));
    const { moduleID } = module;
    const path = world.at('Kunden 2026.csv');
    await writeFile(path, table(before));
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 0, updated: 0 }));

    const rows = await world.lists.rows(moduleID);
    const all = (await rows.list({ limit: 1000 })).rows;
    const [first, second] = [all[0]?.recordID ?? '', all[1]?.recordID ?? ''];
    await rows.patch(first, { City: ['Here'] }, USER);
    await rows.patch(second, { City: ['Here too'] }, USER);
    const after = before.map((text, at) => (at === 1 || at === 900 ? line(at, ' neu') : text));
    await writeFile(path, table([...after, line(1500)]));
    await world.until(read(moduleID, { created: 1, updated: 2, removed: 0 }));

    const shown = await world.rows(module);
    expect(shown).toHaveLength(1501);
    expect(shown[0]?.City).toBe('Here');
    // What changed there is another cell of this row than what was changed here.
    expect(shown[1]).toMatchObject({ Name: 'Łódź & Söhne, No. 1 neu', City: 'Here too' });
    expect(shown[900]?.Name).toMatch(/ neu$/);
    const changed = await rows.get(all[900]?.recordID ?? '');
    expect(await rows.importedFrom(changed.updatedAt, USER)).toBe('Kunden 2026.csv');
  });

  it('gives a cell that was changed here back to the file once the file says something else of that cell', async () => {
    const { module, moduleID, path } = await followed(lines(3));
    const rows = await world.lists.rows(moduleID);
    const [first, second] = (await rows.list({ limit: 10 })).rows.map(({ recordID }) => recordID);
    await rows.patch(first ?? '', { City: ['Here'], Floor: ['9'] }, USER);
    await rows.patch(second ?? '', { City: ['Here too'] }, USER);
    const moved = (at: number, city: string): string =>
      line(at).replace(`",${CITIES[at] ?? ''},`, `",${city},`);
    await writeFile(path, table([moved(0, 'Riga'), moved(1, ''), line(2)]));
    await world.until(read(moduleID, { updated: 2 }));
    const shown = await world.rows(module);
    expect(shown[0]).toMatchObject({ City: 'Riga', Floor: '9' });
    expect(shown[1]?.City ?? '').toBe('');
    // A column that the file gets later is news for each row, and nothing else of it is.
    await world.lists.updateModule(moduleID, {
      fields: [...module.fields, { kind: 'String', name: 'Fax', label: 'Fax' }],
    });
    await rows.patch(first ?? '', { City: ['Once more'] }, USER);
    const withFax = [moved(0, 'Riga'), moved(1, ''), line(2)].map((text, at) => `${text},F${String(at)}`);
    await writeFile(path, `No,Name,City,Floor,Fax\n${withFax.join('\n')}\n`);
    await world.until(read(moduleID, { updated: 3 }));
    const after = await world.rows(await world.lists.module(moduleID));
    expect(after.map(({ Fax }) => Fax)).toEqual(['F0', 'F1', 'F2']);
    expect(after[0]).toMatchObject({ City: 'Once more', Floor: '9' });
  });

  it('puts rows that the file has no more into the bin, and neither one that was made here nor brings back one that was deleted here', async () => {
    const before = lines(40);
    const { module, moduleID, path } = await followed(before);
    const rows = await world.lists.rows(moduleID);
    await rows.create({ No: ['X-1'], Name: ['Made here'] }, USER);
    const all = (await rows.list({ limit: 100 })).rows;
    await rows.remove(all[0]?.recordID ?? '', USER);

    await writeFile(path, table(before.filter((_, at) => at !== 5 && at !== 6)));
    await world.until(read(moduleID, { removed: 2 }));
    const shown = (await world.rows(module)).map(({ No }) => No);
    expect(shown).toHaveLength(38);
    expect(shown).toContain('X-1');
    expect(shown).not.toContain('K-1000');
    expect(shown).not.toContain('K-1005');
    const gone = await rows.get(all[5]?.recordID ?? '');
    expect(await rows.importedFrom(gone.deletedAt ?? '', USER)).toBe('list.csv');
  });

  it('keeps a row whose key a workbook writes otherwise, as an email in another case', async () => {
    const module = await listOf(
      world,
      'Mail,Name\nanna@ulm.de,Anna\nbert@bonn.de,Bert\ncarla@trier.de,Carla\n',
    );
    const path = world.at('list.xlsx');
    const write = async (rows: string[][]): Promise<void> =>
      writeFile(path, await writeXlsx({ sheets: [{ name: 'S', rows: [['Mail', 'Name'], ...rows] }] }));
    await write([
      ['anna@ulm.de', 'Anna'],
      ['bert@bonn.de', 'Bert'],
      ['carla@trier.de', 'Carla'],
    ]);
    await world.files.watch(module.moduleID, { path, key: ['Mail'] }, USER);
    await world.until(read(module.moduleID, { created: 0 }));
    await write([
      ['Anna@Ulm.de', 'Anna M.'],
      ['bert@bonn.de', 'Bert'],
    ]);
    await world.until(async () => (await world.rows(module)).length < 3);
    await world.looked();
    expect(await world.rows(module)).toEqual([
      { Mail: 'Anna@Ulm.de', Name: 'Anna M.' },
      { Mail: 'bert@bonn.de', Name: 'Bert' },
    ]);
  });

  it('asks before many rows go, takes the yes for these very rows, and can leave them here', async () => {
    const before = lines(100);
    const { module, moduleID, path } = await followed(before);

    await writeFile(path, table(before.slice(0, 60)));
    await world.until(async () => (await last(moduleID))?.waiting?.rows === 40);
    const asked = (await last(moduleID))?.waiting;
    expect(await world.rows(module)).toHaveLength(100);
    await writeFile(path, table(before.slice(0, 50)));
    await world.until(async () => (await last(moduleID))?.waiting?.rows === 50);
    await expect(
      world.files.decideDeletions(moduleID, { mark: asked?.mark ?? '', go: true }),
    ).rejects.toMatchObject({
      code: 'watched.others-wait',
    });
    expect(await world.rows(module)).toHaveLength(100);
    await world.files.decideDeletions(moduleID, {
      mark: (await last(moduleID))?.waiting?.mark ?? '',
      go: true,
    });
    expect(await world.rows(module)).toHaveLength(50);

    await writeFile(path, table(before.slice(0, 20)));
    await world.until(async () => (await last(moduleID))?.waiting?.rows === 30);
    await world.files.decideDeletions(moduleID, {
      mark: (await last(moduleID))?.waiting?.mark ?? '',
      go: false,
    });
    await writeFile(path, table(before.slice(0, 19)));
    await world.until(read(moduleID, { removed: 1 }));
    expect((await last(moduleID))?.waiting).toBeUndefined();
    expect(await world.rows(module)).toHaveLength(49);
  });

  it('takes a line whose value does not fit for one that is there, and lets nothing go while a line cannot be read', async () => {
    const before = lines(30);
    const module = await listOf(
      world,
      `No,Name,Age\n${before.map((_, at) => `K-${String(at)},N${String(at)},${String(at)}`).join('\n')}\n`,
    );
    const { moduleID } = module;
    const path = world.at('list.csv');
    const now = (at: number, age: string): string => `K-${String(at)},N${String(at)},${age}`;
    const with_ = (texts: readonly string[]): string => `No,Name,Age\n${texts.join('\n')}\n`;
    await writeFile(path, with_(before.map((_, at) => now(at, String(at)))));
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 0 }));

    const bad = before.map((_, at) => now(at, at === 3 ? 'unknown' : String(at)));
    await writeFile(path, with_(bad.slice(0, 29)));
    await world.until(read(moduleID, { removed: 1, rejectedLines: 1 }));
    expect(await world.rows(module)).toHaveLength(29);

    await writeFile(path, with_([...bad.slice(0, 20), '"K-20']));
    await world.until(read(moduleID, { isUnsure: true }));
    expect(await world.rows(module)).toHaveLength(29);
  });

  it('waits for a workbook that is half written, an empty file, and one that is away, and says so', async () => {
    const before = lines(300);
    const module = await listOf(world, table(before));
    const { moduleID } = module;
    const path = world.at('list.xlsx');
    const pieces: Uint8Array[] = [];
    const rows = await world.lists.rows(moduleID);
    for await (const piece of exportXlsx(world.lists, { module, rows })) pieces.push(piece);
    const whole = Buffer.concat(pieces);
    await writeFile(path, whole);
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 0, updated: 0, rejectedLines: 0 }));

    await writeFile(path, whole.subarray(0, whole.length / 2));
    await world.until(async () => (await problem(moduleID)).includes('cannot be read as a workbook'));
    await writeFile(path, '');
    await world.until(async () => (await problem(moduleID)).includes('is empty'));
    await rename(path, world.at('renamed.xlsx'));
    await world.until(async () => (await problem(moduleID)).includes('isn’t in its folder'));
    expect(await world.rows(module)).toHaveLength(300);
    await writeFile(path, whole);
    await world.until(async () => (await problem(moduleID)) === '');
    expect(await last(moduleID)).toMatchObject({ created: 0, updated: 0, removed: 0 });
  });

  it('lets nothing go of a text of which half is written, until nobody has written on in it for a while', async () => {
    const before = lines(100);
    const { module, moduleID, path } = await followed(before);
    const rows = await world.lists.rows(moduleID);
    const ids = async (): Promise<string[]> =>
      (await rows.list({ limit: 200 })).rows.map(({ recordID }) => recordID);
    const whole = await ids();

    // A program that writes these lines, and pauses before it goes on.
    await writeFile(path, table([...before.slice(0, 80), line(100)]));
    await world.until(read(moduleID, { created: 1, removed: 0 }));
    expect(await world.rows(module)).toHaveLength(101);
    await writeFile(path, table([...before, line(100)]));
    await world.until(read(moduleID, { created: 0, removed: 0, isEarly: false }));
    expect((await ids()).slice(0, 100)).toEqual(whole);

    await writeFile(path, table(before.slice(0, 80)));
    await world.until(read(moduleID, { removed: 21 }));
    expect(await ids()).toEqual(whole.slice(0, 80));
  });

  it.each([
    ['1;A;5\n2;B;1250\n', '1;A;6\n2;B;12', '6,1250'],
    ['1;A;5\n2;B;1250\n', '1;A;6\n2;B;125\n3;C;7', '6,125'],
    ['1;A;5\n2;B;1250', '1;A;6\n2;B;12', '6,1250'],
    ['1;A;5\n2;B;1250\n3;C;7', '1;A;6\n2;B;1', '6,1250,7'],
    ['1;A;5\n2;B;1250', '1;A;6\n2;B;', '6,1250'],
  ])(
    'takes no last line that may be cut off, removes nothing, and says so: %j, %j',
    async (before, after, pieces) => {
      const heading = 'No;Name;Pieces\n';
      const module = await listOf(world, `${heading}1;A;5\n`);
      const { moduleID } = module;
      const path = world.at('list.csv');
      const amounts = async (): Promise<string> =>
        (await world.rows(module)).map(({ Pieces }) => Pieces).join();
      await writeFile(path, heading + before);
      await world.files.watch(moduleID, { path, key: ['No'] }, USER);
      await world.until(async () => (await last(moduleID)) !== undefined);
      await writeFile(path, heading + after);
      await world.until(async () => (await problem(moduleID)) !== '');
      expect(await problem(moduleID)).toContain('1 line cannot be read, so that nothing goes into the bin');
      expect(english((await last(moduleID))?.rejected[0]?.reason ?? said('csv.empty'))).toContain(
        'The last line has no line end',
      );
      await world.looked();
      await world.looked();
      expect(await amounts()).toBe(pieces);
      // It was meant so.
      await writeFile(path, `${heading}${after}\n`);
      await world.until(async () => (await problem(moduleID)) === '');
      expect(await amounts()).not.toBe(pieces);
    },
  );

  it.each(['1;A;5\n2;B;1250', '1;A;5\n2;B;7', '1;A;5\n2;B;12\n3;C;7', '1;A;5\n3;C;7'])(
    'takes a last line without a line end where earlier ones had none: %j',
    async (after) => {
      const heading = 'No;Name;Pieces\n';
      const module = await listOf(world, `${heading}1;A;5\n`);
      const { moduleID } = module;
      const path = world.at('list.csv');
      await writeFile(path, `${heading}1;A;4\n2;B;12`);
      await world.files.watch(moduleID, { path, key: ['No'] }, USER);
      await world.until(read(moduleID, { created: 1 }));
      await writeFile(path, heading + after);
      const rows = after.split('\n').map((each) => each.split(';').at(-1));
      await world.until(
        async () => (await world.rows(module)).map(({ Pieces }) => Pieces).join() === rows.join(),
      );
      expect(await problem(moduleID)).toBe('');
    },
  );

  it.each([
    ['', 'No;Name;Pieces', ''],
    ['', 'No;Name;Pieces\n', ''],
    // Neither has the total, which is left out.
    ['\nTotal;;17', 'No;Name;Pieces\n1;A;5\nTotal;;5', '\nTotal;;18'],
  ])(
    'doesn’t take it for cut off where no version with lines had a line end: %j, %j',
    async (total, between, later) => {
      const module = await listOf(world, 'No;Name;Pieces\n1;A;5\n');
      const { moduleID } = module;
      const path = world.at('list.csv');
      await writeFile(path, `No;Name;Pieces\n1;A;5\n2;B;12${total}`);
      await world.files.watch(moduleID, { path, key: ['No'], reading: { sums: 'out' } }, USER);
      await world.until(read(moduleID, { created: 1 }));
      await writeFile(path, between);
      await world.until(async () => (await last(moduleID))?.removed !== 0);
      await writeFile(path, `No;Name;Pieces\n1;A;6\n2;B;12${later}`);
      await world.until(async () => (await world.rows(module)).some(({ Pieces }) => Pieces === '6'));
      await writeFile(path, 'No;Name;Pieces\n1;A;6\n2;B;13\n3;C;7');
      await world.until(async () => (await world.rows(module)).length === 3);
      expect((await world.rows(module)).map(({ Pieces }) => Pieces).join()).toBe('6,13,7');
      expect(await problem(moduleID)).toBe('');
    },
  );

  it('clears what it said of a drive that was away once the same file is back', async () => {
    const module = await listOf(world, table(lines(5)));
    await mkdir(world.at('drive'));
    const path = world.at('drive/list.csv');
    await writeFile(path, table(lines(5)));
    await world.files.watch(module.moduleID, { path, key: ['No'] }, USER);
    await world.until(read(module.moduleID, { created: 0 }));
    await rename(world.at('drive'), world.at('away'));
    await world.until(async () => (await problem(module.moduleID)).includes('Connect its drive'));
    await rename(world.at('away'), world.at('drive'));
    await world.until(async () => (await problem(module.moduleID)) === '');
  });

  it('does not read a file that is still being written', async () => {
    const before = lines(50);
    const { module, moduleID, path } = await followed(before);
    const whole = table([...before, line(50), line(51)]);
    for (let at = 10; at < whole.length; at += 200) {
      await writeFile(path, whole.slice(0, at));
      world.clock.advance(2000);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect((await last(moduleID))?.removed).toBe(0);
    }
    await writeFile(path, whole);
    await world.until(read(moduleID, { created: 2, removed: 0, isUnsure: false }));
    expect(await world.rows(module)).toHaveLength(52);
  });

  it('writes nothing into the list when it is started again and the file is the same', async () => {
    const before = lines(700);
    const { moduleID, path } = await followed(before);
    await world.files.stop();
    const seq = await (await world.lists.rows(moduleID)).lastSeq();
    const folder = world.at('');
    world = await watching(await world.reopen(), folder);
    await world.until(read(moduleID, { created: 0, updated: 0 }));
    expect(await (await world.lists.rows(moduleID)).lastSeq()).toBe(seq);
    await writeFile(path, table(before.slice(1)));
    await world.until(read(moduleID, { removed: 1 }));
  });

  it('follows columns of the list that are renamed, and says when the one that tells rows apart is gone', async () => {
    const before = lines(20);
    const { module, moduleID, path } = await followed(before);
    const fields = module.fields.map((field) => ({
      ...field,
      name: `${field.name}X`,
      label: `${field.label} neu`,
    }));
    const renamed = await world.lists.updateModule(moduleID, { fields });
    await writeFile(path, table(before.map((text, at) => (at === 4 ? line(4, '!') : text))));
    await world.until(read(moduleID, { updated: 1, created: 0 }));
    expect((await world.rows(renamed))[4]?.['Name neu']).toMatch(/!$/);
    await world.lists.updateModule(moduleID, { fields: renamed.fields.slice(1) });
    await writeFile(path, table(before));
    await world.until(async () => (await problem(moduleID)).includes('identifies rows'));
  });

  it('reads days as it did when it was chosen, once nothing in the file tells their order any more', async () => {
    const csv = (days: readonly string[]): string =>
      `No,Since\n${days.map((day, at) => `${String(at + 1)},${day}`).join('\n')}\n`;
    const module = await listOf(world, csv(['13/02/2025', '01/02/2025']));
    const path = world.at('list.csv');
    await writeFile(path, csv(['13/02/2025', '01/02/2025']));
    await world.files.watch(module.moduleID, { path, key: ['No'] }, USER);
    await world.until(read(module.moduleID, { created: 0 }));
    await writeFile(path, csv(['03/02/2025', '04/05/2025']));
    await world.until(read(module.moduleID, { updated: 2 }));
    expect((await world.rows(module)).map(({ Since }) => Since)).toEqual(['2025-02-03', '2025-05-04']);
  });

  it('reads of a folder the table that was changed last, and no note of a program beside it', async () => {
    const module = await listOf(world, table(lines(5)));
    const { moduleID } = module;
    await mkdir(world.at('exports'));
    await writeFile(world.at('exports/monday.csv'), table(lines(6)));
    await world.files.watch(moduleID, { path: world.at('exports'), key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 1 }));
    await writeFile(world.at('exports/tuesday.csv'), table(lines(8)));
    await writeFile(world.at('exports/.~lock.tuesday.csv#'), 'somebody');
    await writeFile(world.at('exports/~$notes.xlsx'), 'somebody');
    await writeFile(world.at('exports/notes.txt'), 'call them back');
    await utimes(world.at('exports/monday.csv'), 1, 1);
    await world.until(read(moduleID, { created: 2 }));
    expect((await last(moduleID))?.of.path).toBe(world.at('exports/tuesday.csv'));
  });

  it('refuses what cannot be watched, and keeps nothing of it', async () => {
    const { moduleID } = await listOf(world, table(lines(5)));
    const path = world.at('list.csv');
    const refused = async (wish: FollowRequest, code: string): Promise<void> => {
      await expect(world.files.watch(moduleID, wish, USER)).rejects.toMatchObject({ code });
    };
    await refused({ path: 'list.csv', key: ['No'] }, 'watched.path');
    await refused({ path, key: ['No'] }, 'watched.file');
    await refused({ path: '/dev/zero', key: ['No'] }, 'watched.file');
    await refused({ path: world.at('list\u0000.csv'), key: ['No'] }, 'watched.unseen');
    await refused({ path: world.at('list\u202evsc.csv'), key: ['No'] }, 'watched.unseen');
    await refused({ path: world.at('n'.repeat(300)), key: ['No'] }, 'watched.way');
    await refused({ path: '/dev/zero/list.csv', key: ['No'] }, 'watched.way');
    await writeFile(path, table(lines(5)));
    await refused({ path, key: [] }, 'watched.key');
    await refused({ path, key: ['Nothing'] }, 'csv.key');
    await writeFile(path, 'a,b\n1,2\n');
    await refused({ path, key: ['a'] }, 'csv.no-match');
    expect(await world.files.all()).toEqual([]);
  });

  it('goes by where a chosen link leads, and through none that is laid on the way later', async () => {
    const module = await listOf(world, table(lines(5)));
    const { moduleID } = module;
    await mkdir(world.at('drive'));
    await mkdir(world.at('private'));
    await writeFile(world.at('drive/list.csv'), table(lines(6)));
    await writeFile(world.at('private/list.csv'), table([...lines(6), line(7)]));
    await symlink(world.at('drive/list.csv'), world.at('link.csv'));
    await world.files.watch(moduleID, { path: `"${world.at('link.csv')}"`, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 1 }));
    expect((await world.files.get(moduleID))?.file.path).toBe(world.at('drive/list.csv'));
    await rm(world.at('drive/list.csv'));
    await symlink(world.at('private/list.csv'), world.at('drive/list.csv'));
    await world.until(async () => (await problem(moduleID)).includes('somewhere else'));
    await rename(world.at('drive'), world.at('before'));
    await symlink(world.at('private'), world.at('drive'));
    await world.looked();
    expect(await world.rows(module)).toHaveLength(6);
  });

  it('asks once many rows have gone in small steps, and before many values are emptied', async () => {
    const before = lines(100);
    const { module, moduleID, path } = await followed(before);
    await writeFile(path, table(before.slice(0, 80)));
    await world.until(read(moduleID, { removed: 20 }));
    await writeFile(path, table(before.slice(0, 65)));
    await world.until(async () => (await last(moduleID))?.waiting?.rows === 15);
    expect(await world.rows(module)).toHaveLength(80);
    await world.files.decideDeletions(moduleID, {
      mark: (await last(moduleID))?.waiting?.mark ?? '',
      go: true,
    });
    expect(await world.rows(module)).toHaveLength(65);

    const empty = (text: string): string => text.replace(/,[^,]*,[^,]*$/, ',,1/13');
    const emptied = before.slice(0, 65).map((text, at) => (at < 40 ? empty(text) : text));
    await writeFile(path, table([...emptied, line(500)]));
    await world.until(async () => (await last(moduleID))?.waiting?.emptied === 40);
    expect((await last(moduleID))?.created).toBe(1);
    const cities = async (): Promise<number> =>
      (await world.rows(module)).filter(({ City }) => City !== '').length;
    expect(await cities()).toBe(66);
    await world.files.decideDeletions(moduleID, {
      mark: (await last(moduleID))?.waiting?.mark ?? '',
      go: false,
    });
    expect((await last(moduleID))?.waiting).toBeUndefined();
    expect(await cities()).toBe(66);
    await writeFile(path, table([...emptied.slice(0, 64), line(500)]));
    await world.until(read(moduleID, { removed: 1, updated: 0 }));
    expect(await cities()).toBe(65);

    const renamed = before.slice(0, 64).map((text, at) => (at < 40 ? line(at, ' neu') : text));
    await writeFile(path, table([...renamed, line(500)]));
    await world.until(read(moduleID, { updated: 40 }));
    await writeFile(path, table([...emptied.slice(0, 64), line(500)]));
    await world.until(async () => (await last(moduleID))?.waiting?.emptied === 40);
    await world.files.decideDeletions(moduleID, {
      mark: (await last(moduleID))?.waiting?.mark ?? '',
      go: true,
    });
    expect(await cities()).toBe(25);
  });

  it('says which columns are in the file no more, and which of its lines did not go in', async () => {
    const csv = (name: string, third: string): string => `No,${name},Age\n1,Ada,30\n2,Bo,${third}\n`;
    const module = await listOf(world, csv('Name', '31'));
    const { moduleID } = module;
    const path = world.at('list.csv');
    await writeFile(path, csv('Name', '31'));
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 0 }));
    await writeFile(path, csv('Called', '31'));
    await world.until(async () => (await problem(moduleID)).includes('no longer has the column Name'));
    await writeFile(path, csv('Name', 'old'));
    await world.until(async () => (await problem(moduleID)).includes('1 line cannot go in'));
    await writeFile(path, csv('Name', '32'));
    await world.until(async () => (await problem(moduleID)) === '');
  });

  it.each([
    // One more, before or behind it; of none there was but one; a blank name is one too.
    ['No;One;One', { One: null, One_2: 'Name' }, 'No;One;One;One', 'One'],
    ['No;One;One', { One: 'Name', One_2: null }, 'No;One', 'One'],
    ['No;Name;City', {}, 'No;Name;Name;City', 'Name'],
    ['No;;', { 'Column 3': 'Name', 'Column 2': null }, 'No;;;', 'Column 3'],
    // As many in another order.
    ['No;Net;One;Gross;One', { One_2: 'Name' }, 'No;Gross;One;Net;One', 'One'],
    ['No;One;Two;One;Two', { One_2: 'Name' }, 'No;One;One;Two;Two', 'One'],
  ])(
    'takes nothing once columns of a name that it takes are others: %s %j %s',
    async (before, match, after, named) => {
      const csv = (heading: string): string => {
        const cells = heading.split(';').slice(1);
        return ['1', '2'].reduce(
          (text, no) => `${text}${no};${cells.map((cell, at) => `${cell}${no}${String(at)}`).join(';')}\n`,
          `${heading}\n`,
        );
      };
      const module = await listOf(world, 'No;Name\n1;Ada\n2;Bo\n');
      const { moduleID } = module;
      const path = world.at('list.csv');
      await writeFile(path, csv(before));
      await world.files.watch(moduleID, { path, key: ['No'], match, reading: { headerLine: 1 } }, USER);
      await world.until(read(moduleID, { updated: 2 }));
      const rows = await world.rows(module);
      await writeFile(path, csv(after));
      await world.until(async () => (await problem(moduleID)) !== '');
      expect(await problem(moduleID)).toContain(`same name or none (${named}) have changed`);
      expect(await world.rows(module)).toEqual(rows);
      // Another column with a name of its own changes nothing.
      await writeFile(path, csv(`${before};Other`));
      await world.until(async () => (await problem(moduleID)) === '');
      expect(await world.rows(module)).toEqual(rows);
    },
  );

  it('goes on where columns of the same name that it does not take are others, and says which it takes', async () => {
    const module = await listOf(world, 'No;Name\n1;Ada\n');
    const { moduleID } = module;
    const path = world.at('list.csv');
    await writeFile(path, 'No;Name;Name;Note;Note\n1;Ada;x;y;z\n');
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 0 }));
    expect((await last(moduleID))?.notes.map(english)).toEqual([
      expect.stringContaining('only the first is taken: Name.'),
    ]);
    await writeFile(path, 'No;Note;Name;Name\n1;w;Bo;x\n');
    await world.until(read(moduleID, { updated: 1 }));
    expect(await problem(moduleID)).toBe('');
  });

  it('takes nothing from a file without names of columns once it has more or fewer', async () => {
    const csv = (...rows: readonly string[]): string =>
      rows.map((row, at) => `${String(at + 1)};${row}\n`).join('');
    const module = await listOf(world, 'Column 1;Column 2;Column 3\n1;Ulm;Ada\n2;Bonn;Bo\n');
    const { moduleID } = module;
    const path = world.at('list.csv');
    await writeFile(path, csv('Ulm;Ada', 'Bonn;Bo'));
    const reading = { headerLine: 0 };
    await world.files.watch(moduleID, { path, key: ['Column 1'], reading }, USER);
    await world.until(read(moduleID, { created: 0 }));
    const before = await world.rows(module);
    for (const [columns, rows] of [
      [4, ['new;Ulm;Ada', 'old;Bonn;Bo']],
      [2, ['Ada', 'Bo']],
    ] as const) {
      await writeFile(path, csv(...rows));
      await world.until(async () =>
        (await problem(moduleID)).includes(`there are ${String(columns)} instead of 3`),
      );
      expect(await world.rows(module)).toEqual(before);
    }
    await writeFile(path, csv('Ulm;Ada', 'Bonn;Cy'));
    await world.until(read(moduleID, { updated: 1 }));
    expect(await problem(moduleID)).toBe('');
  });

  it('follows no copy of a list, and no folder with one', async () => {
    world = await watching(undefined, undefined, (folder) => `${folder}/drive/copy.csv`);
    const { moduleID } = await listOf(world, table(lines(5)));
    await mkdir(world.at('drive'));
    await writeFile(world.at('drive/copy.csv'), table(lines(5)));
    await writeFile(world.at('drive/Copy.csv'), table(lines(5)));
    for (const path of [world.at('drive'), world.at('drive/../drive/copy.csv'), world.at('drive/Copy.csv')])
      await expect(world.files.watch(moduleID, { path, key: ['No'] }, USER)).rejects.toMatchObject({
        code: 'watched.a-copy',
      });
  });

  it('is not read where it is a copy of a list, be it that the stored data says so', async () => {
    const copied = await watching(undefined, undefined, (folder) => `${folder}/copy.csv`);
    const module = await listOf(copied, table(lines(2)));
    await writeFile(copied.at('copy.csv'), table(lines(5)));
    const system = await copied.store.partition('system');
    const watched = {
      ...{ moduleID: module.moduleID, path: copied.at('copy.csv'), keyFieldIDs: [module.fields[0]?.fieldID] },
      ...{ match: {}, reading: {}, by: USER },
    };
    await system.transaction((tx) => tx.put({ name: 'watched-file' }, module.moduleID, watched));
    copied.files.start();
    await copied.until(async () => (await copied.files.get(module.moduleID))?.problem !== undefined);
    expect(await copied.rows(module)).toHaveLength(2);
  });

  it('does not go back to an older table of a folder when the newest is gone', async () => {
    const module = await listOf(world, table(lines(5)));
    const { moduleID } = module;
    await mkdir(world.at('exports'));
    await writeFile(world.at('exports/monday.csv'), table(lines(6)));
    await utimes(world.at('exports/monday.csv'), 1000, 1000);
    await writeFile(world.at('exports/tuesday.csv'), table(lines(8)));
    await world.files.watch(moduleID, { path: world.at('exports'), key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 3 }));
    await rm(world.at('exports/tuesday.csv'));
    await world.until(async () => (await problem(moduleID)).includes('the others are older'));
    expect(await world.rows(module)).toHaveLength(8);
  });

  it('goes on with other files while the drive of one does not answer, says so, and reads it once it does', async () => {
    let answers = (): void => undefined;
    const dead = new Promise<void>((resolve) => (answers = resolve));
    let isDead = false;
    const patience = manualClock();
    const real = createSlowDriveGuard(patience);
    let asked = 0;
    const asking: SlowDriveGuard = {
      recordDrive: (path) => real.recordDrive(path, path.includes('away') ? 1 : 2),
      runTimed: (path, work, ends) =>
        real.runTimed(
          path,
          async (patience) => {
            if (isDead && path.includes('away')) {
              asked++;
              await dead;
            }
            return work(patience);
          },
          ends,
        ),
    };
    world = await watching(undefined, undefined, undefined, asking);
    await mkdir(world.at('away'));
    const names = ['away/one.csv', 'away/two.csv', 'near.csv'];
    const modules: Module[] = [];
    for (const name of names) {
      const module = await listOf(world, table(lines(3)), name);
      modules.push(module);
      await writeFile(world.at(name), table(lines(3)));
      await world.files.watch(module.moduleID, { path: world.at(name), key: ['No'] }, USER);
      await world.until(read(module.moduleID, { created: 0 }));
    }
    const [one = '', two = '', near = ''] = modules.map(({ moduleID }) => moduleID);
    isDead = true;
    for (const name of names) await writeFile(world.at(name), table([line(0, ' neu'), line(1), line(2)]));
    const says = async (moduleID: string): Promise<boolean> =>
      (await problem(moduleID)).includes('doesn’t answer');
    await world.until(async () => {
      if (asked > 0) patience.advance(60_000);
      return (await read(near, { updated: 1 })()) && (await says(one)) && (await says(two));
    });
    expect(asked).toBe(1);
    await expect(world.files.tryFile(near, { path: world.at('away/one.csv') }, ['No'])).rejects.toMatchObject(
      {
        words: { code: 'watched.no-answer-now' },
      },
    );
    isDead = false;
    answers();
    for (const moduleID of [one, two]) await world.until(read(moduleID, { updated: 1 }));
    expect(await problem(one)).toBe('');
  });

  it('stops at once while a drive does not answer', async () => {
    const real = createSlowDriveGuard(manualClock());
    const never = new Promise<never>(() => undefined);
    let isDead = false;
    let asks = (): void => undefined;
    const asked = new Promise<void>((resolve) => (asks = resolve));
    world = await watching(undefined, undefined, undefined, {
      ...real,
      runTimed: (path, work, ends) =>
        real.runTimed(path, (patience) => (isDead ? (asks(), never) : work(patience)), ends),
    });
    await followed(lines(3));
    isDead = true;
    await Promise.race([asked, world.until(() => false)]);
    await world.files.stop();
  });

  it('proposes the column that tells rows apart in the file and in the list, and none where no column does', async () => {
    const { moduleID } = await listOf(world, table(lines(3)), 'Proposed', []);
    const path = world.at('list.csv');
    await writeFile(path, table(lines(5)));
    expect(await world.files.tryFile(moduleID, { path }, undefined)).toMatchObject({
      key: ['No'],
      created: 2,
    });
    const rows = await world.lists.rows(moduleID);
    const [row] = (await rows.list({ limit: 1 })).rows;
    await rows.create({ No: row?.values.No ?? [], Name: ['Another'] }, USER);
    expect(await world.files.tryFile(moduleID, { path }, undefined)).toMatchObject({ key: ['Name'] });
    // None does so alone here, nor do the first two together.
    await writeFile(path, 'No,City,Floor\nK-1,Ulm,1\nK-1,Ulm,2\nK-2,Ulm,1\nK-3,Bonn,1\n');
    expect(await world.files.tryFile(moduleID, { path }, undefined)).toMatchObject({ key: ['No', 'Floor'] });
    await writeFile(path, 'No,City\nK-1,Ulm\nK-1,Ulm\n');
    await expect(world.files.tryFile(moduleID, { path }, undefined)).rejects.toMatchObject({
      code: 'watched.key',
    });
  });

  it('finds rows by several columns that tell them apart together, as the lines of orders', async () => {
    const csv = (rows: readonly string[]): string => `Order,Product,Pieces\n${rows.join('\n')}\n`;
    const module = await listOf(world, csv(['1,tea,4', '1,jam,5', '2,tea,6']), 'Order lines', []);
    const { moduleID } = module;
    const path = world.at('lines.csv');
    await writeFile(path, csv(['1,tea,4', '1,jam,5', '2,tea,6']));
    await world.files.watch(moduleID, { path, key: ['Order', 'Product'] }, USER);
    await world.until(read(moduleID, { created: 0, updated: 0 }));
    await world.lists.updateModule(moduleID, {
      fields: module.fields.map((field) => (field.name === 'Order' ? { ...field, name: 'Number' } : field)),
    });
    await writeFile(path, csv(['1,tea,4', '2,tea,7', '2,jam,1']));
    await world.until(read(moduleID, { created: 1, updated: 1, removed: 0 }));
    await world.until(read(moduleID, { created: 0, updated: 0, removed: 1 }));
    const now = await world.lists.module(moduleID);
    const shown = (await world.rows(now)).map((row) => Object.values(row).join(' '));
    expect(shown.sort()).toEqual(['1 tea 4', '2 jam 1', '2 tea 7']);
    // A line without one of them is no line that went.
    await writeFile(path, csv(['1,,4', '2,tea,7', '2,jam,1']));
    await world.until(read(moduleID, { rejectedLines: 1, isUnsure: true, removed: 0 }));
    expect(english((await last(moduleID))?.rejected[0]?.reason ?? said('list.gone'))).toContain(
      'Product is empty',
    );
  });

  it('goes on as before where an older version noted the one column that lines are told apart by', async () => {
    const { moduleID, path } = await followed(lines(3));
    const system = await world.store.partition('system');
    const stored = await system.get(FILES, moduleID);
    const { keyFieldIDs, ...file } = z.looseObject({ keyFieldIDs: z.array(z.string()) }).parse(stored);
    await system.transaction((tx) => tx.put(FILES, moduleID, { ...file, keyFieldID: keyFieldIDs[0] }));
    await writeFile(path, table([line(0, ' neu'), line(1), line(2)]));
    await world.until(read(moduleID, { created: 0, updated: 1, removed: 0 }));
    expect((await world.files.get(moduleID))?.file.keyFieldIDs).toEqual(keyFieldIDs);
  });

  it('says of a file that is chosen why it cannot be, without promising to read it by itself', async () => {
    const { moduleID } = await listOf(world, table(lines(3)));
    const why = async (name: string): Promise<string> => {
      const error: unknown = await world.files
        .tryFile(moduleID, { path: world.at(name) }, ['No'])
        .catch((refusal: unknown) => refusal);
      return error instanceof Refusal ? english(error.words) : '';
    };
    await writeFile(world.at('empty.csv'), '');
    await mkdir(world.at('folder'));
    expect(await why('none.csv')).toContain('There is no file “none.csv” in this folder.');
    expect(await why('nowhere/none.csv')).toContain('the folder nowhere doesn’t exist');
    expect(await why('folder')).toContain('There is no table in the folder “folder”.');
    expect(await why('empty.csv')).toContain('Choose a file with a table in it.');
    for (const name of ['none.csv', 'nowhere/none.csv', 'folder', 'empty.csv'])
      expect(await why(name)).not.toContain('by itself');
  });

  it('ends with its list, and at the user’s word, and leaves the rows', async () => {
    const module = await listOf(world, table(lines(5)));
    const path = world.at('list.csv');
    await writeFile(path, table(lines(5)));
    await world.files.watch(module.moduleID, { path, key: ['No'] }, USER);
    await world.until(read(module.moduleID, { created: 0 }));
    await world.files.stopWatching(module.moduleID);
    await writeFile(path, table(lines(1)));
    await world.looked();
    expect(await world.rows(module)).toHaveLength(5);
    await writeFile(path, table(lines(5)));
    await world.files.watch(module.moduleID, { path, key: ['No'] }, USER);
    await world.until(read(module.moduleID, { created: 0 }));
    await world.lists.removeModule(module.moduleID);
    await world.lists.purgeModule(module.moduleID);
    await writeFile(path, table(lines(4)));
    await world.until(async () => (await world.files.all()).length === 0);
  });

  describe.each([
    ['its key column', 'No'],
    ['another column', 'City'],
  ])('that changed while %s was deleted', (_, gone) => {
    it('is read again once that is back, and its problem ends', async () => {
      const { module, moduleID, path } = await followed(lines(5));
      const fields = module.fields.filter(({ label }) => label !== gone);
      await world.lists.updateModule(moduleID, { fields }, USER);
      const before = (await last(moduleID))?.at;
      await writeFile(path, table([...lines(4), 'K-1004,Neu,Ulm,9/9']));
      await world.until(
        async () => (await problem(moduleID)) !== '' || (await last(moduleID))?.at !== before,
      );
      const [column] = await world.lists.binnedColumns(moduleID);
      await world.lists.restoreColumn(moduleID, column?.field.fieldID ?? '', { by: USER });
      world.changes.forEach((change) => world.files.listsChanged(change));
      await world.until(async () =>
        (await world.rows(module)).some(({ Name, City }) => Name === 'Neu' && City === 'Ulm'),
      );
      await world.until(async () => (await problem(moduleID)) === '');
    });
  });

  it('that changed while its list was in the bin is read once that is back', async () => {
    const { module, moduleID, path } = await followed(lines(5));
    await world.lists.removeModule(moduleID);
    await writeFile(path, table(lines(6)));
    await world.looked();
    await world.lists.restoreModule(moduleID);
    world.changes.forEach((change) => world.files.listsChanged(change));
    await world.until(async () => (await world.rows(module)).length === 6);
  });

  it.each([
    ['windows-1252', 'latin1', '\ufeff', 'utf8'],
    ['windows-1252', 'latin1', '', 'utf8'],
    ['windows-1252', 'latin1', '\ufeff', 'utf16le'],
    ['UTF-8', 'utf8', '', 'latin1'],
  ] as const)(
    'reads a file that was chosen to be %s (%s) and is saved with “%s” in %s since',
    async (encoding, before, mark, after) => {
      const people = (town: string): string =>
        `No;Name;Town\n1;Jörg Müller;${town}\n2;Änne Groß;Köln\n3;Zoë Weiß;Würzburg\n`;
      const module = await listOf(world, people('Ulm'));
      const { moduleID } = module;
      const path = world.at('Leute.csv');
      await writeFile(path, Buffer.from(people('Ulm'), before));
      await world.files.watch(moduleID, { path, key: ['No'], reading: { encoding } }, USER);
      await world.until(read(moduleID, { created: 0 }));
      await writeFile(path, Buffer.from(mark + people('Fürth'), after));
      await world.until(read(moduleID, { updated: 1 }));
      const rows = await world.rows(module);
      expect(rows.map(({ Name, Town }) => `${Name ?? ''}, ${Town ?? ''}`).sort()).toEqual([
        'Jörg Müller, Fürth',
        'Zoë Weiß, Würzburg',
        'Änne Groß, Köln',
      ]);
    },
  );

  const NAMES = ['Müller', 'Köhler', 'Weiß', 'Schäfer', 'Jäger', 'Böhm', 'Groß', 'Krüger'];
  const encoded = (encoding: string, town: string): Buffer =>
    iconv.encode(
      `No;Name;Town\n${NAMES.map((name, at) => `${String(at)};${name};${town}\n`).join('')}`,
      encoding,
    );

  it.each([
    ['windows-1252', 'macintosh', 'macintosh'],
    ['macintosh', 'windows-1252', 'windows-1252'],
    ['cp850', 'windows-1252', 'windows-1252'],
    ['windows-1252', 'cp850', 'cp850'],
    // A person may know better than the guess.
    ['windows-1252', 'macintosh', 'windows-1252'],
  ])(
    'takes nothing from a file chosen to be %s that looks like %s since, until it is said to be %s',
    async (before, after, answer) => {
      const module = await listOf(world, 'No;Name;Town\n0;Ada;Ulm\n');
      const { moduleID } = module;
      const path = world.at('Leute.csv');
      await writeFile(path, encoded(before, 'Ulm'));
      await world.files.watch(moduleID, { path, key: ['No'], reading: { encoding: before } }, USER);
      await world.until(read(moduleID, { created: 7 }));
      const rows = await world.rows(module);
      await writeFile(path, encoded(after, 'Bonn'));
      await world.until(async () => (await problem(moduleID)) !== '');
      expect(await problem(moduleID)).toContain('“Leute.csv” can now be read in more than one way');
      const [doubt] = (await last(moduleID))?.doubts ?? [];
      expect(doubt).toMatchObject({ kind: 'encoding', chosen: after, example: '0;Müller;Bonn' });
      expect(doubt?.alternatives[0]).toBe(before);
      expect(await world.rows(module)).toEqual(rows);
      await world.files.settleDoubts(moduleID, answer === after ? {} : { encoding: answer });
      expect(await last(moduleID)).toMatchObject({ updated: 8, doubts: [] });
      await writeFile(path, encoded(after, 'Rom'));
      await world.until(async () => (await world.rows(module)).every(({ Town }) => Town === 'Rom'));
      const names = (await world.rows(module)).map(({ Name }) => Name ?? '');
      const text = iconv.decode(iconv.encode(NAMES.join(), after), answer);
      expect(names.sort()).toEqual(text.split(',').sort());
    },
  );

  it('asks about no encoding that a person chose against the guess', async () => {
    const module = await listOf(world, 'No;Name;Town\n0;Ada;Ulm\n');
    const { moduleID } = module;
    const path = world.at('Leute.csv');
    await writeFile(path, encoded('windows-1252', 'Ulm'));
    const reading = { encoding: 'ISO-8859-5' };
    await world.files.watch(moduleID, { path, key: ['No'], reading }, USER);
    await world.until(read(moduleID, { created: 7 }));
    await writeFile(path, encoded('windows-1252', 'Bonn'));
    await world.until(read(moduleID, { updated: 8 }));
    expect(await problem(moduleID)).toBe('');
  });

  it('asks about no encoding that earlier versions had without doubt', async () => {
    const module = await listOf(world, 'No;Name;Town\n0;Ada;Ulm\n');
    const { moduleID } = module;
    const path = world.at('Leute.csv');
    await writeFile(path, encoded('windows-1252', 'Ulm'));
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 7 }));
    for (const text of ['0;Jäger;Ulm', '0;Ada;Ulm', '0;Café;Ulm']) {
      await writeFile(path, iconv.encode(`No;Name;Town\n${text}\n1;Bob;Bonn\n`, 'windows-1252'));
      await world.until(async () =>
        (await world.rows(module)).some(({ Name }) => Name === text.split(';')[1]),
      );
    }
    expect(await problem(moduleID)).toBe('');
    // Another one is asked about.
    await writeFile(path, iconv.encode('No;Name;Town\n0;Jäger;Ulm\n1;Bob;Bonn\n', 'cp850'));
    await world.until(async () => (await last(moduleID))?.doubts.length === 1);
    expect((await last(moduleID))?.doubts).toMatchObject([{ kind: 'encoding', chosen: 'cp850' }]);
  });

  it('asks again about an encoding that a file changes back to after the answer', async () => {
    const module = await listOf(world, 'No;Name;Town\n0;Ada;Ulm\n');
    const { moduleID } = module;
    const path = world.at('Leute.csv');
    const write = (name: string, encoding: string): Promise<void> =>
      writeFile(path, iconv.encode(`No;Name;Town\n0;${name};Ulm\n1;Bob;Bonn\n`, encoding));
    const isRead = (name: string) => async (): Promise<boolean> =>
      (await world.rows(module)).some(({ Name }) => Name === name);
    const doubts = async (): Promise<string[]> =>
      (await last(moduleID))?.doubts.map(({ chosen }) => chosen) ?? [];
    await write('Köln', 'windows-1252');
    await world.files.watch(moduleID, { path, key: ['No'], reading: { encoding: 'windows-1252' } }, USER);
    await world.until(isRead('Köln'));
    for (const [name, encoding] of [
      ['Fürth', 'cp850'],
      ['Jäger', 'windows-1252'],
      ['Müller', 'cp850'],
    ] as const) {
      await write(name, encoding);
      await world.until(async () => (await doubts()).length > 0);
      expect(await doubts()).toEqual([encoding]);
      await world.files.settleDoubts(moduleID, {});
      expect(await isRead(name)()).toBe(true);
    }
    // A person may know better than the guess, which stays so.
    await write('Jäger', 'windows-1252');
    await world.until(async () => (await doubts()).length > 0);
    await world.files.settleDoubts(moduleID, { encoding: 'cp850' });
    await write('Käfer', 'windows-1252');
    await world.until(isRead('Kõfer'));
    expect(await doubts()).toEqual([]);
  });

  it('takes nothing in while a new guess is in doubt, and reads the file as the user answers', async () => {
    const prices = (...cells: readonly string[]): string =>
      `No;Name;Pieces\n${cells.map((cell, at) => `${line(at).split(',')[0] ?? ''};Kugelhahn ${String(at)};${cell}`).join('\n')}\n`;
    const module = await listOf(world, prices('12', '40', '7'));
    const { moduleID } = module;
    const path = world.at('Preise.csv');
    await writeFile(path, prices('12', '40', '7'));
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 0 }));
    await writeFile(path, prices('1.275', '40', '7'));
    await world.until(async () => (await problem(moduleID)) !== '');
    expect(await problem(moduleID)).toContain('“Preise.csv” can now be read in more than one way');
    const stands = await last(moduleID);
    expect(stands).toMatchObject({ created: 0, updated: 0, removed: 0 });
    expect(stands?.doubts).toMatchObject([{ kind: 'numbers', example: '1.275' }]);
    const numbers = async (): Promise<unknown> =>
      (await world.rows(module)).map(({ Pieces }) => Pieces).sort();
    expect(await numbers()).toEqual(['12', '40', '7']);
    await world.files.settleDoubts(moduleID, { decimal: '.' });
    expect(await numbers()).toEqual(['1.275', '40', '7']);
    expect(await problem(moduleID)).toBe('');
    // Nothing is in doubt by then, and a later reading goes by the answer.
    await expect(world.files.settleDoubts(moduleID, {})).rejects.toMatchObject({ kind: 'conflict' });
    await writeFile(path, prices('1.275', '2.505', '7'));
    await world.until(async () => (await world.rows(module)).some(({ Pieces }) => Pieces === '2.505'));
    expect(await numbers()).toEqual(['1.275', '2.505', '7']);
  });

  it.each([
    // Proven by the first version, or chosen by the person.
    [['1234,50', '2,25'], {}, ['1234.50', '2.25'], '1234.50'],
    [['1234,50', '2,25'], {}, ['12', '1,234.50'], '1,234.50'],
    [['1,234.50', '2.25'], {}, ['1.234,50', '2,25'], '1.234,50'],
    [['1.234', '12'], { decimal: ',' }, ['1.50', '12'], '1.50'],
  ] as const)(
    'takes nothing from a file of which all numbers contradict its decimal sign: %j %j %j',
    async (before, reading, after, example) => {
      const prices = (cells: readonly string[]): string =>
        `No;Pieces\n${cells.map((cell, at) => `K-${String(at)};${cell}\n`).join('')}`;
      const module = await listOf(world, 'No;Pieces\nK-0;5\n');
      const { moduleID } = module;
      const path = world.at('Preise.csv');
      await writeFile(path, prices(before));
      await world.files.watch(moduleID, { path, key: ['No'], reading }, USER);
      await world.until(read(moduleID, { created: 1 }));
      const rows = await world.rows(module);
      await writeFile(path, prices([...after, '3']));
      await world.until(async () => (await problem(moduleID)) !== '');
      expect(await problem(moduleID)).toMatch(`“${example}” in Pieces doesn’t fit the decimal sign`);
      expect(await world.rows(module)).toEqual(rows);
      await writeFile(path, prices([...before, '7']));
      await world.until(async () => (await problem(moduleID)) === '');
      expect(await world.rows(module)).toHaveLength(3);
    },
  );

  it('takes nothing from a workbook of which all texts contradict the decimal sign', async () => {
    const book = async (...cells: readonly string[]): Promise<Uint8Array> =>
      writeXlsx({
        sheets: [
          { name: 'Prices', rows: [['No', 'Pieces'], ...cells.map((cell, at) => [`K-${String(at)}`, cell])] },
        ],
      });
    const module = await listOf(world, 'No;Pieces\nK-0;5\n');
    const { moduleID } = module;
    const path = world.at('Preise.xlsx');
    await writeFile(path, await book('1.234,50 €', '2,25 €'));
    const reading = { decimal: ',' } as const;
    await world.files.watch(moduleID, { path, key: ['No'], reading }, USER);
    await world.until(read(moduleID, { created: 1 }));
    await writeFile(path, await book('12 €', '1,234.50 €'));
    await world.until(async () => (await problem(moduleID)) !== '');
    expect(await problem(moduleID)).toContain('“1,234.50 €” in Pieces doesn’t fit the decimal sign “,”');
  });

  it.each([
    [';[EUR]', ';TEUR', '“TEUR” instead of “EUR”'],
    ['', ';TEUR', '“TEUR” instead of “–”'],
    [';TEUR', '', '“–” instead of “TEUR”'],
    [';EUR', ';€', ''],
    [';-', '', ''],
  ])('takes nothing from a file whose line of units changed from %j to %j', async (before, after, why) => {
    const sales = (units: string, ...amounts: readonly string[]): string =>
      `No;Pieces\n${units && `${units}\n`}${amounts.map((amount, at) => `K-${String(at)};${amount}\n`).join('')}`;
    const module = await listOf(world, sales('', '5000'));
    const { moduleID } = module;
    const path = world.at('Sales.csv');
    await writeFile(path, sales(before, '5000', '12500'));
    await world.files.watch(moduleID, { path, key: ['No'], reading: { sums: 'out' } }, USER);
    await world.until(read(moduleID, { created: 1 }));
    const unit = before.slice(1);
    const note = `The line of units is left out, and the numbers are imported as written: Pieces (${unit}).`;
    expect((await last(moduleID))?.notes.map(english)).toEqual(/\w/.test(unit) ? [note] : []);
    await writeFile(path, sales(after, '5', '12', '3'));
    if (why === '') await world.until(read(moduleID, { created: 1, updated: 2 }));
    else await world.until(async () => (await problem(moduleID)).includes(why));
    expect(await world.rows(module)).toHaveLength(why === '' ? 3 : 2);
    expect(await problem(moduleID)).toContain(why);
    await writeFile(path, sales(before, '5000', '12500', '3000'));
    await world.until(async () => (await world.rows(module)).length === 3);
    await world.until(async () => (await problem(moduleID)) === '');
  });

  const dated = (...days: readonly string[]): string =>
    `No;Day\n${days.map((day, at) => `K-${String(at)};${day}\n`).join('')}`;
  it.each([
    [['05.01.2026', '28.01.2026'], {}, ['01/05/2026', '01/12/2026'], '01/05/2026'],
    [
      ['05.01.2026 10:00', '28.01.2026 9:30'],
      {},
      ['01/05/2026 10:00', '01/12/2026 9:30'],
      '01/05/2026 10:00',
    ],
    [['05/28/2026', '05/02/2026'], {}, ['05-02-2026', '05-03-2026'], '05-02-2026'],
    [['2026-01-05', '2026-01-28'], { dateOrder: 'DMY' }, ['05/01/2026', '06/01/2026'], '05/01/2026'],
    [['5 Jan 2026', '28 Jan 2026'], { dateOrder: 'DMY' }, ['2026-01-05', '06/01/2026'], '06/01/2026'],
  ] as const)(
    'takes nothing from a file whose days are written in another way and may have another order: %j, %j',
    async (before, reading, after, example) => {
      const module = await listOf(world, `No;Day\nK-0;${before[0]}\n`);
      const { moduleID } = module;
      const path = world.at('Tage.csv');
      await writeFile(path, dated(...before));
      await world.files.watch(moduleID, { path, key: ['No'], reading }, USER);
      await world.until(read(moduleID, { created: 1 }));
      const rows = await world.rows(module);
      await writeFile(path, dated(...after));
      await world.until(async () => (await problem(moduleID)) !== '');
      expect(await problem(moduleID)).toMatch(`Days such as “${example}” in Day are written in another way`);
      expect(await world.rows(module)).toEqual(rows);
      await writeFile(path, dated(...before, before[0]));
      await world.until(async () => (await problem(moduleID)) === '');
      expect(await world.rows(module)).toHaveLength(3);
    },
  );

  it('reads days that are written in another way where they prove their order, and like those later', async () => {
    const module = await listOf(world, dated('05.01.2026'));
    const { moduleID } = module;
    const path = world.at('Tage.csv');
    const days = async (): Promise<readonly (string | undefined)[]> =>
      (await world.rows(module)).map(({ Day }) => Day);
    await writeFile(path, dated('05.01.2026', '28.01.2026'));
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 1 }));
    await writeFile(path, dated('06/01/2026', '28/01/2026'));
    await world.until(read(moduleID, { updated: 1 }));
    await writeFile(path, dated('07/01/2026', '08/01/2026'));
    await world.until(async () => (await days()).join() === '2026-01-07,2026-01-08');
    await writeFile(path, dated('09.01.2026', '10.01.2026'));
    await world.until(async () => (await days()).join() === '2026-01-09,2026-01-10');
    expect(await problem(moduleID)).toBe('');
  });

  it.each([
    ['Column 1;Column 2\n1;Ada\n', '1;Ada\n', { headerLine: 0 }, '1;x;Ada\n', 'there are 3 instead of 2'],
    [
      'No;One\n1;Ada\n',
      'No;One;One\n1;Ada;x\n',
      {},
      'No;One;One;One\n1;y;Ada;x\n',
      'same name or none (One)',
    ],
    [
      ordered(5),
      ordered(5),
      { sums: 'in' },
      `${ordered(5)}Summe,,${String(pieces(5))}\n`,
      'more than one way',
    ],
  ] as const)(
    'stores at the next reading what an older version did not note: %#',
    async (rows, before, reading, after, why) => {
      const module = await listOf(world, rows);
      const { moduleID } = module;
      const path = world.at('list.csv');
      await writeFile(path, before);
      const key = [rows.split(/[,;]/)[0] ?? ''];
      await world.files.watch(moduleID, { path, key, reading }, USER);
      const system = await world.store.partition('system');
      const { columnCount, sameNames, ...file } = (await world.files.get(moduleID))?.file ?? {};
      await system.transaction((tx) => tx.put(FILES, moduleID, file));
      await world.until(async () => (await world.files.get(moduleID))?.file.sameNames !== undefined);
      expect((await world.files.get(moduleID))?.file).toEqual(
        expect.objectContaining({ sameNames, ...(columnCount === undefined ? {} : { columnCount }) }),
      );
      await writeFile(path, after);
      await world.until(async () => (await problem(moduleID)).includes(why));
      expect(await world.rows(module)).toHaveLength(rows.split('\n').length - 2);
    },
  );

  it('keeps totals as rows that an older version took so', async () => {
    const total = (count: number): string => `${ordered(count)}Summe,,${String(pieces(count))}\n`;
    const module = await listOf(world, total(5));
    const { moduleID } = module;
    const path = world.at('list.csv');
    await writeFile(path, total(5));
    await world.files.watch(moduleID, { path, key: ['No'], reading: { sums: 'in' } }, USER);
    await world.until(read(moduleID, { created: 0 }));
    const system = await world.store.partition('system');
    const { sameNames, ...file } = (await world.files.get(moduleID))?.file ?? {};
    expect(sameNames).toEqual([]);
    await system.transaction((tx) => tx.put(FILES, moduleID, file));
    world.files.listsChanged({ kind: 'list', change: 'restored', module });
    await world.until(async () => (await world.files.get(moduleID))?.file.sameNames !== undefined);
    await writeFile(path, total(6));
    await world.until(async () => (await world.rows(module)).length === 7);
    expect(await problem(moduleID)).toBe('');
  });

  it('keeps the rows of a file that was followed before marks of text were read', async () => {
    const articles = (...numbers: string[]): string =>
      `No;Pieces\n${numbers.map((number) => `="${number}";5\n`).join('')}`;
    const module = await listOf(world, 'No;Pieces\nx;1\n');
    const { moduleID } = module;
    const path = world.at('Artikel.csv');
    await writeFile(path, articles('007', '012'));
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { created: 2 }));
    const numbers = async (): Promise<unknown> => (await world.rows(module)).map(({ No }) => No).sort();
    expect(await numbers()).toEqual(['007', '012', 'x']);
    const { file } = (await world.files.get(moduleID)) ?? {};
    const { readsTextMarks, ...reading } = file?.reading ?? {};
    expect(readsTextMarks).toBe(true);
    const system = await world.store.partition('system');
    await system.transaction((tx) => tx.put({ name: 'watched-file' }, moduleID, { ...file, reading }));
    await writeFile(path, articles('012', '099'));
    await world.until(async () => (await world.rows(module)).some(({ No }) => No === '="099"'));
  });

  it('keeps the guesses that were shown when it began to follow a file', async () => {
    const prices = (first: string): string => `No;Pieces\nK-1;${first}\nK-2;40\n`;
    const module = await listOf(world, prices('12'));
    const { moduleID } = module;
    const path = world.at('Preise.csv');
    await writeFile(path, prices('1.275'));
    expect((await world.files.tryFile(moduleID, { path }, ['No'])).doubts).toMatchObject([
      { kind: 'numbers' },
    ]);
    await world.files.watch(moduleID, { path, key: ['No'] }, USER);
    await world.until(read(moduleID, { updated: 1 }));
    expect(await problem(moduleID)).toBe('');
    await writeFile(path, prices('1.276'));
    await world.until(async () => (await world.rows(module)).some(({ Pieces }) => Pieces === '1276'));
  });

  it('takes another file for a list that follows one, also where 200 lists do', async () => {
    const { moduleID } = await listOf(world, 'No,Name\n1,Ada\n');
    await writeFile(world.at('a.csv'), 'No,Name\n1,Ada\n');
    await writeFile(world.at('b.csv'), 'No,Name\n1,Ada\n');
    await world.files.watch(moduleID, { path: world.at('a.csv'), key: ['No'] }, USER);
    const { file } = (await world.files.get(moduleID)) ?? {};
    const system = await world.store.partition('system');
    await system.transaction((tx) => {
      for (let at = 1; at < 200; at++)
        tx.put({ name: 'watched-file' }, `9000${at}`, { ...file, moduleID: `9000${at}` });
    });
    await world.files.watch(moduleID, { path: world.at('b.csv'), key: ['No'] }, USER);
    expect((await world.files.get(moduleID))?.file.path).toBe(world.at('b.csv'));
  });
});
