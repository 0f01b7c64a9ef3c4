import { describe, expect, it } from 'vitest';
import { escapeCell, unescapeCell } from '../../../../server/lists/csv/cells.ts';
import { importTable } from '../../../../server/lists/csv/import.ts';
import type { ImportResult } from '../../../../server/lists/csv/result.ts';
import { findKeys } from '../../../../server/lists/csv/key-columns.ts';
import { suggestKind, readTable, type TableFile } from '../../../../server/lists/csv/read.ts';
import type { FieldOptions } from '../../../../server/lists/definitions/model.ts';
import { english } from '../../../../server/words/said.ts';
import { textRows } from '../../../support/data/csv-rows.ts';
import { makeList, testLists, text } from '../../../support/harness/lists.ts';

/** Kind, settings and values of a column “N” of a new list made of these cells. */
async function made(cells: readonly string[]): Promise<unknown> {
  const { lists } = await testLists();
  const file = `Name;Nr\n${cells.map((cell, at) => `r${at};"${cell}"`).join('\n')}\n`;
  const { moduleID } = await importTable(lists, Buffer.from(file), { to: { name: 'New' }, by: '7' });
  const module = await lists.module(moduleID);
  const { kind, options } = module.fields[1] ?? {};
  return [kind, options, (await textRows(lists, module)).map(({ Nr }) => Nr)];
}

/** What becomes of these cells in a column of numbers that a list has. */
async function into(
  options: FieldOptions,
  cells: readonly string[],
): Promise<{ values: unknown; result: ImportResult }> {
  const office = await testLists();
  const { module } = await makeList(office, [text('Name'), { kind: 'Number', name: 'Nr', options }]);
  const file = `Name;Nr\n${cells.map((cell, at) => `r${at};"${cell}"`).join('\n')}\n`;
  const to = { moduleID: module.moduleID };
  const result = await importTable(office.lists, Buffer.from(file), { to, by: '7' });
  return { values: (await textRows(office.lists, module)).map(({ Nr }) => Nr), result };
}

const reasons = ({ rejected }: ImportResult): string[] => rejected.map(({ reason }) => english(reason));

it('numbers that may be versions are named, in texts and in numbers', async () => {
  const { result } = await into({}, ['1.9', '1.10']);
  expect(result.notes.map(english)).toEqual([expect.stringContaining('As numbers 1.10 is the same as 1.1')]);
  const { lists } = await testLists();
  const file = Buffer.from('Version;Name\n1.9;a\n1.10;b\n');
  const { notes } = await importTable(lists, file, { to: { name: 'New' }, by: '7' });
  expect(notes.map(english)).toEqual([expect.stringContaining('Read as text')]);
});

describe('numbers as people write them, in a new list', () => {
  it.each([
    ['that may be versions are texts', ['1.9', '1.10', '2.0'], 'String', {}, ['1.9', '1.10', '2.0']],
    ['of one number of decimals are no versions', ['1.90', '1.10', '2'], 'Number', {}, ['1.90', '1.10', '2']],
    [
      'without zeros at the end are no versions',
      ['1.0', '1.25', '1.5'],
      'Number',
      {},
      ['1.0', '1.25', '1.5'],
    ],
    [
      'percentages become fractions',
      ['12 %', '7,5%', '100 %'],
      'Number',
      { precision: 1, unit: '%' },
      ['0.12', '0.075', '1'],
    ],
    [
      'of a currency keep its sign for the eye',
      ['1.234,56 €', '12,50 €', '-3,00 €'],
      'Number',
      { precision: 2, unit: '€' },
      ['1234.56', '12.50', '-3.00'],
    ],
    [
      'in brackets are below zero, beside others',
      ['1,200.50', '(5.25)', '7'],
      'Number',
      {},
      ['1200.50', '-5.25', '7'],
    ],
    ['in brackets among marks are remarks', ['1', '2', '(3)', '4'], 'String', {}, ['1', '2', '(3)', '4']],
    ['in brackets among halves are remarks', ['1.5', '(2.5)'], 'String', {}, ['1.5', '(2.5)']],
    [
      'in brackets among amounts in thousands are below zero',
      ['12,500', '(3,200)', '1,234,000'],
      'Number',
      {},
      ['12500', '-3200', '1234000'],
    ],
    ['with letters and one decimal are names', ['TOP 1.1', 'TOP 2.3'], 'String', {}, ['TOP 1.1', 'TOP 2.3']],
    ['of feet are no money', ['6 Ft', '5.5 Ft'], 'String', {}, ['6 Ft', '5.5 Ft']],
    [
      'of forints are',
      ['12\u00a0500 Ft', '900 Ft', '7\u00a0250,50 Ft'],
      'Number',
      { precision: 2, unit: 'Ft' },
      ['12500', '900', '7250.50'],
    ],
    ['all in brackets are notes', ['(1)', '(2)', '(3)'], 'String', {}, ['(1)', '(2)', '(3)']],
    ['of several currencies stay as they stand', ['5,00 €', '7,50 $'], 'String', {}, ['5,00 €', '7,50 $']],
    ['of which some are percentages stay as they stand', ['5 %', '7'], 'String', {}, ['5 %', '7']],
    [
      'of which a sign may mean a thousand are read as the file is separated, which is told as a doubt',
      ['1.234 €', '5 €'],
      'Number',
      { unit: '€' },
      ['1234', '5'],
    ],
    [
      'of which one without its sign may mean either are so as well',
      ['1.234', '5 €'],
      'Number',
      {},
      ['1234', '5'],
    ],
    ['of three decimals are what they were', ['1.234', '0.5'], 'Number', {}, ['1.234', '0.5']],
    [
      'behind a code are amounts where they have decimals',
      ['CHF 1’200.50', 'CHF 7'],
      'Number',
      { precision: 2, unit: 'CHF' },
      ['1200.50', '7'],
    ],
    ['behind letters that may be a code are names', ['TOP 10', 'TOP 20'], 'String', {}, ['TOP 10', 'TOP 20']],
  ])('%s', async (_what, cells, kind, options, stored) => {
    expect(await made(cells)).toEqual([kind, options, stored]);
  });
});

