import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_STEP_CHARS } from '../../../server/base/vocabulary.ts';
import type { ModuleInput } from '../../../server/lists/definitions/inputs.ts';
import type { Field, Module, Row } from '../../../server/lists/definitions/model.ts';
import { importTable, tryTable } from '../../../server/lists/csv/import.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { createStepRecorder, readParts } from '../../../server/lists/rows/undo-log.ts';
import type { Tx } from '../../../server/store/store.ts';
import { runsOf } from '../../support/data/luck.ts';
import { incoming, makeList, testLists, text, values, type TestLists } from '../../support/harness/lists.ts';

const US = '0';
const COLUMNS = [text('Article'), text('Shelf'), text('Stock')];
const STOCK = [
  { Article: 'Ventil DN 15', Shelf: 'A3', Stock: '40' },
  { Article: 'Ventil DN 20', Shelf: 'A3', Stock: '12' },
  { Article: 'Dichtung 3/4"', Shelf: 'B1', Stock: '600' },
].map(values);

const stamps = {
  createdAt: '2026-11-02T08:00:00.000Z',
  createdBy: US,
  updatedAt: '2026-11-02T08:00:00.000Z',
  updatedBy: US,
};

async function contentOf(rows: Rows): Promise<Row['values'][]> {
  const content: Row['values'][] = [];
  for await (const page of rows.scan()) content.push(...page.map(({ values }) => values));
  return content;
}

const idsOf = async (rows: Rows): Promise<string[]> =>
  (await rows.list({ limit: 1000, sort: 'id' })).rows.map(({ recordID }) => recordID);

