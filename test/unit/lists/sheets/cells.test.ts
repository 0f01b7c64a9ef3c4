import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable, type TableFile } from '../../../../server/lists/csv/read.ts';
import { english } from '../../../../server/words/said.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { madeOds, madeXlsx, type MadeXlsx } from '../../../support/data/made-workbook.ts';
import { testLists } from '../../../support/harness/lists.ts';

/** Rows of a workbook as texts, as they come out of it. */
async function textsOf(file: Buffer, sheet?: string): Promise<readonly (readonly string[])[]> {
  return linesOf(await readTable(file, { headerLine: 0, ...(sheet === undefined ? {} : { sheet }) }));
}

async function linesOf(table: TableFile): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const { records } of table.read())
    for (const record of records) rows.push('fields' in record ? record.fields : ['BAD']);
  return rows;
}

const inline = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

const STYLES = `<numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/><numFmt numFmtId="171" formatCode="&quot;d&quot;0"/><numFmt numFmtId="172" formatCode="#,##0.00\\ [$€-407]"/><numFmt numFmtId="173" formatCode="[$-407]dd\\.mm\\.yyyy;@"/><numFmt numFmtId="174" formatCode="00000"/><numFmt numFmtId="175" formatCode="000\\-000"/><numFmt numFmtId="176" formatCode="00.0"/><numFmt numFmtId="177" formatCode="yyyy-mm-dd hh:mm:ss.000"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[
  0, 14, 170, 9, 171, 172, 22, 11, 173, 20, 174, 175, 176, 47, 177,
]
  .map((id) => `<xf numFmtId="${id}"/>`)
  .join('')}</cellXfs>`;
const [PLAIN, DAY, HOURS, PERCENT, LITERAL, EURO, MOMENT, SCIENCE, GERMAN_DAY, CLOCK, POSTAL, CODE, FIXED] =
  Array.from({ length: 13 }, (_, at) => at);
const [TENTHS, THOUSANDTHS] = [13, 14];

async function cell(
  value: string,
  style: number | undefined,
  more: Pick<MadeXlsx, 'is1904' | 'others'> = {},
): Promise<string> {
  const row = `<row r="1">${inline('A1', 'x')}<c r="B1" s="${style ?? 0}"><v>${value}</v></c></row>`;
  const [texts] = await textsOf(madeXlsx({ sheets: { S: row }, styles: STYLES, ...more }));
  return texts?.[1] ?? '';
}