describe('numbers as people write them, in a column that is there', () => {
  it('are fractions where it shows percent, and told where it does not', async () => {
    expect((await into({ unit: '%' }, ['12 %', '0', '(3 %)'])).values).toEqual(['0.12', '0', '-0.03']);
    expect((await into({ unit: '%' }, ['+5 %', '-3 %'])).values).toEqual(['0.05', '-0.03']);
    expect((await into({ unit: '%' }, ['0.12', '0.5'])).values).toEqual(['0.12', '0.5']);
    const { values, result } = await into({}, ['12 %', '5']);
    expect(values).toEqual(['5']);
    expect(reasons(result)).toEqual([expect.stringContaining('show the column as percent first')]);
  });

  it('are told where a sign may be meant that others have, or one of two numbers, or a remark', async () => {
    const percent = await into({ unit: '%' }, ['5 %', '7', '+8', '5.3.2026', '0']);
    expect([percent.values, reasons(percent.result)]).toEqual([
      ['0.05', '0'],
      [
        'Nr: “7” can be 7 % or 700 %; write it with its percent sign.',
        'Nr: “+8” can be 8 % or 800 %; write it with its percent sign.',
        expect.stringContaining('“5.3.2026” is no number'),
      ],
    ]);
    const thousand = await into({}, ['5 €', '1.234']);
    expect([thousand.values, thousand.result.doubts]).toEqual([
      ['5', '1234'],
      [{ kind: 'numbers', chosen: ',', alternatives: ['.'], columns: ['Nr'], example: '1.234' }],
    ]);
    const marks = await into({}, ['1', '2', '(3)', '4']);
    expect([marks.values, reasons(marks.result)]).toEqual([
      ['1', '2', '4'],
      ['Nr: “(3)” can be −3 or a remark; write it without brackets.'],
    ]);
    for (const options of [{ unit: '€' }, { precision: 2 }])
      expect((await into(options, ['500', '(200)'])).values).toEqual(['500', '-200']);
    expect((await into({}, ['500.00', '(200.00)'])).values).toEqual(['500.00', '-200.00']);
  });

  it('are told of where the column shows percent and the file has no sign, or where a sign does not come in', async () => {
    const notes = ({ result }: { result: ImportResult }): string[] => result.notes.map(english);
    expect(notes(await into({ unit: '%' }, ['0.12']))).toEqual([
      'These columns show percent, and 0.12 in the file becomes 12 %: Nr.',
    ]);
    expect(notes(await into({}, ['12,50 €']))).toEqual([
      'Only the numbers are imported, without what is written beside them: Nr (€).',
    ]);
    expect(notes(await into({ unit: '€' }, ['12,50 €']))).toEqual([]);
  });

  it('come without the sign of their one currency, and are told where the column has another', async () => {
    expect((await into({}, ['$ 1,200.50', '$7.25'])).values).toEqual(['1200.50', '7.25']);
    expect((await into({ unit: 'EUR' }, ['1.234,56 €'])).values).toEqual(['1234.56']);
    const { values, result } = await into({ unit: '€' }, ['5,50 €', '7,50 $']);
    expect(values).toEqual(['5.50']);
    expect(reasons(result)).toEqual([expect.stringContaining('another unit than the column, which shows €')]);
    const several = await into({}, ['5,50 €', '7,50 $', '3,25']);
    expect(several.values).toEqual(['3.25']);
    expect(reasons(several.result)).toHaveLength(2);
  });
});

