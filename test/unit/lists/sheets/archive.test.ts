import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { isSmallFile } from '../../../../server/lists/reading/read-in-worker.ts';
import { openArchive, type Archive } from '../../../../server/lists/sheets/archive.ts';
import { madeXlsx } from '../../../support/data/made-workbook.ts';

const lettersOf = async (archive: Archive, part: string): Promise<number> => {
  let letters = 0;
  for await (const piece of archive.text(part, Infinity)) letters += piece.length;
  return letters;
};

it('S7: looks into no more of all parts together than one bound, however many there are, and counts each once', async () => {
  const sheets = Object.fromEntries(['A', 'B', 'C'].map((name) => [name, ' '.repeat(100_000)]));
  const archive = await openArchive(madeXlsx({ sheets }), undefined, 250_000);
  const part = (at: number): string => `xl/worksheets/sheet${at}.xml`;
  for (let time = 0; time < 5; time++)
    for (const at of [1, 2]) expect(await lettersOf(archive, part(at))).toBeGreaterThan(100_000);
  await expect(lettersOf(archive, part(3))).rejects.toMatchObject({ kind: 'impossible', code: 'sheet.size' });
});

it('S7: hands on a part a piece at a time, also one that was never packed and comes whole', async () => {
  const text = `${'x'.repeat(99_999)}ß${'y'.repeat(100_000)}`;
  const file = Buffer.from(zipSync({ 'a.xml': strToU8(text) }, { level: 0 }));
  const pieces: string[] = [];
  for await (const piece of (await openArchive(file)).text('a.xml', 1024 * 1024)) pieces.push(piece);
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(32 * 1024);
});

it('is small only if it unpacks to little, and is held to what it declares', async () => {
  const dense = madeXlsx({ sheets: { Data: '<row><c><v>1</v></c></row>'.repeat(100_000) } });
  expect(dense.length).toBeLessThan(128 * 1024);
  expect(isSmallFile(dense)).toBe(false);
  expect(isSmallFile(madeXlsx({ sheets: { Data: '<row><c><v>1</v></c></row>'.repeat(1000) } }))).toBe(true);
  const lying = Buffer.from(dense);
  for (let at = lying.indexOf('PK\u0001\u0002'); at >= 0; at = lying.indexOf('PK\u0001\u0002', at + 4))
    lying.writeUInt32LE(1000, at + 24);
  expect(isSmallFile(lying)).toBe(true);
  await expect(lettersOf(await openArchive(lying), 'xl/worksheets/sheet1.xml')).rejects.toMatchObject({
    code: 'sheet.size',
  });
});
