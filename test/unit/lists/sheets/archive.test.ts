import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
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
