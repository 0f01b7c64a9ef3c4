import { expect, it } from 'vitest';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { openSheetSource } from '../../../../server/lists/sheets/sheet-source.ts';
import { atNight } from '../../../support/data/luck.ts';
import { madeOds, madeXlsx } from '../../../support/data/made-workbook.ts';

const ROWS = atNight(60_000, 20_000);
const part = { maxLines: 200 };

/** What it costs to show the first rows of a workbook, of what it costs to read all of it. */
async function shareOfFirst(bytes: Buffer): Promise<number> {
  const costOf = async (options: { maxLines?: number }): Promise<number> => {
    const started = process.cpuUsage();
    await readTable(Buffer.from(bytes), options);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  const first = await costOf(part);
  return first / (await costOf({}));
}

const text = (value: string): string =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
const odsRow = (at: number): string =>
  `<table:table-row>${text(`K-${at}`)}${text(`Größmann ${at}`)}${text('Ulm')}</table:table-row>`;
const heading = `<table:table-row>${['Nr', 'Name', 'Ort'].map(text).join('')}</table:table-row>`;
const ods = madeOds(
  `${heading}${Array.from({ length: ROWS }, (_, at) => odsRow(at)).join('')}</table:table><table:table table:name="Lieferanten">${heading}${odsRow(7)}`,
);

const xlsx = madeXlsx({
  sheets: {
    Kunden: Array.from(
      { length: ROWS },
      (_, at) =>
        `<row r="${at + 1}">${[3 * at, 3 * at + 1, 3 * at + 2].map((place) => `<c t="s"><v>${place}</v></c>`).join('')}</row>`,
    ).join(''),
    Lieferanten: '<row r="1"><c t="s"><v>0</v></c></row>',
  },
  texts: Array.from({ length: ROWS }, (_, at) =>
    (at === 0 ? ['Nr', 'Name', 'Ort'] : [`K-${at}`, `Größmann ${at}`, `Ort ${at}`])
      .map((each) => `<si><t>${each}</t></si>`)
      .join(''),
  ).join(''),
});

it.each([
  ['ods', ods],
  ['xlsx', xlsx],
])(
  '%s: the first rows cost a small part of the whole file, and are the same',
  { timeout: 120_000 },
  async (_kind, bytes) => {
    const first = await readTable(Buffer.from(bytes), part);
    expect(first.columns.map(({ header }) => header)).toEqual(['Nr', 'Name', 'Ort']);
    expect(first.start.length).toBeGreaterThan(100);
    // Named only by opening each of them.
    expect(first.otherSheets).toEqual([]);
    expect(await shareOfFirst(bytes)).toBeLessThan(0.2);
  },
);

const FILLED = 60;
const FORMATTED = 60_000;

/** A price list that was sorted after its texts were shared, with formats far below it and a row at their end. */
const sorted = madeXlsx({
  sheets: {
    Preise: Array.from({ length: FORMATTED }, (_, at) => {
      const place = at === 0 ? 0 : 2 * (ROWS - Math.min(at, FILLED));
      const places = [place, place + 1];
      const cells = places.map((place) => `<c s="1" t="s"><v>${place}</v></c>`).join('');
      const isFilled = at < FILLED || at === FORMATTED - 1;
      return `<row r="${at + 1}" s="1">${isFilled ? cells : '<c s="1"/><c s="1"/>'}</row>`;
    }).join(''),
  },
  texts: Array.from({ length: ROWS }, (_, at) =>
    (at === 0 ? ['Artikel', 'Text'] : [`A-${at}`, `${'Kugelhahn, Messing '.repeat(4)}${at}`])
      .map((each) => `<si><t>${each}</t></si>`)
      .join(''),
  ).join(''),
});

it('reads a bounded part of shared texts and of empty rows', { timeout: 120_000 }, async () => {
  const first = await readTable(Buffer.from(sorted), part);
  expect(first.columns.map(({ header }) => header)).toEqual(['Artikel', 'Text']);
  expect([first.lines, first.columns[1]?.guess.samples[0]]).toEqual([FILLED - 1, '…']);
  const whole = await readTable(Buffer.from(sorted), {});
  expect([whole.lines, whole.columns[1]?.guess.samples[0]]).toEqual([
    FILLED,
    expect.stringContaining('Kugelhahn'),
  ]);
});

it('reads on to the first row of the sheet that is asked for', async () => {
  const source = await openSheetSource(ods, 'Lieferanten', { isPart: true });
  expect(source.sheet).toBe('Lieferanten');
  for await (const { records } of source.records()) expect(records).toHaveLength(2);
});

it.each([
  ['ods', ods],
  ['xlsx', xlsx],
])(
  '%s: names the other sheets with rows once all of it is read',
  { timeout: 120_000 },
  async (_kind, bytes) => {
    const file = await readTable(Buffer.from(bytes), {});
    expect(file.lines).toBeGreaterThanOrEqual(ROWS - 1);
    expect(file.otherSheets).toEqual(['Lieferanten']);
  },
);

it(
  'refuses a sheet that unpacks to several hundred times the size of its file',
  { tags: 'nightly-sizes', timeout: 120_000 },
  async () => {
    const row = `<row>${'<c><v>1</v></c>'.repeat(40)}</row>`;
    const file = madeXlsx({ sheets: { S: row.repeat(100_000) } });
    expect(file.length).toBeLessThan(512 * 1024);
    const started = process.cpuUsage();
    await expect(readTable(file, {})).rejects.toMatchObject({ code: 'sheet.size' });
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000, 'milliseconds').toBeLessThan(25_000);
  },
);