describe('a cell of xlsx', () => {
  it.each([
    ['all digits of a card’s number', '1234567890123456', PLAIN, '1234567890123456'],
    ['and of the next one', '1234567890123457', PLAIN, '1234567890123457'],
    ['of 24 digits', '123456789012345678901234', PLAIN, '123456789012345678901234'],
    ['a large number as computers write it', '1.2345678901234560E+15', PLAIN, '1234567890123456'],
    ['a fraction without what computers add', '0.30000000000000004', PLAIN, '0.3'],
    ['a small one', '1.2345E-7', SCIENCE, '0.00000012345'],
    ['nothing for a blank', ' ', PLAIN, ''],
    ['as it is, what no program can hold', '1e400', PLAIN, '1e400'],
    ['as it is, what is no number', '0x10', PLAIN, '0x10'],
    ['a part of hundred as a number', '0.19', PERCENT, '0.19'],
    ['money as a number', '1234.5', EURO, '1234.5'],
    ['a number with a letter before it', '5', LITERAL, '5'],
    ['a postal code with the zero in front of it', '1067', POSTAL, '01067'],
    ['all of a longer one', '1234567', POSTAL, '1234567'],
    ['a code in groups', '12345', CODE, '012-345'],
    ['a longer one in groups', '1234567', CODE, '1234-567'],
    ['an amount as a number, however it is shown', '7.5', FIXED, '7.5'],
    ['a day', '45000', DAY, '2023-03-15'],
    ['a day in a language’s own way', '45000', GERMAN_DAY, '2023-03-15'],
    ['a moment, rounded to its second', '45000.999999', MOMENT, '2023-03-16'],
    ['a moment with its time', '45000.25', MOMENT, '2023-03-15 06:00:00'],
    ['a time of day', '0.34375', CLOCK, '08:15:00'],
    ['the tenths of a run', '0.0034', TENTHS, '00:04:53.8'],
    ['the thousandths of a moment', '46027.416678090', THOUSANDTHS, '2026-01-05 10:00:00.987'],
    ['a moment without thousandths', '46027.416666666', THOUSANDTHS, '2026-01-05 10:00:00'],
    ['the day that there never was as itself', '60', DAY, '1900-02-29'],
    ['the one before', '59', DAY, '1900-02-28'],
    ['hours of more than a day', '1.25', HOURS, '30:00:00'],
    ['hours of more than a day, shown as a time of day', '1.25', CLOCK, '30:00:00'],
    ['the end of a day as a time', '1', CLOCK, '24:00:00'],
    ['a moment of which only the time is shown', '46082.25', CLOCK, '2026-03-01 06:00:00'],
    ['hours of two days', '2.0833333333333335', HOURS, '50:00:00'],
    ['less than no hours', '-0.0625', HOURS, '-01:30:00'],
    ['the number where no time is as long', '1e18', HOURS, '1000000000000000000'],
    ['the number where it is no day', '-1', DAY, '-1'],
    ['the number where it is beyond all days', '1000000000', DAY, '1000000000'],
  ])('gives %s', async (_what, value, style, text) => {
    expect(await cell(value, style)).toBe(text);
  });

  it('counts days from 1904 where the workbook says so, and times of day as everywhere', async () => {
    expect(await cell('43538', DAY, { is1904: true })).toBe('2023-03-15');
    expect(await cell('0', DAY, { is1904: true })).toBe('1904-01-01');
    expect(await cell('0.5', CLOCK, { is1904: true })).toBe('12:00:00');
  });

  it.each([
    ['-5414', DAY, '1885-03-04'],
    ['-0.5', MOMENT, '1899-12-29 12:00:00'],
    ['1', DAY, '1899-12-31'],
    ['2', DAY, '1900-01-01'],
    ['60', DAY, '1900-02-28'],
    ['61', DAY, '1900-03-01'],
    ['45000.25', MOMENT, '2023-03-15 06:00:00'],
    ['-693593', DAY, '0001-01-01'],
    ['-693594', DAY, '-693594'],
    ['-0.5', CLOCK, '-0.5'],
    ['-5414', PLAIN, '-5414'],
  ])('counts days as LibreOffice does where it saved the workbook: %s', async (value, style, read) => {
    const app =
      '<Properties><Application>LibreOffice/7.4.7.2$Linux_X86_64 LibreOffice_project/40$Build-2</Application></Properties>';
    expect(await cell(value, style, { others: { 'docProps/app.xml': app } })).toBe(read);
  });

  it.each([
    ['2026-01-05', DAY, '2026-01-05'],
    ['2026-01-05T10:00:00.987', THOUSANDTHS, '2026-01-05 10:00:00.987'],
    ['2026-01-05T10:00:00.987', MOMENT, '2026-01-05 10:00:00'],
    ['1899-12-30T10:30:00', CLOCK, '10:30:00'],
  ])('reads a date as Strict Open XML writes it: %s', async (value, style, read) => {
    const row = `<row r="1">${inline('A1', 'x')}<c r="B1" s="${style ?? 0}" t="d"><v>${value}</v></c></row>`;
    expect(await textsOf(madeXlsx({ sheets: { S: row }, styles: STYLES }))).toEqual([['x', read]]);
  });

  it('says a text once that has runs of several looks, without how it is pronounced', async () => {
    const texts =
      '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><r><t>a_x0042_</t></r><r><t xml:space="preserve"> c</t></r></si>';
    const row = `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>tokyo</t><rPh><t>TOUKYOU</t></rPh></is></c></row>`;
    expect(await textsOf(madeXlsx({ sheets: { S: row }, texts }))).toEqual([['東京', 'aB c', 'tokyo']]);
  });

  it('is blank where all shared texts are, as programs write an emptied cell', async () => {
    const row = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>5</v></c></row>`;
    for (const texts of ['<si><t/></si>', '<si/>'])
      expect(await textsOf(madeXlsx({ sheets: { S: row }, texts }))).toEqual([['', '5']]);
  });

  it('is told of as a formula where nobody computed it, and takes away no value of the list', async () => {
    const { lists } = await testLists();
    const row = (line: number, name: string, price: string): string =>
      `<row r="${line}">${inline(`A${line}`, name)}<c r="B${line}">${price}</c></row>`;
    const head = `<row r="1">${inline('A1', 'Name')}${inline('B1', 'Price')}</row>`;
    const known = madeXlsx({
      sheets: { S: head + row(2, 'ann', '<v>12</v>') + row(3, 'bob', '<v>13</v>') },
    });
    const { moduleID } = await importTable(lists, known, { to: { name: 'L' }, by: '0' });
    const file = madeXlsx({
      sheets: { S: head + row(2, 'ann', '<f>10*1.2</f>') + row(3, 'bob', '<f>10*1.3</f><v></v>') },
    });
    const { updated, rejected } = await importTable(lists, file, {
      to: { moduleID },
      key: ['Name'],
      by: '0',
    });
    expect(updated).toBe(0);
    expect(rejected).toHaveLength(2);
    const { columns } = await readTable(file, {});
    expect(JSON.stringify(columns.map(({ guess }) => guess))).toContain('=10*1.2');
  });
});

describe('a sheet of xlsx', () => {
  it('is found behind one of charts', async () => {
    const table = (text: string): string => `<row>${inline('A1', text)}${inline('B1', text)}</row>`;
    const file = madeXlsx({
      sheets: { Chart: '<drawing/>', Two: table('two'), Three: table('three') },
      kinds: { Chart: 'chartsheet' },
    });
    expect(await textsOf(file)).toEqual([['two', 'two']]);
    expect((await readTable(file, {})).source.sheets).toEqual(['Two', 'Three']);
  });
});

describe('which sheet is looked at first', () => {
  const table = (text: string): string => `<row>${inline('A1', text)}${inline('B1', text)}</row>`;
  it('is one that is shown, before one that is hidden, and before one that is empty', async () => {
    const sheets = { Secret: table('secret'), Empty: '', Shown: table('shown') };
    expect(await textsOf(madeXlsx({ sheets, hidden: ['Secret'] }))).toEqual([['shown', 'shown']]);
    expect(await textsOf(madeXlsx({ sheets, hidden: ['Secret', 'Shown'] }))).toEqual([['secret', 'secret']]);
    expect(await textsOf(madeXlsx({ sheets, hidden: ['Secret'] }), 'Secret')).toEqual([['secret', 'secret']]);
  });

  it('is a shown one in OpenDocument too', async () => {
    const cells = (text: string): string =>
      `<table:table-row>${`<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`.repeat(2)}</table:table-row>`;
    const hiding =
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const sheets = (first: string, second: string): Buffer =>
      madeOds(
        `</table:table><table:table table:name="Secret" table:style-name="${first}">${cells('secret')}</table:table><table:table table:name="Shown" table:style-name="${second}">${cells('shown')}`,
        hiding,
      );
    expect(await textsOf(sheets('ta2', 'ta1'))).toEqual([['shown', 'shown']]);
    expect(await textsOf(sheets('ta1', 'ta2'))).toEqual([['secret', 'secret']]);
    expect(await textsOf(sheets('ta2', 'ta2'))).toEqual([['secret', 'secret']]);
    expect(await textsOf(sheets('ta2', 'ta1'), 'Secret')).toEqual([['secret', 'secret']]);
    const first = await readTable(sheets('ta2', 'ta1'), { maxLines: 1 });
    expect([first.source.sheet, first.columns[0]?.header]).toEqual(['Shown', 'shown']);
    expect((await readTable(sheets('ta2', 'ta1'), {})).otherSheets).toEqual(['Secret']);
  });
});

describe('a cell of ods', () => {
  const float = (value: string): string =>
    `<table:table-cell office:value-type="float" office:value="${value}"><text:p>shown</text:p></table:table-cell>`;
  it.each([
    ['all digits of a card’s number', float('1234567890123457'), '1234567890123457'],
    ['a fraction', float('0.30000000000000004'), '0.3'],
    [
      'a postal code with the zero in front of it',
      '<table:table-cell office:value-type="float" office:value="1067"><text:p>01067</text:p></table:table-cell>',
      '01067',
    ],
    [
      'an amount as a number, however it is shown',
      '<table:table-cell office:value-type="float" office:value="0.5"><text:p>0,50</text:p></table:table-cell>',
      '0.5',
    ],
    [
      'hours of more than a day',
      '<table:table-cell office:value-type="time" office:time-value="PT30H05M07S"/>',
      '30:05:07',
    ],
    [
      'a moment that shows its time of day',
      '<table:table-cell office:value-type="time" office:time-value="PT1088461H05M07S"><text:p>13:05:07</text:p></table:table-cell>',
      '2024-03-01 13:05:07',
    ],
    [
      'very many hours that are shown',
      '<table:table-cell office:value-type="time" office:time-value="PT1088461H05M07S"><text:p>1088461:05</text:p></table:table-cell>',
      '1088461:05:07',
    ],
    [
      'a moment',
      '<table:table-cell office:value-type="date" office:date-value="2026-02-03T08:15:00.4"/>',
      '2026-02-03 08:15:00',
    ],
    [
      'the tenths of a run, as they are shown',
      '<table:table-cell office:value-type="time" office:time-value="PT00H04M53.76S"><text:p>04:53,7</text:p></table:table-cell>',
      '00:04:53.7',
    ],
    [
      'as it is, what no time is as long as',
      '<table:table-cell office:value-type="time" office:time-value="PT99999999999999999H00M00S"/>',
      'PT99999999999999999H00M00S',
    ],
    [
      'a calculated time without its noise',
      '<table:table-cell office:value-type="time" office:time-value="PT08H29M59.999999999S"><text:p>08:30</text:p></table:table-cell>',
      '08:30:00',
    ],
    [
      'a calculated moment that shows its time of day, without its larger noise',
      '<table:table-cell office:value-type="time" office:time-value="PT1105256H04M59.999998882S"><text:p>08:05</text:p></table:table-cell>',
      '2026-01-30 08:05:00',
    ],
    [
      'a moment with the thousandths that are shown',
      '<table:table-cell office:value-type="date" office:date-value="2026-02-03T08:15:00.4200001"><text:p>03.02.26 08:15:00,420</text:p></table:table-cell>',
      '2026-02-03 08:15:00.42',
    ],
    [
      'a time of no day, as a time of day',
      '<table:table-cell office:value-type="date" office:date-value="1899-12-30T12:30:00"><text:p>12:30</text:p></table:table-cell>',
      '12:30:00',
    ],
    [
      'lines, blanks and tabs of a text, without its note',
      '<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>one<text:s text:c="3"/>two</text:p><text:p>three<text:tab/><text:span>four</text:span></text:p></table:table-cell>',
      'one   two\nthree\tfour',
    ],
    [
      'a text without how it is pronounced',
      '<table:table-cell office:value-type="string"><text:p><text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby></text:p></table:table-cell>',
      '東京',
    ],
    ['a formula that nobody computed', '<table:table-cell table:formula="of:=[.A1]*2"/>', '=[.A1]*2'],
    [
      'the result of a comparison as yes or no, in any language',
      '<table:table-cell table:formula="of:=[.A1]&gt;0" office:value-type="float" office:value="1"><text:p>WAHR</text:p></table:table-cell>',
      'true',
    ],
    [
      'the number of a formula that shows a text of its format',
      '<table:table-cell table:formula="of:=[.A1]*0" office:value-type="float" office:value="0"><text:p>frei</text:p></table:table-cell>',
      '0',
    ],
    [
      'the number of a formula that shows capitals of its format',
      '<table:table-cell table:formula="of:=[.A1]*0" office:value-type="float" office:value="0"><text:p>KEINE</text:p></table:table-cell>',
      '0',
    ],
    [
      'an error that OpenOffice wrote as 0',
      '<table:table-cell table:formula="of:=1/0" office:value-type="float" office:value="0"><text:p>#DIV/0!</text:p></table:table-cell>',
      '#DIV/0!',
    ],
    [
      'an error as it shows',
      '<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value=""><text:p>#DIV/0!</text:p></table:table-cell>',
      '#DIV/0!',
    ],
  ])('gives %s', async (_what, xml, text) => {
    const row = `<table:table-row>${float('1')}${xml}</table:table-row>`;
    expect(await textsOf(madeOds(row))).toEqual([['1', text]]);
  });

  it.each(['frame', 'custom-shape', 'rect', 'line', 'ellipse', 'g', 'control'])(
    'has no text of a drawing that is anchored to it: %s',
    async (drawing) => {
      const xml = `<table:table-cell office:value-type="string"><draw:${drawing}><text:p>Ask</text:p></draw:${drawing}><text:p>one</text:p></table:table-cell>`;
      expect(await textsOf(madeOds(`<table:table-row>${float('1')}${xml}</table:table-row>`))).toEqual([
        ['1', 'one'],
      ]);
    },
  );

  it('keeps blanks in a row, as LibreOffice and Gnumeric write them, but no layout', async () => {
    const cells = [' a  b', '\n   a\n   b', ' '.repeat(200_000), '<text:span> a</text:span> b'].map(
      (xml) => `<table:table-cell office:value-type="string"><text:p>${xml}</text:p></table:table-cell>`,
    );
    const row = `<table:table-row>${cells.join('')}</table:table-row>`;
    expect(await textsOf(madeOds(row))).toEqual([[' a  b', 'a b', ' '.repeat(200_000), ' a b']]);
  });

  it('counts the hours of a moment that shows its time of day from 1904 where the workbook says so', async () => {
    const row = `<table:table-row>${float('1')}<table:table-cell office:value-type="time" office:time-value="PT1105256H05M00S"><text:p>08:05</text:p></table:table-cell></table:table-row>`;
    const since = (day: string): string =>
      `<table:calculation-settings><table:null-date table:date-value="${day}"/></table:calculation-settings>`;
    expect(await textsOf(madeOds(row, '', since('1904-01-01')))).toEqual([['1', '2030-01-31 08:05:00']]);
    expect(await textsOf(madeOds(row, '', since('1899-12-30')))).toEqual([['1', '2026-01-30 08:05:00']]);
  });

  it('stands as often as it is repeated, in its row and with it; what is covered is not there', async () => {
    const cells = `<table:table-cell table:number-columns-repeated="2" office:value-type="string"><text:p>a</text:p></table:table-cell><table:covered-table-cell office:value-type="string"><text:p>below</text:p></table:covered-table-cell><table:table-cell office:value-type="string"><text:p>b</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16380"/>`;
    const rows = `<table:table-row table:number-rows-repeated="3">${cells}</table:table-row><table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
    expect(await textsOf(madeOds(rows))).toEqual(Array(3).fill(['a', 'a', '', 'b']));
  });
});

describe('what a spreadsheet program does not show', () => {
  const hiddenOf = async (file: Buffer): Promise<unknown> => (await readTable(file, {})).hidden;
  it('is counted and named, and goes in: rows and columns of xlsx', async () => {
    const row = (line: number, more: string, ...texts: string[]): string =>
      `<row r="${line}"${more}>${texts.map((text, at) => inline(`${'ABC'.charAt(at)}${line}`, text)).join('')}</row>`;
    const file = madeXlsx({
      sheets: {
        S:
          row(1, '', 'Name', 'City', 'Salary') +
          row(2, ' hidden="1"', 'ann', 'Ulm', '1') +
          row(3, '', 'bob', 'Gdańsk', '2') +
          row(4, ' hidden="true"', 'cy', 'Oslo', '3'),
      },
      before: '<cols><col min="3" max="16384" hidden="1"/><col min="1" max="1" hidden="0"/></cols>',
    });
    expect(await hiddenOf(file)).toEqual({ lines: 2, columns: ['Salary'] });
    expect(await textsOf(file)).toHaveLength(4);
  });

  it('and of ods, also what a filter hides', async () => {
    const text = (value: string): string =>
      `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
    const row = (more: string, ...texts: string[]): string =>
      `<table:table-row${more}>${texts.map(text).join('')}</table:table-row>`;
    const file = madeOds(
      '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column table:number-columns-repeated="16382"/>' +
        row('', 'Name', 'City', 'Salary') +
        row(' table:visibility="filter"', 'ann', 'Ulm', '1') +
        row('', 'bob', 'Gdańsk', '2'),
    );
    expect(await hiddenOf(file)).toEqual({ lines: 1, columns: ['City'] });
  });
});

