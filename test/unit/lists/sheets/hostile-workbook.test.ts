import { expect, it } from 'vitest';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { madeOds, madeXlsx } from '../../../support/data/made-workbook.ts';

/** Small files, each of which once took gigabytes or for ever: what they say is repeated, shared or nested without end. */
const repeated =
  '<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>';
const blanks = `<text:s text:c="100000"/>`.repeat(600);
const cell = (xml: string): string =>
  `<table:table-cell office:value-type="string">${xml}</table:table-cell>`;
const inline = '<is><t>x</t></is>';
const row = (cells: string): string => `<table:table-row>${cells}</table:table-row>`;

it.each([
  ['cells repeated in one row', () => madeOds(row(repeated.repeat(30_000)))],
  [
    'empty cells repeated in one row, and one behind them',
    () =>
      madeOds(
        row(
          '<table:table-cell table:number-columns-repeated="16384"/>'.repeat(30_000) +
            cell('<text:p>x</text:p>'),
        ),
      ),
  ],
  [
    'empty rows without end',
    () => madeOds(row(cell('<text:p>x</text:p>')) + '<table:table-row/>'.repeat(1_500_000)),
  ],
  [
    'empty cells without end',
    () => madeOds(row(cell('<text:p>x</text:p>') + '<table:table-cell/>'.repeat(50_000))),
  ],
  ['blanks repeated in cells', () => madeOds(row(cell(`<text:p>a${blanks}</text:p>`).repeat(300)))],
  [
    'one blank repeated more often than there is memory',
    () => madeOds(row(cell('<text:p><text:s text:c="4000000000"/></text:p>'))),
  ],
  [
    'a row of many cells repeated to the end',
    () =>
      madeOds(
        `<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="1900" office:value-type="string"><text:p>abc</text:p></table:table-cell></table:table-row>`,
      ),
  ],
  [
    'rows repeated beyond the end',
    () =>
      madeOds(
        `<table:table-row table:number-rows-repeated="2000000">${cell('<text:p>x</text:p>').repeat(2)}</table:table-row>`.repeat(
          50,
        ),
      ),
  ],
  [
    'values in the last column there can be',
    () =>
      madeXlsx({
        sheets: {
          S: Array.from(
            { length: 30_000 },
            (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}" t="inlineStr">${inline}</c></row>`,
          ).join(''),
        },
      }),
  ],
  ['rows without end and without anything', () => madeXlsx({ sheets: { S: '<row/>'.repeat(3_000_000) } })],
  [
    'more texts than any workbook has, among the sheets',
    () =>
      madeXlsx({
        sheets: { S: '<row><c t="s"><v>0</v></c></row>' },
        texts: '<si/>'.repeat(3_000_000),
        textsPart: 'worksheets/ss.xml',
      }),
  ],
  [
    'a long text that every cell shares',
    () =>
      madeXlsx({
        sheets: { S: `<row>${'<c t="s"><v>0</v></c>'.repeat(500)}</row>`.repeat(2000) },
        texts: `<si><t>${'long '.repeat(150_000)}</t></si>`,
      }),
  ],
  [
    'a cell without end',
    () =>
      madeXlsx({
        sheets: { S: `<row><c t="inlineStr"><is><t>${'x'.repeat(20_000_000)}</t></is></c></row>` },
      }),
  ],
  [
    'a tag without end',
    () =>
      madeXlsx({
        sheets: { S: `<row ${Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(' ')}/>` },
      }),
  ],
  ['paragraphs without end in one cell', () => madeOds(row(cell('<text:p/>'.repeat(1_500_000))))],
  [
    'more sheets than anybody makes',
    () => madeXlsx({ sheets: Object.fromEntries(Array.from({ length: 10_100 }, (_, at) => [`S${at}`, ''])) }),
  ],
  [
    'names of sheets that are longer than any',
    () =>
      madeOds(
        `</table:table>${Array.from({ length: 60 }, (_, at) => `<table:table table:name="${'n'.repeat(1_000_000)}${at}"></table:table>`).join('')}<table:table>`,
      ),
  ],
  ['tags in tags without end', () => madeXlsx({ sheets: { S: '<row>'.repeat(200_000) } })],
])('%s: refused in bounded time and memory', { timeout: 60_000 }, async (_what, make) => {
  const file = make();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const started = process.cpuUsage();
  const refused = readTable(file, { headerLine: 0 });
  await expect(refused).rejects.toMatchObject({ kind: 'impossible' });
  clearInterval(watch);
  expect((most - before) / 1024 / 1024, 'MiB').toBeLessThan(400);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000, 'milliseconds').toBeLessThan(20_000);
});

