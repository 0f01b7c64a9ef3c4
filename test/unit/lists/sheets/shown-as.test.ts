import { describe, expect, it } from 'vitest';
import { readTable } from '../../../../server/lists/csv/read.ts';
import { parseFormatAmount } from '../../../../server/lists/sheets/number-format.ts';
import { madeOds } from '../../../support/data/made-workbook.ts';

describe('a format of a workbook', () => {
  it.each([
    [
      'of accounts that leaves room for a sign and shows none',
      '_-* #,##0.00\\ _€_-;\\-* #,##0.00\\ _€_-;_-* "-"??\\ _€_-;_-@_-',
      { decimals: 2 },
    ],
    [
      'of accounts that shows one',
      '_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00\\ [$€-407]_-;_-* "-"??\\ [$€-407]_-;_-@_-',
      { decimals: 2, unit: '€' },
    ],
    [
      'of accounts with dollars',
      '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)',
      { decimals: 2, unit: '$' },
    ],
    ['with a sign that is quoted behind an underscore', '0.00" _€"', { decimals: 2, beside: '_€' }],
    ['of percent in red', '0.0%;[Red]-0.0%', { decimals: 1, unit: '%' }],
    ['with a percent sign that stands for nothing', '0.0"%"', { decimals: 1, beside: '%' }],
    ['of weights', '0.0" kg"', { decimals: 1, beside: 'kg' }],
    ['of millions, of which the list shows the true number', '#,##0.0,,\\ "Mio."', undefined],
    ['of Swiss francs as programs of before had them', '"SFr. "#,##0.00', { decimals: 2, unit: 'SFr.' }],
    ['of Swiss francs in a region', '[$SFr.-807]\\ #,##0.00', { decimals: 2, unit: 'SFr.' }],
    ['with a code beside', '#,##0.00" USD"', { decimals: 2, unit: 'USD' }],
    ['with a code in front that a sign stands behind', '"US$"#,##0', { decimals: 0, unit: 'US$' }],
    ['in powers of ten', '0.00E+00', { decimals: 2 }],
    ['with a minus that stands there as a text', '0.0;"-"0.0', { decimals: 1 }],
  ])('%s', (_what, code, amount) => {
    expect(parseFormatAmount(code)).toEqual(amount);
  });
});

/** A column “N” of these numbers, each with what is seen of it. */
function column(styles: string, type: string, cells: readonly (readonly [string, string])[]): Buffer {
  const row = (attributes: string, text: string): string =>
    `<table:table-row><table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell></table:table-row>`;
  const rows = cells.map(([value, text]) =>
    row(`table:style-name="c" office:value-type="${type}" office:value="${value}"`, text),
  );
  const cellStyle = '<style:style style:name="c" style:data-style-name="N"/>';
  return madeOds(row('office:value-type="string"', 'N') + rows.join(''), styles + cellStyle);
}

describe('a column of ods', () => {
  it('that is shown as in accounts is so though the program keeps what it says of texts in front', async () => {
    const styles =
      '<number:currency-style style:name="N0"><number:number number:decimal-places="2"/><number:currency-symbol>€</number:currency-symbol></number:currency-style>' +
      '<number:currency-style style:name="N1"><number:number number:decimal-places="0"/><number:currency-symbol>€</number:currency-symbol></number:currency-style>' +
      '<number:text-style style:name="N"><number:text-content/><style:map style:condition="value()&gt;0" style:apply-style-name="N0"/><style:map style:condition="value()=0" style:apply-style-name="N1"/></number:text-style>';
    const file = column(styles, 'currency', [
      ['5', '5,00 €'],
      ['7.5', '7,50 €'],
    ]);
    const { columns } = await readTable(file, {});
    expect(columns.map(({ amount }) => amount)).toEqual([{ unit: '€', decimals: 2, isMixed: false }]);
  });

  it('of postal codes has all zeros of the one that is nothing else', async () => {
    const styles =
      '<number:number-style style:name="N"><number:number number:min-integer-digits="5"/></number:number-style>';
    const file = column(styles, 'float', [
      ['0', '00000'],
      ['7', '00007'],
    ]);
    const { columns } = await readTable(file, {});
    expect(columns.map(({ guess }) => guess.samples)).toEqual([['00000', '00007']]);
  });

  it.each([
    ['float', 'number-style', ' kg', { beside: 'kg', decimals: 1, isMixed: false }],
    ['float', 'number-style', ' USD', { unit: 'USD', decimals: 1, isMixed: false }],
    ['float', 'number-style', '-', { decimals: 1, isMixed: false }],
  ])('of kind %s in a %s with “%s” beside its digits is shown so', async (kind, style, beside, shown) => {
    const styles = `<number:${style} style:name="N"><number:number number:decimal-places="1"/><number:text>${beside}</number:text></number:${style}>`;
    const { columns } = await readTable(column(styles, kind, [['5.5', `5,5${beside}`]]), {});
    expect(columns.map(({ amount }) => amount)).toEqual([shown]);
  });
});
