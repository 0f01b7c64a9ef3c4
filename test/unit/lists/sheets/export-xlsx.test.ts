import { sampleOf } from '../../../support/data/luck.ts';
import { describe, expect, it } from 'vitest';
import { readXlsx } from 'hucre/xlsx';
import Papa from 'papaparse';
import { importTable } from '../../../../server/lists/csv/import.ts';
import type { FieldInput } from '../../../../server/lists/definitions/inputs.ts';
import type { Module, Values } from '../../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../../server/lists/rows/rows.ts';
import { exportXlsx } from '../../../../server/lists/sheets/export-xlsx.ts';
import { convertedBy, hasLibreOffice } from '../../../support/reading/libre-office.ts';
import { articles, customers, languages } from '../../../support/data/office-lists.ts';
import { makeList, testLists, text, values, type TestLists } from '../../../support/harness/lists.ts';

async function workbook(
  { lists }: Pick<TestLists, 'lists'>,
  list: { module: Module; rows: Pick<Rows, 'scan'>; withIDs?: boolean },
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportXlsx(lists, list)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function valuesIn(rows: Rows): Promise<Values[]> {
  const found: Values[] = [];
  for await (const page of rows.scan()) found.push(...page.map((row) => row.values));
  return found;
}

/** The list again, from the workbook that was made of it, in a list of the same columns. */
async function thereAndBack(
  office: TestLists,
  fields: readonly FieldInput[],
  made: readonly Values[],
): Promise<void> {
  const { module, rows } = await makeList(office, fields);
  await rows.createMany(made, '0');
  const again = await makeList(office, fields, 'Again');
  const file = await workbook(office, { module, rows });
  const { rejected } = await importTable(office.lists, file, {
    to: { moduleID: again.module.moduleID },
    by: '0',
  });
  expect(rejected).toEqual([]);
  expect(await valuesIn(again.rows)).toEqual(await valuesIn(rows));
}

/** How a list shows its numbers, in each way that there is. */
const SHOWN: readonly FieldInput[] = [
  { kind: 'Number', name: 'Plain' },
  { kind: 'Number', name: 'Decimals', options: { precision: 2 } },
  { kind: 'Number', name: 'Share', options: { unit: '%', precision: 1 } },
  { kind: 'Number', name: 'Whole', options: { unit: '%' } },
  { kind: 'Number', name: 'Euros', options: { unit: '€', precision: 2 } },
  { kind: 'Number', name: 'Dollars', options: { unit: '$', precision: 2 } },
  { kind: 'Number', name: 'Francs', options: { unit: 'CHF', precision: 2 } },
  { kind: 'Number', name: 'Crowns', options: { unit: 'Kč' } },
];
const NUMBERS = ['0.125', '-1234.5', '7', '0.1', '-0.07', '1000000.25'];

/** The list that a file becomes: what its columns show, and its values. */
async function asNew(file: Buffer): Promise<unknown> {
  const { lists } = await testLists();
  const { moduleID } = await importTable(lists, file, { to: { name: 'New' }, by: '7' });
  const { fields } = await lists.module(moduleID);
  return {
    shown: fields.map(({ kind, name, options }) => ({
      kind,
      name,
      ...(Object.keys(options).length > 0 ? { options } : {}),
    })),
    values: await valuesIn(await lists.rows(moduleID)),
  };
}

async function shownList(): Promise<{ file: Buffer; as: unknown }> {
  const office = await testLists();
  const { module, rows } = await makeList(office, SHOWN);
  const made = NUMBERS.map((number) =>
    values(Object.fromEntries(SHOWN.map(({ name = '' }) => [name, number]))),
  );
  await rows.createMany(made, '0');
  return { file: await workbook(office, { module, rows }), as: { shown: SHOWN, values: made } };
}

it('percent, currencies and decimals go into a workbook as its own formats, and come back by them', async () => {
  const { file, as } = await shownList();
  expect(await asNew(file)).toEqual(as);
});

describe.skipIf(!hasLibreOffice)('a list as a workbook that LibreOffice opens', { timeout: 180_000 }, () => {
  it('has its percent, currencies and decimals there, and gives them back when it is saved as ods', async () => {
    const { file, as } = await shownList();
    expect(await asNew(await convertedBy(file, { from: 'xlsx', to: 'ods' }))).toEqual(as);
    const csv = await convertedBy(file, {
      ...{ from: 'xlsx', to: 'csv' },
      outfilter: 'Text - txt - csv (StarCalc):59,34,76,1,,1033,false,true,true',
    });
    expect(csv.toString().split('\n')[1]).toBe('0.125;0.13;12.5%;13%;0.13 €;$0.13;0.13 CHF;0 Kč');
  });

  it.each(sampleOf([customers(), languages()], 2))(
    'has every value as it was: $name',
    async ({ columns, rows }) => {
      const office = await testLists();
      const list = await makeList(
        office,
        columns.map((column) => text(column)),
      );
      await list.rows.createMany(
        rows.map((row) =>
          values(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))),
        ),
        '0',
      );
      const csv = await convertedBy(await workbook(office, list), {
        ...{
          from: 'xlsx',
          to: 'csv',
          outfilter: 'Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false',
        },
      });
      const { data } = Papa.parse<Record<string, string>>(csv.toString('utf8'), {
        header: true,
        skipEmptyLines: true,
      });
      expect(data).toEqual(rows);
    },
  );
});