describe('a line that adds up the others', () => {
  const ORDERS = ['1001', '1001', '1002', '1002', '1003', '1003', '1004']
    .map(
      (order, at) => `${order};${['Tee', 'Öl', 'Öl', 'Reis', 'Tee', 'Reis', 'Öl'][at] ?? ''};${3 + (at % 3)}`,
    )
    .join('\n');
  const keyOf = async (csv: string, sums: 'in' | 'out'): Promise<unknown> => {
    const file = await readTable(Buffer.from(csv), { sums });
    const columns = file.columns.map((column) => ({ column, kind: suggestKind(column).kind }));
    const [key = []] = await findKeys(file, columns);
    return key.map(({ column }) => column.header);
  };

  const BANK =
    'Datum;Empfänger;Betrag\n02.11.2026;Stadtwerke Ulm;-84,20\n03.11.2026;Größmann GmbH;1.200,00\n';
  it.each([
    '共2笔记录',
    'Total rows: 2',
    '-- end --',
    '*** Ende ***',
    'Ende der Liste',
    'Anzahl: 2',
    '2 Datensätze',
    '(2 rows)',
    '2 registros',
    'Fin du fichier',
  ])('names “%s” below the rows as a line that is no row', async (footer) => {
    const { sums, lines } = await readTable(Buffer.from(`${BANK}${footer};;\n`), { sums: 'out' });
    expect([sums, lines]).toEqual([[{ line: 4, text: footer }], 2]);
  });
  it('names a text below blank lines as the end of the file, unless rows follow', async () => {
    const of = async (csv: string): Promise<unknown> => {
      const { sums, lines } = await readTable(Buffer.from(csv), { sums: 'out' });
      return [sums, lines];
    };
    const noted = `${BANK}04.11.2026;"Lang\nUlm";5,00\n`;
    expect(await of(`${noted}\nErstellt mit Büro 7\n`)).toEqual([
      [{ line: 7, text: 'Erstellt mit Büro 7' }],
      3,
    ]);
    expect(await of(`${noted}Erstellt mit Büro 7\n`)).toEqual([[], 4]);
    expect(await of(`${BANK}\nDezember\n01.12.2026;Abt;7,00\n`)).toEqual([[], 4]);
  });

  it('names a heading that recurs, as reports print it on each page', async () => {
    const csv = Buffer.from(`${BANK}Datum; Empfänger;Betrag;\n04.11.2026;Lang;5,00\n`);
    expect((await readTable(csv, {})).sums).toEqual([{ line: 4, text: 'Datum Empfänger Betrag' }]);
    const { columns, lines } = await readTable(csv, { sums: 'out' });
    expect([lines, columns.map((column) => suggestKind(column).kind)]).toEqual([
      3,
      ['DateTime', 'String', 'Number'],
    ]);
    const other = await readTable(Buffer.from('Name;Ort\nKern;Ulm\nName;Bonn\n'), {});
    expect(other.sums).toEqual([]);
  });

  it.each(['Halle 2', 'Bank 行 7', 'Total Energies', 'Kabel 3 x 1,5', '--', 'Endemann', '2'])(
    'takes “%s” in the last line for a row',
    async (name) => {
      const { sums, lines } = await readTable(Buffer.from(`${BANK};${name};\n`), { sums: 'out' });
      expect([sums, lines]).toEqual([[], 3]);
    },
  );
  it('names what pages end and begin with, beside a heading that recurs', async () => {
    const page = 'Nr;Name;Betrag\n1;Kern;100,00\n2;Groß;50,00\n3;Weiß;70,00\n';
    const csv = `${page}Seite 1 von 2;;\n\nKundenliste;;\n${page}Seite 2 von 2;;\n`;
    const { sums, lines, doubtful } = await readTable(Buffer.from(csv), { sums: 'out' });
    expect([sums.map(({ line }) => line), lines, doubtful]).toEqual([[5, 7, 8, 12], 6, []]);
  });

  it('names what pages of two columns end with, beside a heading that recurs', async () => {
    const csv = 'Kunde;Umsatz\nAbel;12,50\nCal;45,30\nDorn;8,00\nSeite 1 von 2;\n'.repeat(2);
    const { sums, lines } = await readTable(Buffer.from(csv), { sums: 'out' });
    expect([sums.map(({ line }) => line), lines]).toEqual([[5, 6, 10], 6]);
  });

  it('names the title of each page, beside a heading that recurs', async () => {
    const page = (number: number): string =>
      `Kundenliste;Stand 05.11.2026;Seite ${number}\nNr;Name;Betrag\n${number}1;Kern;100,00\n${number}2;Groß;50,00\n`;
    const file = await readTable(Buffer.from(page(1) + page(2) + page(3)), {
      ...{ sums: 'out', headerLine: 2 },
    });
    expect([file.sums.map(({ line }) => line), file.lines]).toEqual([[5, 6, 9, 10], 6]);
    expect(file.columns.map((column) => suggestKind(column).kind)).toEqual(['Number', 'String', 'Number']);
  });

  it('names a total whose other texts are dashes, as advertising reports write it', async () => {
    const csv =
      'Kampagne;Status;Klicks;Kosten\nSommer;aktiv;1234;45,20\nWinter;pausiert;56;3,10\nTotal: Konto;--;1290;48,30\n';
    const { sums, lines } = await readTable(Buffer.from(csv), { sums: 'out' });
    expect([sums.map(({ line }) => line), lines]).toEqual([[4], 2]);
  });

  it('takes a row like a title above the heading for a row, unless the heading follows', async () => {
    const csv =
      'Lager 1;Bestand;2026\n\nOrt;Artikel;Menge\nLager 1;Bestand;5\nLager 2;Bestand;7\nHof;Kies;3\n';
    const { sums, lines } = await readTable(Buffer.from(csv), { sums: 'out', headerLine: 3 });
    expect([sums, lines]).toEqual([[], 3]);
  });

  it('takes what looks like a footer between two rows for a row', async () => {
    const { sums, lines } = await readTable(Buffer.from(`${BANK}2 Zeilen;;\n04.11.2026;Bo;3,00\n`), {
      sums: 'out',
    });
    expect([sums, lines]).toEqual([[], 4]);
  });

  it.each(['Summe', 'Gesamt:', 'Total', 'Grand Total', 'Totale', 'Suma', 'Sous-total', 'Gesamt (netto)'])(
    'that begins with “%s” is told, and left out where that is wished: then it spoils no key',
    async (word) => {
      const csv = `Bestellung;Produkt;Stück\n${ORDERS}\n;;\n${word};;27\n`;
      const { sums, lines } = await readTable(Buffer.from(csv), {});
      expect([sums, lines]).toEqual([[{ line: 10, text: word }], 8]);
      expect(await keyOf(csv, 'out')).toEqual(['Bestellung', 'Produkt']);
      const { lists } = await testLists();
      const to = { name: 'Orders' };
      expect(await importTable(lists, Buffer.from(csv), { to, by: '7', sums: 'out' })).toMatchObject({
        created: 7,
        sums: [{ line: 10 }],
      });
    },
  );

  it('leaves its column of numbers one, though it begins there', async () => {
    const csv = `Nr;Produkt;Stück\n1;Tee;5\n2;Öl;7\n3;Reis;9\nSumme;;21\n`;
    const kinds = async (sums: 'in' | 'out'): Promise<unknown> =>
      (await readTable(Buffer.from(csv), { sums })).columns.map((column) => suggestKind(column).kind);
    expect(await kinds('in')).toEqual(['String', 'String', 'Number']);
    expect(await kinds('out')).toEqual(['Number', 'String', 'Number']);
  });

  it.each([
    ['a table of two columns', 'Monat;Umsatz\nJan;120,50\nFeb;99,50\nSumme;220,00\n'],
    ['a column of numbers', 'Nr;Menge;Umsatz\n1;3;120,50\n2;4;99,50\nSumme;7;220,00\n'],
    ['amounts with their sign', 'Monat;Umsatz\nJan;1.120,50 €\nFeb;99,50 €\nSumme;1.220,00 €\n'],
    ['amounts that were rounded', `Nr;Wert\n${'a;0,33\n'.repeat(3)}Summe;1,00\n`],
  ])('is known by adding up, in %s', async (_what, csv) => {
    const { sums } = await readTable(Buffer.from(csv), {});
    expect(sums.map(({ line }) => line)).toEqual([csv.trim().split('\n').length]);
  });

  const sumsOf = async (csv: string): Promise<number[]> =>
    (await readTable(Buffer.from(csv), {})).sums.map(({ line }) => line);

  it.each<[what: string, csv: string, sums: number[]]>([
    ['quarters', 'Monat;Umsatz\nJan;5\nFeb;7\nSumme Q1;12\nApr;9\nMai;3\nGesamt;24\n', [4, 7]],
    [
      'regions called before the word, one of them with one row',
      'Region;Kunde;Umsatz;Kosten\nNord;Aral;5,50;1\nNord;BP;7,00;2\nNord gesamt;;12,50;3\nSüd;Shell;9,00;4\nSüd gesamt;;9,00;4\nGesamtergebnis;;21,50;7\n',
      [4, 6, 7],
    ],
    [
      'towns in regions in a country',
      'Ort;Kunde;Umsatz\nKöln;A;1\nKöln;B;2\nKöln Ergebnis;;3\nBonn;C;4\nBonn;D;5\nBonn Ergebnis;;9\nTotal Rheinland;;12\nUlm;E;6\nUlm;F;7\nUlm Ergebnis;;13\nTotal Schwaben;;13\nTotal général;;25\n',
      [4, 7, 8, 11, 12, 13],
    ],
    [
      'invoices with their tax, and rows behind',
      'Rechnung;Posten;Betrag\n1;Tee;100\n1;Öl;20\n;Summe netto, ohne MwSt;120\n;MwSt 19 %;22,80\n;Summe brutto;142,80\n2;Reis;10\n2;Öl;20\n;Summe netto;30\n;MwSt 19 %;5,70\n;Summe brutto;35,70\n',
      [4, 5, 6, 9, 10, 11],
    ],
    [
      'a tax that comes before the only sum',
      'Posten;Betrag\nTee;100\nÖl;20\nMwSt;22,80\nSumme;142,80\n',
      [4, 5],
    ],
    [
      'the word in a cell behind its region',
      'Region;Kunde;Umsatz\nNord;A;5\nNord;B;7\nNord;Summe:;12\n',
      [4],
    ],
    ['no word at all, below the last row', 'Nr;Kunde;Umsatz\n1;A;5\n2;B;7\n;;12\n', [4]],
    [
      'other words, below sums that are called so',
      'Nr;Kunde;Umsatz\n1;A;5\n2;B;7\n;Nord gesamt;12\n3;C;9\n;Süd gesamt;9\n;Alle Gebiete zusammen;21\n',
      [4, 6, 7],
    ],
    [
      'other words, below many rows',
      'Nr;Kunde;Umsatz\n1;A;5\n2;B;7\n3;C;9\n4;D;2\n5;E;3\n6;F;1\n;Alle Kunden;27\n',
      [8],
    ],
    ['a table of one row', 'Kunde;Umsatz\nA;5\nSumme;5\n', [3]],
  ])('is found within the table as below it: %s', async (_what, csv, sums) => {
    expect(await sumsOf(csv)).toEqual(sums);
  });

  it('is a row where the words are some row’s own, or where rows follow that are as small', async () => {
    for (const csv of [
      'Projekt;Umfang;Tage\nBad;gesamt;1\nDach;gesamt;1\nFlur;gesamt;2\nTor;Teil;4\n',
      'Firma;Mahnungen;Umsatz\nAral;1;5\nBP;1;7\nTotal;2;9\nShell;0;3\n',
      'Messung;Früh;Spät\n1;2;3\n2;2;3\n;4;\n4;5;6\n',
      'Firma;Umsatz\nAral;5\nTotal;7\nGesamtschule Nord;12\nShell;3\n',
      'Posten;Betrag\nTee;100\nMwSt;19\nÖl;20\n',
      'Nr;Kunde;Umsatz\n1;A;5\n2;B;7\n;Neukunde;12\n',
      'Nr;Kunde;Umsatz\n1;A;5\n2;B;7\n3;C;9\n4;D;2\n5;E;3\n6;F;1\n;Neukunde;26\n',
      'Nr;Kunde;Umsatz\n1;A;5\n2;B;7\n3;C;9\n4;D;2\n5;E;3\n6;F;1\n;Neukunde;27\n7;G;1\n',
    ])
      expect(await sumsOf(csv), csv).toEqual([]);
  });

  it('goes in where it is said to be a row, and the others stay out', async () => {
    const csv = 'Monat;Umsatz\nJan;5\nFeb;7\nSumme Q1;12\nApr;9\nMai;3\nGesamt;24\n';
    const { lists } = await testLists();
    const options = { to: { name: 'Months' }, by: '7', sums: 'out' as const, asRows: [4] };
    const result = await importTable(lists, Buffer.from(csv), options);
    expect(result).toMatchObject({ created: 5, sums: [{ line: 4, text: 'Summe Q1' }, { line: 7 }] });
  });

  it('does not keep a file long that has very many of them', { tags: 'nightly-sizes' }, async () => {
    const table = (word: string): Buffer => {
      const lines = Array.from({ length: 30_000 }, (_, at) =>
        at % 3 === 2 ? `${word} ${at};${2 * at - 1};2;2;2;9` : `r${at};${at + 1};1;1;1;1`,
      );
      return Buffer.from(`Was;A;B;C;D;E\n${lines.join('\n')}\n`);
    };
    const timed = async (word: string): Promise<[took: number, sums: number]> => {
      const begun = performance.now();
      const { sums } = await readTable(table(word), {});
      return [performance.now() - begun, sums.length];
    };
    const [without] = await timed('Rabatt');
    const [took, sums] = await timed('Summe');
    expect(sums).toBe(10_000);
    expect(took).toBeLessThan(4 * without + 1000);
  });

  it('is none where it adds up nothing, or says more than numbers, or others follow', async () => {
    for (const csv of [
      'Firma;Ort;Mahnungen;Umsatz\nAral;Bochum;0;5,00\nBP;Köln;1;7,00\nTotal SA;;1;9,00\n',
      'Firma;Ort;Umsatz\nAral;Bochum;5\nBP;Köln;7\nTotal;;\n',
      'Firma;Umsatz\nAral;0\nBP;0\nTotal;0\n',
      'Firma;Ort;Telefon;Umsatz\nAral;Bochum;123;5\nBP;Köln;456;7\nTotal SA;Paris;;9\n',
      'Firma;Telefon;Seit;Umsatz\nAral;123;2025-01-01;5\nBP;456;2025-02-01;7\nTotal SA;;2025-03-01;9\n',
      'Firma;Ort;Umsatz\nAral;Bochum;5\nTotal;Berlin;7\n',
      `Bestellung;Produkt;Stück\nSumme;;9\n${ORDERS}\n`,
      'Firma;Ort;Umsatz\nAral;Bochum;5\nTotalEnergies;;7\n',
    ])
      expect((await readTable(Buffer.from(csv), {})).sums).toEqual([]);
  });

  it('is told below a customer who is called so', async () => {
    const csv = 'Firma;Ort;Telefon;Umsatz\nAral;Bochum;123;5\nBP;Köln;456;7\nTotal SA;Paris;;9\nSumme;;;21\n';
    expect((await readTable(Buffer.from(csv), {})).sums).toEqual([{ line: 5, text: 'Summe' }]);
  });

  it('may be several, such as before and after tax', async () => {
    const csv = `Bestellung;Produkt;Stück\n${ORDERS}\nZwischensumme;;27\nGesamtsumme;;32.13\n`;
    expect((await readTable(Buffer.from(csv), {})).sums.map(({ line }) => line)).toEqual([9, 10]);
  });
});