describe('cells that are merged', () => {
  const numbered = (at: string, value: number): string => `<c r="${at}"><v>${value}</v></c>`;

  it('over several lines say in each of these lines what the first says, and are counted below the heading', async () => {
    const file = madeXlsx({
      sheets: {
        S:
          `<row r="1">${inline('A1', 'Deliveries by region')}</row>` +
          `<row r="2">${inline('A2', 'Region')}${inline('B2', 'Town')}${inline('C2', 'Crates')}</row>` +
          `<row r="3">${inline('A3', 'North')}${inline('B3', 'Oslo')}${numbered('C3', 1)}</row>` +
          `<row r="4"><c r="A4" s="0"/>${inline('B4', 'Bergen')}${numbered('C4', 2)}</row>` +
          // Nothing of its own: the row that is seen there is the one above.
          `<row r="5"><c r="A5" s="0"/></row>` +
          `<row r="6">${inline('A6', 'unseen')}${inline('B6', 'Tromsø')}${numbered('C6', 3)}</row>` +
          `<row r="7">${inline('B7', 'nowhere')}${numbered('C7', 4)}</row>` +
          `<row r="8">${inline('A8', 'closed all week')}${numbered('C8', 0)}</row>`,
      },
      after:
        '<mergeCells count="3"><mergeCell ref="A1:C1"/><mergeCell ref="A3:A6"/><mergeCell ref="A8:B8"/></mergeCells>',
    });
    expect(await linesOf(await readTable(file, {}))).toEqual([
      ['North', 'Oslo', '1'],
      ['North', 'Bergen', '2'],
      ['North', 'Tromsø', '3'],
      ['', 'nowhere', '4'],
      ['closed all week', '', '0'],
    ]);
    const { headerLine, merged, columns } = await readTable(file, {});
    expect([headerLine, merged]).toEqual([2, { rows: 1, columns: 1 }]);
    expect(columns.map(({ header, isFilled }) => [header, isFilled])).toEqual([
      ['Region', false],
      ['Town', false],
      ['Crates', true],
    ]);
  });

  it('give their names to columns whose heading takes two lines', async () => {
    const file = madeXlsx({
      sheets: {
        S:
          `<row r="1">${inline('A1', 'Number')}${inline('B1', 'Address')}</row>` +
          `<row r="2">${inline('B2', 'Street')}${inline('C2', 'Town')}</row>` +
          `<row r="3">${numbered('A3', 7)}${inline('B3', 'Kai 1')}${inline('C3', 'Oslo')}</row>`,
      },
      after: "<x:mergeCells><x:mergeCell ref='A1:A2'/><x:mergeCell ref='B1:C1'/></x:mergeCells>",
    });
    const { columns, merged } = await readTable(file, { headerLine: 2 });
    expect(columns.map(({ header }) => header)).toEqual(['Number', 'Street', 'Town']);
    expect(merged).toEqual({ rows: 0, columns: 0 });
  });

  it('stand in ods as in xlsx', async () => {
    const text = (value: string, more = ''): string =>
      `<table:table-cell office:value-type="string"${more}><text:p>${value}</text:p></table:table-cell>`;
    const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;
    const file = madeOds(
      row(text('Region'), text('Town'), text('Note')) +
        row(text('North', ' table:number-rows-spanned="2"'), text('Oslo'), text('a')) +
        row('<table:covered-table-cell/>', text('Bergen'), text('b')) +
        row(text(''), text('nowhere'), text('c')) +
        row(text('closed', ' table:number-columns-spanned="2"'), '<table:covered-table-cell/>', text('d')),
    );
    expect((await textsOf(file)).slice(1)).toEqual([
      ['North', 'Oslo', 'a'],
      ['North', 'Bergen', 'b'],
      ['', 'nowhere', 'c'],
      ['closed', '', 'd'],
    ]);
    expect((await readTable(file, {})).merged).toEqual({ rows: 1, columns: 1 });
  });

  it('of which there are more than anybody makes are refused', async () => {
    const file = madeXlsx({
      sheets: { S: `<row r="1">${inline('A1', 'Name')}</row>` },
      after: `<mergeCells>${'<mergeCell ref="A1:A9"/>'.repeat(100_001)}</mergeCells>`,
    });
    await expect(readTable(file, {})).rejects.toMatchObject({ code: 'sheet.size' });
  });
});

