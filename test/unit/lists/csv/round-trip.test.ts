import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { escapeCell, joinValues, splitValues, unescapeCell } from '../../../../server/lists/csv/cells.ts';
import { exportCsv } from '../../../../server/lists/csv/export.ts';
import { importTable } from '../../../../server/lists/csv/import.ts';
import type { FieldInput } from '../../../../server/lists/definitions/inputs.ts';
import type { Module, Values } from '../../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../../server/lists/rows/rows.ts';
import { runsOf } from '../../../support/data/luck.ts';
import { watchTurns } from '../../../support/reading/longest-turn.ts';
import { makeList, testLists, text } from '../../../support/harness/lists.ts';

const isLinux = process.platform === 'linux';
if (!isLinux) console.log('How long one turn of the event loop takes is measured on Linux only.');

async function exported(
  module: Module,
  rows: Rows,
  options?: Parameters<typeof exportCsv>[2],
): Promise<string> {
  let csv = '';
  for await (const piece of exportCsv(module, rows, options)) csv += piece;
  return csv;
}

async function allValues(rows: Rows): Promise<Values[]> {
  const found: Values[] = [];
  for await (const page of rows.scan()) found.push(...page.map((row) => row.values));
  return found;
}

describe('H9: formulas', () => {
  it('get an apostrophe, whichever character they begin with, and lose it again', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', "'=", "''@"]) {
      const cell = escapeCell(`${start}cmd|' /C calc'!A0`);
      expect(cell.startsWith("'")).toBe(true);
      expect(unescapeCell(cell)).toBe(`${start}cmd|' /C calc'!A0`);
    }
    expect(escapeCell("O'Neil")).toBe("O'Neil");
    expect(unescapeCell("'quoted'")).toBe("'quoted'");
  });

  /** The cells that a program sees which separates so; a foreign one breaks quotations, lines in them too. */
  const seenBy = (csv: string, separator: string, delimiter: string): string[] =>
    separator === delimiter
      ? Papa.parse<string[]>(csv, { delimiter }).data.flat()
      : csv
          .split(/[\r\n]/)
          .flatMap((line) => [
            ...line.split(separator),
            ...Papa.parse<string[]>(line, { delimiter: separator }).data.flat(),
          ]);
  const DANGEROUS = /^[\s\p{Cc}\p{Cf}"]*(?:[=@＝＠＋－]|[+-](?!\d+(?:\.\d+)?(?:"?$|[\]}])))/u;
  const ATTACKS = [
    'Meier;=HYPERLINK(A1)',
    'Müller\t@SUM(B2)',
    "Huber| +cmd|' /C calc'!A0",
    'Weiß;\u00a0=1+1',
    'Lang;\u200b=1+1',
    'Kurz\r\n=1+1',
    'Groß\n-2+3',
    'Klein;-5+cmd',
    "Blum;-5,3+cmd|' /C calc'!A0;Ost",
    'Fuchs;"=1+1',
    'Wolf;＝1+1',
    '  =1+1',
    '\u00a0@SUM(A1)',
    '\u200b＋1+1',
    ';=1',
    '|\t;=1',
  ];

  it.each([',', ';', '\t', '|'])(
    'are none behind any separator in a file whose own is %j',
    async (delimiter) => {
      const { module, rows } = await makeList(await testLists(), [
        text('Note'),
        text('Tags', { isMulti: true }),
      ]);
      await rows.createMany(
        ATTACKS.map((attack, at) => ({ Note: [attack], Tags: [`Nr. ${at * 37}`, attack] })),
        '7',
      );
      const csv = await exported(module, rows, { delimiter });
      for (const cell of [',', ';', '\t', '|'].flatMap((separator) => seenBy(csv, separator, delimiter)))
        expect(cell).not.toMatch(DANGEROUS);
      const setup = await testLists();
      const other = await makeList(setup, [text('Note'), text('Tags', { isMulti: true })]);
      await importTable(setup.lists, Buffer.from(csv), {
        to: { moduleID: other.module.moduleID },
        delimiter,
        by: '7',
      });
      expect(await allValues(other.rows)).toEqual(await allValues(rows));
    },
  );

  it('give back what was there, whatever it was, and escape nothing that is none', () => {
    const unit = fc.constantFrom(
      ...["'", '=', '-', '+', '@', ';', ',', '|', '\t', '\n', ' ', '\u200b', '5', 'a', '"'],
    );
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 12 }),
        fc.constantFrom(',', ';', '\t', '|'),
        (plain, delimiter) => {
          expect(unescapeCell(escapeCell(plain, delimiter), delimiter)).toBe(plain);
          // Read by a list that followed the file before digits behind an apostrophe were read as text.
          expect(unescapeCell(escapeCell(plain, delimiter), delimiter, false)).toBe(plain);
        },
      ),
      { numRuns: runsOf(20_000, 1000) },
    );
    for (const harmless of [
      'Dr.-Ing. Meier; Bonn',
      '{"coordinates":[13.4,-52.5]}',
      "Rock'n'Roll; 'live'",
      'a|b',
      'x;-5',
    ])
      for (const delimiter of [',', ';']) expect(escapeCell(harmless, delimiter)).toBe(harmless);
  });

  it('are looked for in a time that grows with the text', () => {
    for (const piece of ["'", '\t', '; ', ';=', ";'", '-', '\u200b']) {
      const cell = `x;${piece.repeat(400_000)}`;
      expect(unescapeCell(escapeCell(cell))).toBe(cell);
    }
  });

  it.runIf(isLinux)('are looked for behind numbers in a row in a time that grows with the text', () => {
    const numbers = `x${',+1'.repeat(40_000)}x`;
    const turns = watchTurns();
    expect(unescapeCell(escapeCell(numbers, ';'), ';')).toBe(numbers);
    // Some 20 were measured, and thousands where each number is followed to the end.
    expect(turns.end()).toBeLessThan(500);
  });

  it('are told from numbers in a row, of which the first is asked for all', () => {
    expect(escapeCell('x,+1,-2.5,+3', ';')).toBe('x,+1,-2.5,+3');
    expect(escapeCell('x,+1,-2.5,+3y', ';')).toBe("x,'+1,'-2.5,'+3y");
    expect(escapeCell('x,+1.2.3,-4', ';')).toBe("x,'+1.2.3,-4");
    expect(escapeCell('x,+1a,-4;-5,6', ',')).toBe('x,+1a,-4;-5,6');
  });

  it('are not made of a number and what the next cell begins with, where a comma is the decimal point', async () => {
    const columns = [text('Amount', { kind: 'Number' }), text('Note'), text('More')];
    const { module, rows } = await makeList(await testLists(), columns);
    await rows.createMany(
      [
        { Amount: ['-5'], Note: ["3+cmd|' /C calc'!A0"], More: ['Ost'] },
        { Amount: ['-6'], Note: ['x;-1.234'], More: ['7*HYPERLINK(A1)'] },
        { Amount: ['-7'], Note: ['3'], More: ['West'] },
        { Amount: ['-8'], Note: ['Hof 3'], More: ['-9'] },
      ],
      '7',
    );
    const csv = await exported(module, rows, {});
    expect(csv.split('\r\n').slice(1, 5)).toEqual([
      "'-5,\"3+cmd|' /C calc'!A0\",Ost",
      '-6,"x;\'-1.234",7*HYPERLINK(A1)',
      '-7,3,West',
      "-8,Hof 3,'-9",
    ]);
    const setup = await testLists();
    const other = await makeList(setup, columns);
    await importTable(setup.lists, Buffer.from(csv), { to: { moduleID: other.module.moduleID }, by: '7' });
    expect(await allValues(other.rows)).toEqual(await allValues(rows));
  });

  it('do not make text of negative numbers', async () => {
    const { module, rows } = await makeList(await testLists(), [
      text('Phone'),
      { kind: 'Number', name: 'Amount' },
    ]);
    await rows.create({ Phone: ['+49 30 1'], Amount: ['-12.50'] }, '7');
    expect(await exported(module, rows)).toBe("Phone,Amount\r\n'+49 30 1,-12.50\r\n");
  });
});

