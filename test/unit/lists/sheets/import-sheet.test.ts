import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate';
import { writeXlsx, type CellValue, type WriteSheet } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { exportXlsx } from '../../../../server/lists/sheets/export-xlsx.ts';
import { convertedBy, hasLibreOffice } from '../../../support/reading/libre-office.ts';
import { atNight, sampleOf } from '../../../support/data/luck.ts';
import { csvOf, customers, payments } from '../../../support/data/office-lists.ts';
import type { FieldOptions } from '../../../../server/lists/definitions/model.ts';
import { english } from '../../../../server/words/said.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { makeList, testLists, text } from '../../../support/harness/lists.ts';
import { madeOds, madeXlsx } from '../../../support/data/made-workbook.ts';

const workbook = async (...sheets: WriteSheet[]): Promise<Buffer> => Buffer.from(await writeXlsx({ sheets }));

/** Values of the rows of a list that is made from a file, in the order of its lines. */
async function imported(
  bytes: Buffer,
  options: Partial<Parameters<typeof importTable>[2]> = {},
): Promise<{ kinds: string[]; rows: Record<string, string>[]; rejected: readonly unknown[] }> {
  const { lists } = await testLists();
  const { moduleID, rejected } = await importTable(lists, bytes, { to: { name: 'L' }, by: '0', ...options });
  const { fields } = await lists.module(moduleID);
  const rows: Record<string, string>[] = [];
  for await (const page of (await lists.rows(moduleID)).scan())
    for (const { values } of page)
      rows.push(Object.fromEntries(Object.entries(values).map(([name, texts]) => [name, texts.join('|')])));
  return {
    kinds: fields.map(({ kind, options: { only } }) => [kind, only].join(' ').trim()),
    rows,
    rejected,
  };
}

const MANY = atNight(20_000, 3_000);
const day = (text: string): Date => new Date(`${text}Z`);

describe('a sheet of a workbook', () => {
  it('has all columns that its lines fill, where the line of headings ends before them', async () => {
    const rows: CellValue[][] = [
      ['Kunde', 'Ort', 'Telefon'],
      ['Weiß & Söhne', 'Köln', '0221 4471', 'ruft montags an'],
      ['Kemp Bakery', 'Whitby', '01947 60', null, 12],
    ];
    const { rows: found, rejected } = await imported(await workbook({ name: 'Kunden', rows }));
    expect(rejected).toEqual([]);
    expect(found.map((row) => Object.values(row))).toEqual([
      ['Weiß & Söhne', 'Köln', '0221 4471', 'ruft montags an'],
      ['Kemp Bakery', 'Whitby', '01947 60', '12'],
    ]);
  });

  it('goes in with its kinds: numbers, days, moments, times of day, yes and no, below a title and blank lines', async () => {
    const rows: CellValue[][] = [
      ['Lieferungen im Herbst'],
      [],
      ['Nr', 'Größe', 'Betrag', 'Seit', 'Gesehen', 'Um', 'Frei', 'Bemerkung'],
      [1, 'groß', 69884.68, day('2018-05-17T00:00'), day('2024-02-29T08:15'), day('1899-12-31T14:30'), true],
      [2, 'klein', -0.1 - 0.2, day('1999-12-31T00:00'), day('2024-03-01T23:59:58'), null, false, '=1+1'],
      [null, null, null],
      [3, 'mittel', 1e-7, null, null, day('1899-12-31T00:05:07'), null, '00123'],
    ];
    const { kinds, rows: found } = await imported(await workbook({ name: 'Herbst', rows }));
    expect(kinds).toEqual([
      ...['Number', 'String', 'Number', 'DateTime date', 'DateTime', 'DateTime time', 'Bool', 'String'],
    ]);
    const seen = (text: string): Record<string, string> => ({
      Gesehen: new Date(text).toISOString().replace('.000', ''),
    });
    expect(found).toEqual([
      {
        Nr: '1',
        Grosse: 'groß',
        Betrag: '69884.68',
        Seit: '2018-05-17',
        ...seen('2024-02-29T08:15'),
        Um: '14:30:00',
        Frei: '1',
      },
      {
        Nr: '2',
        Grosse: 'klein',
        Betrag: '-0.3',
        Seit: '1999-12-31',
        ...seen('2024-03-01T23:59:58'),
        Frei: '',
        Bemerkung: '=1+1',
      },
      { Nr: '3', Grosse: 'mittel', Betrag: '0.0000001', Um: '00:05:07', Bemerkung: '00123' },
    ]);
  });

  it('keeps texts that are codes by the names of their columns, and reads its numbers and days', async () => {
    const file = await workbook({
      name: 'S',
      rows: [
        ['Rechnungsnr', 'Land', 'Konto', 'Artikel'],
        ['2026/1/17', 'NO', 1.234, day('2026-01-17T00:00')],
        ['2026/1/18', 'SI', 5.678, day('2026-01-18T00:00')],
      ],
    });
    const { kinds, rows } = await imported(file);
    expect(kinds.slice(0, 3)).toEqual(['String', 'String', 'Number']);
    expect(kinds[3]).toMatch(/^DateTime/);
    expect(Object.values(rows[0] ?? {}).slice(0, 3)).toEqual(['2026/1/17', 'NO', '1.234']);
  });

  it('is the first that holds anything, or the one that is named', async () => {
    const file = await workbook(
      { name: 'Leer', rows: [] },
      {
        name: 'Kunden',
        rows: [
          ['Name', 'Ort'],
          ['Ada', 'Ulm'],
        ],
      },
      {
        name: 'Aufträge',
        rows: [
          ['Nummer', 'Kunde'],
          [7, 'Ada'],
        ],
      },
    );
    expect((await readTable(file, {})).source).toMatchObject({
      sheet: 'Kunden',
      sheets: ['Leer', 'Kunden', 'Aufträge'],
    });
    expect((await imported(file, { sheet: 'Aufträge' })).rows).toEqual([{ Nummer: '7', Kunde: 'Ada' }]);
    await expect(readTable(file, { sheet: 'Aufträge 2' })).rejects.toMatchObject({ code: 'sheet.name' });
  });

  it('names the row of the sheet that cannot go in', async () => {
    const rows: CellValue[][] = [
      ['Name', 'Mail'],
      ...Array.from({ length: 30 }, (_, at) => [`Ada ${at}`, `ada${at}@example.org`]),
      [],
      ['Bo', 'bo@example.org', 'more'],
    ];
    const { rejected, rows: found } = await imported(await workbook({ name: 'L', rows }));
    expect(found).toHaveLength(30);
    expect(rejected).toMatchObject([{ line: 33 }]);
  });
});

