import { describe, expect, it } from 'vitest';
import { fullYear } from '../../../../server/base/full-year.ts';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable, suggestKind, type TableOptions } from '../../../../server/lists/csv/read.ts';
import { english } from '../../../../server/words/said.ts';
import { makeList, testLists, text } from '../../../support/harness/lists.ts';

const fileOf = (header: string, cells: readonly string[]): Buffer =>
  Buffer.from(['Kunde;' + header, ...cells.map((cell, at) => `Kern ${at};${cell}`)].join('\n'));

/** The kind that a column gets, and how far its days may be codes. */
async function seen(header: string, cells: readonly string[], options: TableOptions = {}): Promise<string> {
  const { columns } = await readTable(fileOf(header, cells), { delimiter: ';', headerLine: 1, ...options });
  const [column] = columns.slice(1);
  if (!column) throw new Error('The file has one column.');
  const { kind, options: found } = suggestKind(column);
  return [kind, found.only, column.guess.dayDoubt()].filter(Boolean).join(' ');
}

const counted = (count: number, write: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => write(at + 1));

it.each([
  ['Artikel', ['100.200', '100.300']],
  ['Pos', ['1.001', '1.002']],
  ['DNI', ['12.345.678', '12.345.679']],
  ['Cliente', ['10.001', '10.002']],
  ['Breitengrad', ['48.401', '50.733']],
  ['lng', ['9.987', '7.098']],
])('digits in groups of three are texts where the column is called %s', async (header, cells) => {
  const priced = Buffer.from(
    ['Kunde;Preis;' + header, ...cells.map((cell) => `Kern;5,50;${cell}`)].join('\n'),
  );
  const { columns } = await readTable(priced, { delimiter: ';' });
  expect(columns.map((column) => suggestKind(column).kind)).toEqual(['String', 'Number', 'String']);
});

describe('values that look like days', () => {
  it.each([
    ['Beleg', counted(5, (n) => `${n}-01-2026`)],
    ['Unser Zeichen', ['7-02-2026', '3-02-2026', '12-01-2026']],
    ['Invoice', ['4/03/2026', '18/03/2026', '9/05/2026']],
    ['Facture', counted(4, (n) => `0${n}/01/2026`)],
    ['Ausgangsrechnung', counted(12, (n) => `${n}.01.2026`)],
    ['Kürzel', counted(31, (n) => `${n}-01-2026`)],
    ['Kürzel', [...counted(9, (n) => `${n}-01-2026`), ...counted(3, (n) => `${n}-02-2026`)]],
    ['Kürzel', ['17/01/2026', '18/01/2026', '19/02/2026', '20/03/2026']],
    ['Vorgang', counted(4, (n) => `2026/01/${n}`)],
    ['Bezug', counted(4, (n) => `01-${n}-2026`)],
    ['Pedido', counted(3, (n) => `${n}-Jan-2026`)],
  ])('are texts where they count or are written like numbers of documents: %s %j', async (header, cells) => {
    expect(await seen(header, cells)).toBe('String likely');
  });

  it.each([
    ['Datum', counted(20, (n) => `${n}/01/2026`)],
    ['Rechnungsdatum', ['3/01/2026', '17/03/2026', '4/12/2026']],
    ['Invoice date', counted(20, (n) => `${n}-01-2026`)],
    ['Fecha', counted(20, (n) => `${n}/01/2026`)],
    ['Lieferung', ['12.01.2026', '13.01.2026', '20.02.2026']],
    ['Rechnung', ['12.01.2026', '03.02.2026', '20.02.2026']],
    ['Sitzung', ['1.3.2026', '17.3.2026', '4.12.2026']],
    ['Sitzung', ['1.03.2026', '03.04.2026', '17.10.2026']],
    ['Order', ['2026-01-01', '2026-01-02', '2026-01-03']],
    ['Messung', counted(9, (n) => `0${n}.03.2026`)],
  ])('are dates where nothing speaks against it: %s %j', async (header, cells) => {
    expect(await seen(header, cells)).toBe('DateTime date');
  });

  it.each([
    ['Sitzung', ['1/03/2026', '17/03/2026', '4/12/2026']],
    ['Frühdienst', counted(31, (n) => `${n}.1.2026`)],
    ['Order', ['17/03/2026', '12/03/2026', '20/01/2026']],
  ])('are dates and named where they may be numbers: %s %j', async (header, cells) => {
    expect(await seen(header, cells)).toBe('DateTime date possible');
  });

  it.each([
    ['Kunde;Due date;Lodged', 'DateTime'],
    ['Kunde;Terms;Lodged', 'DateTime possible'],
  ])('are dates where others of the file are written so: %s', async (header, kind) => {
    const rows = counted(5, (n) => `Kern;${n + 2}/02/2026;${n}/01/2026`);
    const file = Buffer.from([header, ...rows, 'Weiß;28/02/2026;31/01/2026'].join('\n'));
    const { columns } = await readTable(file, { delimiter: ';', headerLine: 1 });
    const [column] = columns.slice(2);
    if (!column) throw new Error('The file has two columns.');
    expect([suggestKind(column).kind, column.guess.dayDoubt()].filter(Boolean).join(' ')).toBe(kind);
  });

  it('are numbers where days of the file have another separator', async () => {
    const rows = counted(5, (n) => `Kern;${n + 2}/02/2026;${n}-01-2026`);
    const file = Buffer.from(['Kunde;Date;Voucher', ...rows].join('\n'));
    const { columns } = await readTable(file, { delimiter: ';', headerLine: 1 });
    expect(columns.map(({ guess }) => guess.dayDoubt())).toEqual([undefined, undefined, 'likely']);
  });

  it('are dates where the user says how days are written', async () => {
    const cells = counted(5, (n) => `${n}-01-2026`);
    expect(await seen('Beleg', cells, { dateOrder: 'DMY' })).toBe('DateTime date likely');
  });

  it('are texts without a word where the file marks them so', async () => {
    expect(
      await seen(
        'Beleg',
        counted(4, (n) => `'${n}-01-2026`),
      ),
    ).toBe('String');
  });

  it('go in as they are written, with a note', async () => {
    const { lists } = await testLists();
    const file = fileOf(
      'Beleg',
      counted(3, (n) => `${n}-01-2026`),
    );
    const { moduleID, notes } = await importTable(lists, file, { to: { name: 'Belege' }, by: '7' });
    expect(notes.map((note) => english(note))).toEqual([
      'Read as text, as these values may be document numbers, not dates: Beleg (1-01-2026). If they are dates, choose Date and time.',
    ]);
    const written: (readonly string[] | undefined)[] = [];
    for await (const page of (await lists.rows(moduleID)).scan())
      written.push(...page.map(({ values }) => values.Beleg));
    expect(written).toEqual([['1-01-2026'], ['2-01-2026'], ['3-01-2026']]);
  });

  it('go in as dates if the user chooses so', async () => {
    const { lists } = await testLists();
    const file = fileOf('Beleg', ['1-01-2026', '2-01-2026', '31-01-2026']);
    const kinds = { Beleg: 'DateTime' } as const;
    const { notes, rejected } = await importTable(lists, file, { to: { name: 'B' }, by: '7', kinds });
    expect(rejected).toEqual([]);
    expect(notes.map((note) => english(note))).toEqual([
      'Read as dates. If these are document numbers, choose Text: Beleg (1-01-2026).',
    ]);
  });
});