it('a file none of whose columns fits is refused with how it was read', async () => {
  const office = await testLists();
  const { module } = await makeList(office, [text('Nr'), text('Kunde')], 'Kunden');
  const imported = async (csv: string): Promise<unknown> => {
    const options = { to: { moduleID: module.moduleID }, by: '7', delimiter: ';' };
    return importTable(office.lists, Buffer.from(csv), options);
  };
  await expect(imported('Nr,Kunde,Ort\n1,Größl,Ulm\n')).rejects.toThrow(
    'The file has: Nr,Kunde,Ort. If its columns are others, choose what separates them',
  );
  const many = `${'Bezeichnung '.repeat(9)};Größe;Menge\u202e;Preis;Lager\nTee;1;2;3;4\n`;
  await expect(imported(many)).rejects.toThrow(/: (?:Bezeichnung ){5}… \| Größe \| Menge \| Preis \| …\./);
});

describe('lines that may be no rows of this table', () => {
  const notesOf = async (csv: string): Promise<Pick<TableFile, 'otherHeadings' | 'unclosed' | 'lines'>> => {
    const { otherHeadings, unclosed, lines } = await readTable(Buffer.from(csv), {});
    return { otherHeadings, unclosed, lines };
  };
  const PRICES = 'Artikel;Preis;Menge\nA;1,50;1\nB;2,50;2\nC;3,50;3\n';

  it.each([
    ['\nName;Ort;PLZ\nMeier;Ulm;89073\nHuber;Bonn;53111\n', [{ line: 6, text: 'Name Ort PLZ' }]],
    ['\nKunden\nName;Ort;PLZ\nMeier;Ulm;89073\nHuber;Bonn;53111\n', [{ line: 7, text: 'Name Ort PLZ' }]],
    ['\nD;4,50;4\n', []],
    ['\nD;4,50;\nE;;5\n', []],
    ['Name;Ort;PLZ\nMeier;Ulm;89073\n', []],
    ['\nTag;Besuche\n01.10.26;400\n02.10.26;500\n', [{ line: 6, text: 'Tag Besuche' }]],
    [`\nTeam;Leiter\n${'A;Kern\n'.repeat(9)}`, [{ line: 6, text: 'Team Leiter' }]],
    ['\nErstellt von;Anna Kern\nGeprüft;Bert Auer\n', []],
  ])('name another heading below a blank line: %j', async (below, otherHeadings) => {
    expect(await notesOf(PRICES + below)).toMatchObject({ otherHeadings });
  });

  it('name another heading below a single row, as in reports of meetings', async () => {
    const csv = 'Topic;Start;People\nWeekly;10:00;2\n\nName;Joined;Guest\nKern;10:01;no\nWeiß;10:02;yes\n';
    expect((await notesOf(csv)).otherHeadings).toEqual([{ line: 4, text: 'Name Joined Guest' }]);
  });

  it.each([
    ['Nr;Text;Zahl\n1;ok;1\n2;"offen;2\n3;zu";3\n4;gut;4\n', [3]],
    ['Nr;Text;Zahl\n1;";1\n2;b;2\n3;";3\n4;d;4\n', [2]],
    ['Nr;Text;Zahl\r\n1;"a\r\nb; c";1\r\n2;b;2\r\n', []],
    ['Nr;Text\n1;"Weg 1\nHaus 2"\n2;b\n', []],
  ])('name a value that contains other lines: %j', async (csv, unclosed) => {
    expect(await notesOf(csv)).toMatchObject({ unclosed });
  });

  it('are named before the import', async () => {
    const { lists } = await testLists();
    const csv = `${PRICES}D;"x;4\nE;y";5\n\nName;Ort;PLZ\nMeier;Ulm;89073\n`;
    const { notes } = await importTable(lists, Buffer.from(csv), { to: { name: 'S' }, by: '7' });
    expect(notes.map((note) => english(note))).toEqual([
      'Quotation marks may be missing in these lines, as one value holds several lines: 5. If so, correct them in the file.',
      'Further tables may begin in these lines: 8 (Name Ort PLZ). If so, put each table in a file of its own.',
    ]);
  });
});