describe('undo of a list', () => {
  it('takes back an import as one step after a restart, says what it was, and does it again', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office, COLUMNS, 'Stock');
    await rows.createMany(STOCK, US);
    const before = await contentOf(rows);
    const lines = Array.from(
      { length: 1200 },
      (_, at) => `Rohr ${String(at)},C${String(at % 7)},${String(at)}`,
    );
    const file = Buffer.from(['Article,Shelf,Stock', 'Ventil DN 15,Z9,41', ...lines].join('\n'));
    const to = { moduleID: module.moduleID };
    await importTable(office.lists, file, { to, by: US, file: 'stock.csv', key: ['Article'] });
    const after = await contentOf(rows);
    expect(after).toHaveLength(1203);

    const { lists } = await office.reopen();
    const opened = await lists.rows(module.moduleID);
    expect((await opened.nextSteps(US)).undo).toMatchObject({
      kind: 'import',
      rows: 1201,
      file: 'stock.csv',
    });
    expect(await opened.undo(US)).toMatchObject({ done: 1201, left: 0 });
    expect(await contentOf(opened)).toEqual(before);
    expect((await opened.nextSteps(US)).redo).toMatchObject({ kind: 'import', rows: 1201 });
    expect(await opened.redo(US)).toMatchObject({ done: 1201, left: 0 });
    expect(await contentOf(opened)).toEqual(after);
    expect(await opened.undo(US)).toMatchObject({ done: 1201, left: 0 });
    expect(await contentOf(opened)).toEqual(before);
  });

  it('of an import counts the rows in which other cells were changed since, and the new ones, which stay', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office, COLUMNS, 'Stock');
    const [first] = await rows.createMany(STOCK, US);
    const file = Buffer.from('Article,Stock\nVentil DN 15,41\nVentil DN 20,13\nRohr,7\nBogen,8\n');
    const to = { moduleID: module.moduleID };
    await importTable(office.lists, file, { to, by: US, file: 'stock.csv', key: ['Article'] });
    const { undo } = await rows.nextSteps(US);
    await rows.patch(first?.recordID ?? '', values({ Shelf: 'Q2' }), US);
    await rows.patch((await idsOf(rows)).at(-1) ?? '', values({ Shelf: 'Q3' }), US);
    const counts = { done: 3, left: 1, edited: 1 };
    expect(await rows.undo(US, undo?.stepID)).toMatchObject(counts);
    expect((await contentOf(rows))[0]).toMatchObject({ Shelf: ['Q2'], Stock: ['40'] });
    expect(await rows.redo(US, undo?.stepID)).toMatchObject(counts);
    expect(await rows.undo(US, undo?.stepID)).toMatchObject(counts);
    await rows.redo(US, undo?.stepID);
    await rows.undo(US);
    await rows.undo(US);
    expect(await rows.undo(US)).not.toHaveProperty('edited');
  });

  it('of cells says how many rows they added, in several writes and after redo too', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const [first] = await rows.createMany(STOCK, US);
    const change = { recordID: first?.recordID ?? '', values: values({ Shelf: 'Q1' }) };
    await rows.saveMany([change, ...STOCK.map((row) => ({ values: row }))], US);
    const { undo } = await rows.nextSteps(US);
    await rows.saveMany([{ values: values({ Article: 'Rohr' }) }], US, { continues: undo?.stepID ?? '' });
    const step = { kind: 'cells', rows: 5, added: 4 };
    expect((await rows.nextSteps(US)).undo).toMatchObject(step);
    expect(await rows.undo(US)).toMatchObject({ step, done: 5 });
    expect((await rows.nextSteps(US)).redo).toMatchObject(step);
    await rows.redo(US);
    expect((await rows.nextSteps(US)).undo).toMatchObject(step);
    await rows.saveMany([{ ...change, values: values({ Shelf: 'Q2' }) }], US);
    expect((await rows.nextSteps(US)).undo).not.toHaveProperty('added');
  });

  it('writes a page of a long import without reading the pages before it', async () => {
    const office = await testLists();
    const { module } = await makeList(office, COLUMNS, 'Stock');
    const partition = await office.store.partition(`list-${module.moduleID}`);
    let found = 0;
    const pageOf = (page: number): Row[] =>
      STOCK.map((row, at) => ({ ...stamps, recordID: String(1000 + 10 * page + at), values: row }));
    for (let page = 0; page < 5; page++)
      await partition.transaction(async (tx) => {
        const counting: Tx = {
          get: (table, key) => tx.get(table, key),
          getMany: (table, keys) => tx.getMany(table, keys),
          find: async (table, index, text) => {
            const entries = await tx.find(table, index, text);
            found += entries.length;
            return entries;
          },
          findMany: (table, index, texts) => tx.findMany(table, index, texts),
          put: (table, key, value) => tx.put(table, key, value),
          putFromTemplate: (table, entries) => tx.putFromTemplate(table, entries),
          amend: (table, key, value) => tx.amend(table, key, value),
          delete: (table, key) => tx.delete(table, key),
        };
        const step = { stepID: '77', kind: 'import', by: US } as const;
        const recorder = createStepRecorder(
          { tx: counting, partition, now: stamps.updatedAt, fields: module.fields },
          step,
        );
        for (const row of pageOf(page)) recorder.recordRow(undefined, row);
        await recorder.write();
      });
    expect(found).toBe(0);
    const parts = await partition.transaction((tx) => readParts(tx, '77'));
    expect(parts.map(({ rows }) => rows[0]?.recordID)).toEqual(['1000', '1010', '1020', '1030', '1040']);
  });

  it('takes back joined duplicates as one step', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const made = await rows.createMany(
      [values({ Article: 'Ventil DN 15' }), ...STOCK, values({ Article: 'Ventil DN 20', Shelf: 'Z9' })],
      US,
    );
    const before = await contentOf(rows);
    const [kept, full, other, , differs] = made.map(({ recordID }) => recordID);
    const sets = [
      { kept: kept ?? '', others: [full ?? ''] },
      { kept: differs ?? '', others: [other ?? ''] },
    ];
    const filled = new Map([
      ['Shelf', 1],
      ['Stock', 1],
    ]);
    expect(await rows.joinMany(sets, US, true)).toEqual({ joined: 1, differing: 1, filled });
    expect(await contentOf(rows)).toEqual(before);
    expect(await rows.joinMany(sets, US)).toEqual({ joined: 1, differing: 1, filled });
    expect((await rows.get(kept ?? '')).values).toEqual(STOCK[0]);
    expect((await rows.get(full ?? '')).deletedAt).toBeDefined();
    expect((await rows.get(other ?? '')).deletedAt).toBeUndefined();
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'join' }, done: 2, left: 0 });
    expect(await contentOf(rows)).toEqual(before);
  });

  it('leaves what somebody else changed since, and says how many rows that are', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const [first, second] = await rows.createMany(STOCK, US);
    await rows.saveMany(
      [first, second].map((row) => ({ recordID: row?.recordID ?? '', values: values({ Shelf: 'Q1' }) })),
      US,
    );
    office.clock.advance(1000);
    await rows.patch(first?.recordID ?? '', values({ Shelf: 'Q2' }), '7');
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'cells' }, done: 1, left: 1 });
    expect((await contentOf(rows)).map(({ Shelf }) => Shelf)).toEqual([['Q2'], ['A3'], ['B1']]);
    // The row that somebody else changed since stays; the others go to the bin.
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'add' }, done: 2, left: 1 });
    expect((await contentOf(rows)).map(({ Shelf }) => Shelf)).toContainEqual(['Q2']);
    await expect(rows.undo(US)).rejects.toMatchObject({ kind: 'conflict' });
    const { undo: theirs } = (await rows.nextSteps(US)).others;
    expect(theirs).toMatchObject({ kind: 'edit', rows: 1, by: '7' });
    expect((await rows.nextSteps('7')).undo).toEqual(theirs);
    await rows.undo(US, theirs?.stepID);
    expect((await contentOf(rows)).map(({ Shelf }) => Shelf)).not.toContainEqual(['Q2']);
    const { others } = await rows.nextSteps(US);
    expect(others).toMatchObject({ undo: undefined, redo: { stepID: theirs?.stepID } });
    await rows.redo(US, theirs?.stepID);
    expect((await contentOf(rows)).map(({ Shelf }) => Shelf)).toContainEqual(['Q2']);
  });

  it('gives back the user’s own value of a received row, and marks it as such', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const sent = incoming('7', 1, { Article: 'Ventil DN 15', Shelf: 'A3' });
    await rows.receive({ nodeID: '900', rows: [sent], mappedColumns: ['Article', 'Shelf'] });
    expect(await rows.nextSteps(US)).toMatchObject({ undo: undefined, redo: undefined });
    const [row] = await rows.findReceived('900', ['7']);
    const recordID = row?.recordID ?? '';
    await rows.patch(recordID, values({ Shelf: 'Q1' }), US);
    await rows.revertEdits(recordID, undefined, US);
    await rows.undo(US);
    expect(await rows.get(recordID)).toMatchObject({
      values: values({ Article: 'Ventil DN 15', Shelf: 'Q1' }),
      received: { edited: ['Shelf'] },
    });
    await rows.undo(US);
    expect((await rows.get(recordID)).received).toMatchObject({ edited: [] });
  });

  it('of an edit shows what the partner sent since, and keeps following it', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const mappedColumns = ['Article', 'Shelf'];
    const send = (minute: number, Shelf: string): Promise<unknown> =>
      rows.receive({
        nodeID: '900',
        rows: [incoming('7', minute, { Article: 'Ventil', Shelf })],
        mappedColumns,
      });
    await send(1, 'A3');
    const [recordID = ''] = await idsOf(rows);
    await rows.patch(recordID, values({ Shelf: 'mine' }), US);
    await send(2, 'B1');
    expect(await rows.undo(US)).toMatchObject({ done: 1, left: 0 });
    expect(await rows.get(recordID)).toMatchObject({
      values: values({ Shelf: 'B1' }),
      received: { edited: [] },
    });
    await rows.redo(US);
    expect((await rows.get(recordID)).values).toMatchObject(values({ Shelf: 'mine' }));
    await send(3, '');
    await rows.undo(US);
    await send(4, 'C2');
    expect((await rows.get(recordID)).values).toMatchObject(values({ Shelf: 'C2' }));
  });

  it('of a restored received row moves it to the bin again after an edit that was undone, unless it changed there', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const mappedColumns = ['Article', 'Shelf'];
    const send = (minute: number, Shelf: string): Promise<unknown> =>
      rows.receive({
        nodeID: '900',
        rows: [incoming('7', minute, { Article: 'Ventil', Shelf })],
        mappedColumns,
      });
    await send(1, 'A3');
    const [recordID = ''] = await idsOf(rows);
    const deleteRestoreAndEdit = async (): Promise<void> => {
      await rows.remove(recordID, US);
      await rows.restore(recordID, US);
      office.clock.advance(1000);
      await rows.patch(recordID, values({ Shelf: 'mine' }), US);
      office.clock.advance(1000);
    };
    await deleteRestoreAndEdit();
    for (const kind of ['edit', 'restore', 'delete'])
      expect(await rows.undo(US)).toMatchObject({ step: { kind }, done: 1, left: 0 });
    for (const kind of ['delete', 'restore', 'edit'])
      expect(await rows.redo(US)).toMatchObject({ step: { kind }, done: 1, left: 0 });
    expect((await rows.get(recordID)).values).toMatchObject(values({ Shelf: 'mine' }));
    for (let step = 0; step < 3; step++) await rows.undo(US);

    await deleteRestoreAndEdit();
    expect(await rows.undo(US)).toMatchObject({ done: 1, left: 0 });
    office.clock.advance(1000);
    await send(2, 'B1');
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'restore' }, done: 0, left: 1 });
    expect((await rows.get(recordID)).values).toMatchObject(values({ Shelf: 'B1' }));
  });

  it('forgets what was undone once something else is done, and the oldest of very many steps', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const [row] = await rows.createMany(STOCK, US);
    await rows.undo(US);
    await rows.redo(US);
    for (let at = 0; at < 120; at++) await rows.patch(row?.recordID ?? '', values({ Stock: String(at) }), US);
    await rows.undo(US);
    await rows.patch(row?.recordID ?? '', values({ Stock: '7' }), US);
    await expect(rows.redo(US)).rejects.toMatchObject({ kind: 'conflict' });
    let undone = 0;
    while ((await rows.nextSteps(US)).undo) {
      await rows.undo(US);
      undone++;
    }
    expect(undone).toBe(100);
    office.clock.advance(31 * 86_400_000);
    await rows.create(values({ Article: 'Rohr' }), US);
    await rows.undo(US);
    expect((await rows.nextSteps(US)).undo).toBeUndefined();
  });
});