/** Postal codes, numbers of articles and of accounts: digits all of them, and none of them begins with a zero. */
const CODES = [
  { Nr: '1', Ort: '50667', Artikel: '4006381333931', Konto: '123456789012345678901' },
  { Nr: '2', Ort: '20095', Artikel: '4006381333948', Konto: '987654321098765432109' },
];
const CODE_KINDS = ['Number', 'String', 'String', 'String'];

describe('digits that a workbook holds as texts', () => {
  const cells = CODES.map((row) => Object.values(row));
  const lines = [Object.keys(CODES[0]!), ...cells];

  it.each([
    [
      'xlsx',
      () =>
        madeXlsx({
          sheets: {
            S: lines
              .map(([number, ...texts]) => {
                const first = Number(number) ? `<c><v>${number}</v></c>` : xlsxText(number);
                return `<row>${first}${texts.map(xlsxText).join('')}</row>`;
              })
              .join(''),
          },
        }),
    ],
    [
      'ods',
      () =>
        madeOds(
          lines
            .map(([number, ...texts]) => {
              const first = Number(number)
                ? `<table:table-cell office:value-type="float" office:value="${number}"/>`
                : odsText(number);
              return `<table:table-row>${first}${texts.map(odsText).join('')}</table:table-row>`;
            })
            .join(''),
        ),
    ],
  ])('stay texts, so that a later 01067 is one as well: %s', async (_kind, make) => {
    const { kinds, rows } = await imported(make());
    expect(kinds).toEqual(CODE_KINDS);
    expect(rows).toEqual(CODES);
  });

  it('stay texts where they are numbers with a format of nothing but zeros', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>';
    const row = (...all: string[]): string => `<row>${all.join('')}</row>`;
    const file = madeXlsx({
      styles,
      sheets: {
        S: [
          row(xlsxText('Nr'), xlsxText('PLZ')),
          row('<c><v>1</v></c>', '<c s="1"><v>50667</v></c>'),
          row('<c><v>2</v></c>', '<c s="1"><v>20095</v></c>'),
        ].join(''),
      },
    });
    expect((await imported(file)).kinds).toEqual(['Number', 'String']);
  });

  it('stay texts in OpenDocument too where they are numbers of nothing but digits, by the cell or its column', async () => {
    const number = (name: string, more: string): string =>
      `<number:number-style style:name="N${name}"><number:number ${more}/></number:number-style><style:style style:name="${name}" style:family="table-cell" style:data-style-name="N${name}"/>`;
    const styles = [
      number('code', 'number:min-integer-digits="5" number:decimal-places="0"'),
      number('price', 'number:min-integer-digits="2" number:decimal-places="2"'),
      number('plain', 'number:min-integer-digits="1"'),
    ].join('');
    const cell = (value: number, style = ''): string =>
      `<table:table-cell ${style === '' ? '' : `table:style-name="${style}"`} office:value-type="float" office:value="${value}"/>`;
    const row = (...all: string[]): string => `<table:table-row>${all.join('')}</table:table-row>`;
    const file = madeOds(
      [
        '<table:table-column table:number-columns-repeated="3"/><table:table-column table:default-cell-style-name="code"/>',
        row(...['PLZ', 'Preis', 'Stück', 'Konto'].map(odsText)),
        row(cell(50667, 'code'), cell(12.5, 'price'), cell(3, 'plain'), cell(77012)),
        row(cell(20095, 'code'), cell(99.9, 'price'), cell(4, 'plain'), cell(77013)),
      ].join(''),
      styles,
    );
    expect((await imported(file)).kinds).toEqual(['String', 'Number', 'Number', 'String']);
  });

  it('come back as they were in a workbook that Footbridge wrote', async () => {
    const { lists } = await testLists();
    const csv = csvOf({ name: 'l', columns: Object.keys(CODES[0]!), rows: CODES });
    const kinds = { Ort: 'String', Artikel: 'String', Konto: 'String' } as const;
    const { moduleID } = await importTable(lists, Buffer.from(csv), { to: { name: 'L' }, by: '0', kinds });
    const list = { module: await lists.module(moduleID), rows: await lists.rows(moduleID) };
    const pieces: Uint8Array[] = [];
    for await (const piece of exportXlsx(lists, list)) pieces.push(piece);
    const again = await imported(Buffer.concat(pieces));
    expect(again.kinds).toEqual(CODE_KINDS);
    expect(again.rows).toEqual(CODES);
  });

  it('go into a column of numbers as numbers', async () => {
    const { lists } = await testLists();
    const { moduleID } = await importTable(lists, Buffer.from('Nr,Ort\n7,1\n'), {
      to: { name: 'L' },
      by: '0',
    });
    const sheet = lines.map((texts) => `<row>${texts.slice(0, 2).map(xlsxText).join('')}</row>`).join('');
    const file = madeXlsx({ sheets: { S: sheet } });
    expect(await importTable(lists, file, { to: { moduleID }, by: '0' })).toMatchObject({
      created: 2,
      rejectedLines: 0,
    });
  });
});