describe('lines that close a statement', () => {
  const STATEMENT =
    'Datum;Text;Betrag\n01.04.2024;Miete;-500,00\n02.04.2024;Gehalt;2.000,00\n03.04.2024;Strom;-80,50\n';
  const closed = async (end: string, sums: 'in' | 'out' = 'out'): Promise<TableFile> =>
    readTable(Buffer.from(`${STATEMENT}${end}\n`), { sums });

  it.each([
    ...['Saldo;;1.137,50', 'Endsaldo;;1.137,50', 'Übertrag;;1.137,50', 'Durchschnitt;;473,17', 'Razem;;9,00'],
    ...['Celkem;;9,00', 'Итого;;9,00', '合計;;9,00', 'Kontostand am 10.04.2024;;1.137,50', '(2 rows)'],
    ...['\nEndbestand;;1.137,50', '\nErstellt am;10.04.2024', '\nStand:;10.04.2024;', '\nHerr Kern;0221 12'],
    ...[
      'Summe Ausgaben;;-580,50\nSumme Einnahmen;;2.000,00',
      '\nAlter Kontostand;1.000,00 EUR;',
      'Balance:;;5,00',
      'I alt;;1.419,50',
      '合計;;1.419,50',
    ],
    ...[
      ';Endsaldo;1.137,50',
      ';Schlusssaldo per 31.04.2024;1.137,50',
      '30.04.2024;Closing balance;',
      ';Nouveau solde;7,00',
      ';Saldo final;7,00',
    ],
  ])('are told from rows, and leave days and numbers as they are: %j', async (end) => {
    const { sums, lines, columns, doubtful } = await closed(end);
    expect(sums.length).toBe(end.trim().split('\n').length);
    expect([lines, columns.map((column) => suggestKind(column).kind)]).toEqual([
      3,
      ['DateTime', 'String', 'Number'],
    ]);
    expect(doubtful).toEqual([]);
    expect((await closed(end, 'in')).sums).toEqual(sums);
  });

  it.each([
    ['neu;;100,00', [{ line: 5, text: 'neu' }]],
    ['30.04.2024;Endbestand Kasse;7,00', [{ line: 5, text: 'Endbestand Kasse' }]],
    ['30.04.2024;Solde final;7,00', [{ line: 5, text: 'Solde final' }]],
    ['2024-04-30;Solde final;7,00', [{ line: 5, text: '2024-04-30 Solde final' }]],
    ['30.04.2024;Neuer Drucker;7,00', []],
    ['\n;Kern;5,00', [{ line: 6, text: 'Kern' }]],
    ['unbekannt;Nachtrag;5,00', []],
    ['04.04.2024;;', []],
    ['\n04.04.2024;Saldo;', []],
    // Another row follows.
    ['Saldo;;1.137,50\n04.04.2024;Kern;5,00', []],
  ])('may be rows, which are taken, and named where they look so: %j', async (end, doubtful) => {
    const table = await closed(end);
    expect([table.sums, table.doubtful, table.lines]).toEqual([
      [],
      doubtful,
      3 + end.trim().split('\n').length,
    ]);
  });

  it.each([
    ['Name;Ort;Betrag\nKern;Ulm;1,00\nWeiß;Bonn;2,00\nSaldo;;7,00\n', 'Saldo'],
    ['Name;Tag;Stunden\nKern;Mo;8:30\nWeiß;Di;7:30\nSumme;;16:00\n', 'Summe 16:00'],
    ['Name;Note\nKern;1,5\nWeiß;2,5\nDurchschnitt;2,0\n', 'Durchschnitt'],
    ['Vara;Ort;Antal\nA;Malmö;1200\nB;Lund;3400\nAllt tillsammans;;4600\n', 'Allt tillsammans'],
  ])('are rows where customers may be called so, and named: %j', async (csv, text) => {
    const { sums, lines, doubtful } = await readTable(Buffer.from(csv), { sums: 'out' });
    expect([sums, lines, doubtful]).toEqual([[], 3, [{ line: 4, text }]]);
  });

  it.each(['Deutschland', 'Netto'])(
    'are named where they add up all columns of at least six rows: %s',
    async (name) => {
      const rows = 'A;10,50;20\nB;11,25;30\nC;7,75;41\nD;3,10;5\nE;9,40;7\nF;12,35;9\n';
      const { sums, lines, doubtful } = await readTable(
        Buffer.from(`Ort;Betrag;Menge\n${rows}${name};54,35;112\n`),
        {},
      );
      expect([sums, lines, doubtful]).toEqual([[], 7, [{ line: 8, text: name }]]);
    },
  );

  it('are totals above the rows as well, if they add these up', async () => {
    const read = (total: string): ReturnType<typeof readTable> =>
      readTable(Buffer.from(`Ort;Betrag;Menge\n${total}\nA;10,50;20\nB;11,25;30\nC;7,75;41\n`), {
        sums: 'out',
      });
    expect(await read('Gesamt;29,50;91')).toMatchObject({ sums: [{ line: 2, text: 'Gesamt' }], lines: 3 });
    expect(await read('Gesamt;29,50;92')).toMatchObject({ sums: [], lines: 4 });
  });

  it('are named where they have far fewer cells than all rows', async () => {
    const csv = 'Artikel;Preis;Lager\nA;9,90;Ulm\nB;12,50;Bonn\nC;7,00;Ulm\n';
    const footer = await readTable(Buffer.from(`${csv}Stand: 1.4.2024;;\n`), {});
    expect([footer.lines, footer.doubtful]).toEqual([4, [{ line: 5, text: 'Stand: 1.4.2024' }]]);
    const sparse = await readTable(Buffer.from(`${csv}D;;\nE;1,00;Ulm\nF;;\n`), {});
    expect([sparse.lines, sparse.doubtful]).toEqual([6, []]);
  });

  it('are named before the import where they are taken', async () => {
    const { lists } = await testLists();
    const file = Buffer.from(`${STATEMENT}neu;;100,00\n`);
    const { notes, created } = await importTable(lists, file, { to: { name: 'S' }, by: '7', sums: 'out' });
    expect(created).toBe(4);
    expect(notes.map(english)).toEqual([
      'The last lines may not belong to the table: 5 (neu). If so, remove them from the file.',
    ]);
  });
});

