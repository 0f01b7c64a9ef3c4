import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeCell, joinValues, splitValues, unescapeCell } from '../../../../server/lists/csv/cells.ts';
import { exportCsv } from '../../../../server/lists/csv/export.ts';
import { importCsv } from '../../../../server/lists/csv/import.ts';
import type { FieldInput } from '../../../../server/lists/lists.ts';
import type { Module, Values } from '../../../../server/lists/model.ts';
import type { Rows } from '../../../../server/lists/rows.ts';
import { makeList, testLists, text } from '../../../support/test-lists.ts';

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
    expect(csv.startsWith('\uFEFFFull name;City;Tags;')).toBe(true);
    const copy = await makeList(setup, fields, 'Copy');
    const to = { moduleID: copy.module.moduleID };
    const result = await importCsv(setup.lists, Buffer.from(csv), { to, by: '7' });
    expect(result).toMatchObject({ created: 3, rejected: [], ignored: [] });
    expect(await allValues(copy.rows)).toEqual(await allValues(rows));
  });

  it('gives back any text, through both delimiters', async () => {
    const setup = await testLists();
    const cell = fc.string({
      unit: fc.constantFrom(...Array.from('ab ,;\t|\\\'"=+-@\r\n\0é漢'), '"\r', '\r\n', '""'),
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
          const result = await importCsv(setup.lists, Buffer.from(csv), options);
          expect(result.rejected).toEqual([]);
          const filled = (await allValues(rows)).filter((values) => Object.keys(values).length > 0);
          expect(await allValues(copy.rows)).toEqual(filled);
          await setup.lists.removeModule(module.moduleID);
          await setup.lists.removeModule(copy.module.moduleID);
        },
      ),
      { numRuns: 40 },
    );
  });
});
