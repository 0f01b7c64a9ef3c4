import { describe, expect, it } from 'vitest';
import {
  readClipboard,
  showsNumber,
  textsFor,
  type CopiedCell,
  tableMarkup,
} from '../../../renderer/places/lists/grid/clipboard.ts';
import type { ListColumn } from '../../../server/contract/app/lists.ts';

const showing = (unit?: string): ListColumn => ({
  ...{ fieldID: '1', kind: 'Number', name: 'N', label: '', isMulti: false, isRequired: false },
  options: unit === undefined ? {} : { unit },
});

/** As a spreadsheet program puts it on the clipboard, and as one of our own lists does. */
const both = (text: string, number: string): readonly CopiedCell[] => [
  { text, number },
  { text, number, stored: { values: [number], kind: 'Number' } },
];

describe('a moment that was copied', () => {
  const moment = (only?: 'date' | 'time'): ListColumn => ({
    ...{ fieldID: '1', kind: 'DateTime', name: 'D', label: '', isMulti: false, isRequired: false },
    options: only === undefined ? {} : { only },
  });
  const text = '2026-02-01 00:30:00';
  const cell: CopiedCell = { text, stored: { values: ['2026-01-31T23:30:00Z'], kind: 'DateTime' } };

  it('goes as it is stored into a column of moments', () => {
    expect(textsFor(cell, moment())).toEqual(['2026-01-31T23:30:00Z']);
  });

  it('goes as it was seen into a column of days, as its day may be another one in UTC', () => {
    expect([textsFor(cell, moment('date')), textsFor(cell, moment('time'))]).toEqual([text, text]);
    const day: CopiedCell = { text: '2026-02-01', stored: { values: ['2026-02-01'], kind: 'DateTime date' } };
    expect(textsFor(day, moment('date'))).toEqual(['2026-02-01']);
  });
});

describe('a number that was copied', () => {
  it.each([
    ['12%', '0.12', '%'],
    ['12', '12', undefined],
    ['5,00 €', '5', undefined],
    ['5,00 €', '5', '€'],
    ['5,00 €', '5', 'EUR'],
    ['5', '5', '€'],
    ['1.3 kg', '1.3', undefined],
  ])('%s, which is %s, is that number in a column that shows %s', (text, number, unit) => {
    for (const cell of both(text, number)) expect(textsFor(cell, showing(unit))).toEqual([number]);
  });

  it.each([
    ['12%', '0.12', undefined],
    ['12%', '0.12', '€'],
    ['12', '12', '%'],
    ['5,00 €', '5', '%'],
    ['$ 5.00', '5', '€'],
  ])(
    '%s goes as it was seen, for the node to say what it may mean, into a column that shows another unit (%s, %s)',
    (text, number, unit) => {
      for (const cell of both(text, number)) expect(textsFor(cell, showing(unit))).toBe(text);
    },
  );

  it.each([
    ['01.01.2026', '46023', false],
    ['46.023', '46023', true],
    ['46,023.00 €', '46023', true],
    ['08:15', '0.34375', false],
    ['WAHR', '1', false],
    ['12,5 %', '0.125', true],
    ['12,5 kg', '12.4996', true],
    ['(1.234,5)', '-1234.5', true],
    ['1,23E+05', '123456', true],
    ['1,2 Mio.', '1234567', false],
    ['1/2', '0.5', false],
  ])('%s with %s behind it shows that number: %s', (text, number, does) => {
    expect(showsNumber(text, number)).toBe(does);
  });
});

const clipboard = (data: Readonly<Record<string, string>>): Pick<DataTransfer, 'getData'> => ({
  getData: (type) => data[type] ?? '',
});
const timed = <T>(body: () => T): { readonly value: T; readonly ms: number } => {
  const { user, system } = process.cpuUsage();
  const value = body();
  const used = process.cpuUsage({ user, system });
  return { value, ms: (used.user + used.system) / 1000 };
};