const columns = Array.from({ length: 1300 }, (_, at) => {
  const letters = [Math.floor(at / 676) - 1, (Math.floor(at / 26) % 26) - (at < 676 ? 1 : 0), at % 26];
  return letters.map((each) => (each < 0 ? '' : String.fromCharCode(65 + each))).join('');
});

it.each([
  [
    'beginnings of merged cells that never end',
    () =>
      madeXlsx({
        sheets: { S: `<row><c t="inlineStr">${inline}</c></row>` },
        after: `<!-- ${'<mergeCell ref="A1:A2" '.repeat(8000)}-->`,
      }),
  ],
  [
    'one line over and over, of which very many cells are merged',
    () =>
      madeXlsx({
        sheets: { S: `<row><c t="inlineStr">${inline}</c></row>${'<row r="1"/>'.repeat(2500)}` },
        after: `<mergeCells>${'<mergeCell ref="A1:A2"/>'.repeat(50_000)}</mergeCells>`,
      }),
  ],
  [
    'long digits in very many cells that are merged with all below',
    () =>
      madeXlsx({
        sheets: {
          S: `<row r="1">${columns.map((column) => `<c r="${column}1" t="s"><v>0</v></c>`).join('')}</row>${'<row><c><v>1</v></c></row>'.repeat(2000)}`,
        },
        texts: `<si><t>${'1'.repeat(12_000)}</t></si>`,
        after: `<mergeCells>${columns.map((column) => `<mergeCell ref="${column}1:${column}9000"/>`).join('')}</mergeCells>`,
      }),
  ],
])(
  '%s: are read in a time that grows with the file, and no faster',
  { timeout: 60_000 },
  async (_what, make) => {
    const file = make();
    const before = process.cpuUsage();
    await readTable(file, { headerLine: 0 }).catch(() => undefined);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000, 'milliseconds').toBeLessThan(3000);
  },
);

const empties = '</table:table><table:table table:name="E">'.repeat(60);

it(
  'reads a workbook of many empty sheets once to find the one that holds something',
  { timeout: 60_000 },
  async () => {
    const rows = ' <table:table-row/>'.repeat(200_000);
    const filled = row(cell('<text:p>Name</text:p>'));
    const began = performance.now();
    const { source } = await readTable(
      madeOds(`${rows}${empties}</table:table><table:table table:name="Z">${filled}`),
      {},
    );
    expect(source.sheet).toBe('Z');
    const once = performance.now();
    await readTable(madeOds(`${rows}${filled}`), {});
    // The names, the first that is filled, its beginning, and all of it: a few readings, whatever the number of sheets.
    expect(once - began).toBeLessThan(6 * (performance.now() - once) + 1000);
  },
);

it('reads no further for whoever has gone', async () => {
  const gone = new AbortController();
  const endless = `<table:table-row table:number-rows-repeated="1000000">${cell('<text:p>x</text:p>').repeat(20)}</table:table-row>`;
  const reading = readTable(madeOds(endless), { signal: gone.signal });
  setTimeout(() => gone.abort(), 50);
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

const money = (name: string, sign: string): string =>
  `<number:currency-style style:name="N${name}"><number:number/><number:text>${sign}</number:text></number:currency-style><style:style style:name="ce${name}" style:family="table-cell" style:data-style-name="N${name}"/>`;
const amountCell = (more: string): string =>
  `<table:table-cell office:value-type="currency" office:value="5" ${more}><text:p>5</text:p></table:table-cell>`;
const headed = (cells: string): string => row(cell('<text:p>Betrag</text:p>')) + row(cells);

it.each([
  [
    'in a style of numbers',
    (sign: string) => madeOds(headed(amountCell('table:style-name="ce1"')), money('1', sign)),
  ],
  ['at a cell', (sign: string) => madeOds(headed(amountCell(`office:currency="${sign}"`)))],
])('reads a long text %s in the time of a short one', async (_where, make) => {
  const sign = `x${' '.repeat(60_000)}x`;
  const started = process.cpuUsage();
  const { columns } = await readTable(make(sign), {});
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000, 'milliseconds').toBeLessThan(1000);
  expect(columns.map(({ header }) => header)).toEqual(['Betrag']);
});

it(
  'reads empty cells below thousands of described columns without a search for each',
  { tags: 'nightly-sizes' },
  async () => {
    const described = '<table:table-column table:default-cell-style-name="ce1"/>'.repeat(2000);
    const empty = '<table:table-cell/>'.repeat(1900);
    const file = madeOds(
      described + headed(cell('<text:p>12</text:p>')) + row(empty + cell('<text:p>x</text:p>')).repeat(1000),
      money('1', 'EUR'),
    );
    const started = process.cpuUsage();
    await readTable(file, {}).catch(() => undefined);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000, 'milliseconds').toBeLessThan(15_000);
  },
);