describe('what of a workbook comes in otherwise, or not at all', () => {
  it('is how its numbers are shown: decimals, percent and currency are kept', async () => {
    const number = (at: string, value: number, style = 0): string =>
      `<c r="${at}" s="${style}"><v>${value}</v></c>`;
    const line = (at: number): string =>
      number(`B${at}`, 0.125, PERCENT) + number(`C${at}`, 1234.5, EURO) + number(`D${at}`, at, FIXED);
    const file = madeXlsx({
      sheets: {
        S:
          `<row r="1">${['Name', 'Share', 'Price', 'Weight'].map((text, at) => inline(`${'ABCD'.charAt(at)}1`, text)).join('')}</row>` +
          `<row r="2">${inline('A2', 'tea')}${line(2)}</row><row r="3">${inline('A3', 'jam')}${line(3)}</row>`,
      },
      styles: STYLES,
    });
    const { columns } = await readTable(file, {});
    expect(columns.map(({ amount }) => amount)).toEqual([
      undefined,
      { unit: '%', decimals: 0, isMixed: false },
      { unit: '€', decimals: 2, isMixed: false },
      { decimals: 1, isMixed: false },
    ]);
    const { lists } = await testLists();
    const { moduleID } = await importTable(lists, file, { to: { name: 'Shown' }, by: '7' });
    const { fields } = await lists.module(moduleID);
    expect(fields.map(({ kind, options }) => [kind, options])).toEqual([
      ['String', {}],
      ['Number', { unit: '%' }],
      ['Number', { unit: '€', precision: 2 }],
      ['Number', { precision: 1 }],
    ]);
    const chosen = await importTable(lists, file, {
      ...{ to: { name: 'Corrected' }, by: '7' },
      formats: { Share: { precision: 3 }, Price: { unit: 'CHF' } },
    });
    const corrected = await lists.module(chosen.moduleID);
    expect(corrected.fields.map(({ options }) => options)).toEqual([
      ...[{}, { precision: 3 }, { unit: 'CHF' }, { precision: 1 }],
    ]);
  });

  it('is percent though a formula below, which nobody has computed, is shown as nothing else', async () => {
    const file = madeXlsx({
      sheets: {
        S:
          `<row r="1">${inline('A1', 'Share')}</row>` +
          `<row r="2"><c r="A2" s="${String(PERCENT)}"><v>0.5</v></c></row>` +
          `<row r="3"><c r="A3"><f>SUM(A2:A2)</f><v></v></c></row>`,
      },
      styles: STYLES,
    });
    const { columns } = await readTable(file, {});
    expect(columns.map(({ amount }) => amount)).toEqual([{ unit: '%', decimals: 0, isMixed: false }]);
  });

  it('is told where only some numbers below the names are shown as percent, and not where the title has a number', async () => {
    const number = (at: string, value: number, style = 0): string =>
      `<c r="${at}" s="${style}"><v>${value}</v></c>`;
    const file = madeXlsx({
      sheets: {
        S:
          `<row r="1">${number('B1', 2026)}</row>` +
          `<row r="2">${inline('A2', 'Name')}${inline('B2', 'Share')}${inline('C2', 'Both')}</row>` +
          `<row r="3">${inline('A3', 'tea')}${number('B3', 0.5, PERCENT)}${number('C3', 0.5, PERCENT)}</row>` +
          `<row r="4">${inline('A4', 'jam')}${number('B4', 0.1, PERCENT)}${number('C4', 3)}</row>`,
      },
      styles: STYLES,
    });
    const { columns } = await readTable(file, { headerLine: 2 });
    expect(columns.map(({ amount }) => amount)).toEqual([
      ...[undefined, { unit: '%', decimals: 0, isMixed: false }, { decimals: 0, isMixed: true }],
    ]);
  });

  it('is what stands beside its cells, by name', async () => {
    const sheets = { S: `<row r="1">${inline('A1', 'Name')}</row>` };
    const others = {
      'xl/externalLinks/externalLink1.xml': '<externalLink/>',
      'xl/vbaProject.bin': 'x',
      'xl/media/image1.png': 'x',
      'xl/charts/chart1.xml': '<x/>',
      'xl/comments/comment1.xml': '<comments/>',
      'xl/pivotTables/pivotTable1.xml': '<x/>',
    };
    expect((await readTable(madeXlsx({ sheets, others }), {})).leftOut).toEqual([
      ...['links', 'macros', 'pictures', 'charts', 'comments', 'pivots'],
    ]);
    expect((await readTable(madeXlsx({ sheets }), {})).leftOut).toEqual([]);
    const ods = madeOds(
      `<table:table-row><table:table-cell office:value-type="float" office:value="1" table:formula="of:=['file:///home/ann/Prices.ods'#$S.A1]"><text:p>1</text:p><office:annotation><text:p>Ask Ann</text:p></office:annotation></table:table-cell></table:table-row>`,
    );
    expect([...(await readTable(ods, {})).leftOut].sort()).toEqual(['comments', 'links']);
  });
});

