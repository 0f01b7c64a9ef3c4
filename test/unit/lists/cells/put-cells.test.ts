import { describe, expect, it } from 'vitest';
import { putCells, tryCells, type CellBlock } from '../../../../server/lists/cells/put-cells.ts';
import type { FieldInput } from '../../../../server/lists/definitions/inputs.ts';
import type { Module } from '../../../../server/lists/definitions/model.ts';
import type { Lists } from '../../../../server/lists/lists.ts';
import type { Rows } from '../../../../server/lists/rows/rows.ts';
import { english } from '../../../../server/words/said.ts';
import { watchTurns } from '../../../support/reading/longest-turn.ts';
import { makeList, testLists, text, values, type TestLists } from '../../../support/harness/lists.ts';

const COLUMNS: readonly FieldInput[] = [
  text('Name', { isRequired: true }),
  { kind: 'DateTime', name: 'Since', options: { only: 'date' } },
  { kind: 'Number', name: 'Credit' },
  text('Tags', { isMulti: true }),
];

interface Office extends TestLists {
  readonly module: Module;
  readonly rows: Rows;
  readonly ids: TestLists['ids'];
  readonly column: (name: string) => string;
}

async function office(fields = COLUMNS): Promise<Office> {
  const setup = await testLists();
  const { module, rows } = await makeList(setup, fields);
  const column = (name: string): string => module.fields.find((field) => field.name === name)?.fieldID ?? '';
  return { ...setup, module, rows, column };
}

const put = (lists: Lists, { moduleID }: Module, block: CellBlock, hints = {}): ReturnType<typeof putCells> =>
  putCells(lists, moduleID, { block, hints, by: '7' });

