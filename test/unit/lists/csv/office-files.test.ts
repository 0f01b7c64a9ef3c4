import { expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { OFFICE_FILES, officeFileBytes } from '../../../support/data/office-files.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { testLists } from '../../../support/harness/lists.ts';
import { withTable } from '../../../../server/lists/reading/read-in-worker.ts';

it.each(Object.entries(OFFICE_FILES))('takes in a file of an office: %s', async (_name, file) => {
  const { lists } = await testLists();
  const seen = await withTable(officeFileBytes(file), {}, async (table) => {
    const result = await importTable(lists, table, { to: { name: 'Office' }, by: '7' });
    const module = await lists.module(result.moduleID);
    const rows = await textRows(lists, module);
    return {
      columns: module.fields.map(({ label, kind }) => `${label}: ${kind}`).join(' | '),
      rows: rows.map((row) => module.fields.map(({ label }) => row[label]).join(' | ')),
      doubts: table.doubts.map(({ kind }) => kind),
      sums: table.sums.map(({ line }) => line),
      rejected: result.rejected,
    };
  });
  const { columns, rows, doubts = [], sums = [] } = file;
  expect(seen).toEqual({ columns, rows, doubts, sums, rejected: [] });
});