const xlsxText = (text = ''): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const odsText = (text = ''): string =>
  `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;

describe('what is no workbook, or too much of one', () => {
  const parts = async (change: (parts: Zippable) => void): Promise<Buffer> => {
    const whole: Zippable = unzipSync(
      await workbook({
        name: 'L',
        rows: [
          ['Name', 'Ort'],
          ['Ada', 'Ulm'],
        ],
      }),
    );
    change(whole);
    return Buffer.from(zipSync(whole));
  };

  it.each([
    ['an archive of something else', () => Buffer.from(zipSync({ 'a.txt': strToU8('text') })), 'sheet.other'],
    [
      'a workbook that was cut off',
      async () => (await parts(() => undefined)).subarray(0, 900),
      'sheet.broken',
    ],
    [
      'one whose sheet is missing',
      () => parts((whole) => delete whole['xl/worksheets/sheet1.xml']),
      'sheet.broken',
    ],
    [
      'one that names a text that cannot be',
      () =>
        parts((whole) => {
          const sheet = strFromU8(whole['xl/worksheets/sheet1.xml'] as Uint8Array);
          whole['xl/worksheets/sheet1.xml'] = strToU8(sheet.replace('<v>1</v>', '<v>1.5</v>'));
        }),
      'sheet.broken',
    ],
    ['one of an old program', () => Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), 'csv.no-text'],
  ])('%s is refused with what to do', async (_what, make, code) => {
    await expect(imported(await make())).rejects.toMatchObject({ kind: 'impossible', code });
  });

  it('costs a bounded time and memory, whatever the archive says of its size', async () => {
    const bomb = Buffer.alloc(200 * 1024 * 1024, ' ');
    const file = await parts((whole) => (whole['xl/sharedStrings.xml'] = new Uint8Array(bomb)));
    expect(file.length).toBeLessThan(1024 * 1024);
    await expect(readTable(file, {})).rejects.toMatchObject({ code: 'sheet.size' });
    // The directory stands at the end, and names a size of each part.
    const at = file.lastIndexOf('xl/sharedStrings.xml') - 46;
    file.writeUInt32LE(1000, at + 24);
    await expect(readTable(file, {})).rejects.toMatchObject({ code: 'sheet.size' });
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`${at}.xml`, strToU8('x')])),
    );
    await expect(readTable(Buffer.from(many), {})).rejects.toMatchObject({ code: 'sheet.size' });
  });

  it('reads no further where the columns that are not shown are told of again and again', async () => {
    const before = `<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(20_000)}</cols>`;
    const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>';
    const file = madeXlsx({ sheets: { L: rows }, before });
    expect(file.length).toBeLessThan(20 * 1024);
    await expect(readTable(file, {})).rejects.toMatchObject({ code: 'sheet.size' });
  });

  it('takes in nothing that a document names or multiplies: no entities', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "${'x'.repeat(1000)}">${'bcdefg'
      .split('')
      .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefg'[at]!};`.repeat(50)}">`)
      .join('')}<!ENTITY file SYSTEM "file:///etc/hostname">]>`;
    const sheet = (cell: string): string =>
      `${bomb}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Ort</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>${cell}</t></is></c><c r="B2" t="inlineStr"><is><t>Ulm</t></is></c></row></sheetData></worksheet>`;
    for (const cell of ['&g;', '&file;', '&a;']) {
      const file = await parts((whole) => (whole['xl/worksheets/sheet1.xml'] = strToU8(sheet(cell))));
      const found = await imported(file).catch((error: unknown) => error);
      if (found instanceof Error) expect(found).toMatchObject({ kind: 'impossible' });
      else expect(JSON.stringify(found)).toContain(`"Name":"${cell}"`);
    }
  });
});

/** One format from test to test; both in the nightly run. */
const formats = (at: number): readonly ('xlsx' | 'ods')[] => sampleOf(['xlsx', 'ods'] as const, 2, at);
describe.skipIf(!hasLibreOffice)('a workbook that LibreOffice wrote', { timeout: 120_000 }, () => {
  const converted = (csv: string, to: 'xlsx' | 'ods', infilter: string): Promise<Buffer> =>
    convertedBy(csv, { from: 'csv', to, infilter: `CSV:${infilter}` });

  it.each(formats(0))('%s: holds every value as it was', async (to) => {
    const list = customers({ rows: 2000 });
    // Every column as text: telephone numbers and codes stay what they are.
    const columns = list.columns.map((_, at) => `${at + 1}/2`).join('/');
    const { rows } = await imported(await converted(csvOf(list), to, `44,34,76,1,${columns}`));
    const filled = list.rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, text]) => text !== '')),
    );
    expect(rows).toEqual(filled);
  });

  it.each(formats(1))('%s: digits that are texts stay texts', async (to) => {
    const csv = csvOf({ name: 'l', columns: Object.keys(CODES[0]!), rows: CODES });
    const { kinds, rows } = await imported(await converted(csv, to, '44,34,76,1,1/1/2/2/3/2/4/2'));
    expect(kinds).toEqual(CODE_KINDS);
    expect(rows).toEqual(CODES);
  });

  it.each(formats(0))('%s: numbers of nothing but digits are texts', async (to) => {
    const flat = (rows: string): Buffer =>
      Buffer.from(
        `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles><number:number-style style:name="N1"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style><style:style style:name="z" style:family="table-cell" style:data-style-name="N1"/></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S">${rows}</table:table></office:spreadsheet></office:body></office:document>`,
      );
    const number = (value: number, style = ''): string =>
      `<table:table-cell${style} office:value-type="float" office:value="${value}"/>`;
    const row = (...all: string[]): string => `<table:table-row>${all.join('')}</table:table-row>`;
    const rows = [50667, 20095, 80331].map((code, at) =>
      row(number(code, ' table:style-name="z"'), number(at + 3)),
    );
    const table = flat([row(odsText('PLZ'), odsText('Zahl')), ...rows].join(''));
    const { kinds } = await imported(await convertedBy(table, { from: 'fods', to }));
    expect(kinds).toEqual(['String', 'Number']);
  });

  it.each(formats(1))(`%s: has its numbers and days, ${MANY} rows below a title`, async (to) => {
    const list = payments({ rows: MANY });
    const german = list.rows.map(({ PaymentNo, Paid = '', Amount = '', Purpose }) => ({
      Nummer: PaymentNo!,
      Bezahlt: Paid.split('-').reverse().join('.'),
      Betrag: Amount.replace('.', ','),
      Zweck: Purpose!,
    }));
    const csv = `Zahlungen des Jahres\n\n${csvOf({ name: 'l', columns: Object.keys(german[0]!), rows: german })}`;
    const file = await converted(csv, to, '44,34,76,1,1/1/2/4/3/1/4/2,1031');
    const { kinds, rows } = await imported(file);
    expect(kinds).toEqual(['Number', 'DateTime date', 'Number', 'String']);
    expect(
      rows.map(({ Nummer, Bezahlt, Betrag, Zweck }) => [Nummer, Bezahlt, Number(Betrag), Zweck]),
    ).toEqual(
      list.rows.map(({ PaymentNo, Paid, Amount, Purpose }) => [PaymentNo, Paid, Number(Amount), Purpose]),
    );
  });
});

