import {
  takesValue,
  testsOf,
  type ConditionJoin,
  type ConditionTest,
  type FieldKind,
} from '../../base/vocabulary.ts';
import { Refusal } from '../../base/refusal.ts';
import { said, type Words } from '../../words/said.ts';
import type { Field, Row } from '../definitions/model.ts';
import { checkValue } from '../values/kinds/check.ts';
import { valuesOf } from '../values/value-sets.ts';
import { createComparison } from './comparison.ts';
import { createLiteralOperand, createNamedOperand } from './operand.ts';
import type { Predicate } from './predicate.ts';
import { createQueryWork, type QueryWork } from './query-work.ts';

export interface ConditionPart {
  readonly fieldID: string;
  /** At choice, to show if the column is gone. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly only?: 'date' | 'time';
  readonly test: ConditionTest;
  /** As stored; `0` of a Bool: no. Absent for tests without one. */
  readonly value?: string;
}

/** Without parts: every row (docs/conditions.md). */
export interface Condition {
  readonly join: ConditionJoin;
  readonly parts: readonly ConditionPart[];
  /** A column was removed or repurposed: permanently no match, even if undone. */
  readonly closed?: true;
}

export interface RequestedCondition {
  readonly join: ConditionJoin;
  readonly parts: readonly {
    readonly column: string;
    readonly test: ConditionTest;
    readonly value?: string | undefined;
  }[];
}

export const EVERY_ROW: Condition = { join: 'all', parts: [] };

type Columns = readonly Pick<Field, 'fieldID' | 'name' | 'label' | 'kind' | 'options' | 'isMulti'>[];

/**
 * Adds column ids and labels; values as stored. Throws `columns.unknown`, `condition.test` for a test that the
 * column's kind doesn't have, or `condition.value` for a missing or unfit value.
 */
export function toCondition({ join, parts }: RequestedCondition, fields: Columns): Condition {
  return {
    join,
    parts: parts.map(({ column, test, value = '' }) => {
      const field =
        fields.find(({ fieldID }) => fieldID === column) ?? fields.find(({ name }) => name === column);
      if (!field)
        throw impossible('columns.unknown', said('share.no-such-column', { column: column.slice(0, 80) }));
      const { fieldID, name, kind, options } = field;
      const label = field.label || name;
      if (!testsOf(kind).includes(test))
        throw impossible('condition.test', said('condition.no-such-test', { column: label }));
      const { only } = options;
      const part = { fieldID, label, kind, ...(only === undefined ? {} : { only }), test };
      return takesValue(test) ? { ...part, value: toStoredValue(field, label, test, value) } : part;
    }),
  };
}

/** Returns the stored form of a value; `0` for "no". Throws `condition.value` if it is missing or unfit. */
function toStoredValue(
  { kind, options }: Columns[number],
  label: string,
  test: ConditionTest,
  value: string,
): string {
  if (value === '') throw impossible('condition.value', said('condition.no-value', { column: label }));
  if (test === 'contains' || test === 'contains-not') return value;
  const checked = checkValue({ kind, options }, value);
  if ('problem' in checked)
    throw impossible(
      'condition.value',
      said('list.value-in-column', { value, column: label, problem: checked.problem }),
    );
  return kind === 'Bool' ? checked.value || '0' : checked.value;
}

const impossible = (code: string, message: Words): Refusal => new Refusal('impossible', code, message);

/** Returns the part's column; undefined if it was removed or converted. */
function findColumn({ fieldID, kind, only }: ConditionPart, fields: Columns): Columns[number] | undefined {
  const field = fields.find((each) => each.fieldID === fieldID);
  return field?.kind === kind && field.options.only === only ? field : undefined;
}

/** Returns parts whose column was removed or converted: with one, no row matches. */
export function findBrokenParts({ parts }: Condition, fields: Columns): readonly ConditionPart[] {
  return parts.filter((part) => findColumn(part, fields) === undefined);
}

/**
 * Returns a test of present values. Deleted rows never match; none does if the condition is closed or a part's column
 * was removed or converted.
 */
export function createConditionTest(condition: Condition, fields: Columns): (row: Row) => boolean {
  const { join, parts, closed } = condition;
  if (closed) return () => false;
  if (parts.length === 0) return ({ deletedAt }) => deletedAt === undefined;
  const work = createQueryWork('unbounded');
  const tests = parts.flatMap((part) => {
    const field = findColumn(part, fields);
    return field ? [createPartTest(part, field, work)] : [];
  });
  if (tests.length < parts.length) return () => false;
  return (row) => {
    if (row.deletedAt !== undefined) return false;
    work.nextRow();
    const fits = (test: Predicate): boolean => test(row.values, row);
    return join === 'all' ? tests.every(fits) : tests.some(fits);
  };
}

const OPERATORS: Readonly<Record<ConditionTest, string>> = {
  is: '=',
  'is-not': '!=',
  contains: 'LIKE',
  'contains-not': 'NOT LIKE',
  greater: '>',
  'at-least': '>=',
  less: '<',
  'at-most': '<=',
  empty: 'IS NULL',
  'not-empty': 'IS NOT NULL',
};

/** Returns a test by one part. `work` caches folded texts while a row is tested. */
function createPartTest(part: ConditionPart, field: Columns[number], work: QueryWork): Predicate {
  if (field.kind === 'Bool') return createYesNoTest(part, field);
  const { test, value = '' } = part;
  const operator = OPERATORS[test];
  const column = createNamedOperand(field.name, [field], 'feed');
  const text = operator.endsWith('LIKE') ? `%${value.replace(/[\\%_]/g, '\\$&')}%` : value;
  const wanted = takesValue(test) ? [createLiteralOperand(text)] : [];
  const fits = createComparison(column, operator, wanted, work, 'case and accents');
  return (values, row) => fits(column.texts(values, row));
}

/** Returns a test of a Yes/No column. A missing value matches each `is-not`, but no `is`. */
function createYesNoTest({ test, value }: ConditionPart, { name }: Columns[number]): Predicate {
  const wanted = value === '1' ? '1' : '';
  const isSaid = ({ length }: readonly string[]): boolean => length > 0;
  const fits = takesValue(test) ? (texts: readonly string[]) => texts.includes(wanted) : isSaid;
  const negated = test === 'is-not' || test === 'empty';
  return (values) => fits(valuesOf(values, name)) !== negated;
}

/**
 * Returns a key; conditions with equal keys match the same rows (another order of parts has another key). `every`
 * without parts, `none` if closed or if a part doesn't fit the columns.
 */
export function conditionSignature(condition: Condition, fields: Columns): string {
  const { join, parts, closed } = condition;
  if (!closed && parts.length === 0) return 'every';
  if (closed || findBrokenParts(condition, fields).length > 0) return 'none';
  const known = parts.map((part) => {
    const field = findColumn(part, fields);
    return [part.fieldID, part.test, part.value ?? '', part.kind, part.only ?? '', field?.isMulti ?? false];
  });
  return JSON.stringify([join, known]);
}
