import Papa from 'papaparse';
import { expect, it, vi } from 'vitest';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { readRecords } from '../../../../server/lists/csv/records.ts';

it('lines of delimiters are counted and not parsed, as millions of them would take minutes', async () => {
  const text = `Nr,Name\n1,Kern\n${', \t\r\n'.repeat(300_000)}2,Auer\n${',\n'.repeat(300_000)}`;
  const parser = vi.spyOn(Papa, 'Parser');
  const records = [];
  const format = { encoding: 'UTF-8', delimiter: ',' };
  for await (const slice of readRecords(Buffer.from(text), format)) records.push(...slice.records);
  expect(records).toMatchObject([
    { line: 1, fields: ['Nr', 'Name'] },
    { line: 2, fields: ['1', 'Kern'] },
    { line: 300_003, fields: ['2', 'Auer'] },
  ]);
  expect(parser.mock.calls.length).toBeLessThan(4);
});

it.each([',\n', ';;;\r\n', '| |\n'])('a file of empty rows only is refused as empty: %j', async (row) => {
  await expect(readTable(Buffer.from(row.repeat(200)), {})).rejects.toMatchObject({ code: 'csv.empty' });
});