describe('cells put into a list', () => {
  it('are read as all cells of their column tell together: one day beyond the twelfth settles the others', async () => {
    const { lists, module, rows, column } = await office();
    const made = await rows.createMany(
      ['Ada', 'Bo'].map((Name) => values({ Name })),
      '7',
    );
    const block = {
      columns: [column('Since'), column('Credit')],
      rows: made.map(({ recordID }) => recordID),
      cells: [
        ['03/05/2026', '1.234,5'],
        ['31/12/2025', '7'],
      ],
    };
    expect(await put(lists, module, block, { dateOrder: 'MDY', decimal: '.' })).toMatchObject({
      updated: 2,
      unfit: [],
    });
    const [ada, bo] = await rows.getMany(block.rows);
    expect(ada?.values).toMatchObject({ Since: ['2026-05-03'], Credit: ['1234.5'] });
    expect(bo?.values).toMatchObject({ Since: ['2025-12-31'], Credit: ['7'] });
  });

  it.each([
    [',', '1.234', '1234'],
    [',', '0.123', '0.123'],
    [',', '1,234', '1.234'],
    ['.', '1.234', '1.234'],
    ['.', '1,234', '1234'],
  ] as const)(
    'follow the window’s decimals where a number may have thousands: %s %s',
    async (decimal, written, stored) => {
      const { lists, module, rows, column } = await office();
      const { recordID } = await rows.create(values({ Name: 'Ada' }), '7');
      const at = { columns: [column('Credit')], rows: [recordID], cells: [[written]] };
      expect(await put(lists, module, at, { decimal })).toMatchObject({ updated: 1, unfit: [] });
      expect((await rows.get(recordID)).values).toMatchObject({ Credit: [stored] });
    },
  );

  it('with a point that another cell proves keep it, whatever the window writes', async () => {
    const { lists, module, rows, column } = await office();
    const made = await rows.createMany([values({ Name: 'Ada' }), values({ Name: 'Bo' })], '7');
    const ids = made.map(({ recordID }) => recordID);
    const at = { columns: [column('Credit')], rows: ids, cells: [['1.234'], ['2.5']] };
    expect(await put(lists, module, at, { decimal: ',' })).toMatchObject({ updated: 2, unfit: [] });
    const found = await rows.getMany(ids);
    expect(found.map((row) => row?.values.Credit)).toEqual([['1.234'], ['2.5']]);
  });

  it('say that codes lose their zeros as numbers, and moments their times as days', async () => {
    const { lists, module, rows, column } = await office();
    const { recordID } = await rows.create(values({ Name: 'Ada' }), '7');
    const at = {
      columns: ['Name', 'Since', 'Credit'].map(column),
      rows: [recordID, null],
      cells: [
        ['007', '2026-04-05', '12'],
        ['Bo 2026-04-05 14:30', '2026-04-05 14:30:00', '01067'],
      ],
    };
    const done = await put(lists, module, at);
    expect(done).toMatchObject({ updated: 1, created: 1, unfit: [] });
    expect(done.notes.map(english)).toEqual([
      expect.stringContaining('Credit (01067)'),
      expect.stringContaining('Since (2026-04-05 14:30:00)'),
    ]);
    const usual = {
      ...at,
      cells: [
        ['007', '2026-04-05', '12'],
        [null, null, null],
      ],
    };
    expect((await put(lists, module, usual)).notes).toEqual([]);
  });

  it('say which signs of currencies a column without one leaves out', async () => {
    const { lists, module, rows, column } = await office();
    const made = await rows.createMany([values({ Name: 'Ada' }), values({ Name: 'Bo' })], '7');
    const at = {
      columns: [column('Credit')],
      rows: made.map(({ recordID }) => recordID),
      cells: [['5,50 €'], ['7']],
    };
    const { notes, unfit } = await put(lists, module, at);
    expect(unfit).toEqual([]);
    expect(notes.map(english)).toEqual([
      'Only the numbers are imported, without what is written beside them: Credit (€).',
    ]);
    const several = await put(lists, module, { ...at, cells: [['5,50 €'], ['7 $']] });
    expect(several).toMatchObject({ unfit: [{ text: '5,50 €' }, { text: '7 $' }], notes: [] });
  });

  it.each([
    {
      cells: ['03/05/2026', '1.234'],
      hints: { dateOrder: 'MDY', decimal: ',' },
      named: 'Since (03/05/2026 = 2026-03-05), Credit (1.234 = 1234)',
    },
    {
      cells: ['03/05/2026', '1,234'],
      hints: { dateOrder: 'DMY', decimal: ',' },
      named: 'Since (03/05/2026 = 2026-05-03), Credit (1,234 = 1.234)',
    },
    { cells: ['31/05/2026', '1234,5'], hints: { dateOrder: 'MDY', decimal: '.' } },
    { cells: ['2026-05-03', '1234.5'], hints: { dateOrder: 'MDY', decimal: ',' } },
  ] as const)(
    'name what only the language of the window decides: $cells',
    async ({ cells, hints, ...more }) => {
      const { lists, module, rows, column } = await office();
      const { recordID } = await rows.create(values({ Name: 'Ada' }), '7');
      const at = { columns: ['Since', 'Credit'].map(column), rows: [recordID], cells: [cells] };
      const { notes, unfit } = await put(lists, module, at, hints);
      expect(unfit).toEqual([]);
      expect(notes.map(english)).toEqual('named' in more ? [expect.stringContaining(more.named)] : []);
    },
  );

  it('that have to be undone are not written if some do not fit', async () => {
    const { lists, module, rows, column } = await office();
    const { recordID } = await rows.create(values({ Name: 'Ada' }), '7');
    const block = {
      columns: [column('Name'), column('Credit')],
      rows: [recordID],
      cells: [[['Bo'], ['viel']]],
    };
    const done = await putCells(lists, module.moduleID, { block, hints: {}, by: '7', isUndoable: true });
    expect(done).toMatchObject({ updated: 1, unfit: [{ text: 'viel' }] });
    expect((await rows.get(recordID)).values).toEqual(values({ Name: 'Ada' }));
  });

  it('may be written as people do: percent where the column shows it, brackets below zero, the sign of a currency', async () => {
    const { lists, module, rows, column } = await office([
      text('Name'),
      { kind: 'Number', name: 'Credit' },
      { kind: 'Number', name: 'Discount', options: { unit: '%' } },
      { kind: 'Number', name: 'Price', options: { unit: '€', precision: 2 } },
    ]);
    const made = await rows.createMany(
      ['Ada', 'Bo', 'Cy'].map((Name) => values({ Name })),
      '7',
    );
    const block = {
      columns: [column('Credit'), column('Discount'), column('Price')],
      rows: made.map(({ recordID }) => recordID),
      cells: [
        ['(5)', '12,5 %', '1.234,56 €'],
        ['7 %', '12', '$ 3,50'],
        ['1.234,00 $', '0', '0,5'],
      ],
    };
    const { unfit } = await put(lists, module, block, { decimal: ',' });
    expect(unfit.map(({ line, text: cell, reason }) => [line, cell, english(reason)])).toEqual([
      [1, '7 %', expect.stringContaining('show the column as percent first')],
      [1, '12', 'Discount: “12” can be 12 % or 1200 %; write it with its percent sign.'],
      [1, '$ 3,50', expect.stringContaining('another unit than the column, which shows €')],
    ]);
    const held = await rows.getMany(block.rows);
    expect(held.map((row) => [row?.values.Credit, row?.values.Discount, row?.values.Price])).toEqual([
      [['-5'], ['0.125'], ['1234.56']],
      [undefined, undefined, undefined],
      [['1234.00'], ['0'], ['0.5']],
    ]);
  });

  it('are read by how the window’s language writes them where the cells leave it open', async () => {
    const { lists, module, rows, column } = await office();
    const { recordID } = await rows.create(values({ Name: 'Ada' }), '7');
    const block = { columns: [column('Since')], rows: [recordID], cells: [['03/05/2026']] };
    expect((await put(lists, module, block)).unfit.map(({ column: at }) => at)).toEqual([column('Since')]);
    await put(lists, module, block, { dateOrder: 'MDY' });
    expect((await rows.get(recordID)).values.Since).toEqual(['2026-03-05']);
    await put(lists, module, block, { dateOrder: 'DMY' });
    expect((await rows.get(recordID)).values.Since).toEqual(['2026-05-03']);
  });

  it('that do not fit are told by line, column and reason, and leave their cell as it was', async () => {
    const { lists, module, rows, column } = await office();
    const { recordID } = await rows.create(values({ Name: 'Ada', Since: '2020-02-02', Credit: '5' }), '7');
    const block: CellBlock = {
      columns: [column('Name'), column('Since'), column('Credit')],
      rows: [recordID, null, null],
      cells: [
        ['Ada L.', '31.02.2026', '12'],
        ['', '', '9'],
        ['Cy', null, 'much'],
      ],
    };
    const trial = await tryCells(lists, module.moduleID, { block, hints: {} });
    const told = trial.unfit.map(({ line, column: at, reason }) => [line, at, english(reason)]);
    expect(told).toEqual([
      [0, column('Since'), expect.stringContaining('31.02.2026')],
      [1, column('Name'), expect.stringContaining('Name')],
      [2, column('Credit'), expect.stringContaining('much')],
    ]);
    expect(await rows.count(), 'a trial writes nothing').toBe(1);
    const done = await put(lists, module, block);
    expect(done).toMatchObject({ created: 1, updated: 1, unfit: trial.unfit });
    expect((await rows.get(recordID)).values).toEqual(
      values({ Name: 'Ada L.', Since: '2020-02-02', Credit: '12' }),
    );
    const all = (await rows.list({ limit: 10, sort: 'id' })).rows;
    expect(all.at(-1)?.values).toEqual(values({ Name: 'Cy' }));
  });

  it('tell what they replaced, so that all of it comes back', async () => {
    const { lists, module, rows, column } = await office();
    const before = values({ Name: 'Ada', Credit: '5' });
    const ada = await rows.create({ ...before, Tags: ['a|b', 'c'] }, '7');
    const bo = await rows.create(values({ Name: 'Bo' }), '7');
    const columns = [column('Name'), column('Credit'), column('Tags')];
    const recordIDs = [ada.recordID, bo.recordID];
    const cells = [
      ['Ada', [], ['x']],
      ['Bo', null, null],
    ];
    const done = await put(lists, module, { columns, rows: recordIDs, cells });
    expect(done).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    expect((await rows.get(ada.recordID)).values).toEqual({ Name: ['Ada'], Tags: ['x'] });
    expect(await rows.undo('7')).toMatchObject({ step: { kind: 'cells', rows: 1 }, done: 1, left: 0 });
    expect((await rows.get(ada.recordID)).values).toEqual(ada.values);
  });

  it('of several blocks are one step, as long as the user does nothing else meanwhile', async () => {
    const { lists, module, rows, column } = await office();
    const columns = [column('Name')];
    const paste = (names: readonly string[], continues?: string): Promise<unknown> =>
      putCells(lists, module.moduleID, {
        block: { columns, rows: names.map(() => null), cells: names.map((name) => [name]) },
        ...{ hints: {}, by: '7', continues },
      });
    const lastStep = async (): Promise<string | undefined> => (await rows.nextSteps('7')).undo?.stepID;
    await paste(['Ada', 'Bo']);
    await paste(['Cy'], await lastStep());
    expect(await rows.undo('7')).toMatchObject({ step: { kind: 'cells', rows: 3 }, done: 3, left: 0 });
    expect(await rows.count()).toBe(0);
    await rows.redo('7');
    expect(await rows.count()).toBe(3);
    const first = await lastStep();
    await rows.create(values({ Name: 'Di' }), '7');
    await paste(['Ed'], first);
    await rows.undo('7');
    expect(await rows.count(), 'the paste is a step of its own').toBe(4);
    // Nobody continues a step of somebody else.
    await putCells(lists, module.moduleID, {
      block: { columns, rows: [null], cells: [['Flo']] },
      ...{ hints: {}, by: '8', continues: first },
    });
    expect(await rows.undo('8')).toMatchObject({ step: { rows: 1 }, done: 1 });
  });

  it('go in all or none: a row that went into the bin meanwhile keeps the others as they were', async () => {
    const { lists, module, rows, column } = await office();
    const made = await rows.createMany(
      ['Ada', 'Bo'].map((Name) => values({ Name })),
      '7',
    );
    const recordIDs = made.map(({ recordID }) => recordID);
    await rows.remove(recordIDs[1] ?? '', '7');
    const block = { columns: [column('Credit')], rows: recordIDs, cells: [['1'], ['2']] };
    await expect(put(lists, module, block)).rejects.toMatchObject({ code: 'row.deleted' });
    expect((await rows.get(recordIDs[0] ?? '')).values).toEqual(values({ Name: 'Ada' }));
  });

  it('of more values than a cell can hold are told, and not split first', async () => {
    const { lists, module, rows, column } = await office();
    const { recordID } = await rows.create(values({ Name: 'Ada' }), '7');
    const block = { columns: [column('Tags')], rows: [recordID], cells: [['a|'.repeat(50_000)]] };
    expect((await put(lists, module, block)).unfit.map(({ reason }) => english(reason))).toEqual([
      expect.stringContaining('at most 1,000 values'),
    ]);
    expect((await rows.get(recordID)).values).toEqual(values({ Name: 'Ada' }));
  });

  it('name rows of another list by what they are called', async () => {
    const setup = await office([text('Name')]);
    const [linz] = await setup.rows.createMany([values({ Name: 'Linz' }), values({ Name: 'Graz' })], '7');
    const people = await makeList(
      setup,
      [text('Who'), { kind: 'Record', name: 'Town', options: { moduleID: setup.module.moduleID } }],
      'People',
    );
    const columns = people.module.fields.map(({ fieldID }) => fieldID);
    const block = {
      columns,
      rows: [null, null],
      cells: [
        ['Ada', 'Linz'],
        ['Bo', 'Wien'],
      ],
    };
    const done = await put(setup.lists, people.module, block);
    expect(done.unfit.map(({ line, reason }) => [line, english(reason)])).toEqual([
      [1, expect.stringContaining('Wien')],
    ]);
    const [ada, bo] = (await people.rows.list({ limit: 10, sort: 'id' })).rows;
    expect(ada?.values).toEqual(values({ Who: 'Ada', Town: linz?.recordID ?? '' }));
    expect(bo?.values).toEqual(values({ Who: 'Bo' }));
  });

  it.runIf(process.platform === 'linux')(
    'of a large range are read without holding up others',
    { timeout: 120_000 },
    async () => {
      const names = Array.from({ length: 40 }, (_, at) => `Month_${at + 1}`);
      const { lists, module } = await office(names.map((name) => ({ kind: 'Number', name })));
      const block = {
        columns: module.fields.map(({ fieldID }) => fieldID),
        rows: Array.from({ length: 1500 }, () => null),
        cells: Array.from({ length: 1500 }, (_, row) => names.map((_name, at) => `${row * at},50`)),
      };
      const turns = watchTurns();
      const trial = await tryCells(lists, module.moduleID, { block, hints: {} });
      expect(turns.end(), 'milliseconds of the longest turn').toBeLessThan(100);
      expect(trial).toMatchObject({ created: 1500, unfit: [] });
    },
  );
});
