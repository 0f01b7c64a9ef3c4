import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { suggestKind, readTable, findUnitAndDecimals } from '../../../../server/lists/csv/read.ts';
import { madeOds, madeXlsx } from '../../../support/data/made-workbook.ts';

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** A workbook whose one column of numbers has this format. */
function formatted(code: string, numbers: readonly number[]): Buffer {
  const rows = numbers.map(
    (number, at) => `<row r="${at + 2}"><c r="A${at + 2}" s="1"><v>${number}</v></c></row>`,
  );
  return madeXlsx({
    styles: `<numFmts><numFmt numFmtId="170" formatCode="${attribute(code)}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>`,
    sheets: {
      Data: `<row r="1"><c r="A1" t="inlineStr"><is><t>Wert</t></is></c></row>${rows.join('')}`,
    },
  });
}

/** What its column is in a new list, how its numbers are shown there, and its cells. */
async function column(file: Buffer): Promise<unknown> {
  const {
    columns: [first],
    read,
  } = await readTable(file, {});
  if (!first) return undefined;
  const cells: string[] = [];
  for await (const { records } of read())
    for (const record of records) if ('fields' in record) cells.push(record.fields[0] ?? '');
  const { kind } = suggestKind(first);
  return [kind, kind === 'Number' ? findUnitAndDecimals(first) : {}, cells];
}

const FORMATS: readonly (readonly [string, readonly number[], string, object, readonly string[]])[] = [
  ['#,##0," T€"', [1234567], 'Number', { unit: '€' }, ['1234567']],
  ['#,##0.0,," Mio. €"', [1234567], 'Number', { unit: '€' }, ['1234567']],
  ['#,##0,,"M"', [5000000], 'Number', {}, ['5000000']],
  ['0.00,"k"', [1500], 'Number', {}, ['1500']],
  ['[$$-409]#,##0,"K"', [1500], 'Number', {}, ['1500']],
  ['#,##0,"TEUR"', [1234567], 'Number', { unit: 'EUR' }, ['1234567']],
  ['#,##0" T€"', [1234], 'Number', { unit: 'T€' }, ['1234']],
  ['[>=1000000]0.0,,"M";[>=1000]0.0,"k";0', [1500, 20], 'Number', {}, ['1500', '20']],
  ['"D-"00000', [1067, 89073], 'String', {}, ['D-01067', 'D-89073']],
  ['\\D\\-00000', [1067], 'String', {}, ['D-01067']],
  ['"KD0-"0000', [42, 123456], 'String', {}, ['KD0-0042', 'KD0-123456']],
  ['[Blue]"RE-"0000;[Red]-0', [42], 'String', {}, ['RE-0042']],
  ['00000', [1067], 'String', {}, ['01067']],
  ['00000\\-0000', [12345678], 'String', {}, ['01234-5678']],
  ['(000) 000\\-0000', [5551234567], 'String', {}, ['(555) 123-4567']],
  ['[<=9999999]000\\-0000;(000) 000\\-0000', [5551234], 'String', {}, ['555-1234']],
  ['"2026-"0', [7, 12], 'String', {}, ['2026-7', '2026-12']],
  ['0"/26"', [12, 1345], 'String', {}, ['12/26', '1345/26']],
  ['"+49 "0', [24112345], 'String', {}, ['+49 24112345']],
  ['"2026"###', [17], 'String', {}, ['202617']],
  ['General"/26"', [12], 'String', {}, ['12/26']],
  ['"2026-"General', [7], 'String', {}, ['2026-7']],
  ['0#" "##" "##" "##" "##', [145678901, 612345678], 'String', {}, ['01 45 67 89 01', '06 12 34 56 78']],
  ['0###" "######', [24112345], 'String', {}, ['024 112345']],
  ['"0"##', [24112345], 'String', {}, ['024112345']],
  ['"#"0000', [17], 'String', {}, ['#0017']],
  [
    '[<=9999999]###\\-####;\\(###\\)\\ ###\\-####',
    [2125550100, 5550100],
    'String',
    {},
    ['(212) 555-0100', '555-0100'],
  ],
  ['[<=999]000;[<=9999]000-00;000-0000', [1000001, 60], 'String', {}, ['100-0001', '060']],
  ['[<=99999999]####-####;\\(0##\\)\\ ####-####', [312345678], 'String', {}, ['(03) 1234-5678']],
  ['#\\ ###\\ ##0', [1250000], 'Number', {}, ['1250000']],
  ["#'##0;-#'##0", [1250], 'Number', {}, ['1250']],
  ['[>=100000]##\\,##\\,##0;##\\,##0', [1234567], 'Number', {}, ['1234567']],
  ['0/0', [12], 'Number', {}, ['12']],
  ['00/00', [1225], 'Number', {}, ['1225']],
  ['0" m2"', [5], 'Number', {}, ['5']],
  ['000" kg"', [5], 'Number', {}, ['5']],
  ['# ?/?', [0.5, 1.25], 'Number', {}, ['0.5', '1.25']],
  ['# ??/??', [0.5], 'Number', {}, ['0.5']],
  ['[Red][<0]-0.00;0.00', [-1.5, 2], 'Number', { precision: 2 }, ['-1.5', '2']],
  ['#,##0.00\\ "€"', [1234.5], 'Number', { precision: 2, unit: '€' }, ['1234.5']],
  ['_-* #,##0.00\\ [$CHF-807]_-', [7], 'Number', { precision: 2, unit: 'CHF' }, ['7']],
  ['"Datum: "dd\\.mm\\.yyyy', [45351], 'DateTime', {}, ['2024-02-29']],
  ['WW', [45351], 'DateTime', {}, ['2024-02-29']],
  ['yyyy"年"m"月"d"日"', [45351], 'DateTime', {}, ['2024-02-29']],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', [45351], 'DateTime', {}, ['2024-02-29']],
  ['[=0]"";dd\\.mm\\.yyyy', [45351, 0], 'DateTime', {}, ['2024-02-29']],
  ['[=0]"-";[=1]"?";dd\\.mm\\.yyyy\\ hh:mm', [45351.5], 'DateTime', {}, ['2024-02-29 12:00:00']],
  ['[>0]dd\\.mm\\.yyyy;"-"', [45351, 0], 'DateTime', {}, ['2024-02-29']],
  ['[<>0]dd\\.mm\\.yyyy;"-"', [45351, 0], 'DateTime', {}, ['2024-02-29']],
  ['[<>1067]00000;"D-"00000', [1067, 2000], 'String', {}, ['D-01067', '02000']],
  ['dd\\.mm\\.yyyy;;', [45351, 0], 'DateTime', {}, ['2024-02-29']],
  ['dd\\.mm\\.yyyy;@', [45351, 0], 'String', {}, ['2024-02-29', '00:00:00']],
  ['[=0]"";00000', [1067], 'String', {}, ['01067']],
  ['[=0]"-";#,##0.00\\ "€"', [1234.5, 0], 'Number', { precision: 2, unit: '€' }, ['1234.5', '0']],
];

