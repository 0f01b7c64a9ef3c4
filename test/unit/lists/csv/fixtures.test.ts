import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { testLists } from '../../../support/harness/lists.ts';
import { english } from '../../../../server/words/said.ts';

const rows = z.array(z.record(z.string(), z.string()));
const expectation = z.object({
  encoding: z.string(),
  delimiter: z.string(),
  kinds: z.array(z.string()),
  rows,
  rejected: z.array(z.object({ line: z.number(), reason: z.string() })),
});

const own = new URL('../../../fixtures/csv/', import.meta.url);
const names = (await readdir(own)).filter((name) => name.endsWith('.csv')).map((name) => name.slice(0, -4));

describe('difficult CSV of our own', () => {
  it.each(names)('%s', async (name) => {
    const bytes = await readFile(new URL(`${name}.csv`, own));
    const expected = expectation.parse(JSON.parse(await readFile(new URL(`${name}.json`, own), 'utf8')));

    const file = await readTable(bytes, {});
    expect({ encoding: file.source.encoding, delimiter: file.source.delimiter }).toEqual({
      encoding: expected.encoding,
      delimiter: expected.delimiter,
    });

    const { lists } = await testLists();
    const result = await importTable(lists, bytes, { to: { name: 'From file' }, by: '7' });
    const module = await lists.module(result.moduleID);
    expect(module.fields.map(({ kind }) => kind)).toEqual(expected.kinds);
    expect(await textRows(lists, module)).toEqual(expected.rows);
    expect(result.rejected.map(({ line }) => line)).toEqual(expected.rejected.map(({ line }) => line));
    expected.rejected.forEach(({ reason }, at) =>
      expect(english(result.rejected[at]?.reason ?? '')).toContain(reason),
    );
    expect(result.created).toBe(expected.rows.length);
  });
});

/** A copy that went through a version control may have lost the CRs that its name and its JSON speak of. */
function asNamed(name: string, bytes: Buffer): Buffer {
  if (!name.endsWith('_crlf') || bytes.includes('\r')) return bytes;
  return Buffer.from(bytes.toString().replaceAll('\n', '\r\n'));
}

const spectrum = new URL('../../../../../shared/data/csv-spectrum/', import.meta.url);

describe('csv-spectrum', () => {
  if (!existsSync(spectrum)) {
    console.warn('csv-spectrum is not beside this project: its files were not read.');
    it.skip('is not there');
    return;
  }
  /** Its JSON is of another line than its CSV, so that only the columns can be compared. */
  const DIFFERENT = 'location_coordinates';

  it('reads every file as its JSON says', async () => {
    const files = (await readdir(new URL('csvs/', spectrum))).map((name) => name.slice(0, -4));
    expect(files.length).toBeGreaterThanOrEqual(12);
    for (const name of files) {
      const bytes = asNamed(name, await readFile(new URL(`csvs/${name}.csv`, spectrum)));
      const json: unknown = JSON.parse(await readFile(new URL(`json/${name}.json`, spectrum), 'utf8'));
      const expected = rows.parse(Array.isArray(json) ? json : [json]);
      const { lists } = await testLists();
      const result = await importTable(lists, bytes, { to: { name }, by: '7' });
      const read = await textRows(lists, await lists.module(result.moduleID));
      expect(result.rejected, name).toEqual([]);
      if (name === DIFFERENT) expect(Object.keys(read[0] ?? {})).toEqual(Object.keys(expected[0] ?? {}));
      else expect(read, name).toEqual(expected);
    }
  });
});
