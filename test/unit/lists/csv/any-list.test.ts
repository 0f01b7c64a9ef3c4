import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportCsv } from '../../../../server/lists/csv/export.ts';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import type { FieldInput } from '../../../../server/lists/definitions/inputs.ts';
import type { Values } from '../../../../server/lists/definitions/model.ts';
import { exportXlsx } from '../../../../server/lists/sheets/export-xlsx.ts';
import { runsOf } from '../../../support/data/luck.ts';
import { makeList, testLists, text, type TestLists } from '../../../support/harness/lists.ts';

const ODD = [
  ...[
    '5',
    '1,234',
    '1.234',
    '12,50',
    '007',
    '12 %',
    '3/4/2024',
    '2024-04-08',
    '8 Apr 2024',
    '30.01.26',
    '1-Apr-26',
    '12:30',
    'ja',
    'no',
    'true',
  ],
  ...[
    'a@example.org',
    'https://example.org',
    'rot|blau|grün|gelb',
    'Weg 1, 89073 Ulm',
    'Weiß;Anna',
    'x\ty',
    '"',
    'a"b',
    '\\"',
  ],
  ...[
    ' Anna ',
    ' ',
    '\u00a0',
    "'",
    "'5",
    "''ja",
    "'007",
    "''0 30/12",
    '="007"',
    '\'="007"',
    '=1+1',
    '-5',
    'Name',
    'sep=;',
    '-----',
    '*****',
    '___',
    '+----',
    '=====',
    ' ---- ',
    '––––',
    '--',
    'line\r\nbreak',
    '漢字',
    '\\',
  ],
];
const textCell = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
);
const digits = fc.integer({ min: -9_999_999, max: 9_999_999 });
/** Numbers of up to three decimals, without zeros at the end, which a workbook does not keep. */
const number = fc
  .tuple(digits, fc.integer({ min: 0, max: 3 }))
  .map(([whole, decimals]) => String(whole / 10 ** decimals));
const second = fc.integer({ min: Date.UTC(1901, 0, 1) / 1000, max: Date.UTC(2099, 0, 1) / 1000 });
const moment = second.map((at) => new Date(at * 1000).toISOString().replace('.000Z', 'Z'));

/** A kind of column, and values as it stores them. */
interface ColumnKind {
  readonly field: Partial<FieldInput>;
  readonly cell: fc.Arbitrary<string>;
}
const KINDS: readonly ColumnKind[] = [
  { field: {}, cell: textCell },
  // Texts that are all of another kind.
  { field: {}, cell: fc.constantFrom('ja', 'nein', 'No') },
  { field: {}, cell: fc.constantFrom('5 €', '6 €', '1.50 €') },
  { field: {}, cell: fc.constantFrom('118,68', '1’234', '4,5') },
  { field: {}, cell: fc.constantFrom('0012', '12', '7') },
  { field: {}, cell: fc.constantFrom('NA', 'NULL', '5', '2024-04-08') },
  { field: {}, cell: moment.map((text) => text.slice(0, 10)) },
  { field: {}, cell: fc.constantFrom('a@example.org', 'b@example.org') },
  { field: { kind: 'Number' }, cell: number },
  { field: { kind: 'Number', options: { unit: '€', precision: 2 } }, cell: number },
  { field: { kind: 'Number', options: { unit: '%' } }, cell: number },
  { field: { kind: 'Bool' }, cell: fc.constantFrom('1', '0') },
  { field: { kind: 'DateTime', options: { only: 'date' } }, cell: moment.map((text) => text.slice(0, 10)) },
  { field: { kind: 'DateTime', options: { only: 'time' } }, cell: moment.map((text) => text.slice(11, 19)) },
  { field: { kind: 'DateTime' }, cell: moment },
  { field: { kind: 'Email' }, cell: fc.constantFrom('a@example.org', 'o’neil@example.org') },
  { field: { kind: 'Url' }, cell: fc.constantFrom('https://example.org/a|b', 'http://example.org') },
];
const label = fc.oneof(
  fc.constantFrom(
    ...[
      'Name',
      'Ort',
      '2024',
      '5',
      '01',
      'a,b',
      'x;y',
      'ja',
      'Preis in €',
      '12.50',
      '1.1.2024',
      'a|b',
      'Nr.',
    ],
    ...['anna@example.org', 'Summe'],
  ),
  fc
    .string({ unit: fc.constantFrom(...Array.from('abc XYZ,;|12')), minLength: 1, maxLength: 6 })
    .map((name) => `n${name.trim().replace(/\s+/g, ' ')}`),
);
const MAX_LINES = 6;
const column = fc.constantFrom(...KINDS).chain(({ field, cell }) =>
  fc.record({
    label,
    field: fc.constant(field),
    // Empty cells among them.
    cells: fc.array(fc.option(cell, { freq: 6, nil: '' }), { minLength: MAX_LINES, maxLength: MAX_LINES }),
  }),
);
const list = fc.record({
  columns: fc.uniqueArray(column, {
    minLength: 1,
    maxLength: 4,
    selector: (each) => each.label.trim().toLowerCase(),
  }),
  lines: fc.integer({ min: 1, max: MAX_LINES }),
});