it.each(['2026-04-13T15:16:00Z', '2026-04-13 15:16'])(
  'names a moment such as %s of which a column of days takes the day alone',
  async (moment) => {
    const { lists } = await testLists();
    const into = (file: string): Promise<ImportResult> =>
      importTable(lists, Buffer.from(file), { to: { name: 'Days' }, by: '7' });
    expect((await into('Name;Due\nKern;2026-01-02\nLang;2026-01-03 00:00:00\n')).notes).toEqual([]);
    expect((await into(`Name;Due\nHuber;${moment}\n`)).notes.map((note) => english(note))).toEqual([
      `These columns hold days, so times are left out: Due (${moment}). A time with a zone counts by its day in ${new Intl.DateTimeFormat().resolvedOptions().timeZone}. To keep times, choose a column of date and time.`,
    ]);
  },
);

it('says that a heading lacks the name of row names', async () => {
  const { lists } = await testLists();
  const file = Buffer.from('"mpg";"cyl"\n"1";21,5;6\n"2";22,8;4\n');
  const { notes, created } = await importTable(lists, file, { to: { name: 'Cars' }, by: '7' });
  expect(created).toBe(2);
  expect(notes.map((note) => english(note))).toEqual([expect.stringContaining('shown as Column 1')]);
});

it('takes the text that databases write for nothing as blank, and gives a text of that form back', async () => {
  const { lists } = await testLists();
  const file = Buffer.from('id\tprice\n1\t12.5\n2\t\\N\n');
  const { moduleID } = await importTable(lists, file, { to: { name: 'Rows' }, by: '7' });
  const module = await lists.module(moduleID);
  expect(module.fields.map(({ kind }) => kind)).toEqual(['Number', 'Number']);
  expect(await textRows(lists, module)).toEqual([
    { id: '1', price: '12.5' },
    { id: '2', price: '' },
  ]);
  expect(unescapeCell(escapeCell('\\N'))).toBe('\\N');
  expect(escapeCell('\\N')).toBe("'\\N");
});