describe('a step that is too large', () => {
  it('is counted by a trial: as large as the step of the import', async () => {
    const office = await testLists();
    const { lists } = office;
    const { module, rows } = await makeList(office, COLUMNS, 'Stock');
    await rows.createMany(STOCK, US);
    const file = Buffer.from('Article,Shelf,Stock\nVentil DN 15,Z9,41\nVentil DN 20,A3,12\nRohr,C1,7\n');
    const to = { moduleID: module.moduleID };
    const { stepSize = 0 } = await tryTable(lists, file, { to, key: ['Article'] });
    await importTable(lists, file, { to, by: US, key: ['Article'] });
    const { undo } = await rows.nextSteps(US);
    // Beside its rows a step counts `[null,null]`.
    expect(undo?.size).toBe(stepSize + 11);
  });

  it('is named before it is written, is kept by name, and is refused', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const texts = (letter: string): Row['values'] => values({ Article: letter.repeat(900_000) });
    const ids = (await rows.createMany(Array<Row['values']>(10).fill(texts('a')), US)).map(
      ({ recordID }) => recordID,
    );
    const changes = ids.map((recordID) => ({ recordID, values: texts('b') }));
    expect((await rows.trySaveMany(changes)).stepSize).toBeGreaterThan(MAX_STEP_CHARS);
    const before = await contentOf(rows);
    await expect(rows.saveMany(changes, US, { isUndoable: true })).rejects.toMatchObject({
      code: 'undo.too-large',
    });
    expect(await contentOf(rows)).toEqual(before);
    expect((await rows.nextSteps(US)).undo).toMatchObject({ kind: 'add' });
    await rows.saveMany(changes, US);
    expect((await rows.nextSteps(US)).undo).toMatchObject({ kind: 'cells', rows: 10, isTooLarge: true });
    await expect(rows.undo(US)).rejects.toMatchObject({ code: 'undo.too-large' });
  });
});