describe('a list as a workbook', () => {
  it.each(sampleOf([customers(), articles({ rows: 300 }), languages()], 3))(
    'comes back value by value: $name',
    async ({ columns, rows }) => {
      const filled = rows.map((row) =>
        values(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))),
      );
      await thereAndBack(
        await testLists(),
        columns.map((column) => text(column)),
        filled,
      );
    },
  );

  it('comes back with every kind of value, also such as no workbook can hold', async () => {
    const office = await testLists();
    const { module, rows: places } = await makeList(office, [text('Place')], 'Places');
    const [ulm, oslo] = await places.createMany([values({ Place: 'Ulm' }), values({ Place: 'Oslo' })], '0');
    const fields: FieldInput[] = [
      text('Name'),
      { kind: 'Number', name: 'Amount' },
      { kind: 'DateTime', name: 'Day', options: { only: 'date' } },
      { kind: 'DateTime', name: 'Hour', options: { only: 'time' } },
      { kind: 'DateTime', name: 'Moment' },
      { kind: 'Bool', name: 'Paid' },
      { kind: 'Select', name: 'Colours', isMulti: true },
      { kind: 'Record', name: 'Where', options: { moduleID: module.moduleID } },
    ];
    await thereAndBack(office, fields, [
      values({
        Name: '=HYPERLINK("http://example.org")',
        Amount: '12.5',
        Day: '2024-02-29',
        Hour: '23:59:58',
      }),
      values({ Name: "'+49 40 1234", Amount: '12345678901234567890', Day: '1899-12-31', Hour: '00:00:00' }),
      values({
        Name: 'two\nlines\tand\u00a0more ',
        Amount: '-0.0000001',
        Day: '1900-02-28',
        Moment: '2024-03-01T08:15:30Z',
      }),
      values({ Name: '_x0041_ <b>&amp;</b>', Amount: '0', Moment: '2026-10-25T00:30:00Z', Paid: '1' }),
      values({ Name: '00123', Moment: '2026-10-25T01:30:00Z', Where: ulm!.recordID }),
      values({ Name: '1e5', Moment: '2024-03-01T08:15:30.25Z', Where: oslo!.recordID }),
      values({ Name: 'TRUE', Moment: '2024-03-01', Day: '9999-12-31' }),
      values({ Name: 'a\r\nb\u0001c_x000D_', Moment: '1850-01-01T10:00:00Z' }),
      { Name: ['🙂 \u202eright\u202c'], Colours: ['red', 'gre|en', '=blue'] },
    ]);
  });

  it('has ids beside if asked for, by which rows of one name come back as they were', async () => {
    const office = await testLists();
    const { module, rows: people } = await makeList(office, [text('Name'), text('Town')], 'People');
    const [first, second, only] = await people.createMany(
      [
        values({ Name: 'Anna Müller', Town: 'Ulm' }),
        values({ Name: 'Anna Müller', Town: 'Oslo' }),
        values({ Name: 'Łucja Nowak' }),
      ],
      '0',
    );
    const fields: FieldInput[] = [
      text('Order'),
      { kind: 'Record', name: 'By', label: 'Taken by', options: { moduleID: module.moduleID } },
      { kind: 'Record', name: 'With', isMulti: true, options: { moduleID: module.moduleID } },
    ];
    const { module: orders, rows } = await makeList(office, fields, 'Orders');
    await rows.createMany(
      [
        { Order: ['1'], By: [second!.recordID], With: [first!.recordID, only!.recordID, second!.recordID] },
        { Order: ['2'], By: [first!.recordID] },
        { Order: ['3'], By: [only!.recordID] },
      ],
      '0',
    );
    const [sheet] = (await readXlsx(await workbook(office, { module: orders, rows, withIDs: true }))).sheets;
    expect(sheet?.rows.slice(0, 2)).toEqual([
      ['Order', 'Taken by', 'Taken by (id)', 'With', 'With (id)'],
      [
        '1',
        'Anna Müller',
        second!.recordID,
        'Anna Müller|Łucja Nowak|Anna Müller',
        [first, only, second].map((row) => row!.recordID).join('|'),
      ],
    ]);
    const read = async (
      withIDs: boolean,
    ): Promise<{ lines: number; ignored: readonly string[]; held: Values[] }> => {
      const again = await makeList(office, fields, `Again ${String(withIDs)}`);
      const { rejectedLines, ignored } = await importTable(
        office.lists,
        await workbook(office, { module: orders, rows, withIDs }),
        { to: { moduleID: again.module.moduleID }, by: '0' },
      );
      return { lines: rejectedLines, ignored, held: await valuesIn(again.rows) };
    };
    expect(await read(true)).toEqual({ lines: 0, ignored: [], held: await valuesIn(rows) });
    // Without them it is not known which of two is meant.
    expect((await read(false)).lines).toBe(2);
    // The name is what people see and change: an id that stands beside another name says nothing.
    const changed = await makeList(office, fields, 'Changed');
    const csv = `Order,Taken by,Taken by (id)\n4,Łucja Nowak,${first!.recordID}\n5,Anna Müller,${only!.recordID}\n`;
    const result = await importTable(office.lists, Buffer.from(csv), {
      to: { moduleID: changed.module.moduleID },
      by: '0',
    });
    expect(result).toMatchObject({ created: 1, rejectedLines: 1 });
    expect(await valuesIn(changed.rows)).toEqual([{ Order: ['4'], By: [only!.recordID] }]);
  });

  it('has its types, names its columns in a heading that stays, and a sheet called like the list', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(
      office,
      [
        text('name', { label: 'Name of the firm' }),
        { kind: 'Number', name: 'Amount' },
        { kind: 'DateTime', name: 'Day' },
      ],
      'Orders [2026]: north/south and everything that lies between',
    );
    await rows.create(values({ name: 'Ada', Amount: '12.5', Day: '2024-02-29' }), '0');
    const file = await workbook(office, { module, rows });
    const [sheet] = (await readXlsx(file)).sheets;
    expect(sheet?.name).toBe('Orders 2026 north south and eve');
    expect(sheet?.rows).toEqual([
      ['Name of the firm', 'Amount', 'Day'],
      ['Ada', 12.5, new Date('2024-02-29T00:00:00Z')],
    ]);
    expect(sheet?.freezePane).toMatchObject({ rows: 1 });
    expect(sheet?.columns?.[0]?.width).toBeGreaterThan('Name of the firm'.length);
  });

  it('is refused before anything is given where a cell cannot hold a text', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office);
    await rows.create(values({ Name: 'Ada', Note: 'word '.repeat(7000) }), '0');
    await expect(workbook(office, { module, rows })).rejects.toMatchObject({ code: 'sheet.long' });
  });
});
