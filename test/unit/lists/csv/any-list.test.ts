import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportCsv } from '../../../../server/lists/csv/export.ts';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { runsOf } from '../../../support/data/luck.ts';
import { makeList, testLists, text } from '../../../support/harness/lists.ts';

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
const cell = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constant('') },
);
const label = fc.oneof(
  fc.constantFrom(
    'Name',
    'Ort',
    '2024',
    '5',
    'a,b',
    'x;y',
    'ja',
    'Preis in €',
    '12.50',
    '1.1.2024',
    'a|b',
    'Nr.',
  ),
  fc
    .string({ unit: fc.constantFrom(...Array.from('abc XYZ,;|12')), minLength: 1, maxLength: 6 })
    .map((name) => `n${name.trim()}`),
);
const list = fc
  .uniqueArray(label, {
    minLength: 1,
    maxLength: 4,
    selector: (name) => name.trim().replace(/\s+/g, ' ').toLowerCase(),
  })
  .chain((labels) =>
    fc.record({
      labels: fc.constant(labels.map((name) => name.replace(/\s+/g, ' '))),
      rows: fc.array(fc.array(cell, { minLength: labels.length, maxLength: labels.length }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  );

it(
  'any list of texts comes back from its own CSV as it was, in a new list',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(list, fc.boolean(), async ({ labels, rows: wanted }, bom) => {
        const setup = await testLists();
        const fields = labels.map((name, at) => text(`c${String(at)}`, { label: name }));
        const { module, rows } = await makeList(setup, fields);
        await rows.createMany(
          wanted.map((cells) =>
            Object.fromEntries(cells.map((each, at) => [`c${String(at)}`, each === '' ? [] : [each]])),
          ),
          '7',
        );
        let csv = '';
        for await (const piece of exportCsv(module, rows, { bom })) csv += piece;
        const stored = wanted.filter((cells) => cells.some((each) => each !== ''));
        if (stored.length === 0) return;
        const { moduleID, rejected } = await importTable(setup.lists, Buffer.from(csv), {
          to: { name: 'Again' },
          by: '7',
        });
        expect(rejected, csv).toEqual([]);
        const again = await setup.lists.module(moduleID);
        const found: string[][] = [];
        for await (const page of (await setup.lists.rows(moduleID)).scan())
          for (const { values } of page)
            found.push(
              labels.map(
                (_, at) =>
                  values[again.fields.find((field) => field.label === labels[at])?.name ?? '']?.[0] ?? '',
              ),
            );
        const kept = stored.filter((cells) =>
          cells.some((each, at) => each !== '' && again.fields.length > at),
        );
        expect({ labels: again.fields.map((field) => field.label), found }, csv).toEqual({
          labels: labels.filter((name) => again.fields.some((field) => field.label === name)),
          found: kept,
        });
        expect(
          again.fields.every(({ kind }) => kind === 'String'),
          csv,
        ).toBe(true);
      }),
      { numRuns: runsOf(60, 20) },
    );
  },
);

it('comes back with a byte order mark, though its rows may be cut at another delimiter', async () => {
  const csv = '\ufeffOrt,"Menge ;Art",Bemerkung,"Preis;;22"\r\n"Regal\tB",,\'5,\r\n';
  const { source, columns, lines } = await readTable(Buffer.from(csv), {});
  expect([source.delimiter, columns.length, lines]).toEqual([',', 4, 1]);
});

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