describe('days with years of two digits', () => {
  const year = (short: string): string => fullYear(short) ?? '';

  it.each([
    ['Buchungstag', ['30.01.26', '02.02.26'], 'DateTime date'],
    ['Value Dt', ['30/01/26', '02/02/26'], 'DateTime date'],
    ['Date', ['1/30/26', '2/2/26'], 'DateTime date'],
    ['Date', ['30/01/26'], 'DateTime date'],
    ['Txn', ['1-Apr-26', '12-Mar-26'], 'DateTime date'],
    ['Txn', ['30/Jan/26 3:16 PM', '31/Jan/26 11:05 AM'], 'DateTime'],
    ['Date', ['30/01/26 15:16', '31/01/26 11:05'], 'DateTime'],
    ['Date', ['30/01/2026', '31/01/26'], 'DateTime date'],
    ['Datum', ['30.01.26', '31.02.26'], 'String'],
    ['Datum', ['30.01.26', 'offen'], 'String'],
    ['Date', ['3/4/26', '5/6/26'], 'String'],
    ['Date', ['26/01/15', '26/01/16', '26/02/17'], 'String'],
    ['Date', ['20/12/31', '21/12/31', '22/12/31'], 'String'],
    ['Date', ['15/03/00', '20/04/00'], 'DateTime date'],
    ['Datum', ['26.01.15', '26.01.16', '26.02.17'], 'String'],
    ['Datum', ['15.03.12', '20.03.12', '28.04.12'], 'DateTime date'],
    ['Stichtag', ['31.12.15', '31.12.20', '31.12.25'], 'DateTime date'],
    ['Txn', ['26-Jan-15', '26-Jan-16', '26-Feb-17'], 'String'],
    ['Txn', ['26. März 15', '26. März 16', '26. April 17'], 'DateTime date'],
    ['Date', ['30-01-26', '31-01-26'], 'String'],
    ['Version', ['1.2.10', '13.2.11'], 'String'],
    ['Part', ['10-20-30', '10/20/30'], 'String'],
    ['NPK', ['15/5/20', '20/10/10'], 'String'],
    ['Pedido', counted(3, (n) => `${n}-Jan-26`), 'String likely'],
  ])('are read where the name or a month says so: %s %j', async (header, cells, kind) => {
    expect(await seen(header, cells)).toBe(kind);
  });

  it.each([
    ['Date', ['30/01/26', '31/12/99'], [`${year('26')}-01-30`, `${year('99')}-12-31`]],
    ['Txn', ['1-Apr-26'], [`${year('26')}-04-01`]],
    ['Datum', ['26.06.02'], [`${year('02')}-06-26`]],
  ])('go in with a note on their century and order: %s %j', async (header, cells, days) => {
    const { lists } = await testLists();
    const { notes, moduleID } = await importTable(lists, fileOf(header, cells), {
      to: { name: 'B' },
      by: '7',
    });
    const now = new Date().getFullYear();
    expect(notes.map((note) => english(note))).toEqual([
      `Years of two digits are read as ${now - 79} to ${now + 20}: ${header} (${cells[0]} = ${days[0]}). If these are other years, write four digits in the file.`,
    ]);
    const written: (string | undefined)[] = [];
    for await (const page of (await lists.rows(moduleID)).scan())
      written.push(...page.map(({ values }) => values[header]?.[0]));
    expect(written).toEqual(days);
  });

  it.each([['3/4/2026'], ['3/4/26'], ['26/01/15']])(
    'stay text with a note where their order is in doubt: %s',
    async (cell) => {
      const { lists } = await testLists();
      const { notes } = await importTable(lists, fileOf('Date', [cell]), { to: { name: 'B' }, by: '7' });
      expect(notes.map((note) => english(note))).toEqual([
        `Read as text, as the order of day, month and year is in doubt: Date (${cell}). If these are dates, choose the order of dates.`,
      ]);
      expect(await seen('Date', [cell], { dateOrder: 'DMY' })).toBe('DateTime date');
    },
  );

  it.each([['26/01/15'], ['20/12/31,21/12/31'], ['26.01.15,26.01.16'], ['26-Jan-15,26-Jan-16']])(
    'stay out of a column of days where the year may be first: %s',
    async (texts) => {
      const cells = texts.split(',');
      const made = await testLists();
      const { lists } = made;
      const day = { kind: 'DateTime', name: 'Date', options: { only: 'date' } } as const;
      const { module } = await makeList(made, [text('Kunde'), day]);
      const to = { moduleID: module.moduleID };
      const refused = await importTable(lists, fileOf('Date', cells), { to, by: '7' });
      expect(refused).toMatchObject({ created: 0, notes: [], rejected: cells.map(() => ({})) });
      const chosen = await importTable(lists, fileOf('Date', cells), { to, by: '7', dateOrder: 'DMY' });
      expect(chosen).toMatchObject({ created: cells.length, rejected: [] });
    },
  );
});

