import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import type { ImportResult } from '../../../../server/lists/csv/result.ts';
import { exportXlsx } from '../../../../server/lists/sheets/export-xlsx.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { testLists } from '../../../support/harness/lists.ts';
import { english } from '../../../../server/words/said.ts';

const folder = new URL('../../../../../shared/data/wild-files/', import.meta.url);

interface TakenIn {
  readonly result: ImportResult;
  readonly rows: readonly Record<string, string>[];
  readonly notes: readonly string[];
  /** The list again, as a workbook that is taken in. */
  readonly again: readonly Record<string, string>[];
}

async function takenIn(bytes: Buffer): Promise<TakenIn> {
  const { lists } = await testLists();
  const result = await importTable(lists, bytes, { to: { name: 'Wild' }, by: '7' });
  const module = await lists.module(result.moduleID);
  const pieces: Uint8Array[] = [];
  for await (const piece of exportXlsx(lists, { module, rows: await lists.rows(module.moduleID) }))
    pieces.push(piece);
  const second = await importTable(lists, Buffer.concat(pieces), { to: { name: 'Again' }, by: '7' });
  return {
    result,
    rows: await textRows(lists, module),
    notes: result.notes.map(english),
    again: await textRows(lists, await lists.module(second.moduleID)),
  };
}

describe.skipIf(!existsSync(folder))('files found in the wild', () => {
  const read = async (name: string): Promise<TakenIn> => takenIn(await readFile(new URL(name, folder)));

  it('points are thousands where another column has decimal commas', async () => {
    const { rows, result } = await read('b1-thousand-points.csv');
    expect(Object.values(rows[0] ?? {})).toEqual(expect.arrayContaining(['126949', '118.68']));
    expect(result.doubts).toEqual([]);
  });

  it('numbers that a workbook shows in thousands are the true ones', async () => {
    const { rows } = await read('b3-scaled-format.xlsx');
    expect(rows.map((row) => Object.values(row)[1])).toEqual(['1234567', '2345678']);
  });

  it('one broken byte of UTF-8 costs its letter alone, and is told', async () => {
    const { rows, result, notes } = await read('c1-one-bad-byte.csv');
    expect(rows).toEqual([
      { Name: 'Müller', Ort: 'Köln' },
      { Name: 'Sch\ufffd', Ort: 'Bonn' },
    ]);
    expect(result.doubts).toMatchObject([{ kind: 'encoding', chosen: 'UTF-8', example: 'Sch\ufffd;Bonn' }]);
    expect(notes).toEqual([expect.stringContaining('UTF-8')]);
  });

  it.each([
    ['c2-windows-1250.csv', ['Łukasz', 'Łódź']],
    ['c5-shift-jis.csv', ['田中', '大阪']],
  ])('letters are right: %s', async (name, words) => {
    const { rows } = await read(name);
    expect(rows.flatMap((row) => Object.values(row))).toEqual(expect.arrayContaining(words));
  });

  it('a noncharacter goes in, out as xlsx, and in again', async () => {
    const { rows, again } = await read('f2-noncharacter.csv');
    expect(JSON.stringify(rows)).toMatch(/[\ufffe\uffff]/);
    expect(again).toEqual(rows);
  });
});
