import { MODULES } from '../../../../server/lists/definitions/modules.ts';
import { describe, expect, it } from 'vitest';
import {
  importTable,
  findChangedLines,
  tryTable,
  type ImportOptions,
} from '../../../../server/lists/csv/import.ts';
import type { ImportResult } from '../../../../server/lists/csv/result.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { importKeyOf } from '../../../../server/lists/definitions/import-key.ts';
import type { Lists } from '../../../../server/lists/lists.ts';
import { withTable } from '../../../../server/lists/reading/read-in-worker.ts';
import type { Targets } from '../../../../server/lists/reading/table-facts.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { watchTurns } from '../../../support/reading/longest-turn.ts';
import { incoming, makeList, testLists, text, values } from '../../../support/harness/lists.ts';
import { english } from '../../../../server/words/said.ts';

const bring = (lists: Lists, csv: string, options: Partial<ImportOptions> = {}): Promise<ImportResult> =>
  importTable(lists, Buffer.from(csv), { to: { name: 'Customers' }, by: '7', ...options });

const isLinux = process.platform === 'linux';
if (!isLinux) console.log('How long one turn of the event loop takes is measured on Linux only.');

describe('importing CSV', () => {
  it('S7: refuses a file of more columns than can be looked at, before it names them', async () => {
    const { lists } = await testLists();
    const wide = `${'a,'.repeat(5000)}a\n${'1,'.repeat(5000)}1\n`;
    await expect(bring(lists, wide)).rejects.toMatchObject({ code: 'csv.columns' });
  });

  it('updates by a key column instead of doubling, and remembers the column', async () => {
    const { lists } = await testLists();
    const first = await bring(lists, 'ID,Name,City\n1,Ada,Ulm\n2,Bo,Bonn\n', { key: ['ID'] });
    expect(first).toMatchObject({ created: 2, updated: 0, unchanged: 0 });
    expect((await lists.module(first.moduleID)).importKey).toEqual([
      (await lists.module(first.moduleID)).fields[0]?.fieldID,
    ]);
    const again = await bring(lists, 'ID,Name,City\n1,Ada,Ulm\n2,Bo,Köln\n3,Cy,Trier\n');
    expect(again).toMatchObject({ created: 1, updated: 1, unchanged: 1, moduleID: first.moduleID });
    expect((await textRows(lists, await lists.module(first.moduleID))).map((row) => row.City)).toEqual([
      'Ulm',
      'Köln',
      'Trier',
    ]);
  });

  it('its undo brings back the columns by which rows were found before, unless others were chosen since', async () => {
    const { lists } = await testLists();
    const { moduleID, stepID: first } = await bring(lists, 'ID,Name\n1,Ada\n', { key: [] });
    const rows = await lists.rows(moduleID);
    const keyNow = async (): Promise<readonly string[]> => importKeyOf(await lists.module(moduleID));
    expect(await rows.undo('7', first)).toMatchObject({ done: 1 });
    await rows.redo('7');
    expect(await keyNow()).toEqual([]);

    await bring(lists, 'ID,Name\n1,Adele\n', { key: ['ID'] });
    const { stepID: byName } = await bring(lists, 'ID,Name\n2,Bo\n', { key: ['Name'] });
    expect(await keyNow()).toEqual(['Name']);
    await rows.undo('7');
    expect(await keyNow()).toEqual(['ID']);
    await rows.redo('7');
    expect(await keyNow()).toEqual(['Name']);
    await rows.undo('7');
    await rows.undo('7');
    expect(await keyNow()).toEqual([]);

    await rows.redo('7');
    await rows.redo('7');
    await bring(lists, 'ID,Name\n3,Cy\n', { key: ['ID', 'Name'] });
    await rows.undo('7', byName);
    expect(await keyNow()).toEqual(['ID', 'Name']);
  });

  it('keeps filled cells that the file leaves blank, where asked to, and tells before how many there are', async () => {
    const { lists } = await testLists();
    const before =
      'No,Company,Phone,Town\n7,Seiler & Co,0431 55,Kiel\n8,Deichbau,04931 7,\n9,Voss,0421 3,Bremen\n';
    const { moduleID } = await bring(lists, before, { key: ['No'] });
    const blank =
      'No,Company,Phone,Town\n7,Seiler & Co,,\n8,Deichbau KG,,\n9,Voss,0421 3,\n10,Nordlicht,,Husum\n';
    const to = { moduleID };
    const emptied = new Map([
      ['Phone', 2],
      ['Town', 2],
    ]);
    const trial = (blanks: 'keep' | 'empty'): Promise<ImportResult> =>
      tryTable(lists, Buffer.from(blank), { to, blanks });
    expect(await trial('keep')).toMatchObject({ created: 1, updated: 1, unchanged: 2, emptied });
    expect(await trial('empty')).toMatchObject({ created: 1, updated: 3, unchanged: 0, emptied });
    expect(await bring(lists, blank, { to, blanks: 'keep' })).toMatchObject({ created: 1, updated: 1 });
    expect(await trial('keep')).toMatchObject({ unchanged: 4, emptied });
    const shown = async (): Promise<unknown[]> =>
      (await textRows(lists, await lists.module(moduleID))).map(({ Company, Phone, Town }) => [
        Company,
        Phone,
        Town,
      ]);
    expect(await shown()).toEqual([
      ['Seiler & Co', '0431 55', 'Kiel'],
      ['Deichbau KG', '04931 7', ''],
      ['Voss', '0421 3', 'Bremen'],
      ['Nordlicht', '', 'Husum'],
    ]);
    await bring(lists, blank, { to, blanks: 'empty' });
    expect((await trial('keep')).emptied?.size).toBe(0);
    expect((await shown())[0]).toEqual(['Seiler & Co', '', '']);
  });

  it('keeps columns apart whose headings differ in their letters’ case alone', async () => {
    const { lists } = await testLists();
    const csv = 'No,Value,Value,value\n1,a,b,c\n';
    const { moduleID } = await bring(lists, csv, { key: ['No'] });
    expect(await bring(lists, csv)).toMatchObject({ created: 0, unchanged: 1, moduleID });
    const [row] = await textRows(lists, await lists.module(moduleID));
    expect(Object.values(row ?? {})).toEqual(['1', 'a', 'b', 'c']);
  });

  it('fills the column that has the heading as its label, not one that had it once', async () => {
    const { lists } = await testLists();
    const { moduleID } = await importTable(lists, Buffer.from('Article,Price\nA1,1.50\n'), {
      ...{ to: { name: 'Prices' }, key: ['Article'], by: '7' },
    });
    const { fields } = await lists.module(moduleID);
    await lists.updateModule(moduleID, {
      fields: [
        ...fields.map((field) => (field.label === 'Price' ? { ...field, label: 'Old price' } : field)),
        { kind: 'Number', label: 'Price' },
      ],
    });
    const file = async (csv: string): Promise<Record<string, string>[]> => {
      const result = await importTable(lists, Buffer.from(csv), { to: { moduleID }, by: '7' });
      expect(result).toMatchObject({ ignored: [], rejected: [] });
      return textRows(lists, await lists.module(moduleID));
    };
    expect(await file('Article,Price\nA1,9.99\n')).toEqual([
      { Article: 'A1', 'Old price': '1.50', Price: '9.99' },
    ]);
    expect(await file('Article,Price,Old price\nA1,8.88,2.22\n')).toEqual([
      { Article: 'A1', 'Old price': '2.22', Price: '8.88' },
    ]);
  });

  it('leaves no empty list behind where it is refused after the list was made', async () => {
    const { lists } = await testLists();
    await expect(bring(lists, 'No,Name\n1,Ada\n', { key: ['Number'] })).rejects.toThrow(/Number/);
    expect(await lists.modules()).toEqual([]);
  });

  it('updates by several columns together, remembers them, and tells what they cannot find', async () => {
    const { lists } = await testLists();
    const csv = 'Order,Product,Pieces\n1,tea,4\n1,jam,5\n2,tea,6\n';
    const { moduleID } = await bring(lists, csv, { key: ['Order', 'Product'] });
    const [order, product] = (await lists.module(moduleID)).fields;
    expect((await lists.module(moduleID)).importKey).toEqual([order?.fieldID, product?.fieldID]);
    const more = 'Order,Product,Pieces\n1,tea,4\n2,tea,7\n2,jam,1\n2,jam,2\n3,,1\n';
    // As the last time, without a word.
    const result = await bring(lists, more, { to: { moduleID } });
    expect(result).toMatchObject({ created: 1, updated: 1, unchanged: 1, rejectedLines: 2 });
    expect(result.rejected.map(({ line, reason }) => [line, english(reason)])).toEqual([
      [5, 'Order + Product “2 + jam” came in an earlier line already.'],
      [6, 'Product is empty, so that no row can be found by it.'],
    ]);
    const lacking = bring(lists, 'Order,Pieces\n1,4\n', { to: { moduleID } });
    await expect(lacking).rejects.toThrow('The last import found rows by “Order, Product”');
    const again = await bring(lists, '1,1\n', {
      to: { moduleID },
      headerLine: 0,
      match: { 'Column 1': 'Order', 'Column 2': 'Pieces' },
      key: [],
    });
    expect(again.created).toBe(1);
    const doubled = 'Order,Product,Pieces\n2,tea,7\n';
    await bring(lists, doubled, { to: { moduleID }, key: [] });
    const told = await bring(lists, doubled, { to: { moduleID } });
    expect(told.rejected.map(({ reason }) => english(reason))).toEqual([
      'Several rows of the list have Order + Product “2 + tea”. Choose columns that tell them apart; if they are the same, delete all but one of them in the list.',
    ]);
  });

  it('knows the column of the last time where an older version noted its name', async () => {
    const { lists, store } = await testLists();
    const { moduleID } = await bring(lists, 'ID,Name\n1,Ada\n2,Bo\n', { key: ['ID'] });
    const system = await store.partition('system');
    const module = await lists.module(moduleID);
    await system.transaction((tx) => tx.put(MODULES, moduleID, { ...module, importKey: 'ID' }));
    expect(await bring(lists, 'ID,Name\n1,Ada L\n', { to: { moduleID } })).toMatchObject({ updated: 1 });
    await system.transaction((tx) => tx.put(MODULES, moduleID, { ...module, importKey: 'ID' }));
    await lists.updateModule(moduleID, {
      fields: module.fields.map((field) => (field.name === 'ID' ? { ...field, name: 'No' } : field)),
    });
    expect(await bring(lists, 'No,Name\n2,Bob\n', { to: { moduleID } })).toMatchObject({ updated: 1 });
  });

  it('takes a column of moments for one where spreadsheets leave out midnight', async () => {
    const { lists } = await testLists();
    const csv =
      'No,Seen,Day\n1,2026-03-01 08:15,2026-03-01\n2,2026-03-02,2026-03-02\n3,2026-03-03 17:40:05,2026-03-03\n';
    const { moduleID } = await bring(lists, csv);
    const module = await lists.module(moduleID);
    expect(module.fields.map(({ kind, options: { only } }) => [kind, only])).toEqual([
      ['Number', undefined],
      ['DateTime', undefined],
      ['DateTime', 'date'],
    ]);
    expect((await textRows(lists, module)).map(({ Seen }) => Seen?.slice(0, 10))).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
    ]);
  });

  it('takes days that a database writes with midnight into a column of days', async () => {
    const { lists } = await testLists();
    const { moduleID } = await importTable(lists, Buffer.from('No,Day\n1,2024-04-05\n2,2024-04-06\n'), {
      ...{ to: { name: 'Days' }, key: ['No'], by: '7' },
    });
    for (const days of [
      ['2024-05-07 00:00:00.000', '2024-05-08 00:00:00.000'],
      ['13.5.2024 0:00', '8.5.2024 0:00'],
      ['7.5.2024 00:00', '8.5.2024 10:15'],
    ]) {
      const csv = `No,Day\n${days.map((day, at) => `${at + 1},${day}\n`).join('')}`;
      const { rejected } = await importTable(lists, Buffer.from(csv), { to: { moduleID }, by: '7' });
      expect(rejected.map(({ line }) => line)).toEqual(days[1]?.endsWith('10:15') ? [3] : []);
    }
    expect(await textRows(lists, await lists.module(moduleID))).toEqual([
      { No: '1', Day: '2024-05-07' },
      { No: '2', Day: '2024-05-08' },
    ]);
  });

  it('tells what a file would do to a list, line by line as it then does it, and leaves the list as it is', async () => {
    const { lists } = await testLists();
    const names = ['Größmann', 'Łukasz', 'Ελένη', "O'Brien", '李'];
    const line = (at: number): string =>
      `K-${String(at)},${names[at % 5] ?? ''} ${String(at)},${String(at % 90)}`;
    const before = Array.from({ length: 1200 }, (_, at) => line(at));
    const kinds = { Age: 'Number' } as const;
    const { moduleID } = await bring(lists, `ID,Name,Age\n${before.join('\n')}\n`, { kinds });
    const held = await textRows(lists, await lists.module(moduleID));
    const changed = before.map((text, at) => (at % 3 === 0 ? text.replace(/,/, ',neu ') : text));
    const added = [line(2000), line(2001), 'K-2002,Bo,old', line(7)];
    const csv = `ID,Name,Age\n${[...changed, ...added].join('\n')}\n`;
    const told = await tryTable(lists, Buffer.from(csv), { to: { moduleID }, key: ['ID'] });
    expect(told).toMatchObject({ created: 2, updated: 400, unchanged: 800, rejectedLines: 2 });
    expect(await textRows(lists, await lists.module(moduleID))).toEqual(held);
    expect((await lists.module(moduleID)).importKey).toBeUndefined();
    const done = await bring(lists, csv, { to: { moduleID }, key: ['ID'] });
    expect({ ...done, stepID: undefined, emptied: new Map() }).toEqual({ ...told, stepSize: undefined });
    const again = await tryTable(lists, Buffer.from(csv), { to: { moduleID } });
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1202 });
  });

  it('reads a file that is followed once more only for what is news in it, and refuses the same lines', async () => {
    const { lists } = await testLists();
    const before = Array.from({ length: 700 }, (_, at) => `K-${String(at)},Größmann ${String(at)}`);
    const { moduleID } = await bring(lists, `ID,Name\n${before.join('\n')}\n`, { key: ['ID'] });
    const now = before.map((line, at) => (at === 600 ? 'K-600,Łukasz' : line));
    const bytes = Buffer.from(`ID,Name\n${[...now, 'K-5,twice', ',none'].join('\n')}\n`);
    await withTable(bytes, {}, async (file) => {
      let reads = 0;
      const counted = { ...file, read: (targets: Targets) => (reads++, file.read(targets)) };
      expect(await tryTable(lists, counted, { to: { moduleID } })).toMatchObject({
        updated: 1,
        unchanged: 699,
      });
      expect(reads).toBe(1);
      const hashed: string[] = [];
      const marks = {
        markOf: () => '',
        isAsBefore: (key: string) => hashed.push(key) > 0 && key !== 'K-600',
        changedValues: (_module: unknown, _key: string, told: Readonly<Record<string, readonly string[]>>) =>
          told,
        recordInvalid: () => undefined,
        recordLine: () => undefined,
      };
      const options = { to: { moduleID }, marks };
      const seen: unknown[] = [];
      const news = await findChangedLines(lists, counted, options, (_rows, lines) => {
        seen.push(...lines.map(({ values: told }) => told));
        return Promise.resolve();
      });
      expect(seen).toEqual([{ ID: ['K-600'], Name: ['Łukasz'] }]);
      const result = await importTable(lists, news, { ...options, by: '7' });
      expect(result).toMatchObject({ created: 0, updated: 1, rejectedLines: 2 });
      expect(result.rejected.map(({ line }) => line)).toEqual([702, 703]);
      expect([reads, hashed.length]).toEqual([2, 701]);
    });
  });

  it('collects the choices of a column that is a choice in the new list, unless there are too many', async () => {
    const { lists } = await testLists();
    const lines = Array.from({ length: 240 }, (_, at) => `K${String(at)},${at % 3 === 0 ? 'Aktiv' : 'Ruht'}`);
    const { moduleID } = await bring(lists, ['Kunde,Status', ...lines, 'K240,'].join('\n'), {
      kinds: { Kunde: 'Select', Status: 'Select' },
    });
    const { fields } = await lists.module(moduleID);
    expect(fields.map(({ label, options }) => [label, options.options])).toEqual([
      ['Kunde', undefined],
      ['Status', ['Aktiv', 'Ruht']],
    ]);
    // A later file does not change what may be chosen.
    expect(await bring(lists, 'Kunde,Status\nK241,Neu\n', { to: { moduleID } })).toMatchObject({
      created: 0,
      rejectedLines: 1,
    });
  });

  it('makes no list for a file of which nothing can go in, and says why', async () => {
    const { lists } = await testLists();
    const csv = 'Nr,Amount\n1,soon\n2,later\n';
    const failed = bring(lists, csv, { to: { name: 'Invoices' }, kinds: { Amount: 'Number' } });
    await expect(failed).rejects.toMatchObject({ code: 'csv.nothing-in' });
    await expect(failed).rejects.toThrow(/Line 2: .*soon/);
    const { namespaceID } = await lists.defaultNamespace();
    expect(await lists.modules(namespaceID)).toEqual([]);
    const { moduleID } = await bring(lists, csv, { to: { name: 'Invoices' } });
    expect(await bring(lists, 'Nr\n', { to: { moduleID } })).toMatchObject({ created: 0, rejectedLines: 0 });
  });

  it('finds the names of the columns below a title, and takes them from another line where that is said', async () => {
    const names = 'Kundennummer;Firma;Ort;Umsatz';
    const rows = 'K-1;Größmann;Köln;10,50\nK-2;Weiß;Ulm;3,00\n';
    for (const title of ['Kundenliste Stand 23.11.2026;;;', 'Kundenliste, Stand 23.11.2026']) {
      const file = await readTable(Buffer.from(`${title}\n;;;\n${names}\n${rows}`), {});
      expect(file).toMatchObject({ headerLine: 3, lines: 2, rejectedLines: 0 });
      expect(file.columns.map(({ header }) => header).join(';')).toBe(names);
    }
    const first = await readTable(Buffer.from(`A;B;C;D\n${names}\n${rows}`), { headerLine: 2 });
    expect(first).toMatchObject({ headerLine: 2, lines: 2 });
  });

  it('finds them below a title of two columns by what the rows below hold', async () => {
    const headerOf = async (csv: string): Promise<number> =>
      (await readTable(Buffer.from(csv), {})).headerLine;
    expect(await headerOf('Büros im Herbst;\n\nNr;Name\n1;Ulm\n2;Łódź\n')).toBe(3);
    expect(await headerOf('Büros im Herbst;\nStand: heute;\n\nNr;Name\n1;Ulm\n')).toBe(4);
    expect(await headerOf('Büros im Herbst;\nNr;Name\n1;Ulm\n')).toBe(2);
    expect(await headerOf('Nr;\n\n1;Ulm\n2;Łódź\n')).toBe(1);
  });

  it('takes no row for names: not below a header with one name, nor in a list of few columns', async () => {
    for (const csv of ['Nr;;;\n1;2;3;4\n', 'Name;\na;b\n', 'Notiz\nrot; oder grün\nblau\ngelb\n'])
      expect(await readTable(Buffer.from(csv), {}), csv).toMatchObject({ headerLine: 1 });
  });

  it('leaves columns alone that the file does not have, and tells headers that no column takes', async () => {
    const setup = await testLists();
    const { rows, module } = await makeList(setup, [text('Name', { label: 'Full name' }), text('Note')]);
    const { recordID } = await rows.create(values({ Name: 'Ada', Note: 'keep' }), '7');
    const to = { moduleID: module.moduleID };
    const result = await bring(setup.lists, 'full NAME,Other\nAda,x\n', { to, key: ['Name'] });
    expect(result).toMatchObject({ unchanged: 1, ignored: ['Other'] });
    expect((await rows.get(recordID)).values).toEqual(values({ Name: 'Ada', Note: 'keep' }));
  });

  it('marks what it changes on received rows as local edits', async () => {
    const setup = await testLists();
    const { rows, module } = await makeList(setup);
    const page = {
      nodeID: '900',
      rows: [incoming('1', 1, { Name: 'Ada', City: 'Ulm' })],
      mappedColumns: ['Name', 'City'],
    };
    await rows.receive(page);
    await bring(setup.lists, 'Name,City\nAda,Bonn\n', { to: { moduleID: module.moduleID }, key: ['Name'] });
    expect((await rows.findReceived('900', ['1']))[0]?.received?.edited).toEqual(['City']);
  });

  it('rejects lines by number and reason; the good ones go in', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [
      text('Name', { isRequired: true }),
      { kind: 'Number', name: 'Amount' },
    ]);
    const to = { moduleID: module.moduleID };
    const csv = 'Name,Amount\na,1\nb,many\n,3\nd,4\na,5\n';
    const result = await bring(setup.lists, csv, { to, key: ['Name'] });
    expect(result).toMatchObject({ created: 2, rejectedLines: 3 });
    expect(result.rejected.map(({ line, reason }) => ({ line, reason: english(reason) }))).toEqual([
      { line: 3, reason: expect.stringContaining('Amount: “many” is no number') as string },
      { line: 4, reason: expect.stringContaining('Name must not be empty') as string },
      { line: 6, reason: expect.stringContaining('earlier line') as string },
    ]);
    expect(await rows.count()).toBe(2);
  });

  it('tells once what is the matter with many lines, with how many they are and the first of them', async () => {
    const { lists } = await testLists();
    const { moduleID } = await bring(lists, 'ID,Betrag,Ort\n1,5,Ulm\n');
    const [id, amount, place] = (await lists.module(moduleID)).fields;
    await lists.updateModule(moduleID, {
      fields: [id, { ...amount, options: { unit: '€' } }, { ...place, isRequired: true }].map((field) => ({
        kind: 'String',
        name: '',
        ...field,
      })),
    });
    const lines = Array.from(
      { length: 1500 },
      (_, at) => `${at + 2},$${at}.50,${at % 500 === 7 ? '' : 'Bonn'}`,
    );
    const csv = `ID,Betrag,Ort\n${lines.join('\n')}\n7000,1,Ulm,too,much\n7001,1,Ulm,too,much,far\n`;
    const result = await bring(lists, csv, { to: { moduleID } });
    expect(result).toMatchObject({ created: 0, rejectedLines: 1502 });
    expect(result.rejected).toHaveLength(1000);
    expect(result.reasons.map((why) => ({ ...why, reason: english(why.reason) }))).toEqual([
      {
        reason:
          'Betrag: “$0.50” stands in another unit than the column, which shows €; write it in that one.',
        count: 1500,
        lines: [2, 3, 4, 5, 6],
      },
      { reason: 'Ort must not be empty; fill it in.', count: 3, lines: [9, 509, 1009] },
      { reason: 'The line has 5 values for only 3 columns.', count: 2, lines: [1502, 1503] },
    ]);
    const file = await readTable(Buffer.from(csv), {});
    expect(file.reasons.map(({ count, lines: first }) => [count, first])).toEqual([[2, [1502, 1503]]]);
  });

  it('reads prices and days as the rest of their column is written, where a word stands among them', async () => {
    const setup = await testLists();
    const { module } = await makeList(setup, [
      text('Item'),
      { kind: 'Number', name: 'Price' },
      { kind: 'DateTime', name: 'Due', options: { only: 'date' } },
    ]);
    const to = { moduleID: module.moduleID };
    const lines = [
      'oak;1.250,40;28.02.2026',
      'ash;on request;01.03.2026',
      'elm;0,75;soon',
      'fir;12;31.02.2026',
      'yew;7,5;5.6.2026',
    ];
    const result = await bring(setup.lists, `Item;Price;Due\n${lines.join('\n')}\n`, { to });
    expect(result.rejected.map(({ line, reason }) => [line, english(reason).split(':')[0]])).toEqual([
      [3, 'Price'],
      [4, 'Due'],
      [5, 'Due'],
    ]);
    expect(await textRows(setup.lists, module)).toEqual([
      { Item: 'oak', Price: '1250.40', Due: '2026-02-28' },
      { Item: 'yew', Price: '7.5', Due: '2026-06-05' },
    ]);
  });

  it('reads none where the readable ones contradict each other, and names the doubt where two readings fit', async () => {
    const setup = await testLists();
    const { module } = await makeList(setup, [text('Item'), { kind: 'Number', name: 'Price' }]);
    const to = { moduleID: module.moduleID };
    const apart = await bring(setup.lists, 'Item;Price\noak;1,5\nash;2.55\nelm;?\n', { to });
    expect(apart.rejected.map(({ line }) => line)).toEqual([2, 4]);
    const either = await bring(setup.lists, 'Item;Price\noak;1,234\nelm;?\n', { to });
    expect(either.rejected.map(({ line }) => line)).toEqual([3]);
    expect(either.doubts).toMatchObject([
      { kind: 'numbers', chosen: ',', alternatives: ['.'], example: '1,234' },
    ]);
    const said = await bring(setup.lists, 'Item;Price\noak;1,234\nelm;?\n', { to, decimal: ',' });
    expect(said.rejected.map(({ line }) => line)).toEqual([3]);
    expect((await textRows(setup.lists, module)).map(({ Price }) => Price)).toEqual([
      '2.55',
      '1.234',
      '1.234',
    ]);
  });

  it('takes corrections: encoding, delimiter, header, kinds, decimal comma, order of dates, matches', async () => {
    const { lists } = await testLists();
    const bytes = Buffer.from('Id|Wann|Wert|Ort\n1|3/4/2024|1,234|K\xf6ln\n', 'latin1');
    const plain = await readTable(bytes, {});
    expect(plain.columns.map(({ guess }) => guess.format()?.kind)).toEqual([
      'Number',
      undefined,
      'Number',
      undefined,
    ]);
    const result = await importTable(lists, bytes, {
      to: { name: 'x1' },
      by: '7',
      encoding: 'windows-1250',
      delimiter: '|',
      decimal: ',',
      dateOrder: 'DMY',
      kinds: { Id: 'String', Wann: 'DateTime' },
      match: { Ort: null },
    });
    const module = await lists.module(result.moduleID);
    expect(module.fields.map(({ label, kind }) => [label, kind])).toEqual([
      ['Id', 'String'],
      ['Wann', 'DateTime'],
      ['Wert', 'Number'],
    ]);
    expect(await textRows(lists, module)).toEqual([{ Id: '1', Wann: '2024-04-03', Wert: '1.234' }]);

    const bare = await bring(lists, 'a,b\nc,d\n', { to: { name: 'bare' }, headerLine: 0 });
    expect(await textRows(lists, await lists.module(bare.moduleID))).toEqual([
      { 'Column 1': 'a', 'Column 2': 'b' },
      { 'Column 1': 'c', 'Column 2': 'd' },
    ]);
  });

  it('reads files as offices in France and Spain write them, and leaves their telephone numbers alone', async () => {
    const { lists } = await testLists();
    const french =
      'Prix;Payé;Jour\n1\u202f234,50;oui;31/01/2026\n12 000,00;non;01/02/2026\n7\u00a0800;Oui;02/02/2026\n';
    const brought = await bring(lists, french, { to: { name: 'Factures' } });
    const invoices = await lists.module(brought.moduleID);
    expect(invoices.fields.map(({ kind }) => kind)).toEqual(['Number', 'Bool', 'DateTime']);
    expect(await textRows(lists, invoices)).toEqual([
      { Prix: '1234.50', Payé: '1', Jour: '2026-01-31' },
      { Prix: '12000.00', Payé: '', Jour: '2026-02-01' },
      { Prix: '7800', Payé: '1', Jour: '2026-02-02' },
    ]);

    const spanish = 'Importe;Pagado;Tel\n1.234,50;sí;912 345 678\n99,95;no;934 567 890\n';
    const other = await bring(lists, spanish, { to: { name: 'Facturas' } });
    const facturas = await lists.module(other.moduleID);
    expect(facturas.fields.map(({ kind }) => kind)).toEqual(['Number', 'Bool', 'String']);
    expect((await textRows(lists, facturas))[0]).toEqual({
      Importe: '1234.50',
      Pagado: '1',
      Tel: '912 345 678',
    });
  });

  it('takes a country code in all rows for text, as it is no answer', async () => {
    const { lists } = await testLists();
    const { moduleID } = await bring(lists, 'Kunde;Land;Aktiv\nFjord AS;NO;no\nNansen AS;NO;no\n');
    const { fields } = await lists.module(moduleID);
    expect(fields.map(({ kind }) => kind)).toEqual(['String', 'String', 'Bool']);
    const answers = await bring(lists, 'Cliente;Activo\nSol SA;SI\nMar SL;NO\n', {
      to: { name: 'Clientes' },
    });
    expect((await lists.module(answers.moduleID)).fields[1]?.kind).toBe('Bool');
  });

  it('calls columns without a name in the language of whoever brings the file', async () => {
    const { lists } = await testLists();
    const german = { language: 'de' as const };
    const bare = await bring(lists, 'a,b\n', { ...german, to: { name: 'ohne Kopf' }, headerLine: 0 });
    expect(Object.keys((await textRows(lists, await lists.module(bare.moduleID)))[0] ?? {})).toEqual([
      'Spalte 1',
      'Spalte 2',
    ]);
    const holed = await bring(lists, 'Ort,,Land\nÅlesund,x,Norge\n', { ...german, to: { name: 'mit Loch' } });
    const [, nameless] = (await lists.module(holed.moduleID)).fields;
    expect(nameless?.label).toBe('Spalte 2');
  });

  it('reads a short file of Western letters as that, though its few letters would fit others too', async () => {
    const csv = [
      'Kd.-Nr.;Name;Ort;Gebiet;Umsatz;Bestellt am;Bezahlt',
      '00001;Zoë Nuñez;Köln;Nord;6510,95;03.09.2026;ja',
      '00002;Käthe Weiß;Köln;Nord;3634,32;29.05.2026;ja',
      '00003;Zoë Åberg;Lübeck;Nord;3262,2;30.03.2026;ja',
    ].join('\r\n');
    const { source } = await readTable(Buffer.from(csv, 'latin1'), {});
    expect(source.encoding).toBe('windows-1252');
  });

  it.each([
    ['', {}, 'impossible', 'empty'],
    ['a,b\n', { encoding: 'nonsense' }, 'malformed', 'nonsense'],
    ['a,b\n', { delimiter: ',,' }, 'malformed', 'separated by one character'],
    ['a,b\n1,2\n', { key: ['nope'] }, 'malformed', 'nope'],
    ['a,b\n1,2\n', { match: { a: 'nope' }, to: { name: 'Twice' } }, 'malformed', 'nope'],
    ['PK\u0003\u0004...', {}, 'impossible', 'workbook'],
    ['a\0\u0001\u00ff\u00fe'.repeat(9), { encoding: 'utf-16le', to: { moduleID: '1' } }, 'not-found', 'list'],
  ] as const)('refuses %j with %j', async (csv, options, kind, word) => {
    const { lists } = await testLists();
    await expect(bring(lists, csv, options)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(word) as string,
    });
  });

  it('refuses a file above 64 MiB before reading it', async () => {
    const { lists } = await testLists();
    const bytes = Buffer.alloc(64 * 1024 * 1024 + 1, 0x61);
    await expect(importTable(lists, bytes, { to: { name: 'big' }, by: '7' })).rejects.toMatchObject({
      kind: 'too-large',
    });
  });

  it('tells its progress, can be stopped between pages, and keeps what went in', async () => {
    const { lists } = await testLists();
    const csv = `Name\n${Array.from({ length: 2000 }, (_, at) => `n${at}`).join('\n')}\n`;
    const stop = new AbortController();
    const seen: number[] = [];
    const run = bring(lists, csv, {
      signal: stop.signal,
      onProgress({ done, total }) {
        expect(total).toBe(2000);
        seen.push(done);
        if (done >= 1000) stop.abort();
      },
    });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([500, 1000]);
    const [module] = await lists.modules();
    expect(await (await lists.rows(module?.moduleID ?? '')).count()).toBe(1000);
  });

  it('puts lines into the columns as they are called by then, renamed, swapped or deleted meanwhile', async () => {
    const setup = await testLists();
    const columns = [text('Name'), text('City'), text('Note')];
    const { module } = await makeList(setup, columns);
    const [name, city] = module.fields;
    if (!name || !city) throw new Error('The list has its columns.');
    const { moduleID } = module;
    const lines = Array.from({ length: 1600 }, (_, at) => `Name ${at * 7919},Ort ${at % 53},Notiz ${at}`);
    let changed: Promise<unknown> = Promise.resolve();
    const result = await bring(setup.lists, `Name,City,Note\n${lines.join('\n')}\n`, {
      to: { moduleID },
      onProgress({ done }) {
        if (done !== 500) return;
        changed = setup.lists.updateModule(moduleID, {
          fields: [
            { ...name, name: 'City' },
            { ...city, name: 'Name' },
          ],
        });
      },
    });
    await changed;
    expect(result).toMatchObject({ created: 1600, rejectedLines: 0, rejected: [], ignored: ['Note'] });
    const stored: string[] = [];
    for await (const page of (await setup.lists.rows(moduleID)).scan())
      stored.push(...page.map(({ values: { City, Name } }) => `${City?.[0]},${Name?.[0]}`));
    // What was called City is called Name now, and the other way round.
    expect(stored.sort()).toEqual(lines.map((line) => line.split(',').slice(0, 2).join(',')).sort());
  });

  it('reads on after quotation marks that are never closed, and gives up only when there are very many', async () => {
    const { lists } = await testLists();
    const broken = (lines: number, letters = 8000): string => `"open ${'x'.repeat(letters)}\n`.repeat(lines);
    const few = await bring(lists, `Name\ngood\n${broken(5)}last\n`);
    expect(few).toMatchObject({ created: 2, rejectedLines: 5 });
    // The next such mark tells at once that the one before closes nothing: nothing is read far behind.
    const more = await bring(lists, `Name\ngood\n${broken(400)}last\n`, { to: { name: 'more' } });
    expect(more).toMatchObject({ created: 2, rejectedLines: 400 });
    const result = await bring(lists, `Name\ngood\n${broken(9000, 20)}last\n`, { to: { name: 'many' } });
    expect(result.created).toBe(1);
    expect(english(result.rejected.at(-1)?.reason ?? '')).toContain('was not read');
    expect((await bring(lists, 'Name\n"open\nlast\n', { to: { name: 'two' } })).created).toBe(1);
    // Each is closed in the end, far behind its line.
    const closed = `${broken(2000, 20)}x"\n`;
    const far = await bring(lists, `Name\ngood\n${closed}good\n${closed.repeat(3)}last\n`, {
      to: { name: 'far' },
    });
    expect(far.created).toBeLessThan(6);
    expect(english(far.rejected.at(-1)?.reason ?? '')).toContain('was not read');
  });

  it.each([
    ['blanks behind the mark', '"a"  ', ',1\n'],
    ['a line end of two letters', '1,"a"\r', '\n'],
    ['a mark doubled', '"a"', '"b",1\n'],
  ])(
    'takes a line that is whole for whole, wherever a piece of the file ends in it: %s',
    async (_, start, end) => {
      const { lists } = await testLists();
      const PIECE = 64 * 1024;
      for (const shift of [-1, 0, 1]) {
        const head = 'Name,Nr\n';
        const before = `${'x'.repeat(PIECE + shift - start.length - head.length - 3)},0\n`;
        const result = await bring(lists, `${head}${before}${start}${end}"b",2\n`, {
          to: { name: `cut ${String(shift)} ${start.length}` },
        });
        expect(result).toMatchObject({ created: 3, rejectedLines: 0 });
      }
    },
  );

  it('calls a line without an end too long, not a quotation mark that is open, and takes none of it for a row', async () => {
    const { lists } = await testLists();
    const long = 'word '.repeat(800_000);
    const result = await bring(lists, `Name\ngood\n${long}\nlast\n"open\n`);
    expect(result.created).toBe(2);
    expect(result.rejected.map(({ line, reason }) => [line, english(reason)])).toEqual([
      [3, expect.stringContaining('longer than a million characters')],
      [5, expect.stringContaining('quotation mark')],
    ]);
    await expect(bring(lists, `${long}\nlast\n`)).rejects.toThrow(/^Line 1, .* a million characters/);
  });

  it.runIf(isLinux)(
    'S7: names columns that are all called the same without looking at each name for each',
    async () => {
      const name = 'Betrag in Euro '.repeat(30).trim();
      const header = Array(2000).fill(name).join(',');
      const turns = watchTurns();
      const { columns } = await readTable(Buffer.from(`${header}\n${'1,'.repeat(1999)}1\n`), {});
      expect(turns.end()).toBeLessThan(1000);
      expect(columns.at(-1)?.header).toBe(`${name}_2000`);
      const mixed = await readTable(Buffer.from('a,a_3,a,a,a\n1,2,3,4,5\n'), {});
      expect(mixed.columns.map((column) => column.header)).toEqual(['a', 'a_3', 'a_2', 'a_4', 'a_5']);
    },
  );

  it.runIf(isLinux)('lets other work run while it reads a large file', async () => {
    const { lists } = await testLists();
    const line = `${'word '.repeat(10)},12345,2024-05-01,"quoted, text",x\n`;
    const csv = `Text,Number,Date,Quoted,Last\n${line.repeat(30_000)}`;
    const turns = watchTurns();
    const result = await bring(lists, csv);
    const longest = turns.end();
    expect(result.created).toBe(30_000);
    expect(longest).toBeLessThan(250);
  });
});