it('a chosen order leaves days with the year first as they are', async () => {
  for (const dateOrder of ['DMY', 'MDY'] as const)
    expect(await seen('Datum', ['2026-01-05', '2026-02-06'], { dateOrder })).toBe('DateTime date');
});

it.each<readonly [header: string, kind: string]>([
  ['Code article', 'String'],
  ['Numéro de compte', 'String'],
  ['N° client', 'String'],
  ['Código', 'String'],
  ['Référence', 'String'],
  ...['Codice', 'Codice articolo', 'Kod', 'Kod towaru', 'Indeks', 'Numer klienta', 'Kód zboží'].map(
    (header) => [header, 'String'] as const,
  ),
  ...[
    'Katalogové číslo',
    'Cikkszám',
    'Cod produs',
    'Tuotekoodi',
    'Stok kodu',
    'Šifra',
    'Teléfono',
    'Код товара',
    'ΚΩΔΙΚΌΣ',
  ].map((header) => [header, 'String'] as const),
  ...['Artikelnummer', 'Varenr.', 'Nummer'].map((header) => [header, 'String'] as const),
  ['Code lines', 'Number'],
  ['Nombre', 'Number'],
  ['Darabszám', 'Number'],
  ['Kodak', 'Number'],
])('digits in groups are text where names say so in other languages too: %s', async (header, kind) => {
  expect(await seen(header, ['731.123.456', '731.123.457'])).toBe(kind);
});

it.each([
  ['Maßstab', ['1:50', '1:20', '1:10'], 'String'],
  ['Mischungsverhältnis', ['1:10', '2:15'], 'String'],
  ['Ergebnis', ['23:21', '19:22'], 'String'],
  ['Final result', ['2:10', '1:12'], 'String'],
  ['Artikelnr.', ['1:10', '2:15'], 'String'],
  ['Nr.', ['00:10:00', '02:15:00'], 'DateTime time'],
  ['Beginn', ['8:15', '9:30'], 'DateTime time'],
])('a column of ratios, results or codes is text and none of times: %s %j', async (header, cells, kind) => {
  expect(await seen(header, cells)).toBe(kind);
});