/** A number in groups and after signs, as LibreOffice writes `(000) 000-0000`. */
const grouped = (digits: number, groups: Readonly<Record<number, string>>): string =>
  `<number:number number:decimal-places="0" number:min-integer-digits="${digits}">${Object.entries(groups)
    .map(([at, text]) => `<number:embedded-text number:position="${at}">${text}</number:embedded-text>`)
    .join('')}</number:number>`;
const SSN = grouped(9, { 6: '-', 4: '-' });
const PHONE = `<number:text>(</number:text>${grouped(10, { 7: ') ', 4: '-' })}`;
const NAMES_IN_ODS = (
  [
    [SSN, '123456789', '123-45-6789'],
    [SSN, '23456789', '023-45-6789'],
    [grouped(4, { 2: '/' }), '1225', '12/25'],
    [PHONE, '2125550100', '(212) 555-0100'],
    [`<number:text>+</number:text>${grouped(10, { 8: ' ', 6: ' ' })}`, '4924112345', '+49 24 112345'],
    [grouped(1, { 8: ' ', 6: ' ', 4: ' ', 2: ' ' }), '145678901', '01 45 67 89 01'],
    [grouped(0, { 4: '-' }), '5550100', '555-0100'],
    [`<number:text>(</number:text>${grouped(1, { 8: ') ', 4: '-' })}`, '312345678', '(03) 1234-5678'],
    [`<number:text>+49 </number:text>${grouped(0, { 6: ' ' })}`, '241123456', '+49 241 123456'],
    ['<number:text>2026</number:text><number:number number:min-integer-digits="0"/>', '17', '202617'],
    ['<number:text>2026-</number:text><number:number number:min-integer-digits="1"/>', '7', '2026-7'],
    ['<number:number number:min-integer-digits="1"/><number:text>/26</number:text>', '12', '12/26'],
    ['<number:number number:min-integer-digits="4"/><number:text>/26</number:text>', '12', '0012/26'],
    [
      '<number:text>+49 </number:text><number:number number:min-integer-digits="1"/>',
      '24112345',
      '+49 24112345',
    ],
    [`${grouped(8, { 4: ' ' })}<number:text>)</number:text>`, '12345678', '1234 5678)'],
  ] as const
).map(([format, value, shown]): [string, string, string, string, object, string] => [
  format,
  value,
  shown,
  'String',
  {},
  shown,
]);