interface Content {
  readonly columns: readonly { called: string; kind: string; only: string | undefined }[];
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/** The columns that hold a value, with their kinds, and the rows as values of these columns. */
async function contentOf({ lists }: Pick<TestLists, 'lists'>, moduleID: string): Promise<Content> {
  const { fields } = await lists.module(moduleID);
  const rows: Values[] = [];
  for await (const page of (await lists.rows(moduleID)).scan()) rows.push(...page.map((row) => row.values));
  const filled = fields.filter(({ name }) => rows.some((values) => values[name] !== undefined));
  return {
    columns: filled.map(({ label: called, kind, options: { only } }) => ({ called, kind, only })),
    rows: rows
      .map((values) => filled.map(({ name }) => values[name]?.[0]))
      .filter((cells) => cells.some((cell) => cell !== undefined)),
  };
}

it.each(['csv', 'csv with a mark', 'xlsx'])(
  'any list comes back from its own %s as it was, in a new list, with its kinds',
  { timeout: 120_000 },
  async (format) => {
    const setup = await testLists();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(list, async ({ columns, lines }) => {
        const { module, rows } = await makeList(
          setup,
          columns.map(({ label: called, field }, at) => text(`c${at}`, { label: called, ...field })),
          `List ${++made}`,
        );
        await rows.createMany(
          Array.from({ length: lines }, (_, line) =>
            Object.fromEntries(
              columns.map(({ cells }, at) => {
                const { [line]: cell = '' } = cells;
                // A workbook does not tell a text of blanks from an empty cell.
                const isEmpty = cell === '' || (format === 'xlsx' && cell.trim() === '');
                return [`c${at}`, isEmpty ? [] : [cell]];
              }),
            ),
          ),
          '7',
        );
        const pieces: Uint8Array[] = [];
        if (format === 'xlsx')
          for await (const piece of exportXlsx(setup.lists, { module, rows })) pieces.push(piece);
        else
          for await (const piece of exportCsv(module, rows, { bom: format !== 'csv' }))
            pieces.push(Buffer.from(piece));
        const before = await contentOf(setup, module.moduleID);
        if (isDeepStrictEqual(before, { columns: [], rows: [] })) return;
        const file = Buffer.concat(pieces);
        const { moduleID, rejected } = await importTable(setup.lists, file, {
          ...{ to: { name: `Again ${made}` }, by: '7' },
        });
        const written = format === 'xlsx' ? '' : file.toString();
        expect(rejected, written).toEqual([]);
        expect(await contentOf(setup, moduleID), written).toEqual(before);
      }),
      { numRuns: runsOf(300, 30) },
    );
  },
);

const decimals = fc
  .tuple(fc.integer({ min: 0, max: 1300 }), fc.stringMatching(/^(?:\.\d{1,4})?$/))
  .map(([whole, fraction]) => `${whole}${fraction}`);

it('numbers come back from CSV with all zeros, though they look like versions or accounts', async () => {
  const setup = await testLists();
  let made = 0;
  const cells = fc.array(
    fc.oneof(decimals, fc.constantFrom('1.5', '0.10', '1.10', '4.100', '12.200', '1.9', '3')),
    { minLength: 1, maxLength: 4 },
  );
  const beside = fc.constantFrom('3 b', 'Ulm', '7');
  const called = fc.constantFrom('Betrag', 'Konto', 'Nr.', 'Version', 'Handy');
  await fc.assert(
    fc.asyncProperty(called, cells, beside, async (label, numbers, haus) => {
      const { module, rows } = await makeList(
        setup,
        [text('c0', { label, kind: 'Number' }), text('Haus')],
        `List ${++made}`,
      );
      await rows.createMany(
        numbers.map((number) => ({ c0: [number], Haus: [haus] })),
        '7',
      );
      let csv = '';
      for await (const piece of exportCsv(module, rows)) csv += piece;
      const { moduleID } = await importTable(setup.lists, Buffer.from(csv), {
        ...{ to: { name: `Again ${made}` }, by: '7' },
      });
      expect(await contentOf(setup, moduleID), csv).toEqual(await contentOf(setup, module.moduleID));
    }),
    {
      numRuns: runsOf(300, 60),
      examples: [
        ['Betrag', ['1.5', '0.10'], '3 b'],
        ['Konto', ['4.100'], 'Ulm'],
      ],
    },
  );
});

