import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { exportList, importFile } from '../../../server/commands/import-export.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';
import { madeXlsx } from '../../support/data/made-workbook.ts';

/** What the command writes from now on, in the place of the terminal. */
function whatIsWritten(): string[] {
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return said;
}

it('fails where no line could go in, and says what to do; with the right line of names all do', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'umsatz.csv');
  await writeFile(file, 'Nr,Kunde\n1,Fjellheim,5,6\n2,Tromsø AS,7,8\n');
  const said = whatIsWritten();
  const data = join(folder.path, 'data');
  await expect(importFile(file, { data, list: 'Umsatz' })).rejects.toThrow(/--heading-line/);
  await importFile(file, { data, list: 'Umsatz 2', heading: false });
  expect(said.join('')).toContain('Umsatz 2: 3 rows new');
});

it('reads days in the given order where the file does not prove one', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'invoices.csv');
  await writeFile(file, 'No,Due\n1,03/04/26\n2,05/06/26\n');
  const said = whatIsWritten();
  const data = join(folder.path, 'data');
  for (const [list, order] of [
    ['Unknown', {}],
    ['Days first', { dates: 'dmy' }],
    ['Months first', { dates: 'mdy' }],
  ] as const) {
    await importFile(file, { data, list, ...order });
    await exportList({ data, list, format: 'csv', ids: false });
  }
  const text = said.join('');
  expect(text).toContain('the order of day, month and year is in doubt: Due (03/04/26)');
  expect(text).toContain('1,03/04/26\r\n');
  expect(text).toContain('1,2026-04-03\r\n');
  expect(text).toContain('1,2026-03-04\r\n');
});

it('tells what of a workbook comes in otherwise than it stands there, as the preview of the window does', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'rabatte.xlsx');
  const cell = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = [
    cell('A1', 'Rabatte im Herbst'),
    ['Kunde', 'Ort', 'Rabatt', 'Kennung'].map((text, at) => cell(`${'ABCD'.charAt(at)}2`, text)).join(''),
    `${cell('A3', 'Fjellheim Båt')}${cell('B3', 'Bergen')}<c r="C3" s="1"><v>0.12</v></c>${cell('D3', 'a')}`,
    `${cell('B4', 'Tromsø')}<c r="C4" s="1"><v>0.2</v></c>${cell('D4', 'b')}`,
  ];
  const workbook = madeXlsx({
    sheets: {
      Herbst: rows
        .map((row, at) => `<row r="${at + 1}"${at === 3 ? ' hidden="1"' : ''}>${row}</row>`)
        .join(''),
    },
    styles: '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="9"/></cellXfs>',
    after: '<mergeCells><mergeCell ref="A3:A4"/></mergeCells>',
  });
  await writeFile(file, workbook);
  const said: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  await importFile(file, { data: join(folder.path, 'data'), list: 'Rabatte' });
  expect(said).toEqual([
    'The names of the columns are taken from line 2. Left out above it: line 1 (Rabatte im Herbst). Change it with --heading-line.\n',
    'Hidden rows that go in as well: 1.\n',
    'Cells merged over several lines, taken for each of these lines: 1.\n',
    'Shown as percent: Rabatt. 12 % is kept as 0.12.\n',
  ]);
});

it('writes what stands in a file as text, and no command of it to the terminal', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'list.csv');
  const said = whatIsWritten();
  const data = join(folder.path, 'data');
  await writeFile(file, 'Name,Nr\nAda,1\n');
  await importFile(file, { data, list: 'Parts', key: ['Name'] });
  await writeFile(file, 'Name,Nr\nBo,2\nCy,\u001b]0;OWNED\u0007\u001b[31mred\u009b2J\n');
  await importFile(file, { data, list: 'Parts', key: ['Name'] });
  expect(said.join('')).toContain('OWNED');
  const failed = importFile(file, { data, list: 'Parts', key: ['\u001b[31mred'] });
  await expect(failed).rejects.toThrow(/^[^\p{Cc}]*red[^\p{Cc}]*$/u);
  expect(said.join('').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it('lets no number of a workbook mean another one in a list that is there, and says which', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'rabatte.xlsx');
  const name = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const written = (style: number, values: readonly number[]): Promise<void> =>
    writeFile(
      file,
      madeXlsx({
        sheets: {
          S: `<row r="1">${name('A1', 'Kunde')}${name('B1', 'Rabatt')}</row>${values
            .map(
              (value, at) =>
                `<row r="${at + 2}">${name(`A${at + 2}`, `K-${at}`)}<c r="B${at + 2}" s="${style}"><v>${value}</v></c></row>`,
            )
            .join('')}`,
        },
        styles:
          '<numFmts><numFmt numFmtId="170" formatCode="0.0&quot; kg&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/></cellXfs>',
      }),
    );
  const said = whatIsWritten();
  const data = join(folder.path, 'data');
  await written(1, [0.12, 0.2]);
  await importFile(file, { data, list: 'Rabatte', key: ['Kunde'] });
  await written(0, [15, 0]);
  await importFile(file, { data, list: 'Rabatte', key: ['Kunde'] });
  expect(said.slice(-2)).toEqual([
    'Rabatte: 0 rows new, 1 changed, 0 unchanged, 1 lines rejected\n',
    'line 2: Rabatt: “15” can be 15 % or 1500 %; write it with its percent sign.\n',
  ]);
  await written(2, [2.5, 3]);
  await importFile(file, { data, list: 'Gewichte' });
  // Named before anything goes in.
  expect(said.slice(-2)).toEqual([
    'Only the numbers are imported, without what is written beside them: Rabatt (kg).\n',
    'Gewichte: 2 rows new, 0 changed, 0 unchanged, 0 lines rejected\n',
  ]);
});