describe('undo of a change of columns', () => {
  const PRICES = [
    { Article: 'Ventil DN 15', Price: '1.963,08', Since: '2024' },
    { Article: 'Ventil DN 20', Price: '12,50' },
    { Article: 'Muffe', Since: '2019' },
  ].map(values);

  async function priceList(): Promise<{ office: TestLists; module: Module; rows: Rows }> {
    const office = await testLists();
    const columns = [text('Article'), text('Price'), text('Since')];
    const { module, rows } = await makeList(office, columns, 'Prices');
    await rows.createMany(PRICES, US);
    return { office, module, rows };
  }

  const state = async ({ lists }: TestLists, { moduleID }: Module): Promise<unknown> => {
    const { name, fields } = await lists.module(moduleID);
    return { name, fields, content: await contentOf(await lists.rows(moduleID)) };
  };

  it('brings back deleted columns with their values, after a restart, and deletes them again', async () => {
    const { office, module } = await priceList();
    const before = await state(office, module);
    await office.lists.updateModule(module.moduleID, { fields: module.fields.slice(0, 1) }, US);
    const after = await state(office, module);
    const { lists } = await office.reopen();
    const rows = await lists.rows(module.moduleID);
    expect((await rows.nextSteps(US)).undo).toMatchObject({
      kind: 'columns-delete',
      columns: ['Price', 'Since'],
    });
    const restored = module.fields.slice(1).map(({ fieldID }) => fieldID);
    expect(await rows.undo(US)).toMatchObject({ done: 2, left: 0, restored });
    expect(await state({ ...office, lists }, module)).toEqual(before);
    await rows.redo(US);
    expect(await state({ ...office, lists }, module)).toEqual(after);
    await rows.undo(US);
    expect(await state({ ...office, lists }, module)).toEqual(before);
  });

  it('takes a new kind back with the texts as they were written', async () => {
    const { office, module, rows } = await priceList();
    const fields = module.fields.map((field) =>
      field.name === 'Since' ? { ...field, kind: 'Number' as const, label: 'Year' } : field,
    );
    await rows.saveMany([{ recordID: (await idsOf(rows))[2] ?? '', values: { Since: ['02019'] } }], US);
    const before = await state(office, module);
    await office.lists.updateModule(module.moduleID, { fields }, US);
    const after = await state(office, module);
    expect((await contentOf(rows))[2]?.Since).toEqual(['2019']);
    await rows.undo(US);
    expect(await state(office, module)).toEqual(before);
    await rows.redo(US);
    expect(await state(office, module)).toEqual(after);
  });

  it('keeps the texts of a column that takes a new kind in the histories of their rows', async () => {
    const { office, module, rows } = await priceList();
    const recordID = (await idsOf(rows))[2] ?? '';
    for (const since of ['02018', '02019'])
      await rows.saveMany([{ recordID, values: { Since: [since] } }], US);
    const since = module.fields.find(({ name }) => name === 'Since')?.fieldID ?? '';
    const texts = async (): Promise<unknown[]> =>
      (await rows.history(recordID)).changes.map(({ by, was }) => [by, was[since]?.[0]]);
    const before = await texts();
    const fields = module.fields.map((field) =>
      field.name === 'Since' ? { ...field, kind: 'Number' as const, name: 'Year' } : field,
    );
    await office.lists.updateModule(module.moduleID, { fields }, US);
    expect(await texts()).toEqual([...before, [US, '02019']]);
    await rows.undo(US);
    expect(await texts()).toEqual([...before, [US, '02019'], [US, '2019']]);
  });

  it('keeps the former column in the bin where a new kind converts too many values to be undone', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office, [text('Code')], 'Codes');
    const codes = Array.from(
      { length: 19_000 },
      (_, at) => `0${String(at).padStart(6, '1').padEnd(380, '7')}`,
    );
    await rows.createMany(
      codes.map((Code) => values({ Code })),
      US,
    );
    const fields = module.fields.map((field) => ({ ...field, kind: 'Number' as const }));
    await office.lists.updateModule(module.moduleID, { fields }, US);
    await expect(rows.undo(US)).rejects.toThrow(/converted 19,000 rows .* Restore the former column/);
    const [former] = await office.lists.binnedColumns(module.moduleID);
    expect(former).toMatchObject({ field: { label: 'Code', kind: 'String' }, values: 19_000 });
    await office.lists.restoreColumn(module.moduleID, former?.field.fieldID ?? '', {});
    const names = (await office.lists.module(module.moduleID)).fields.map(({ name, kind }) => [name, kind]);
    const [back = []] = names;
    expect(names.map(([, kind]) => kind)).toEqual(['String', 'Number']);
    const shown = (await rows.list({ limit: 1000, sort: 'id' })).rows.slice(0, 3);
    expect(shown.map((row) => row.values[back[0] ?? '']?.[0])).toEqual(codes.slice(0, 3));
  });

  it('takes new names, another order, options and the name of the list back at once', async () => {
    const { office, module, rows } = await priceList();
    const before = await state(office, module);
    const [article, price, since] = module.fields;
    if (!article || !price || !since) throw new Error('three columns');
    const fields = [{ ...since, name: 'Year', label: 'Year' }, { ...article, isRequired: true }, price];
    const more = [...fields, { ...text('Stock') }];
    await office.lists.updateModule(module.moduleID, { name: 'Prices 2026', fields: more }, US);
    const made = await office.lists.module(module.moduleID);
    await rows.saveMany([{ values: values({ Article: 'Bogen', Year: '2026', Stock: '4' }) }], US);
    const after = await state(office, module);
    await rows.undo(US);
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'columns' }, left: 0, restored: [] });
    expect(await state(office, module)).toEqual(before);
    await rows.redo(US);
    await rows.redo(US);
    expect(await state(office, module)).toEqual(after);
    expect((await office.lists.module(module.moduleID)).fields).toEqual(made.fields);
  });

  it('leaves what somebody else changed since, and refuses where their values would be lost', async () => {
    const { office, module, rows } = await priceList();
    const renamed = module.fields.map((field) =>
      field.name === 'Price' ? { ...field, label: 'Net price', isRequired: true } : field,
    );
    await office.lists.updateModule(module.moduleID, { fields: renamed }, US);
    const again = renamed.map((field) => (field.name === 'Price' ? { ...field, label: 'Gross' } : field));
    await office.lists.updateModule(module.moduleID, { fields: again }, '7');
    expect(await rows.undo(US)).toMatchObject({ done: 0, left: 1 });
    const price = (await office.lists.module(module.moduleID)).fields[1];
    expect(price).toMatchObject({ label: 'Gross', isRequired: false });

    const several = (await office.lists.module(module.moduleID)).fields.map((field) =>
      field.name === 'Article' ? { ...field, isMulti: true } : field,
    );
    await office.lists.updateModule(module.moduleID, { fields: several }, US);
    await rows.patch((await idsOf(rows))[0] ?? '', { Article: ['Ventil', 'Hahn'] }, '7');
    await expect(rows.undo(US)).rejects.toMatchObject({ kind: 'impossible', code: 'list.retype' });
    expect((await rows.nextSteps(US)).undo).toMatchObject({ kind: 'columns', columns: ['Article'] });
  });

  it('leaves a name that the list got since, and says so', async () => {
    const { office, module, rows } = await priceList();
    const { moduleID } = module;
    const more = [...module.fields, { ...text('Stock') }];
    await office.lists.updateModule(moduleID, { name: 'Prices 2026', fields: more }, US);
    await office.lists.updateModule(moduleID, { name: 'Prices 2027' }, US);
    const { undo: renaming } = await rows.nextSteps(US);
    await office.lists.updateModule(moduleID, { name: 'Price list' }, '7');
    const kept = { left: 0, keepsName: true };
    expect(await rows.undo(US, renaming?.stepID)).toMatchObject({ step: { kind: 'name' }, done: 0, ...kept });
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'columns-add' }, done: 1, ...kept });
    expect((await office.lists.module(moduleID)).name).toBe('Price list');
    expect(await rows.undo('7')).toMatchObject({ step: { kind: 'name' }, left: 0 });
    expect((await office.lists.module(moduleID)).name).toBe('Prices 2027');
  });

  it('takes back the return of a column, and what partners brought in it stays with it', async () => {
    const { office, module, rows } = await priceList();
    const sent = incoming('7', 1, { Article: 'Rohr', Price: '3,10' });
    await rows.receive({ nodeID: '900', rows: [sent], mappedColumns: ['Article', 'Price'] });
    const before = (await rows.findReceived('900', ['7']))[0]?.received;
    const without = module.fields.filter(({ name }) => name !== 'Price');
    await office.lists.updateModule(module.moduleID, { fields: without }, US);
    await office.lists.restoreColumn(module.moduleID, module.fields[1]?.fieldID ?? '', { by: US });
    await rows.undo(US);
    expect((await office.lists.module(module.moduleID)).fields).toEqual(without);
    await rows.undo(US);
    expect((await office.lists.module(module.moduleID)).fields).toEqual(module.fields);
    expect((await rows.findReceived('900', ['7']))[0]?.received).toEqual(before);
  });
});

