import { describe, expect, it } from 'vitest';
import { importTable } from '../../../../server/lists/csv/import.ts';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { english } from '../../../../server/words/said.ts';
import { testLists } from '../../../support/harness/lists.ts';
import { madeXlsx } from '../../../support/data/made-workbook.ts';

const ORDERS =
  'Nr;Name;Ort;Straße;Datum;Artikel;Menge;Preis\n' +
  '1;Anna;Ulm;Weg 1;01.02.2026;Tee;2;3,50\n2;Bert;Bonn;Weg 2;02.02.2026;Kakao;3;4,50\n3;Cem;Köln;Weg 3;03.02.2026;Tee;1;3,50\n';
const REGIONS = 'Bereich;Anzahl;Umsatz\nNord;12;1200,50\nSüd;8;800,00\n';

const aboveIn = async (csv: string): Promise<readonly (readonly [number, number])[]> => {
  const { above } = await readTable(Buffer.from(csv), { delimiter: ';' });
  return above.map(({ from, to }) => [from, to]);
};

describe('lines above the heading of a table', () => {
  it.each([
    [`${REGIONS}\n${ORDERS}`, [[1, 3]]],
    [`Übersicht 2026\n\n${REGIONS}\n\n${ORDERS}`, [[3, 5]]],
    [`Übersicht 2026\n${REGIONS}\nBestellungen\n${ORDERS}`, [[2, 4]]],
    [`Nord;12;1200,50\nSüd;8;800,00\n\n${ORDERS}`, [[1, 2]]],
    [`Monat;Umsatz\nJanuar;1200,50\nFebruar;800,00\nMärz;900,00\n\n${ORDERS}`, [[1, 4]]],
    [`Status;Beschreibung\nA;aktiv\nB;gesperrt\n\n${ORDERS}`, [[1, 3]]],
    [
      `${REGIONS}\nMonat;Kosten;Stand\nMai;12,50;gut\nJuni;8,50;gut\n\n${ORDERS}`,
      [
        [1, 3],
        [5, 7],
      ],
    ],
  ])('are named where they are another table: %j', async (csv, lines) => {
    expect(await aboveIn(csv)).toEqual(lines);
  });

  it.each([
    ORDERS,
    `Bestellungen 2026\n\n${ORDERS}`,
    `Kunde;Kern GmbH\nStand;01.02.2026\nWährung;EUR\n\n${ORDERS}`,
    `Konto;4711\nIBAN;DE12 3456\nSaldo;120,50\nWährung;EUR\n\n${ORDERS}`,
    `Kunde:;Kern;Stand:;01.02.2026\nVon:;1.1.2026;Bis:;31.1.2026\n\n${ORDERS}`,
    `Anfangssaldo;1.000,00;EUR\nEndsaldo;2.191,80;EUR\n\n${ORDERS}`,
    `Opening balance;1.000,00;EUR;01.01.2026\nClosing balance;2.191,80;EUR;31.01.2026\n\n${ORDERS}`,
    `;;;;Bestellung;;;\n${ORDERS}`,
  ])('are a title or keys with their values: %j', async (csv) => {
    expect(await aboveIn(csv)).toEqual([]);
  });

  it('are named in a sheet too', async () => {
    const lines = `${REGIONS}\n${ORDERS}`.trimEnd().split('\n');
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = lines.map(
      (line, at) => `<row r="${at + 1}">${line === '' ? '' : line.split(';').map(cell).join('')}</row>`,
    );
    const { above, headerLine } = await readTable(madeXlsx({ sheets: { Kunden: rows.join('') } }), {});
    expect({ above, headerLine }).toEqual({ above: [{ from: 1, to: 3 }], headerLine: 5 });
  });

  it('are named before the import', async () => {
    const { lists } = await testLists();
    const file = Buffer.from(`${REGIONS}\n${ORDERS}`);
    const { notes } = await importTable(lists, file, { to: { name: 'S' }, by: '7' });
    expect(notes.map((note) => english(note))).toEqual([
      'Another table may be above the column names, in lines 1–3. It isn’t imported. Put it in a file of its own, or choose its column names.',
    ]);
  });
});

const besideIn = async (csv: string): Promise<readonly string[]> =>
  (await readTable(Buffer.from(csv), { delimiter: ';' })).beside;

describe('columns behind a blank one', () => {
  it.each([
    [
      'Kunde;Betrag;;Kürzel;Bedeutung\nKern;1,50;;A;aktiv\nWeiß;2,50;;P;passiv\nHuber;3,00;;;\n',
      ['Kürzel', 'Bedeutung'],
    ],
    [
      'Datum;Betrag;;Datum;Betrag\n01.01.2026;100,00;;02.01.2026;12,30\n05.01.2026;200,00;;03.01.2026;8,20\n;;;04.01.2026;900,00\n',
      ['Datum_2', 'Betrag_2'],
    ],
  ])('are another table where they end at another row: %j', async (csv, columns) => {
    expect(await besideIn(csv)).toEqual(columns);
  });

  it.each([
    ORDERS,
    'Filiale;Ort;;Plan;Ist\nNord;Kiel;;100;90\nSüd;Ulm;;80;85\n',
    'Kunde;Ort;;Bezahlt;Am\nKern;Ulm;;;\nWeiß;Bonn;;12,50;01.02.2026\nHuber;Kiel;;;\n',
    'Kunde;Betrag;;Notiz\nKern;1,50;;eilt\nWeiß;2,50;;teuer\nHuber;3,00;;\n',
    'Kunde;;Ort\nKern;x;Ulm\nWeiß;y;\n',
  ])('belong to the table otherwise: %j', async (csv) => {
    expect(await besideIn(csv)).toEqual([]);
  });

  it('are named before the import', async () => {
    const { lists } = await testLists();
    const file = Buffer.from('Kunde;Ort;;Code;Art\nKern;Ulm;;A;aktiv\nWeiß;Bonn;;P;passiv\nHuber;Kiel;;;\n');
    const { notes } = await importTable(lists, file, { to: { name: 'S' }, by: '7' });
    expect(notes.map((note) => english(note))).toContain(
      'Another table may be beside the first, in these columns: Code, Art. Each of its rows goes in with the row to its left. Put it in a file of its own.',
    );
  });
});