describe('a file that contradicts how its numbers or days were chosen to be read', () => {
  it.each([
    [{ decimal: ',' }, ['1,250', '1,234.50', '7.25'], [undefined, undefined, '7.25']],
    [{ decimal: ',' }, ['1.234', '0.75'], [undefined, '0.75']],
    [{ decimal: '.' }, ['1.234', '7,25'], [undefined, undefined]],
    // Another cell confirms it.
    [{ decimal: ',' }, ['1.234', '7,25', '0.75'], ['1234', '7.25', '0.75']],
    [{ decimal: ',' }, ['1.234', '12'], ['1234', '12']],
  ] as const)('has no number taken for another: %j %j', async (options, cells, stored) => {
    const { lists, ...setup } = await testLists();
    const { module } = await makeList({ lists, ...setup }, [text('Nr'), { kind: 'Number', name: 'Preis' }]);
    const csv = `Nr;Preis\n${cells.map((cell, at) => `K${at};${cell}\n`).join('')}`;
    await bring(lists, csv, { to: { moduleID: module.moduleID }, ...options });
    const found = await textRows(lists, module);
    expect(cells.map((_cell, at) => found.find(({ Nr }) => Nr === `K${at}`)?.Preis)).toEqual(stored);
  });

  it.each([
    [{ dateOrder: 'DMY' }, ['01/05/2026', '01/31/2026', '2026-01-07'], [undefined, undefined, '2026-01-07']],
    [{ dateOrder: 'MDY' }, ['05/01/2026', '31/01/2026'], [undefined, undefined]],
    [
      { dateOrder: 'DMY' },
      ['01/05/2026', '31/01/2026', '01/31/2026'],
      ['2026-05-01', '2026-01-31', undefined],
    ],
  ] as const)('has no day taken for another: %j %j', async (options, cells, stored) => {
    for (const only of ['date', undefined] as const) {
      const { lists, ...setup } = await testLists();
      const day = { kind: 'DateTime', name: 'Am', options: only ? { only } : {} } as const;
      const { module } = await makeList({ lists, ...setup }, [text('Nr'), day]);
      const csv = `Nr;Am\n${cells.map((cell, at) => `K${at};${cell}\n`).join('')}`;
      await bring(lists, csv, { to: { moduleID: module.moduleID }, ...options });
      const found = await textRows(lists, module);
      expect(cells.map((_cell, at) => found.find(({ Nr }) => Nr === `K${at}`)?.Am)).toEqual(stored);
    }
  });

  it.each([
    // Another column contradicts it, and none confirms it.
    [
      { decimal: ',' },
      'Number',
      [
        ['1.50', '1.255'],
        ['2.25', '12'],
      ],
      [undefined, '12'],
    ],
    [
      { decimal: '.' },
      'Number',
      [
        ['', '1,255'],
        ['2,25', '12'],
      ],
      [undefined, undefined],
    ],
    [
      { decimal: ',' },
      'Number',
      [
        ['1.50', '1.255'],
        ['2.25', '0,5'],
      ],
      ['1255', '0.5'],
    ],
    [
      { dateOrder: 'DMY' },
      'DateTime',
      [
        ['', '02/03/2026'],
        ['03/16/2026', '05/06/2026'],
      ],
      [undefined, undefined],
    ],
    [
      { dateOrder: 'DMY' },
      'DateTime',
      [
        ['2026-03-16', '02/03/2026'],
        ['03/16/2026', '31/01/2026'],
      ],
      ['2026-03-02', undefined],
    ],
    // A column of texts tells nothing.
    [
      { decimal: ',' },
      'String',
      [
        ['1.50', '1.255'],
        ['2.25', '12'],
      ],
      ['1255', '12'],
    ],
  ] as const)(
    'has none taken for another beside a column that does: %j %s %j',
    async (options, kind, cells, stored) => {
      const { lists, ...setup } = await testLists();
      const type = kind === 'DateTime' ? kind : 'Number';
      const only = kind === 'DateTime' ? ({ options: { only: 'date' } } as const) : {};
      const { module } = await makeList({ lists, ...setup }, [
        text('Nr'),
        { kind, name: 'One', ...only },
        { kind: type, name: 'Two', ...only },
      ]);
      const csv = `Nr;One;Two\n${cells.map((line, at) => `K${at};${line.join(';')}\n`).join('')}`;
      await bring(lists, csv, { to: { moduleID: module.moduleID }, ...options });
      const found = await textRows(lists, module);
      expect(cells.map((_cell, at) => found.find(({ Nr }) => Nr === `K${at}`)?.Two)).toEqual(stored);
    },
  );
});