it('several values of a column are joined and split again, whatever they hold', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: fc.constantFrom('a', '|', '\\', ';', '"') }), {
        minLength: 1,
      }),
      (texts) => {
        expect(splitValues(joinValues(texts))).toEqual(texts);
      },
    ),
  );
});

describe('export and import', () => {
  const fields: FieldInput[] = [
    text('Name', { label: 'Full name' }),
    text('City', { label: 'Name' }),
    text('Tags', { isMulti: true }),
    { kind: 'Number', name: 'Amount' },
    { kind: 'Bool', name: 'Active' },
    { kind: 'DateTime', name: 'Due', options: { only: 'date' } },
    { kind: 'DateTime', name: 'At' },
    { kind: 'Geometry', name: 'Place' },
  ];

  it.each(['sep=;', 'SEP=,', 'sep=', 'Sep=|', 'sep=;x', '"sep=;"'])(
    'carries a single column that is called %s, which is no line that names a separator',
    async (label) => {
      for (const options of [{}, { bom: true }, { delimiter: ';' }, { delimiter: '\t', bom: true }]) {
        const setup = await testLists();
        const { module, rows } = await makeList(setup, [text('Separator', { label })]);
        await rows.createMany([{ Separator: ['Łódź; Bytom'] }, { Separator: ['sep=;'] }], '7');
        const csv = await exported(module, rows, options);
        const { namespaceID } = await setup.lists.defaultNamespace();
        const to = { namespaceID, name: `Again ${label}` };
        const { moduleID } = await importTable(setup.lists, Buffer.from(csv), { to, by: '7' });
        const again = await setup.lists.module(moduleID);
        expect(again.fields.map((field) => field.label)).toEqual([label]);
        const values = await allValues(await setup.lists.rows(moduleID));
        expect(values.map((each) => Object.values(each))).toEqual([[['Łódź; Bytom']], [['sep=;']]]);
      }
    },
  );

  it('carries signed numbers behind a comma, beside a cell that begins with a digit', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Place'), text('Street')]);
    const places: Values[] = [
      { Place: ['48.85,-2.35'], Street: ['12 rue X'] },
      { Place: ['48.85; -2.35'], Street: ['12 rue X'] },
      { Place: ['-2.35'], Street: ['12 rue X'] },
    ];
    await rows.createMany(places, '7');
    const csv = Buffer.from(await exported(module, rows));
    const { moduleID } = await importTable(setup.lists, csv, { to: { name: 'Again' }, by: '7' });
    expect(await allValues(await setup.lists.rows(moduleID))).toEqual(places);
  });

  it('carries values that look like drawn lines', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Stars'), text('Lines')]);
    const stars: Values[] = [
      { Stars: ['*****'] },
      { Stars: ['___'], Lines: ['—————'] },
      { Stars: ['_____'] },
      { Stars: ['***'], Lines: ['ok'] },
    ];
    await rows.createMany(stars, '7');
    const csv = Buffer.from(await exported(module, rows));
    const to = { name: 'Again' };
    const { moduleID } = await importTable(setup.lists, csv, { to, by: '7' });
    expect(await allValues(await setup.lists.rows(moduleID))).toEqual(stars);
  });

  it('carries a value between bars that looks like a drawn line', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Name'), text('Line'), text('City')]);
    const lines: Values[] = [{ Line: ['------'] }, { Line: ['_____'] }, { Name: ['Kim'], City: ['Ulm'] }];
    await rows.createMany(lines, '7');
    const csv = Buffer.from(await exported(module, rows, { delimiter: '|' }));
    const { moduleID } = await importTable(setup.lists, csv, { to: { name: 'Again' }, by: '7' });
    expect(await allValues(await setup.lists.rows(moduleID))).toEqual(lines);
  });

  it('carries values of every kind', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, fields);
    await rows.createMany(
      [
        {
          Name: ['=1+1'],
          Tags: ['red; blue', 'a|b', '\\', '=x'],
          Amount: ['0.10'],
          Active: ['1'],
          Due: ['2024-02-29'],
        },
        {
          City: ['Zürich, "ZH"\r\nx'],
          Active: ['0'],
          At: ['2024-05-01T08:00:00.25Z'],
          Place: ['46.05, 14.5'],
        },
        { Name: [' blanks '], Amount: ['-123456789012345678901234567890.5'] },
      ],
      '7',
    );
    const csv = await exported(module, rows, { bom: true, delimiter: ';' });
    expect(csv.startsWith('\uFEFFFull name;Name;Tags;')).toBe(true);
    const copy = await makeList(setup, fields, 'Copy');
    const to = { moduleID: copy.module.moduleID };
    const result = await importTable(setup.lists, Buffer.from(csv), { to, by: '7' });
    expect(result).toMatchObject({ created: 3, rejected: [], ignored: [] });
    expect(await allValues(copy.rows)).toEqual(await allValues(rows));
  });

  it('gives back any text, through both delimiters', async () => {
    const setup = await testLists();
    const cell = fc.string({
      unit: fc.constantFrom(...Array.from('ab ,;\t|\\\'"=+-@\r\n\u0001é漢'), '"\r', '\r\n', '""'),
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ Name: cell, City: cell, Tags: fc.array(cell, { maxLength: 3 }) }), {
          maxLength: 8,
        }),
        fc.constantFrom(',', ';'),
        async (records, delimiter) => {
          const { module, rows } = await makeList(setup, fields.slice(0, 3));
          await rows.createMany(
            records.map(({ Name, City, Tags }) => ({ Name: [Name], City: [City], Tags })),
            '7',
          );
          const csv = await exported(module, rows, { delimiter });
          const copy = await makeList(setup, fields.slice(0, 3));
          const options = { to: { moduleID: copy.module.moduleID }, by: '7', delimiter };
          const result = await importTable(setup.lists, Buffer.from(csv), options);
          expect(result.rejected).toEqual([]);
          const filled = (await allValues(rows)).filter((values) => Object.keys(values).length > 0);
          expect(await allValues(copy.rows)).toEqual(filled);
          await setup.lists.removeModule(module.moduleID);
          await setup.lists.removeModule(copy.module.moduleID);
        },
      ),
      { numRuns: runsOf(40, 12) },
    );
  }, 60_000);
});