it.each(['NA', 'NULL'])(
  'takes %s as blank and says so where other values are numbers or days',
  async (unknown) => {
    const { lists } = await testLists();
    const file = Buffer.from(`Nr,Price,Day,Note\n1,12.5,2026-01-02,a\n2,${unknown},${unknown},${unknown}\n`);
    const { moduleID, notes } = await importTable(lists, file, { to: { name: 'Rows' }, by: '7' });
    const module = await lists.module(moduleID);
    expect(module.fields.map(({ kind }) => kind)).toEqual(['Number', 'Number', 'DateTime', 'String']);
    expect(await textRows(lists, module)).toEqual([
      { Nr: '1', Price: '12.5', Day: '2026-01-02', Note: 'a' },
      { Nr: '2', Price: '', Day: '', Note: unknown },
    ]);
    expect(notes.map((note) => english(note))).toEqual([
      `Taken as blank, as it stands for an unknown value: Price (${unknown}), Day (${unknown}). If it means something here, choose Text.`,
    ]);
  },
);

it.each(['01067', '12E3'])(
  'names codes such as %s that a column of numbers stores otherwise',
  async (code) => {
    const { lists } = await testLists();
    const into = (file: string): Promise<ImportResult> =>
      importTable(lists, Buffer.from(file), { to: { name: 'Kunden' }, by: '7' });
    expect((await into('Name;Nr\nKern;89073\nWeiß;50667\n')).notes).toEqual([]);
    expect((await into(`Name;Nr\nHuber;80331\nGroß;${code}\n`)).notes.map((note) => english(note))).toEqual([
      `These columns hold numbers, so values such as these change: Nr (${code}). To keep them as written, change the kind of the column to Text first.`,
    ]);
  },
);
