import { describe, expect, it } from 'vitest';
import { showsNumber, textsFor, type CopiedCell } from '../../../renderer/places/lists/grid/copied.ts';
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