describe('the markup of a copied table', () => {
  it('keeps the tags of the table and the texts of its cells', () => {
    const excel =
      `<html><head><style><!--td {color:red}--></style></head><body><!--StartFragment--><p>Preise</p>` +
      `<table border=0><col width=64><tr><td x:num="12.5"><font color="#1F4E79">12,50&nbsp;€</font></td>` +
      `<td data-values='["a > b"]'><span title="x > y">Ø < 3 mm</span><br>neu</td></tr></table>`;
    expect(tableMarkup(excel)).toBe(
      `<table border=0><tr><td x:num="12.5">12,50&nbsp;€</td>` +
        `<td data-values='["a > b"]'>Ø &lt; 3 mm<br>neu</td></tr></table>`,
    );
    expect(tableMarkup('<p>Kugelhahn</p>')).toBeUndefined();
  });

  it.each([
    ['formatting that is never closed', `${'<b id=1>'.repeat(50_000)}${'<p>x'.repeat(50_000)}`, ''],
    ['quotation marks that are never closed', '<a "'.repeat(500_000), undefined],
    ['comments that are never closed', '<!--'.repeat(500_000), ''],
    ['styles that are never closed', '<style>'.repeat(500_000), ''],
    ['signs that begin no tag', '< '.repeat(500_000), undefined],
  ])('of %s is read in linear time, and is no tag of it', (_what, rest, left) => {
    const { value, ms } = timed(() => tableMarkup(`<table><tr><td>${rest}`));
    const text = value?.replace('<table><tr><td>', '') ?? '';
    expect(text).not.toContain('<');
    if (left !== undefined) expect(text.replace(/[x\u2029]/g, '')).toBe(left);
    expect(ms, 'milliseconds of processor time').toBeLessThan(3000);
  });

  it('is given up where it has more cells than a list takes', () => {
    expect(tableMarkup(`<table><tr>${'<td>'.repeat(2_100_000)}`)).toBeUndefined();
    expect(tableMarkup(`<table>${' '.repeat(33 * 2 ** 20)}`)).toBeUndefined();
  });
});

describe('copied lines', () => {
  it.each([
    ['short lines', 'Prices\r\nNut\t0.08\r\nBolt', ['Prices|', 'Nut|0.08', 'Bolt|']],
    ['inch marks', 'Pipe 12"\t5\r\nRod 14"\t6\r\n', ['Pipe 12"|5', 'Rod 14"|6']],
    ['line ends of several kinds', 'a\t1\nb\t2\r\nc\t3\r\n', ['a|1', 'b|2', 'c|3']],
    ['line ends of old Macs', 'a\t1\rb\t2\r', ['a|1', 'b|2']],
    ['lines within cells', '"a\r\nb"\t1\r\n"c\rd"\t2\r\n', ['a\nb|1', 'c\nd|2']],
  ])('with %s are a rectangle of whole cells', (_what, text, lines) => {
    const copied = readClipboard(clipboard({ 'text/plain': text })) ?? [];
    expect(copied.map((cells) => cells.map((cell) => cell.text).join('|'))).toEqual(lines);
  });

  it('are bounded in characters and columns', () => {
    expect(readClipboard(clipboard({ 'text/plain': 'x'.repeat(17 * 2 ** 20) }))).toBeUndefined();
    const [wide] = readClipboard(clipboard({ 'text/plain': '\t'.repeat(1_000_000) })) ?? [];
    expect(wide).toHaveLength(1000);
  });

  it('with millions of stray quotation marks are read as they are', { tags: 'nightly-sizes' }, () => {
    const text = '"Rohr 1/2"x'.repeat(1_100_000);
    const { value, ms } = timed(() => readClipboard(clipboard({ 'text/plain': text })));
    expect(value).toEqual([[{ text }]]);
    expect(ms, 'milliseconds of processor time').toBeLessThan(3000);
  });
});