/** Ids of rows by number, so that a step that shrinks stays the same. */
const act = fc.oneof(
  fc.record({ what: fc.constant('add' as const), stock: fc.nat(99) }),
  fc.record({ what: fc.constant('edit' as const), row: fc.nat(9), stock: fc.nat(99) }),
  fc.record({ what: fc.constant('paste' as const), row: fc.nat(9), other: fc.nat(9), stock: fc.nat(99) }),
  fc.record({ what: fc.constant('delete' as const), row: fc.nat(9) }),
  fc.record({ what: fc.constant('restore' as const), row: fc.nat(9) }),
  fc.record({ what: fc.constant('import' as const), stock: fc.nat(99) }),
  fc.record({ what: fc.constant('drop' as const), column: fc.nat(9) }),
  fc.record({ what: fc.constant('column' as const), label: fc.constantFrom('Supplier', 'Note') }),
  fc.record({ what: fc.constant('rename' as const), column: fc.nat(9) }),
  fc.record({ what: fc.constant('retype' as const), column: fc.nat(9), number: fc.boolean() }),
  fc.record({ what: fc.constant('turn' as const) }),
  fc.record({ what: fc.constant('undo' as const) }),
  fc.record({ what: fc.constant('redo' as const) }),
  fc.record({ what: fc.constant('restart' as const) }),
);

