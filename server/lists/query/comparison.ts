import { checkValue } from '../values/kinds/check.ts';
import { compareNumbers } from '../values/kinds/number.ts';
import { createLike } from './like.ts';
import type { Values } from '../definitions/model.ts';
import type { Predicate, QueryField, RowTimes } from './predicate.ts';
import type { QueryWork } from './query-work.ts';
import { Refusal } from '../../base/refusal.ts';
import { fold, naturalKey } from '../values/text.ts';
import { compareTimes } from '../values/times.ts';
import { valuesOf } from '../values/value-sets.ts';

/** A value as a query writes it; undefined is NULL. */
export type Literal = { readonly text: string; readonly isNumber: boolean } | undefined;

const SYSTEM: Readonly<Record<string, keyof RowTimes>> = {
  id: 'recordID',
  recordid: 'recordID',
  createdat: 'createdAt',
  updatedat: 'updatedAt',
};
const MAX_PATTERN = 256;

/** What a row has under a name besides its columns, such as `updated_at`; undefined: nothing. */
export function systemField(name: string): keyof RowTimes | undefined {
  const key = name.toLowerCase().replaceAll('_', '');
  return Object.hasOwn(SYSTEM, key) ? SYSTEM[key] : undefined;
}

/** One comparison of a query. @throws Refusal `malformed` */
export function createComparison(
  name: string,
  operator: string,
  literal: Literal,
  allowed: readonly QueryField[],
  work: QueryWork,
): Predicate {
  const field = allowed.find((column) => column.name === name);
  const system = systemField(name);
  if (!field && !system) {
    throw new Refusal(
      'malformed',
      'query.column',
      `The query names “${name.slice(0, 80)}”, which is no column here.`,
    );
  }
  const textsOf = (values: Values, times: RowTimes): readonly string[] =>
    field ? valuesOf(values, field.name) : [system ? times[system] : ''];
  const kind = field?.kind ?? (system === 'recordID' ? 'Number' : 'DateTime');

  if (literal === undefined || operator === 'IS NULL' || operator === 'IS NOT NULL') {
    const wantsNone = nullWanted(operator);
    return (values, times) => textsOf(values, times).every((text) => text === '') === wantsNone;
  }
  const test = createTest(operator, literal, { name, kind, options: field?.options ?? {} }, work);
  const negated = operator === '!=' || operator === '<>' || operator === 'NOT LIKE';
  const isNoBool = kind === 'Bool' && literalIsNo(literal);
  return (values, times) => {
    const texts = textsOf(values, times);
    const fits = texts.some(test) || (isNoBool && operator !== 'LIKE' && texts.length === 0);
    return fits !== negated;
  };
}

function nullWanted(operator: string): boolean {
  if (operator === '=' || operator === 'IS NULL') return true;
  if (operator === '!=' || operator === '<>' || operator === 'IS NOT NULL') return false;
  throw new Refusal('malformed', 'query.malformed', 'NULL can only be compared with = and !=.');
}

function literalIsNo(literal: { text: string }): boolean {
  const checked = checkValue({ kind: 'Bool', options: {} }, literal.text);
  return 'value' in checked && checked.value === '';
}

/** The test of one value, for the operator without its negation. */
function createTest(
  operator: string,
  literal: { text: string; isNumber: boolean },
  field: Required<QueryField>,
  work: QueryWork,
): (text: string) => boolean {
  if (operator.endsWith('LIKE')) {
    if (literal.text.length > MAX_PATTERN) {
      throw new Refusal('malformed', 'query.malformed', `A pattern has at most ${MAX_PATTERN} characters.`);
    }
    const like = createLike(fold(literal.text));
    const perCharacter = Math.ceil(literal.text.length / 32);
    return (text) => {
      const folded = work.folded(text);
      work.spend(folded.length * perCharacter);
      return like(folded);
    };
  }
  const order = createOrder(literal, field);
  const compare: typeof order = (text) => {
    work.spend(text.length);
    return order(text);
  };
  switch (operator) {
    case '<':
      return (text) => (compare(text) ?? 1) < 0;
    case '<=':
      return (text) => (compare(text) ?? 1) <= 0;
    case '>':
      return (text) => (compare(text) ?? -1) > 0;
    case '>=':
      return (text) => (compare(text) ?? -1) >= 0;
    default:
      return (text) => compare(text) === 0;
  }
}

/** Where a value stands against the literal; undefined when the two cannot be compared. */
function createOrder(
  { text: wanted, isNumber }: { text: string; isNumber: boolean },
  field: Required<QueryField>,
): (text: string) => number | undefined {
  if (field.kind === 'Bool') {
    const flag = checkValue({ kind: 'Bool', options: {} }, wanted);
    return (text) => ('value' in flag ? (text === flag.value ? 0 : text < flag.value ? -1 : 1) : undefined);
  }
  const number = checkValue({ kind: 'Number', options: {} }, wanted);
  if (field.kind === 'Number' || isNumber) {
    if (!('value' in number)) return () => undefined;
    return (text) => {
      const own = checkValue({ kind: 'Number', options: {} }, text);
      return text !== '' && 'value' in own ? compareNumbers(own.value, number.value) : undefined;
    };
  }
  if (field.kind === 'DateTime') {
    const moment = checkValue({ kind: 'DateTime', options: field.options }, wanted);
    if (!('value' in moment)) return () => undefined;
    if (field.options.only) return (text) => (text < moment.value ? -1 : text > moment.value ? 1 : 0);
    return (text) => compareTimes(text, moment.value);
  }
  const key = naturalKey(wanted);
  return (text) => {
    if (text === wanted) return 0;
    const own = naturalKey(text);
    return own < key ? -1 : own > key ? 1 : text < wanted ? -1 : 1;
  };
}