it.each([
  ['NA', '5'],
  ['NULL', '2024-04-08'],
  ['', 'NA', '12:30'],
  [`https://example.org/${'a'.repeat(400)}`, 'https://example.org'],
])(
  'texts that look like another kind come back as texts behind ones that do not: %s, %s',
  async (...texts) => {
    const { lists, ...setup } = await testLists();
    const { module, rows } = await makeList({ lists, ...setup }, [text('Nr'), text('xx')]);
    await rows.createMany(
      texts.map((each, at) => ({ Nr: [`${at}a`], xx: each === '' ? [] : [each] })),
      '7',
    );
    let csv = '';
    for await (const piece of exportCsv(module, rows)) csv += piece;
    const { moduleID } = await importTable(lists, Buffer.from(csv), { to: { name: 'Again' }, by: '7' });
    expect(await contentOf({ lists }, moduleID)).toEqual(await contentOf({ lists }, module.moduleID));
  },
);

it('comes back with a byte order mark, though its rows may be cut at another delimiter', async () => {
  const csv = '\ufeffOrt,"Menge ;Art",Bemerkung,"Preis;;22"\r\n"Regal\tB",,\'5,\r\n';
  const { source, columns, lines } = await readTable(Buffer.from(csv), {});
  expect([source.delimiter, columns.length, lines]).toEqual([',', 4, 1]);
});

it('negative numbers come back as such beside days, and beside texts that begin with a digit', async () => {
  const { lists, ...setup } = await testLists();
  const { module, rows } = await makeList({ lists, ...setup }, [
    { kind: 'Number', name: 'Betrag' },
    text('Haus'),
    { kind: 'Number', name: 'Saldo' },
    { kind: 'DateTime', name: 'Am', options: { only: 'date' } },
  ]);
  await rows.createMany(
    [
      { Betrag: ['-5'], Haus: ['3 b'], Saldo: ['-1'], Am: ['2024-04-08'] },
      { Betrag: ['-6.5'], Haus: ['4 c'], Saldo: ['-2'], Am: ['2024-04-09'] },
    ],
    '7',
  );
  const before = await contentOf({ lists }, module.moduleID);
  let csv = '';
  for await (const piece of exportCsv(module, rows)) csv += piece;
  // The apostrophe keeps programs with decimal commas from a formula, and does not make a text of the column.
  expect(csv).toContain("'-5,3 b,-1,2024-04-08");
  const { moduleID } = await importTable(lists, Buffer.from(csv), { to: { name: 'Again' }, by: '7' });
  expect(await contentOf({ lists }, moduleID)).toEqual(before);
});

it.each(['Nr.;Nr\n1;2\n', 'Column 2;;x\n1;2;3\n', 'Preis €;Preis;preis\n1;2;3\n'])(
  'a file whose names make one another comes in: %j',
  async (csv) => {
    const { lists } = await testLists();
    const { moduleID, headers } = await importTable(lists, Buffer.from(csv), {
      to: { name: 'New' },
      by: '7',
    });
    const { columns, rows } = await contentOf({ lists }, moduleID);
    expect(columns.map(({ called }) => called)).toEqual(headers);
    expect(rows).toEqual([csv.split('\n')[1]?.split(';')]);
  },
);

it('yes and no come back as such, and numbers, days and texts beside them', async () => {
  const setup = await testLists();
  const { module, rows } = await makeList(setup, [
    text('Name'),
    { kind: 'Bool', name: 'Bezahlt' },
    { kind: 'Number', name: 'Betrag' },
    { kind: 'DateTime', name: 'Am', options: { only: 'date' } },
    text('PLZ'),
  ]);
  await rows.createMany(
    [
      { Name: ['ja'], Bezahlt: ['1'], Betrag: ['12.5'], Am: ['2024-04-08'], PLZ: ['50667'] },
      { Name: ['nein'], Bezahlt: [''], Betrag: ['3'], Am: ['2024-04-09'], PLZ: ['10115'] },
    ],
    '7',
  );
  let csv = '';
  for await (const piece of exportCsv(module, rows)) csv += piece;
  const { moduleID } = await importTable(setup.lists, Buffer.from(csv), { to: { name: 'Again' }, by: '7' });
  const again = await setup.lists.module(moduleID);
  expect(again.fields.map(({ kind }) => kind)).toEqual(['String', 'Bool', 'Number', 'DateTime', 'String']);
  const back: unknown[] = [];
  for await (const page of (await setup.lists.rows(moduleID)).scan())
    back.push(...page.map(({ values }) => values));
  const before: unknown[] = [];
  for await (const page of rows.scan()) before.push(...page.map(({ values }) => values));
  expect(back).toEqual(before);
});