type ColumnAct = Extract<
  typeof act extends fc.Arbitrary<infer A> ? A : never,
  { what: 'drop' | 'column' | 'rename' | 'retype' | 'turn' }
>;

async function changeColumns({ lists }: TestLists, moduleID: string, one: ColumnAct): Promise<void> {
  const { fields } = await lists.module(moduleID);
  const at = 'column' in one ? one.column % fields.length : 0;
  const changed = {
    drop: () => fields.toSpliced(at, 1),
    column: () => [...fields, text('label' in one ? one.label : '')],
    rename: () => fields.map((field, n) => (n === at ? { ...field, name: `${field.name}x` } : field)),
    retype: () =>
      fields.map((field, n) =>
        n === at
          ? { ...field, kind: 'number' in one && one.number ? ('Number' as const) : ('String' as const) }
          : field,
      ),
    turn: () => fields.toReversed(),
  } satisfies Record<ColumnAct['what'], () => ModuleInput['fields']>;
  await lists.updateModule(moduleID, { fields: changed[one.what]() }, US);
}

it('undoing all that a user did ends where they began, and redoing all of it where they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 15 }), async (acts) => {
      let office = await testLists();
      const { module } = await makeList(office, COLUMNS, 'Stock');
      let rows = await office.lists.rows(module.moduleID);
      await rows.createMany(STOCK, '1');
      const definition = async (): Promise<unknown> => {
        const { name, fields } = await office.lists.module(module.moduleID);
        return { name, fields };
      };
      const before = { content: await contentOf(rows), definition: await definition() };
      const all = async (): Promise<readonly Row[]> =>
        (await rows.list({ limit: 1000, deleted: 1, sort: 'id' })).rows;
      for (const one of acts) {
        const there = await all();
        const idOf = (at: number): string => there[at % there.length]?.recordID ?? '';
        const put = (at: number, stock: number): { recordID: string; values: Row['values'] } => ({
          recordID: idOf(at),
          values: values({ Stock: String(stock) }),
        });
        const refused = (): undefined => undefined;
        switch (one.what) {
          case 'add':
            await rows.create(values({ Article: 'Rohr', Stock: String(one.stock) }), US).catch(refused);
            break;
          case 'edit':
            await rows.patch(idOf(one.row), put(one.row, one.stock).values, US).catch(refused);
            break;
          case 'paste': {
            const both = new Map([one.row, one.other].map((at) => [idOf(at), put(at, one.stock)]));
            await rows
              .saveMany([...both.values(), { values: values({ Article: 'Bogen' }) }], US)
              .catch(refused);
            break;
          }
          case 'delete':
            await rows.removeMany([idOf(one.row), idOf(one.row + 1)], US);
            break;
          case 'restore':
            await rows.restoreMany([idOf(one.row)], US);
            break;
          case 'import': {
            const file = Buffer.from(`Article,Stock\nVentil DN 15,${String(one.stock)}\nMuffe,1\n`);
            const to = { moduleID: module.moduleID };
            await importTable(office.lists, file, { to, by: US, file: 'a.csv', key: ['Article'] }).catch(
              refused,
            );
            break;
          }
          case 'drop':
          case 'column':
          case 'rename':
          case 'retype':
          case 'turn':
            await changeColumns(office, module.moduleID, one).catch(refused);
            break;
          case 'undo':
          case 'redo':
            await rows[one.what](US).catch(refused);
            break;
          case 'restart':
            office = await office.reopen();
            rows = await office.lists.rows(module.moduleID);
        }
      }
      const after = { content: await contentOf(rows), definition: await definition() };
      let undone = 0;
      for (; (await rows.nextSteps(US)).undo; undone++)
        expect(await rows.undo(US)).toMatchObject({ left: 0 });
      expect({ content: await contentOf(rows), definition: await definition() }).toEqual(before);
      for (; undone > 0; undone--) await rows.redo(US);
      expect({ content: await contentOf(rows), definition: await definition() }).toEqual(after);
    }),
    { numRuns: runsOf(40, 6) },
  );
});

