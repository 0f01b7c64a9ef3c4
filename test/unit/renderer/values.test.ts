import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { columnFrom, draftOf } from '../../../renderer/places/lists/editor/columns-draft.ts';
import { editsInPlace, takesLetters } from '../../../renderer/places/lists/grid/editing.ts';
import { amountToInput, readAmount, readNumber } from '../../../renderer/places/lists/grid/numbers.ts';
import {
  displayValue,
  displayValues,
  fromInput,
  isMissing,
  linkFor,
  momentType,
  toInput,
  whilePending,
  type Wording,
} from '../../../renderer/places/lists/grid/values.ts';
import type { Language } from '../../../renderer/text/catalogue.ts';
import { translators } from '../../support/reading/translators.ts';
import { createFormat } from '../../../renderer/text/format.ts';
import type { ListColumn } from '../../../server/contract/app/lists.ts';

const column = (kind: ListColumn['kind'], options: ListColumn['options'] = {}): ListColumn => ({
  fieldID: '1',
  kind,
  name: 'Column',
  label: '',
  isMulti: false,
  isRequired: false,
  options,
});
const wording = (language: Language): Wording => ({
  t: translators[language],
  format: createFormat(language),
});

describe('values for the eye', () => {
  beforeEach(() => void vi.stubGlobal('navigator', { languages: ['en-US', 'de-DE'] }));
  afterEach(() => void vi.unstubAllGlobals());

  it('ids, order numbers, postal codes and years have nothing between their digits; amounts have', () => {
    const whole = column('Number');
    for (const text of ['10001', '2026', '80331', '-1234567', '123456789012345678']) {
      expect(displayValue(whole, text, wording('en'))).toBe(text);
      expect(displayValue(column('Number', { precision: 0 }), text, wording('de'))).toBe(text);
    }
    expect(displayValue(whole, '1234.5', wording('de'))).toBe('1234,5');
    const amount = column('Number', { precision: 2 });
    expect(displayValue(amount, '1234.5', wording('en'))).toBe('1,234.50');
    expect(displayValue(amount, '1234.5', wording('de'))).toBe('1.234,50');
    // Counts in sentences are no values of cells.
    expect(wording('en').t('count.rows', { n: 10_001 })).toBe('10,001 rows');
  });

  it('stand in a field with a currency sign where the language writes it, and are read back', () => {
    for (const stored of ['12.5', '-3'])
      for (const [mark, unit] of [
        ['.', '£'],
        ['.', '$'],
        [',', '€'],
      ] as const)
        expect(readAmount(amountToInput(stored, mark, unit), mark, { unit })).toBe(stored);
    expect(['12.5', '-3'].map((stored) => amountToInput(stored, '.', '£'))).toEqual(['£12.5', '-£3']);
    expect(amountToInput('12.5', '.', '$')).toBe('$12.5');
    expect(amountToInput('-12.5', ',', '€')).toBe('-12,5 €');
    expect(amountToInput('12.5', '.', 'CHF')).toBe('12.5 CHF');
  });

  it('a typed number means what it means in the language of the window, and never another one', () => {
    const read = (mark: ',' | '.'): Record<string, string> =>
      Object.fromEntries(
        ['1,234', '1.234', '12,5', '12.5', '0.125', '1,234.5', '1.234,5', "1'234", '1 234 567', '-1,5'].map(
          (text) => [text, readNumber(text, mark)],
        ),
      );
    expect(read('.')).toEqual({
      '1,234': '1234',
      '1.234': '1.234',
      '12,5': '12.5',
      '12.5': '12.5',
      '0.125': '0.125',
      '1,234.5': '1234.5',
      '1.234,5': '1.234,5',
      "1'234": '1234',
      '1 234 567': '1234567',
      '-1,5': '-1.5',
    });
    expect(read(',')).toEqual({
      '1,234': '1.234',
      '1.234': '1234',
      '12,5': '12.5',
      '12.5': '12.5',
      '0.125': '0.125',
      '1,234.5': '1,234.5',
      '1.234,5': '1234.5',
      "1'234": '1234',
      '1 234 567': '1234567',
      '-1,5': '-1.5',
    });
  });

  it('a number goes through its editor without becoming another one, in either language', () => {
    for (const language of ['en', 'de'] as const) {
      const { format } = wording(language);
      for (const stored of ['1.234', '1234', '0.5', '-1234567.891', '12.50']) {
        const typed = toInput(column('Number'), stored, format);
        expect(fromInput(column('Number'), typed, format)).toBe(stored);
      }
    }
  });

  it('percent and currencies are shown as the language of the window writes them, with all digits', () => {
    const shown = (language: Language, options: ListColumn['options'], stored: string): string =>
      displayValue(column('Number', options), stored, wording(language)).replace(/[\u00a0\u202f]/g, ' ');
    expect(shown('en', { unit: '%' }, '0.12')).toBe('12%');
    expect(shown('de', { unit: '%', precision: 1 }, '0.12')).toBe('12,0 %');
    expect(shown('de', { unit: '%' }, '0.1234567')).toBe('12,34567 %');
    expect(shown('en', { unit: '€', precision: 2 }, '-1234.5')).toBe('-€1,234.50');
    expect(shown('de', { unit: '€', precision: 2 }, '-1234.5')).toBe('-1.234,50 €');
    expect(shown('fr', { unit: '$' }, '1234.5')).toBe('1 234,5 $');
    expect(shown('en', { unit: 'CHF', precision: 2 }, '7')).toBe('CHF 7.00');
    expect(shown('en', { unit: 'kr' }, '7')).toBe('kr 7');
    expect(shown('en', { unit: '%' }, 'many')).toBe('many');
  });

  it('an amount goes through its editor without becoming another one; what means another number stays for the node', () => {
    for (const language of ['en', 'de', 'fr'] as const)
      for (const unit of ['%', '€', 'CHF'])
        for (const stored of ['0.12', '1234.5', '-0.075', '0', '1234567.891']) {
          const amount = column('Number', { unit });
          const { format } = wording(language);
          expect(fromInput(amount, toInput(amount, stored, format), format)).toBe(stored);
        }
    const { format } = wording('de');
    const typed = (unit: string | undefined, text: string): string =>
      fromInput(column('Number', unit === undefined ? {} : { unit }), text, format);
    expect(['12', '12 %', '12,5%', '+5', ',5', '(3)'].map((text) => typed('%', text))).toEqual([
      ...['0.12', '0.12', '0.125', '0.05', '0.005', '-0.03'],
    ]);
    expect(['5,5', '5,5 €', '5 EUR', '€ 5', '5 $', '5 %'].map((text) => typed('€', text))).toEqual([
      ...['5.5', '5.5', '5', '5', '5 $', '5 %'],
    ]);
    expect(['5 €', '(5.50)', '(3)', '12 %'].map((text) => typed(undefined, text))).toEqual([
      ...['5', '-5.50', '(3)', '12 %'],
    ]);
  });

  it('a day or a time of day in a column of any moments gets nothing that nobody wrote', () => {
    const any = column('DateTime');
    expect(displayValue(any, '2031-05-09', wording('en'))).toBe('May 9, 2031');
    expect(displayValue(any, '14:30:00', wording('en'))).toBe('14:30');
    const { format } = wording('en');
    for (const [stored, type] of [
      ['2031-05-09', 'date'],
      ['14:30:00', 'time'],
      ['2031-05-09T12:30:45Z', 'both'],
    ] as const) {
      expect(momentType(any, stored)).toBe(type);
      expect(fromInput(any, toInput(any, stored, format), format)).toBe(stored);
    }
  });

  it('text that is no day or time stays as it was typed in a column of them', () => {
    const { format } = wording('de');
    for (const text of ['5.', '12', '5.6.', 'Angebot 7', 'ca. 2026']) {
      expect(toInput(column('DateTime', { only: 'date' }), text, format)).toBe(text);
      expect(displayValue(column('DateTime'), text, wording('de'))).toBe(text);
    }
  });

  it('a reference says what its row is called, that it lies in the bin or is gone; text stays text', () => {
    const town = column('Record', { moduleID: '5' });
    const references = {
      '11': { state: 'there', text: 'Lyon' },
      '12': { state: 'bin', text: 'Riga' },
      '13': { state: 'gone', text: '' },
      '14': { state: 'there', text: '' },
    } as const;
    expect(displayValues(town, ['11', '12', '13', '14', 'Bergen', '10248'], wording('en'), references)).toBe(
      'Lyon, Riga (in the bin), This row is gone, Row without a name, Bergen, 10248',
    );
    expect(displayValue(column('String'), '11', wording('en'), references)).toBe('11');
    for (const text of ['constructor', '__proto__'])
      expect(displayValue(town, text, wording('en'), references)).toBe(text);
    expect(whilePending(town, '123456789012345678', references)).toBe('…');
    expect(['11', '12', '13', 'Bergen'].map((value) => isMissing(town, value, references))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(whilePending(town, '11', references)).toBe('11');
  });

  it('a choice is shown by its text', () => {
    const state = column('Select', { options: ['n'], optionTexts: { n: 'New' } });
    expect(displayValues(state, ['n', 'constructor'], wording('en'))).toBe('New, constructor');
  });

  it('a web address that lacks its beginning gets it; what is none stays for the node to refuse', () => {
    const { format } = wording('en');
    const url = (typed: string): string => fromInput(column('Url'), typed, format);
    expect(url('example.org/a')).toBe('https://example.org/a');
    expect(url('http://example.org')).toBe('http://example.org');
    expect(url('not an address')).toBe('not an address');
  });

  it('a mail address becomes a link to itself alone, whatever it brings behind a question mark', () => {
    const link = (stored: string): string | undefined => linkFor(column('Email'), stored);
    expect(link('office+lists@example.org')).toBe('mailto:office%2Blists@example.org');
    expect(link('a@b.example?bcc=evil%40x.example&body=Hello')).toBe(
      'mailto:a@b.example%3Fbcc%3Devil%2540x.example%26body%3DHello',
    );
    expect(link('two@at@signs')).toBeUndefined();
  });

  it('a cell is edited in its place only where one line is enough, and letters begin only what is written', () => {
    expect(editsInPlace(column('String'), ['a'])).toBe(true);
    expect(editsInPlace(column('String', { multiLine: true }), ['a'])).toBe(false);
    expect(editsInPlace(column('Record', { moduleID: '5' }), ['1'])).toBe(false);
    expect(takesLetters(column('User'))).toBe(true);
    expect(takesLetters(column('DateTime'))).toBe(true);
    expect(takesLetters(column('Select', { options: ['a'] }))).toBe(false);
  });

  it('changing the columns of a list loses no setting that another program made', () => {
    const columns = [
      column('Select', { options: ['n'], optionTexts: { n: 'New' } }),
      column('String', { multiLine: true }),
      column('Number', { precision: 5 }),
      column('Number', { precision: 2, unit: 'CHF' }),
      column('DateTime', { only: 'time' }),
      column('Record', { moduleID: '5' }),
    ];
    for (const before of columns) expect(columnFrom(draftOf(before, 1)).options).toEqual(before.options);
  });
});
