import { describe, expect, it } from 'vitest';
import { suggestKind, readTable, type TableOptions } from '../../../../server/lists/csv/read.ts';

/** By heading, the kind of each column and what its cells are as numbers. */
async function read(csv: string, options: TableOptions = {}): Promise<{ columns: unknown; doubts: unknown }> {
  const file = await readTable(Buffer.from(csv), options);
  const columns = file.columns.map((column) => {
    const numberIn = column.guess.readerFor({ kind: 'Number', options: suggestKind(column).options });
    const { kind } = suggestKind(column);
    return [
      column.header,
      ...column.guess.samples.map((cell) => (kind === 'Number' ? numberIn(cell) : cell)),
    ];
  });
  return {
    columns: Object.fromEntries(columns.map(([header, ...cells]) => [header, cells])),
    doubts: file.doubts,
  };
}

describe('one number convention a file', () => {
  it.each([
    ['a decimal comma in another column', 'Ort;Einw;Fläche\nUlm;126.949;118,68\n', ['126949']],
    ['one behind a currency', 'Ort;Einw;Preis\nUlm;126.949;€ 5,50\n', ['126949']],
    ['one in a trailing minus', 'Ort;Einw;Saldo\nUlm;126.949;118,68-\n', ['126949']],
    ['one in brackets', 'Ort;Einw;Saldo\nUlm;126.949;(118,68)\n', ['126949']],
    ['one in percent', 'Ort;Einw;Anteil\nUlm;126.949;12,5 %\n', ['126949']],
    [
      'one among words',
      'Ort;Einw;Preis\nUlm;126.949;auf Anfrage\nBonn;331.885;118,68\n',
      ['126949', '331885'],
    ],
    ['both signs in a number', 'Ort;Einw;Wert\nUlm;126.949;1.234,50\n', ['126949']],
    ['a decimal comma between commas', 'Ort,Einw,Fläche\nUlm,126.949,"118,68"\n', ['126949']],
    ['a price with a comma between commas', 'Ort,Einw,Preis\nUlm,126.949,"5,50 €"\n', ['126949']],
    ['a small decimal comma between tabs', 'Ort\tEinw\tPreis\nUlm\t126.949\t5,50\n', ['126949']],
    ['two groups of thousands', 'Ort;Einw\nUlm;126.949\nBerlin;3.897.145\n', ['126949', '3897145']],
    ['a comma, whatever versions say', 'Ver;Einw;Wert\n1.2;126.949;118,68\n', ['126949']],
    ['a decimal point and a comma', 'City,Einw,V\nUlm,"126,949","1,234.50"\n', ['126949']],
    [
      'decimal points throughout a column',
      'City,Einw,V\nUlm,126.949,118.68\nBonn,331.885,7.5\n',
      ['126.949', '331.885'],
    ],
    ['a point that is no time between tabs', 'Ort\tEinw\tPreis\nUlm\t126.949\t19.99\n', ['126.949']],
    ['one behind a currency between bars', 'Ort|Einw|Preis\nUlm|126.949|€ 8.15\n', ['126.949']],
    ['one in the same column between tabs', 'Ort\tEinw\nUlm\t126.949\nBonn\t8.15\n', ['126.949', '8.15']],
    ['lakhs and crores', 'City,Einw,V\nUlm,"1,26,949","1,234"\n', ['126949']],
    ['a possible time between commas', 'City,Einw,V\nUlm,126.949,8.15\n', ['126.949']],
  ])('is proven by %s', async (_what, csv, numbers) => {
    expect(await read(csv)).toMatchObject({ columns: { Einw: numbers }, doubts: [] });
  });

  it.each([
    ['Ort;Einw\nUlm;126.949\n', ',', '.', ['126949'], ['126.949']],
    ['Ort,Einw\nUlm,126.949\n', '.', ',', ['126.949'], ['126949']],
    ['City,Einw\nUlm,"1,234"\n', '.', ',', ['1234'], ['1.234']],
    ['Ort;Einw\nUlm;1,234\n', ',', '.', ['1.234'], ['1234']],
    ['Ort;Einw\nUlm;1.234 €\n', ',', '.', ['1234'], ['1.234']],
    [
      'Ort;Einw;Bemerkung\nBonn;12.345;laut Amt\nTrier;11.219;1,299.00\nUlm;12.892;geschätzt\n',
      ',',
      '.',
      ['12345', '11219', '12892'],
      ['12.345', '11.219', '12.892'],
    ],
    [
      'Ort\tEinw\tBemerkung\nBonn\t12.345\tlaut Amt\nTrier\t11.219\t1,299.00\nUlm\t12.892\tgeschätzt\n',
      '.',
      ',',
      ['12.345', '11.219', '12.892'],
      ['12345', '11219', '12892'],
    ],
    [
      'Pos;Artikel;Einw\n1.1;Schrauben;1.200\n1.2;Muttern;12.500\n',
      '.',
      ',',
      ['1.200', '12.500'],
      ['1200', '12500'],
    ],
    [
      'Artikel\tZeit\tEinw\nSchrauben\t08.15\t1.200\nMuttern\t14.30\t12.500\n',
      '.',
      ',',
      ['1.200', '12.500'],
      ['1200', '12500'],
    ],
    ['Ort\tVersion\tEinw\nUlm\t0.3\t126.949\n', '.', ',', ['126.949'], ['126949']],
    [
      'Tag|Artikel|Einw\n31.12|Schrauben|1.200\n2.1|Muttern|12.500\n',
      '.',
      ',',
      ['1.200', '12.500'],
      ['1200', '12500'],
    ],
    ['A;Einw;B;C\nx;1.234;118,68;"1,234.50"\n', ',', '.', ['1234'], ['1.234']],
    [
      'Item,Price,Einw,Rooms\nTable,22.50,"1,234","1,2"\nChair,8.99,"1,500",3\n',
      '.',
      ',',
      ['1234', '1500'],
      ['1.234', '1.500'],
    ],
    [
      'Artikel;Fassung;Einw;Preis\nA;1.10;1.234;118,68\nB;2.4;1.500;5\n',
      ',',
      '.',
      ['1234', '1500'],
      ['1.234', '1.500'],
    ],
    [
      'Item,Einw,Sizes\nTable,"1,234","1,5"\nChair,"1,500",3\n',
      ',',
      '.',
      ['1.234', '1.500'],
      ['1234', '1500'],
    ],
    [
      'Artikel,Einw,Preis\nTisch,"1.234","12,50"\nStuhl,"1.500","9,90"\n',
      ',',
      '.',
      ['1234', '1500'],
      ['1.234', '1.500'],
    ],
    [
      'Item,Einw,Remark\nTable,"1,234",see page\nChair,"1,500","4,5"\nLamp,"1,750",sold out\n',
      ',',
      '.',
      ['1.234', '1.500', '1.750'],
      ['1234', '1500', '1750'],
    ],
    [
      'Item,Price,Einw,Remark\nTable,22.50,"1,234",see page\nChair,8.99,"1,500","4,5"\nLamp,3.25,"1,750",sold out\n',
      '.',
      ',',
      ['1234', '1500', '1750'],
      ['1.234', '1.500', '1.750'],
    ],
    [
      'Item,Einw\nTable,"1,000"\nChair,500\nLamp,2500\n',
      '.',
      ',',
      ['1000', '500', '2500'],
      ['1.000', '500', '2500'],
    ],
  ])('is asked about without proof: %j', async (csv, chosen, other, numbers, others) => {
    const example = /"?(1[\d.,]{4,}(?: €)?)"?/.exec(csv)?.[1];
    expect(await read(csv)).toMatchObject({
      columns: { Einw: numbers },
      doubts: [{ kind: 'numbers', chosen, alternatives: [other], columns: ['Einw'], example }],
    });
    const decimal = other === ',' ? ',' : '.';
    expect(await read(csv, { decimal })).toMatchObject({ columns: { Einw: others }, doubts: [] });
  });

  it.each([
    ['Swiss apostrophes', "P;x\n1'234.50;a\n22’000.05;b\n", ['1234.50', '22000.05']],
    ['apostrophes and commas', "P;x\n1'234,50;a\n", ['1234.50']],
    ['French blanks', 'P;x\n1 234,50;a\n12 345,00 €;b\n', ['1234.50', '12345.00']],
    ['no-break blanks', 'P;x\n1\u00a0234,50;a\n1\u202f234\u202f567,00;b\n', ['1234.50', '1234567.00']],
    ['no-break blanks alone', 'P;x\n1\u00a0234;a\n12\u202f345;b\n', ['1234', '12345']],
    ['blanks before points', 'P;x\n1 234.50;a\n', ['1234.50']],
    ['a trailing minus', 'P;x\n1.234,50-;a\n118,68-€;b\n5,00;c\n', ['-1234.50', '-118.68', '5.00']],
    ['brackets as minus', 'P;x\n(1.234,50);a\n(5,00 €);b\n7,00 €;c\n', ['-1234.50', '-5.00', '7.00']],
    ['currency signs', 'P;x\n1.234,50 €;a\n5,00 €;b\n', ['1234.50', '5.00']],
    ['percent', 'P;x\n12,5 %;a\n5 %;b\n', ['0.125', '0.05']],
  ])('reads %s', async (_what, csv, numbers) => {
    expect(await read(csv)).toMatchObject({ columns: { P: numbers }, doubts: [] });
  });

  it('makes no numbers of telephone numbers, postal codes, versions, ranges and parts', async () => {
    const csv =
      'Tel;PLZ;Version;Bereich;Teil;Preis\n089.123.456;01067;1.2.3;5-;12-34;1,50\n0731 123 456;89073;2.10;7-9;12345-;2,50\n';
    expect((await read(csv)).columns).toMatchObject({
      Tel: ['089.123.456', '0731 123 456'],
      PLZ: ['01067', '89073'],
      Version: ['1.2.3', '2.10'],
      Bereich: ['5-', '7-9'],
      Teil: ['12-34', '12345-'],
      Preis: ['1.50', '2.50'],
    });
  });

  it('is not asked about for a single such cell among texts', async () => {
    expect((await read('Ort;Notiz\nUlm;siehe Akte\nBonn;1.234\nKöln;offen\n')).doubts).toEqual([]);
  });
});