describe('a number in a workbook is the true one, and text where its format makes a name of it', () => {
  it.each(FORMATS)('%s', async (code, numbers, kind, shown, cells) => {
    expect(await column(formatted(code, numbers))).toEqual([kind, shown, cells]);
  });

  it.each([
    [
      '<number:text>D-</number:text><number:number number:min-integer-digits="5"/>',
      '1067',
      'D-01067',
      'String',
      {},
      'D-01067',
    ],
    ...NAMES_IN_ODS,
    ['<number:number number:min-integer-digits="5"/>', '1067', '01067', 'String', {}, '01067'],
    [
      '<number:number number:decimal-places="1" number:display-factor="1000" number:grouping="true"/><number:text> T€</number:text>',
      ...(['1234567', '1.234,6 T€', 'Number', { unit: '€' }, '1234567'] as const),
    ],
    [
      '<number:number number:decimal-places="0"/><number:text> T€</number:text>',
      '1235',
      '1235 T€',
      'Number',
      { unit: 'T€' },
      '1235',
    ],
    [grouped(1, { 6: ' ', 3: ' ' }), '1250000', '1 250 000', 'Number', {}, '1250000'],
    [grouped(1, { 5: ',', 3: ',' }), '1234567', '12,34,567', 'Number', {}, '1234567'],
    [grouped(3, { 2: ' A ' }), '15123', '151 A 23', 'Number', {}, '15123'],
    [
      '<number:number number:min-integer-digits="3"/><number:text> kg</number:text>',
      '5',
      '005 kg',
      'Number',
      {},
      '5',
    ],
  ])('in ods: %s', async (format, value, shown, kind, options, cell) => {
    const row = (attributes: string, text: string): string =>
      `<table:table-row><table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell></table:table-row>`;
    const file = madeOds(
      row('office:value-type="string"', 'Wert') +
        row(`table:style-name="c" office:value-type="float" office:value="${value}"`, shown),
      `<number:number-style style:name="N">${format}</number:number-style><style:style style:name="c" style:data-style-name="N"/>`,
    );
    expect(await column(file)).toEqual([kind, options, [cell]]);
  });
});

it.each([
  [
    'by the style for positive numbers beside a word for zero',
    '<number:number-style style:name="P0"><number:number number:decimal-places="2"/><number:text>€</number:text></number:number-style><number:number-style style:name="N"><number:text>offen</number:text><style:map style:condition="value()&gt;0" style:apply-style-name="P0"/></number:number-style>',
    'office:value-type="float"',
    '12.50€',
    '€',
  ],
  [
    'as displayed where the style says only that it is the own one',
    '<number:currency-style style:name="N"><number:currency-symbol/><number:number number:decimal-places="2"/></number:currency-style>',
    'office:value-type="currency"',
    '$12.50 ',
    '$',
  ],
])('the currency of an ods is read %s', async (_how, styles, type, shown, unit) => {
  const row = (attributes: string, text: string): string =>
    `<table:table-row><table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell></table:table-row>`;
  const file = madeOds(
    row('office:value-type="string"', 'Betrag') +
      row(`table:style-name="c" ${type} office:value="12.5"`, shown),
    `${styles}<style:style style:name="c" style:data-style-name="N"/>`,
  );
  expect(await column(file)).toEqual(['Number', { unit, precision: 2 }, ['12.5']]);
});