describe('formulas that no program calculated', () => {
  const sheet = (results: readonly string[], isToCalculate = true): Buffer =>
    madeXlsx({
      isToCalculate,
      sheets: {
        S: `<row r="1">${inline('A1', 'Name')}${inline('B1', 'Price')}</row>${results
          .map(
            (cell, at) =>
              `<row r="${at + 2}">${inline(`A${at + 2}`, `row ${at}`)}<c r="B${at + 2}">${cell}</c></row>`,
          )
          .join('')}`,
      },
    });
  const NONE = '<f>2*3</f>';
  const ZERO = '<f>2*3</f><v>0</v>';
  const SEVEN = '<f>2*3+1</f><v>7</v>';

  it.each([
    ['without results', sheet([NONE, NONE]), 2],
    ['with empty results, as openpyxl writes them', sheet(['<f>2*3</f><v></v>', NONE], false), 2],
    ['with 0 in all, as XlsxWriter writes them', sheet([ZERO, ZERO, '<v>5</v>']), 2],
    [
      'of an OpenDocument',
      madeOds('<table:table-row><table:table-cell table:formula="of:=2*3"/></table:table-row>'),
      1,
    ],
  ])('are counted: %s', async (_name, file, count) => {
    expect((await readTable(file, {})).uncalculated).toBe(count);
  });

  it.each([
    ['with results', sheet([SEVEN, SEVEN])],
    ['with 0 beside other results', sheet([ZERO, SEVEN])],
    ['with 0 where nothing is to be calculated', sheet([ZERO, ZERO], false)],
  ])('are none: %s', async (_name, file) => {
    expect((await readTable(file, {})).uncalculated).toBe(0);
  });

  it('are none with an empty result, as LibreOffice saves those of Excel: the cell is blank', async () => {
    const blank =
      '<table:table-cell table:formula="of:=IF([.A2]=1;2;&quot;&quot;)"><text:p/></table:table-cell>';
    const cell = (type: string, shown: string): string =>
      `<table:table-cell office:value-type="${type}" office:value="${shown}"><text:p>${shown}</text:p></table:table-cell>`;
    const { lists } = await testLists();
    const { moduleID, notes } = await importTable(
      lists,
      madeOds(
        [
          [cell('string', 'Name'), cell('string', 'Price')],
          [cell('string', 'Ada'), blank],
          [cell('string', 'Bo'), cell('float', '7')],
        ]
          .map((cells) => `<table:table-row>${cells.join('')}</table:table-row>`)
          .join(''),
      ),
      { to: { name: 'New' }, by: '0' },
    );
    expect(notes).toEqual([]);
    const module = await lists.module(moduleID);
    expect(module.fields.map(({ kind }) => kind)).toEqual(['String', 'Number']);
    expect((await textRows(lists, module)).map(({ Price }) => Price)).toEqual(['', '7']);
  });

  it('are told before the import, and come in as formulas', async () => {
    const { lists } = await testLists();
    const { moduleID, notes } = await importTable(lists, sheet([NONE, NONE]), {
      to: { name: 'New' },
      by: '0',
    });
    expect(notes.map(english)).toEqual([
      '2 cells hold formulas that were never calculated. Open the file in a spreadsheet program and save it, then import it.',
    ]);
    expect((await textRows(lists, await lists.module(moduleID))).map(({ Price }) => Price)).toEqual([
      '=2*3',
      '=2*3',
    ]);
  });

  it('are a total where they add up, though their result is 0', async () => {
    const rows = [5, 7, 8].map(
      (n, at) =>
        `<row r="${at + 2}">${inline(`A${at + 2}`, `row ${at}`)}<c r="B${at + 2}"><v>${n}</v></c></row>`,
    );
    const total = `<row r="5">${inline('A5', 'Summe')}<c r="B5"><f>SUBTOTAL(109,[Price])</f><v>0</v></c></row>`;
    const head = `<row r="1">${inline('A1', 'Name')}${inline('B1', 'Price')}</row>`;
    const { sums, lines } = await readTable(
      madeXlsx({ isToCalculate: true, sheets: { S: head + rows.join('') + total } }),
      { sums: 'out' },
    );
    expect([sums, lines]).toEqual([[{ line: 5, text: 'Summe' }], 3]);
  });
});