describe('numbers of a sheet, in a column that is there', () => {
  const EURO = '#,##0.00\\ [$€-407]';
  const escaped = (code: string): string => code.replaceAll('"', '&quot;');
  /** What becomes of these numbers, each with the format that it has there. */
  async function into(
    options: FieldOptions,
    cells: readonly (readonly [value: number, numFmt: string])[],
    readAs: Partial<Parameters<typeof importTable>[2]> = {},
  ): Promise<unknown> {
    const office = await testLists();
    const { module } = await makeList(office, [text('Name'), { kind: 'Number', name: 'Nr', options }]);
    const line = (at: number, name: string, cell: string): string =>
      `<row r="${at}"><c r="A${at}" t="inlineStr"><is><t>${name}</t></is></c>${cell}</row>`;
    const formats = cells.map(
      ([, code], at) => `<numFmt numFmtId="${170 + at}" formatCode="${escaped(code)}"/>`,
    );
    const file = madeXlsx({
      sheets: {
        S:
          line(1, 'Name', '<c r="B1" t="inlineStr"><is><t>Nr</t></is></c>') +
          cells
            .map(([value], at) => line(at + 2, `r${at}`, `<c r="B${at + 2}" s="${at}"><v>${value}</v></c>`))
            .join(''),
      },
      styles: `<numFmts>${formats.join('')}</numFmts><cellXfs>${cells.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}</cellXfs>`,
    });
    const to = { moduleID: module.moduleID };
    const result = await importTable(office.lists, file, { to, by: '7', ...readAs });
    const values = (await textRows(office.lists, module)).map(({ Nr }) => Nr);
    return [values, result.rejected.map(({ reason }) => english(reason)), result.notes.map(english)];
  }
  const refused = (why: string): unknown => expect.stringContaining(why);

  it('go in where they mean the same there', async () => {
    expect(
      await into({ unit: '%' }, [
        [0.12, '0%'],
        [0, 'General'],
      ]),
    ).toEqual([['0.12', '0'], [], []]);
    expect(await into({ unit: 'EUR' }, [[5.5, EURO]])).toEqual([['5.5'], [], []]);
    expect(await into({ unit: '€' }, [[5.5, 'General']])).toEqual([['5.5'], [], []]);
    expect(await into({}, [[5.5, EURO]])).toEqual([
      ['5.5'],
      [],
      ['Only the numbers are imported, without what is written beside them: Nr (€).'],
    ]);
  });

  it('are told, and stay out, where they would mean others there', async () => {
    expect(await into({ unit: '%' }, [[12, 'General']])).toEqual([
      [],
      ['Nr: “12” can be 12 % or 1200 %; write it with its percent sign.'],
      [],
    ]);
    expect(await into({}, [[0.12, '0%']])).toEqual([
      [],
      [refused('“12 %” is a percentage')],
      expect.anything(),
    ]);
    expect(await into({ unit: '$' }, [[5, EURO]])).toEqual([[], [refused('which shows $')], []]);
    expect(await into({ unit: '%' }, [[5, EURO]])).toEqual([[], [refused('which shows %')], []]);
    expect(await into({ unit: '€' }, [[5, '0.0" kg"']])).toEqual([[], [refused('which shows €')], []]);
    expect(
      await into({}, [
        [5, EURO],
        [7, '[$$-409]#,##0.00'],
      ]),
    ).toEqual([
      [],
      [refused('beside other currencies'), refused('beside other currencies')],
      expect.anything(),
    ]);
  });
});

