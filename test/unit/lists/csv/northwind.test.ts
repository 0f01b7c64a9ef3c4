import Papa from 'papaparse';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { testLists } from '../../../support/harness/lists.ts';

const folder = new URL('../../../../../shared/data/northwind/', import.meta.url);

describe('the lists of a small trading office', () => {
  if (!existsSync(folder)) {
    console.warn('northwind is not beside this project: its files were not imported.');
    it.skip('are not there');
    return;
  }

  it('arrive complete, value by value', async () => {
    const { lists } = await testLists();
    const names = (await readdir(folder)).filter((name) => name.endsWith('.csv'));
    expect(names).toContain('orders.csv');
    for (const name of names) {
      const bytes = await readFile(new URL(name, folder));
      const [headers = [], ...lines] = Papa.parse<string[]>(bytes.toString(), { skipEmptyLines: true }).data;
      const result = await importTable(lists, bytes, { to: { name }, by: '7' });
      expect(result, name).toMatchObject({ created: lines.length, rejected: [], rejectedLines: 0 });

      const module = await lists.module(result.moduleID);
      const rows = await textRows(lists, module);
      expect(module.fields).toHaveLength(headers.length);
      expect(
        rows.map((row) => Object.values(row)),
        name,
      ).toEqual(lines);
      if (name === 'orders.csv') {
        expect(rows).toHaveLength(2155);
        expect(module.fields[14]).toMatchObject({ name: 'OrderID_2', label: 'OrderID_2', kind: 'Number' });
      }
    }
  });
});
