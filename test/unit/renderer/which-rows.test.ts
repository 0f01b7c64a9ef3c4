import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListColumn } from '../../../server/contract/app/lists.ts';
import { conditionInWords, draftOf, requestOf } from '../../../renderer/places/partners/share/which-rows.ts';
import { comparisonText } from '../../../renderer/places/lists/grid/values.ts';
import { translators } from '../../support/reading/translators.ts';
import { createFormat } from '../../../renderer/text/format.ts';

const column = (fieldID: string, kind: ListColumn['kind'], label: string): ListColumn => ({
  fieldID,
  kind,
  name: label,
  label,
  isMulti: false,
  isRequired: false,
  options: {},
});
const COLUMNS = [
  column('1', 'Number', 'Balance'),
  column('2', 'Bool', 'Active'),
  column('3', 'String', 'Code'),
  column('4', 'DateTime', 'Due'),
];

beforeEach(() => vi.stubGlobal('navigator', { languages: [] }));
afterEach(() => vi.unstubAllGlobals());

describe('a number that rows are chosen by', () => {
  it.each([
    ['de', '10.000', '10000'],
    ['de', '5380,40', '5380.40'],
    ['en', '20,000', '20000'],
    ['en', '5380.40', '5380.40'],
  ] as const)('is read as the language of the window writes it (%s: %s)', (language, typed, value) => {
    const parts = [{ fieldID: '1', kind: 'Number' as const, test: 'at-least' as const, value: typed }];
    const wanted = requestOf({ join: 'all', parts }, COLUMNS, createFormat(language));
    expect(wanted?.parts).toEqual([{ column: '1', test: 'at-least', value }]);
  });

  it('is there as one types it when that is changed, and a text with a point stays as it is', () => {
    const format = createFormat('de');
    const known = {
      join: 'all' as const,
      parts: [
        { fieldID: '1', label: 'Balance', kind: 'Number' as const, test: 'less' as const, value: '5380.4' },
        { fieldID: '3', label: 'Code', kind: 'String' as const, test: 'is' as const, value: '10.000' },
      ],
    };
    expect(draftOf(known, format).parts.map(({ value }) => value)).toEqual(['5380,4', '10.000']);
    const again = requestOf(draftOf(known, format), COLUMNS, format);
    expect(again?.parts.map(({ value }) => value)).toEqual(['5380.4', '10.000']);
  });
});

it.each([
  ['de', '31.12.2026'],
  ['en', '31/12/2026'],
  ['fr', '31/12/2026'],
] as const)('a day is typed and said as the language of the window writes it (%s: %s)', (language, typed) => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] });
  const format = createFormat(language);
  const parts = [{ fieldID: '4', kind: 'DateTime' as const, test: 'at-most' as const, value: typed }];
  const wanted = requestOf({ join: 'all', parts }, COLUMNS, format);
  expect(wanted?.parts).toEqual([{ column: '4', test: 'at-most', value: '2026-12-31' }]);
  const known = { fieldID: '4', label: 'Due', kind: 'DateTime' as const, test: 'at-most' as const };
  const condition = { join: 'all' as const, parts: [{ ...known, value: '2026-12-31' }] };
  expect(draftOf(condition, format).parts.map(({ value }) => value)).toEqual([typed]);
  expect(conditionInWords(translators[language], format, condition)).toContain(typed);
});

it('a comparison is not whole while its column is gone or holds something else, and can be said as it was', () => {
  const was = { fieldID: '2', label: 'Active', kind: 'Bool' as const, test: 'is' as const, value: '0' };
  const draft = draftOf({ join: 'all', parts: [was] }, createFormat('en'));
  expect(requestOf(draft, COLUMNS, createFormat('en'))).toBeDefined();
  for (const columns of [COLUMNS.slice(2), [column('2', 'String', 'Active')]])
    expect(requestOf(draft, columns, createFormat('en'))).toBeUndefined();
  expect(draft.parts.map((part) => part.was)).toEqual([was]);
});

it.each([
  ['en', 'is after', 'is on or after', 'is before', 'is on or before'],
  ['de', 'ist nach', 'ist frühestens', 'ist vor', 'ist spätestens'],
  ['fr', 'est après', 'est au plus tôt', 'est avant', 'est au plus tard'],
  ['es', 'es posterior a', 'es como muy pronto', 'es anterior a', 'es como muy tarde'],
] as const)('days are before or after others, not less or greater (%s)', (language, ...said) => {
  const format = createFormat(language);
  const TESTS = ['greater', 'at-least', 'less', 'at-most'] as const;
  const wordsOf = (kind: 'DateTime' | 'Number', test: (typeof TESTS)[number]): string => {
    const part = { fieldID: '4', label: 'Due', kind, test, value: kind === 'Number' ? '3' : '2026-12-31' };
    return conditionInWords(translators[language], format, { join: 'all', parts: [part] });
  };
  for (const [at, test] of TESTS.entries()) {
    expect(wordsOf('DateTime', test)).toContain(`Due ${said[at]} `);
    expect(wordsOf('Number', test)).not.toContain(said[at]);
  }
  const t = translators[language];
  expect(comparisonText(t, 'DateTime', 'grid.operator.more')).toBe(said[0]);
  expect(comparisonText(t, 'DateTime', 'grid.operator.less')).toBe(said[2]);
  expect(comparisonText(t, 'Number', 'grid.operator.less')).toBe(t('grid.operator.less'));
});

it('a choice by yes or no is said in these words', () => {
  const part = { fieldID: '2', label: 'Active', kind: 'Bool' as const, test: 'is' as const, value: '0' };
  const words = conditionInWords(translators.en, createFormat('en'), { join: 'all', parts: [part] });
  expect(words).toBe('Active is “no”');
});