it('says once what is the matter with many lines', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'preise.csv');
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const data = join(folder.path, 'data');
  await writeFile(file, 'Nr,Preis\n1,€5.20\n2,€7\n');
  await importFile(file, { data, list: 'Preise', key: ['Nr'] });
  const dollars = Array.from({ length: 30 }, (_, at) => `${at + 1},$${at + 1}.20`);
  await writeFile(file, `Nr,Preis\n${dollars.join('\n')}\n40,€3,too much\n41,€4\n`);
  await importFile(file, { data, list: 'Preise' });
  expect(said.slice(-3)).toEqual([
    'Preise: 1 rows new, 0 changed, 0 unchanged, 31 lines rejected\n',
    '30 lines (2, 3, 4, 5, 6, …), such as line 2: Preis: “$1.20” stands in another unit than the column, which shows €; write it in that one.\n',
    'line 32: The line has 3 values for only 2 columns.\n',
  ]);
});

it('says of no column that it is shown with a currency where the list has another and refuses it', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'preise.xlsx');
  const cell = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const priced = (sign: string): Promise<void> =>
    writeFile(
      file,
      madeXlsx({
        sheets: {
          Preise: `<row r="1">${cell('A1', 'Artikel')}${cell('B1', 'Preis')}</row><row r="2">${cell('A2', 'Tee')}<c r="B2" s="1"><v>3.2</v></c></row>`,
        },
        styles: `<numFmts><numFmt numFmtId="170" formatCode="0.00&quot; ${sign}&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>`,
      }),
    );
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const data = join(folder.path, 'data');
  await priced('€');
  await importFile(file, { data, list: 'Preise' });
  expect(said).toEqual([
    'Shown with a currency: Preis.\n',
    'Preise: 1 rows new, 0 changed, 0 unchanged, 0 lines rejected\n',
  ]);
  said.length = 0;
  await priced('$');
  await expect(importFile(file, { data, list: 'preise' })).rejects.toThrow('No line could go in');
  expect(said).toEqual([
    'preise: 0 rows new, 0 changed, 0 unchanged, 1 lines rejected\n',
    expect.stringContaining('stands in another unit'),
  ]);
});

it('names guesses in doubt with the switch that changes them, and takes the switch', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'lager.csv');
  const data = join(folder.path, 'data');
  const said = whatIsWritten();
  await writeFile(file, 'milk,1,sold\negg,2,in stock\nbutter,4,sold\n');
  await importFile(file, { data, list: 'Lager' });
  expect(said).toEqual([
    expect.stringMatching(/^The first row is taken as data.*--heading-line 1/),
    'Lager: 3 rows new, 0 changed, 0 unchanged, 0 lines rejected\n',
  ]);
  said.length = 0;
  await importFile(file, { data, list: 'Lager 2', headingLine: '1' });
  expect(said).toEqual(['Lager 2: 2 rows new, 0 changed, 0 unchanged, 0 lines rejected\n']);
  await writeFile(file, 'Name,Ort\nAnna,Ulm\n');
  await importFile(file, { data, list: 'Lager 3', delimiter: 'none' });
  expect(said.at(-1)).toBe('Lager 3: 1 rows new, 0 changed, 0 unchanged, 0 lines rejected\n');
  said.length = 0;
  await writeFile(file, 'Kolli;Fracht\nMeyer;Jena;neu\nSchulz;Gera\nBerg;Erfurt\nKurz;Suhl\n');
  await importFile(file, { data, list: 'Lager 4' });
  expect(said[0]).toBe(
    'Line 1 is taken as the heading, but line 2 may be it. If so, say --heading-line 2.\n',
  );
});

it('names columns of the file that fit none of the list, and takes names of any length', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'umfrage.csv');
  const data = join(folder.path, 'data');
  const said = whatIsWritten();
  await writeFile(file, 'Nr;Name\n1;Anna Åsen\n2;Bo Lind\n');
  await importFile(file, { data, list: 'Kunden' });
  await writeFile(file, 'Nr;Nam;Fax\n3;Cem Aydın;123\n');
  await importFile(file, { data, list: 'Kunden' });
  expect(said.join('')).toContain('column “Nam” fits none of the list');
  expect(said.join('')).toContain('column “Fax” fits none of the list');
  const question = `Wie zufrieden sind Sie mit ${'der Lieferung, '.repeat(20)}alles in allem?`;
  await writeFile(file, `Nr;${question}\n1;sehr\n2;kaum\n`);
  await importFile(file, { data, list: 'Umfrage' });
  said.length = 0;
  await exportList({ data, list: 'Umfrage', format: 'csv', ids: false });
  expect(said.join('')).toMatch(/sehr[\s\S]*kaum/);
});
