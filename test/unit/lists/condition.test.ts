import { describe, expect, it } from 'vitest';
import type { ConditionTest, FieldKind } from '../../../server/base/vocabulary.ts';
import {
  findBrokenParts,
  toCondition,
  conditionSignature,
  createConditionTest,
} from '../../../server/lists/query/condition.ts';
import type { Field, Row, Values } from '../../../server/lists/definitions/model.ts';

const field = (fieldID: string, name: string, kind: FieldKind, more: Partial<Field> = {}): Field => ({
  ...{ fieldID, name, kind, label: '', isMulti: false, isRequired: false, options: {} },
  ...more,
});
const FIELDS = [
  field('1', 'Country', 'String'),
  field('2', 'Amount', 'Number'),
  field('3', 'Due', 'DateTime', { options: { only: 'date' } }),
  field('4', 'Paid', 'Bool'),
  field('5', 'Tags', 'Select', { isMulti: true }),
  field('6', 'Customer', 'Record', { options: { moduleID: '77' } }),
];
const row = (values: Values, more: Partial<Row> = {}): Row => ({
  ...{ recordID: '9', values, createdAt: '', createdBy: '', updatedAt: '', updatedBy: '' },
  ...more,
});
type Part = readonly [column: string, test: ConditionTest, value?: string];

function fits(values: Values, parts: readonly Part[], join: 'all' | 'any' = 'all'): boolean {
  const wish = { join, parts: parts.map(([column, test, value]) => ({ column, test, value })) };
  return createConditionTest(toCondition(wish, FIELDS), FIELDS)(row(values));
}

describe('a condition on rows', () => {
  it.each<[Part, Values, boolean]>([
    [['Country', 'is', 'Norge'], { Country: ['Norge'] }, true],
    [['Country', 'is', 'Norge'], { Country: ['Noreg'] }, false],
    [['Country', 'is', 'Norge'], {}, false],
    [['Country', 'is-not', 'Norge'], {}, true],
    [['Country', 'contains', 'ØST'], { Country: ['Østerrike'] }, true],
    [['Country', 'contains', '100%_a'], { Country: ['x 100%_A y'] }, true],
    [['Country', 'contains', '100%_a'], { Country: ['x 100 of a y'] }, false],
    [['Country', 'contains', String.raw`\ `], { Country: [String.raw`a\ b`] }, true],
    [['Country', 'contains-not', 'st'], { Country: ['Østerrike'] }, false],
    [['Country', 'is', "'; DROP OR 1=1 --"], { Country: ["'; DROP OR 1=1 --"] }, true],
    [['Country', 'empty'], { Country: [''] }, true],
    [['Country', 'not-empty'], { Country: ['x'] }, true],
    [['Amount', 'greater', '9'], { Amount: ['10'] }, true],
    [['Amount', 'greater', '9'], {}, false],
    [['Amount', 'at-least', '10.0'], { Amount: ['10'] }, true],
    [['Amount', 'is', '10.0'], { Amount: ['10'] }, true],
    [['Amount', 'less', '9007199254740993'], { Amount: ['9007199254740992'] }, true],
    [['Amount', 'at-most', '-1'], { Amount: ['-1'] }, true],
    [['Due', 'less', '2026-03-01'], { Due: ['2026-02-28'] }, true],
    [['Due', 'at-least', '2026-03-01'], { Due: ['2026-02-28'] }, false],
    [['Paid', 'is', 'true'], { Paid: ['1'] }, true],
    [['Paid', 'is', 'no'], { Paid: [''] }, true],
    [['Paid', 'is', 'no'], {}, false],
    [['Paid', 'is-not', 'yes'], {}, true],
    [['Paid', 'is-not', 'no'], { Paid: [''] }, false],
    [['Paid', 'empty'], {}, true],
    [['Paid', 'empty'], { Paid: [''] }, false],
    [['Paid', 'not-empty'], { Paid: [''] }, true],
    [['Paid', 'is', '0'], { Paid: ['1'] }, false],
    [['Tags', 'is', 'b'], { Tags: ['a', 'b'] }, true],
    [['Tags', 'is-not', 'b'], { Tags: ['a', 'b'] }, false],
    [['Customer', 'not-empty'], { Customer: ['8123456789012345678'] }, true],
  ])('%s of %o is %s', (part, values, right) => {
    expect(fits(values, [part])).toBe(right);
  });

  it('asks for all of its parts, or for any', () => {
    const parts: Part[] = [
      ['Country', 'is', 'Norge'],
      ['Amount', 'greater', '5'],
    ];
    const values = { Country: ['Norge'], Amount: ['3'] };
    expect([fits(values, parts, 'all'), fits(values, parts, 'any'), fits(values, [])]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is met by no deleted row', () => {
    const meets = createConditionTest({ join: 'all', parts: [] }, FIELDS);
    expect(meets(row({}, { deletedAt: '2026-03-01T08:00:00.000Z' }))).toBe(false);
  });

  it.each<[string, readonly Part[]]>([
    ['a column that is not there', [['Region', 'empty']]],
    ['a test that the column does not have', [['Customer', 'is', '8123456789012345678']]],
    ['an order of texts', [['Country', 'greater', 'a']]],
    ['no value', [['Country', 'is', '']]],
    ['a value that does not fit', [['Amount', 'greater', 'many']]],
  ])('is refused with %s', (_what, parts) => {
    expect(() => fits({}, parts)).toThrow(expect.objectContaining({ kind: 'impossible' }));
  });

  const germany = toCondition(
    {
      join: 'any',
      parts: [
        { column: '1', test: 'is', value: 'Germany' },
        { column: '2', test: 'empty' },
      ],
    },
    FIELDS,
  );
  const met = row({ Country: ['Germany'] });

  it('goes with its columns whatever they are called', () => {
    const renamed = FIELDS.map((each) => (each.fieldID === '1' ? { ...each, name: 'Land' } : each));
    const other = [...renamed, field('12', 'Country', 'String')];
    expect(createConditionTest(germany, other)(row({ Land: ['Germany'], Amount: ['1'] }))).toBe(true);
    expect(createConditionTest(germany, other)(row({ Country: ['Germany'], Amount: ['1'] }))).toBe(false);
    expect(conditionSignature(germany, other)).toBe(conditionSignature(germany, FIELDS));
  });

  it.each([
    ['gone', FIELDS.slice(1)],
    [
      'of another kind',
      FIELDS.map((each) => (each.fieldID === '1' ? { ...each, kind: 'Select' as const } : each)),
    ],
    ['another one of that name', [field('12', 'Country', 'String'), ...FIELDS.slice(1)]],
  ])('is met by no row, not by another part of it either, while a column of it is %s', (_what, fields) => {
    expect(createConditionTest(germany, fields)(met)).toBe(false);
    expect(findBrokenParts(germany, fields).map(({ label }) => label)).toEqual(['Country']);
    expect(conditionSignature(germany, fields)).toBe('none');
  });

  it('stays closed once a column of it was gone', () => {
    expect(createConditionTest({ ...germany, closed: true }, FIELDS)(met)).toBe(false);
  });

  it('has an answer for the largest values', () => {
    const parts = Array.from({ length: 20 }, (_, at): Part => [
      'Country',
      'contains-not',
      `_${'%a'.repeat(40)}${at}`,
    ]);
    expect(fits({ Country: ['a'.repeat(1024 * 1024)] }, parts)).toBe(true);
  });
});