describe('a workbook', () => {
  const plain = formatted('0', [7]);
  const repacked = (change: (parts: Record<string, Uint8Array>) => Record<string, Uint8Array>): Buffer =>
    Buffer.from(zipSync(change(unzipSync(plain))));

  it('may have its parts named in any case', async () => {
    for (const rename of [
      (name: string): string => name.replace(/^xl\//, 'XL/').replace('workbook.xml', 'Workbook.xml'),
      (name: string): string => name.toUpperCase(),
      (name: string): string => name.toLowerCase(),
    ]) {
      const file = repacked((parts) =>
        Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [rename(name), bytes])),
      );
      expect(await column(file)).toEqual(['Number', {}, ['7']]);
    }
  });

  it('that a password protects is refused by a sentence that says so', async () => {
    const ole = Buffer.alloc(4096);
    ole.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const old = Buffer.from(ole);
    ole.write('EncryptedPackage', 1024, 'utf16le');
    const manifest =
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry></manifest:manifest>';
    const ods = Buffer.from(
      zipSync({
        ...unzipSync(madeOds('')),
        'META-INF/manifest.xml': strToU8(manifest),
        'content.xml': strToU8('\u0001\u0002'),
      }),
    );
    const whole = Buffer.from(
      zipSync({ 'META-INF/manifest.xml': strToU8(manifest), 'encrypted-package': strToU8('\u0001') }),
    );
    for (const file of [ole, ods, whole])
      await expect(readTable(file, {})).rejects.toMatchObject({ code: 'sheet.password' });
    await expect(readTable(old, {})).rejects.toMatchObject({ code: 'csv.no-text' });
  });
});

describe('texts that look like days', () => {
  const DAYS = ['2024-04-08', '2024-04-09'];
  /** A workbook with days as texts, in cells of these styles. */
  const xlsx = (cellXfs: string, styles = [1, 1]): Buffer =>
    madeXlsx({
      styles: `<numFmts><numFmt numFmtId="170" formatCode="@"/></numFmts><cellXfs><xf numFmtId="0"/>${cellXfs}</cellXfs>`,
      sheets: {
        Data: `<row r="1"><c r="A1" t="inlineStr"><is><t>Wert</t></is></c></row>${DAYS.map(
          (day, at) =>
            `<row r="${at + 2}"><c r="A${at + 2}" s="${styles[at] ?? 0}" t="inlineStr"><is><t>${day}</t></is></c></row>`,
        ).join('')}`,
      },
    });
  const ods = (style: string): Buffer =>
    madeOds(
      ['Wert', ...DAYS]
        .map(
          (cell, at) =>
            `<table:table-row><table:table-cell office:value-type="string"${at > 0 ? ' table:style-name="C"' : ''}><text:p>${cell}</text:p></table:table-cell></table:table-row>`,
        )
        .join(''),
      `${style}<style:style style:name="C" style:data-style-name="N"/>`,
    );

  it.each([
    ['of the built-in format', xlsx('<xf numFmtId="49"/>')],
    ['of the format @', xlsx('<xf numFmtId="170"/>')],
    ['behind an apostrophe', xlsx('<xf numFmtId="0" quotePrefix="1"/>')],
    [
      'of an OpenDocument',
      ods('<number:text-style style:name="N"><number:text-content/></number:text-style>'),
    ],
  ])('are texts where all their cells are formatted as text: %s', async (_name, file) => {
    expect(await column(file)).toEqual(['String', {}, DAYS]);
  });

  it.each([
    ['one has no format', xlsx('<xf numFmtId="49"/>', [1, 0])],
    ['all have one of numbers', xlsx('<xf numFmtId="1"/>')],
    [
      'an OpenDocument has one of numbers',
      ods('<number:number-style style:name="N"><number:number/></number:number-style>'),
    ],
  ])('are days where %s', async (_name, file) => {
    expect(await column(file)).toEqual(['DateTime', {}, DAYS]);
  });
});

describe('a first row that stays in view', () => {
  const sheet = (rows: readonly (readonly string[])[], ySplit = 1): Buffer =>
    madeXlsx({
      before: `<sheetViews><sheetView><pane ySplit="${ySplit}" state="frozen"/></sheetView></sheetViews>`,
      sheets: {
        Data: rows
          .map(
            (cells) =>
              `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`,
          )
          .join(''),
      },
    });
  const names = async (file: Buffer, maxLines?: number): Promise<unknown> =>
    (await readTable(file, maxLines === undefined ? {} : { maxLines })).columns.map(({ header }) => header);

  it('names the columns, also with digits, in the first look too', async () => {
    for (const rows of [
      [['5'], ['0']],
      [['01'], ['Müller'], ['Weiß']],
    ]) {
      expect(await names(sheet(rows))).toEqual(rows[0]);
      expect(await names(sheet(rows), 1)).toEqual(rows[0]);
    }
  });

  it('is a title where rows below are wider, or more of them stay', async () => {
    const rows = [
      ['Name', 'Ort', 'Betrag'],
      ['Kern', 'Ulm', '5'],
      ['Weiß', 'Bonn', '7'],
    ];
    expect(await names(sheet([['Kunden 2026'], ...rows]))).toEqual(rows[0]);
    expect(await names(sheet([['Kunden', '2026', ''], ...rows], 2))).toEqual(rows[0]);
  });
});
