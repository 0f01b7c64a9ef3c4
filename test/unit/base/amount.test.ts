import { describe, expect, it } from 'vitest';
import { fromPercent, isSameUnit, isUnit, toPercent, parseAmount } from '../../../server/base/amount.ts';

describe('a number with something beside it', () => {
  it.each([
    ['12 %', '12', '%'],
    ['12,5\u00a0%', '12,5', '%'],
    ['1.234,56 €', '1.234,56', '€'],
    ['$ 1,200.50', '1,200.50', '$'],
    ['-$5', '-5', '$'],
    ['$-5', '-5', '$'],
    ['US$ 7', '7', 'US$'],
    ['CHF 1’200.50', '1’200.50', 'CHF'],
    ['−5,5 EUR', '-5,5', 'EUR'],
    ['350 kr.', '350', 'kr.'],
    ['(5)', '-5', undefined],
    ['(1.234,56 €)', '-1.234,56', '€'],
    ['$ (1,200.50)', '-1,200.50', '$'],
    ['7', '7', undefined],
    ['+5 %', '5', '%'],
    ['+ 12 €', '12', '€'],
    ['+$1,200', '1,200', '$'],
  ])('%s is read apart', (text, number, unit) => {
    expect(parseAmount(text)).toMatchObject({ number, ...(unit === undefined ? {} : { unit }) });
  });

  it.each(['5 PCS', '5 kg', 'EUR 5 €', '5)', '(5', '--5', '-€-5', '%', '', 'A1', '+5', '1'.repeat(90)])(
    '“%s” is none',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  it('goes to percent and back digit by digit, whatever computers make of hundredths', () => {
    for (const stored of [
      '0.12',
      '0.07',
      '0.29',
      '1',
      '0',
      '-0.005',
      '123456789012345.678901',
      '0.1234567890123',
    ]) {
      expect(fromPercent(toPercent(stored))).toBe(stored);
    }
    expect([toPercent('0.29'), fromPercent('7'), fromPercent('-0.5')]).toEqual(['29', '0.07', '-0.005']);
  });

  it('is shown with signs and codes of currencies only', () => {
    expect(['%', '€', 'R$', 'CHF', 'zł'].map(isUnit)).not.toContain(false);
    expect(['', 'XYZ', 'kg', '"', '€€', '5'].map(isUnit)).not.toContain(true);
    expect([isSameUnit('€', 'EUR'), isSameUnit('AUD', '$'), isSameUnit('$', '€')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