describe('undo in another order than it was done', () => {
  const edit = (rows: Rows, recordID: string, Shelf: string, by = US): Promise<unknown> =>
    rows.patch(recordID, values({ Shelf }), by);
  const stepOf = async (rows: Rows, by = US): Promise<string> =>
    (await rows.nextSteps(by)).undo?.stepID ?? '';

  it('of an import below a later edit brings back the content before both, and redo that of both', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office, COLUMNS, 'Stock');
    await rows.createMany(STOCK, US);
    const before = await contentOf(rows);
    const file = Buffer.from('Article,Shelf\nVentil DN 15,FILE\nVentil DN 20,FILE\nRohr,FILE');
    const to = { moduleID: module.moduleID };
    await importTable(office.lists, file, { to, by: US, file: 'stock.csv', key: ['Article'] });
    const imported = await stepOf(rows);
    const [valve = '', , , pipe = ''] = await idsOf(rows);
    await edit(rows, valve, 'mine');
    await edit(rows, pipe, 'mine');
    const after = await contentOf(rows);

    expect(await rows.undo(US, imported)).toMatchObject({ done: 1, left: 2 });
    expect((await contentOf(rows)).map(({ Shelf }) => Shelf)).toEqual([['mine'], ['A3'], ['B1'], ['mine']]);
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'edit' }, done: 1, left: 0 });
    expect(await rows.undo(US)).toMatchObject({ step: { kind: 'edit' }, done: 1, left: 0 });
    expect(await contentOf(rows)).toEqual(before);
    for (const kind of ['edit', 'edit', 'import'])
      expect(await rows.redo(US)).toMatchObject({ step: { kind } });
    expect(await contentOf(rows)).toEqual(after);
    for (const kind of ['edit', 'edit', 'import'])
      expect(await rows.undo(US)).toMatchObject({ step: { kind }, left: 0 });
    expect(await contentOf(rows)).toEqual(before);
  });

  it('of changed columns is redone in reverse, also if the clock was set back between', async () => {
    let office = await testLists();
    const { module } = await makeList(office, COLUMNS, 'Stock');
    const { moduleID } = module;
    const steps: string[] = [];
    for (const name of ['Supplier', 'Note']) {
      const { fields } = await office.lists.module(moduleID);
      await office.lists.updateModule(moduleID, { fields: [...fields, text(name)] }, US);
      steps.push(await stepOf(await office.lists.rows(moduleID)));
    }
    const [supplier, note] = steps;
    const undo = async (): Promise<unknown> => (await office.lists.rows(moduleID)).undo(US);
    expect(await undo()).toMatchObject({ step: { stepID: note } });
    office.clock.advance(-60_000);
    office = await office.reopen();
    expect(await undo()).toMatchObject({ step: { stepID: supplier } });
    for (const stepID of steps)
      expect(await (await office.lists.rows(moduleID)).redo(US)).toMatchObject({ step: { stepID } });
  });

  it('of deleted and moved columns brings back the order before all', async () => {
    const office = await testLists();
    const columns = ['Article', 'Price', 'Unit', 'Shelf', 'Stock'].map((name) => text(name));
    const { module, rows } = await makeList(office, columns, 'Stock');
    const current = async (): Promise<readonly Field[]> =>
      (await office.lists.module(module.moduleID)).fields;
    const change = async (fields: readonly Field[]): Promise<string> => {
      await office.lists.updateModule(module.moduleID, { fields }, US);
      return stepOf(rows);
    };
    const remove = async (name: string): Promise<string> =>
      change((await current()).filter((field) => field.name !== name));
    const moveFirst = async (name: string): Promise<string> => {
      const fields = await current();
      return change(
        [...fields].sort((one, other) => Number(other.name === name) - Number(one.name === name)),
      );
    };
    const price = await remove('Price');
    const unitMoved = await moveFirst('Unit');
    const shelf = await remove('Shelf');
    await moveFirst('Stock');
    const after = await current();
    // The messages of the deletions offer their undo; the list offers that of the latest step.
    for (const stepID of [price, shelf, undefined, undefined])
      expect(await rows.undo(US, stepID)).toMatchObject({ left: 0 });
    expect(await current()).toEqual(module.fields);
    for (let step = 0; step < 4; step++) await rows.redo(US);
    expect(await current()).toEqual(after);

    expect(await rows.undo(US, unitMoved)).toMatchObject({ done: 0, left: 1 });
    expect(await current()).toEqual(after);
  });

  it('shows the partner’s latest value below both, and follows it', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, COLUMNS, 'Stock');
    const mappedColumns = ['Article', 'Shelf'];
    const send = (minute: number, Shelf: string): Promise<unknown> =>
      rows.receive({
        nodeID: '900',
        rows: [incoming('7', minute, { Article: 'Ventil', Shelf })],
        mappedColumns,
      });
    await send(1, 'A3');
    const [recordID = ''] = await idsOf(rows);
    await edit(rows, recordID, 'pasted');
    const pasted = await stepOf(rows);
    await edit(rows, recordID, 'mine');
    await send(2, 'B1');
    await rows.undo(US, pasted);
    expect((await rows.get(recordID)).values).toMatchObject(values({ Shelf: 'mine' }));
    await rows.undo(US);
    expect(await rows.get(recordID)).toMatchObject({
      values: values({ Shelf: 'B1' }),
      received: { edited: [] },
    });
    await send(3, 'C1');
    expect((await rows.get(recordID)).values).toMatchObject(values({ Shelf: 'C1' }));
  });

  interface Effect {
    readonly recordID: string;
    /** Shown or not, or the text of a column. */
    readonly put: boolean | { readonly column: 'Shelf' | 'Stock'; readonly text: string };
  }
  interface Made {
    readonly stepID: string;
    readonly by: string;
    readonly effects: readonly Effect[];
    isDone: boolean;
  }
  const at = fc.nat(7);
  const by = fc.constantFrom(US, '7');
  const column = fc.constantFrom('Shelf' as const, 'Stock' as const);
  const change = fc.oneof(
    { weight: 4, arbitrary: fc.record({ did: fc.constant('edit'), at, by, column, text: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ did: fc.constant('paste'), at, by, column, text: fc.nat(3) }) },
    fc.record({ did: fc.constantFrom('add', 'delete', 'restore'), at, by }),
    { weight: 5, arbitrary: fc.record({ did: fc.constant('turn'), at: fc.nat(30), by }) },
  );

  it('leaves what the steps that are done make of it, whoever made them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 22 }), async (changes) => {
        const office = await testLists();
        const { rows } = await makeList(office, COLUMNS, 'Stock');
        const first = await rows.createMany(STOCK, '1');
        /** The rows with the values that they began with; those of the office are shown without any step. */
        const all = new Map(first.map((row) => [row.recordID, row.values]));
        const old = new Set(all.keys());
        let made: Made[] = [];
        const expected = (): unknown =>
          [...all].map(([recordID, begun]) => {
            const done = made.filter(({ isDone }) => isDone).flatMap(({ effects }) => effects);
            const own = done.filter((effect) => effect.recordID === recordID);
            const shown = own.reduce((_, { put }) => put !== false, old.has(recordID));
            const cells = own.flatMap(({ put }) =>
              typeof put === 'boolean' ? [] : [[put.column, put.text] as const],
            );
            return [shown, { ...begun, ...values(Object.fromEntries(cells)) }];
          });
        const present = (): Promise<unknown> =>
          Promise.all(
            [...all.keys()].map(async (recordID) => {
              const row = await rows.get(recordID);
              return [row.deletedAt === undefined, row.values];
            }),
          );
        for (const one of changes) {
          if (one.did === 'turn') {
            const step = made[one.at % Math.max(1, made.length)];
            if (!step) continue;
            await rows[step.isDone ? 'undo' : 'redo'](one.by, step.stepID);
            step.isDone = !step.isDone;
            expect(await present()).toEqual(expected());
            continue;
          }
          const ids = [...all.keys()];
          const isShown = async (recordID: string): Promise<boolean> =>
            (await rows.get(recordID)).deletedAt === undefined;
          const [recordID = '', other = ''] = [0, 1].map((next) => ids[(one.at + next) % ids.length]);
          let effects: Effect[] = [];
          if ('column' in one) {
            const text = String(one.text);
            for (const id of one.did === 'paste' ? [recordID, other] : [recordID]) {
              const row = await rows.get(id);
              if (row.deletedAt === undefined && row.values[one.column]?.[0] !== text)
                effects.push({ recordID: id, put: { column: one.column, text } });
            }
            if (effects.length === 0) continue;
            const puts = effects.map((effect) => ({
              recordID: effect.recordID,
              values: values({ [one.column]: text }),
            }));
            await rows.saveMany(puts, one.by);
          } else if (one.did === 'add') {
            const added = await rows.create(values({ Article: 'Rohr', Shelf: 'X', Stock: '1' }), one.by);
            all.set(added.recordID, added.values);
            effects = [{ recordID: added.recordID, put: true }];
          } else if ((one.did === 'delete') === (await isShown(recordID))) {
            await rows[one.did === 'delete' ? 'removeMany' : 'restoreMany']([recordID], one.by);
            effects = [{ recordID, put: one.did !== 'delete' }];
          } else continue;
          made = made.filter((step) => step.by !== one.by || step.isDone);
          made.push({ stepID: await stepOf(rows, one.by), by: one.by, effects, isDone: true });
          expect(await present()).toEqual(expected());
        }
      }),
      { numRuns: runsOf(400, 40) },
    );
  });
});