it('a sum that is left out does not count for how its column is shown', async () => {
  const cell = (at: string, value: number, style = 0): string =>
    `<c r="${at}" s="${style}"><v>${value}</v></c>`;
  const name = (at: string, value: string): string =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const file = madeXlsx({
    sheets: {
      S:
        `<row r="1">${name('A1', 'Kunde')}${name('B1', 'Anteil')}</row>` +
        `<row r="2">${name('A2', 'Aral')}${cell('B2', 0.25, 1)}</row>` +
        `<row r="3">${name('A3', 'BP')}${cell('B3', 0.75, 1)}</row>` +
        `<row r="4">${name('A4', 'Summe')}${cell('B4', 1)}</row>`,
    },
    styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/></cellXfs>',
  });
  const shown = async (sums: 'in' | 'out'): Promise<unknown> =>
    (await readTable(file, { sums })).columns.map(({ amount }) => amount);
  expect(await shown('out')).toEqual([undefined, { unit: '%', decimals: 0, isMixed: false }]);
  expect(await shown('in')).toEqual([undefined, { decimals: 0, isMixed: true }]);
});

describe('numbers that a sheet has as texts', () => {
  const sheet = (prices: readonly CellValue[]): Promise<Buffer> =>
    workbook({ name: 'S', rows: [['No', 'Price'], ...prices.map((price, at) => [at + 1, price])] });
  /** What such a sheet leaves of prices 1 in a list of two columns of numbers. */
  async function intoNumbers(
    prices: readonly CellValue[],
    options: Partial<Parameters<typeof importTable>[2]> = {},
  ): Promise<readonly (string | undefined)[]> {
    const { lists } = await testLists();
    const csv = `No,Price\n${prices.map((_, at) => `${at + 1},1\n`).join('')}`;
    const to = { to: { name: 'L' }, key: ['No'], by: '0' };
    const { moduleID } = await importTable(lists, Buffer.from(csv), to);
    await importTable(lists, await sheet(prices), { to: { moduleID }, by: '0', ...options });
    return (await textRows(lists, await lists.module(moduleID))).map(({ Price }) => Price);
  }

  it('go into no column of numbers where they can be two', async () => {
    expect(await intoNumbers(['1.234', '12.500', 7.5])).toEqual(['1', '1', '7.5']);
    expect(await intoNumbers(['1,234 €', '20 €'])).toEqual(['1', '20']);
  });

  it('are read as one of them proves, or as chosen', async () => {
    expect(await intoNumbers(['1.234', '2,5', 1.234])).toEqual(['1234', '2.5', '1.234']);
    expect(await intoNumbers(['1,234', '1,234.50'])).toEqual(['1234', '1234.50']);
    expect(await intoNumbers(['1.234'], { decimal: ',' })).toEqual(['1234']);
  });

  it('stay texts in a new list where they can be two', async () => {
    for (const prices of [
      ['1.234 €', '2.500 €'],
      ['$1,234', '$5'],
      [5, '2.500 €', 7.5],
    ])
      expect(await imported(await sheet(prices))).toMatchObject({
        kinds: ['Number', 'String'],
        rows: prices.map((price) => ({ Price: String(price) })),
      });
    expect(await imported(await sheet(['12 €', '5 €']))).toMatchObject({ kinds: ['Number', 'Number'] });
  });
});

it('texts lose the apostrophes of our CSV, which spreadsheet programs keep in a workbook', async () => {
  const rows = [['Phone'], ["'+49 731 1"], ["'=1+1"], ["''+1"], ["'Til Tuesday"]];
  const { rows: found } = await imported(await workbook({ name: 'S', rows }));
  expect(found.map(({ Phone }) => Phone)).toEqual(['+49 731 1', '=1+1', "'+1", "'Til Tuesday"]);
});
