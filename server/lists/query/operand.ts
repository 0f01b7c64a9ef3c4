import { ownMember } from '../../base/own-member.ts';
import { Refusal } from '../../base/refusal.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldOptions, Values } from '../definitions/model.ts';
import { checkValue } from '../values/kinds/check.ts';
import { valuesOf } from '../values/value-sets.ts';
import {
  isCorteza,
  type MemberScope,
  type QueryField,
  type RowMember,
  type RowMembers,
} from './predicate.ts';
import { CALL_COST, FOLD_COST, type QueryWork } from './query-work.ts';

/** A column, row member, value, or function of these. */
export interface Operand {
  readonly name: string;
  readonly kind: FieldKind;
  readonly options: FieldOptions;
  readonly isConstant: boolean;
  /** An unquoted number. */
  readonly isNumber: boolean;
  /** Compose compares it with nothing else; default: any value of its kind. */
  readonly onlyWith?: 'ids' | 'NULL';
  /** Databases differ in its text form (times, decimals). */
  readonly variesAsText?: true;
  /** Empty texts are values, present in every row. */
  readonly isNeverNull?: boolean;
  /** Returns values to compare; empty texts count only with `isNeverNull`. */
  texts(values: Values, row: RowMembers): readonly string[];
}

const MEMBERS: Readonly<Record<string, RowMember>> = {
  id: 'recordID',
  recordid: 'recordID',
  createdat: 'createdAt',
  updatedat: 'updatedAt',
};
const COMPOSE_MEMBERS: typeof MEMBERS = {
  ...MEMBERS,
  createdby: 'createdBy',
  // The owner is the creator, unchangeable here.
  ownedby: 'createdBy',
  updatedby: 'updatedBy',
  deletedat: 'deletedAt',
};

/**
 * Returns a row member by a name such as `updated_at`, ignoring case and underscores; undefined if the scope lacks it.
 */
export function findMember(name: string, scope: MemberScope): RowMember | undefined {
  const members = scope === 'compose' ? COMPOSE_MEMBERS : MEMBERS;
  const key = name.toLowerCase().replaceAll('_', '');
  return ownMember(members, key);
}

export const memberKind = (member: RowMember): FieldKind => (member.endsWith('At') ? 'DateTime' : 'Number');

/** Returns a member's text. Takes Compose's `updatedAt` and `updatedBy` from the last edit, undefined without one. */
export function memberText(row: RowMembers, member: RowMember, scope: MemberScope): string | undefined {
  if (scope !== 'compose' || (member !== 'updatedAt' && member !== 'updatedBy')) return row[member];
  const edit = row.lastEdit ?? row;
  return edit.updatedAt === row.createdAt ? undefined : edit[member];
}

/** Databases order these alike, but differ in their text forms. */
export const ORDERED: readonly FieldKind[] = ['Number', 'DateTime', 'Bool'];

/** Their values are ids in Corteza. */
export const HOLDS_IDS: readonly FieldKind[] = ['Record', 'User', 'File'];

/** In Corteza's queries a row member or the list, never a column of this name. */
const NEVER_COLUMNS =
  /^(?:id|record_?id|module(?:_?id)?|(?:owned|created|updated|deleted)_?by|(?:created|updated|deleted)_?at)$/i;

/**
 * Returns an operand for a column, otherwise a row member. Throws `query.column` without either, in Corteza's language
 * also for a column that queries there cannot name.
 */
export function createNamedOperand(
  name: string,
  allowed: readonly QueryField[],
  scope: MemberScope,
): Operand {
  const field = allowed.find((column) => column.name === name);
  if (field && isCorteza(scope) && NEVER_COLUMNS.test(name)) {
    throw new Refusal(
      'malformed',
      'query.column',
      `The query names “${name}”, which is a column here, and something else to Corteza. Select by this column from the answer yourself.`,
    );
  }
  const member = field ? undefined : findMember(name, scope);
  if (!field && !member) {
    throw new Refusal(
      'malformed',
      'query.column',
      `The query names “${name.slice(0, 80)}”, which is no column here. Use the \`name\` of a column; texts need quotation marks.`,
    );
  }
  const variesAsText = field
    ? ORDERED.includes(field.kind) && field.options?.only !== 'date'
    : member?.endsWith('At') === true;
  // Corteza's nobody is 0.
  const none = scope === 'compose' && member === 'updatedBy' ? '0' : '';
  return {
    name,
    kind: field?.kind ?? (member ? memberKind(member) : 'String'),
    options: field?.options ?? {},
    isConstant: false,
    isNumber: false,
    ...(field?.isMulti
      ? { onlyWith: 'NULL' as const }
      : field && HOLDS_IDS.includes(field.kind) && { onlyWith: 'ids' as const }),
    ...(variesAsText && { variesAsText }),
    texts: (values, row) =>
      field ? valuesOf(values, name) : [member ? (memberText(row, member, scope) ?? none) : ''],
  };
}

const NO_ROW: RowMembers = { recordID: '', createdAt: '', updatedAt: '' };

/** Returns a constant's text. Throws `query.malformed` for NULL. */
export function textOfConstant(constant: Operand): string {
  const [text] = constant.texts({}, NO_ROW);
  if (text === undefined) throw malformedRefusal('Write IS NULL or IS NOT NULL to look for empty values.');
  return text;
}

/** Returns a constant operand; an undefined text is NULL. */
export function createLiteralOperand(text: string | undefined, isNumber = false): Operand {
  const texts = text === undefined ? [] : [text];
  return {
    name: text ?? 'NULL',
    kind: isNumber ? 'Number' : 'String',
    options: {},
    isConstant: true,
    isNumber,
    texts: () => texts,
  };
}

interface QueryFunction {
  readonly arguments: readonly [least: number, most: number];
  readonly kind: FieldKind;
  readonly options?: FieldOptions;
  /** Only dates have parts; no row would match. */
  readonly takesDate?: true;
  /** In Compose: databases write dates, decimals and yes or no differently as texts. */
  readonly takesText?: true;
  /** Combines first values; undefined if one is missing. */
  apply(texts: readonly string[], work: QueryWork): string | undefined;
}

/** Returns a function that gives a part of its argument's date, in UTC, as digits; undefined for other texts. */
const datePart =
  (part: (date: string) => number): QueryFunction['apply'] =>
  ([text = '']) => {
    const date = readDate(text);
    return date && String(part(date));
  };

/** Returns the day of a date with or without time, in UTC; undefined for other texts. */
function readDate(text: string): string | undefined {
  const checked = checkValue({ kind: 'DateTime', options: {} }, text);
  return 'value' in checked ? /^\d{4}-\d\d-\d\d/.exec(checked.value)?.[0] : undefined;
}

const onePart = { arguments: [1, 1], kind: 'Number', takesDate: true } as const;

/** Excludes characters with longer capitals, such as ß. */
const SAME_LENGTH = /[^ßŉǰΐΰևẖ-ẚὐὒὔὖᾀ-ᾯᾲ-ᾴᾶᾷᾼῂ-ῄῆῇῌῒ\u1fd3ῖῗῢ-ῤῦῧῲ-ῴῶῷῼﬀ-ﬆﬓ-ﬗ]+/g;

/** Returns the text in capitals. Letters without a single capital, such as ß, stay; other parts count as work. */
const toUpperCase = (text: string, work: QueryWork): string =>
  text.replace(SAME_LENGTH, (part) => {
    work.countWork(0);
    return part.toUpperCase();
  });

const FUNCTIONS: Readonly<Record<string, QueryFunction>> = {
  YEAR: { ...onePart, apply: datePart((date) => Number(date.slice(0, 4))) },
  QUARTER: { ...onePart, apply: datePart((date) => Math.ceil(Number(date.slice(5, 7)) / 3)) },
  MONTH: { ...onePart, apply: datePart((date) => Number(date.slice(5, 7))) },
  DAY: { ...onePart, apply: datePart((date) => Number(date.slice(8))) },
  DATE: {
    arguments: [1, 1],
    kind: 'DateTime',
    options: { only: 'date' },
    takesDate: true,
    apply: ([text = '']) => readDate(text),
  },
  LOWER: { arguments: [1, 1], kind: 'String', takesText: true, apply: ([text]) => text?.toLowerCase() },
  UPPER: {
    arguments: [1, 1],
    kind: 'String',
    takesText: true,
    apply: ([text = ''], work) => toUpperCase(text, work),
  },
  CONCAT: { arguments: [1, 16], kind: 'String', takesText: true, apply: (texts) => texts.join('') },
};

/** Treatment of empty columns by `CONCAT` while a row is tested. */
export interface EmptyInConcat {
  /** True, as in PostgreSQL: leaves them out, never NULL. False, as in MySQL: no result. */
  isLeftOut: boolean;
  /** A function met one, so this decides. */
  isMet: boolean;
}

/** Not UTC. */
const ELSEWHERE = /:.*[+-]\d\d:?\d\d\s*$/;

/**
 * Returns an operand that calls a function such as `YEAR(Date)`; each evaluation counts as work. Throws
 * `query.malformed` for an unsupported function and wrong arguments.
 * @param given its arguments
 * @param now value of `NOW()`, ISO 8601
 * @param emptyInConcat in Corteza's language; default: `CONCAT` leaves them out, and has no result if all are empty
 */
export function createFunctionOperand(
  name: string,
  given: readonly Operand[],
  now: string,
  work: QueryWork,
  emptyInConcat?: EmptyInConcat,
): Operand {
  assertFunction(name);
  const upper = name.toUpperCase();
  const known = FUNCTIONS[upper];
  if (!known) {
    if (given.length > 0) throw malformedRefusal('NOW takes nothing in parentheses.');
    return { ...createLiteralOperand(now), name: 'NOW()', kind: 'DateTime', variesAsText: true };
  }
  const [least, most] = known.arguments;
  if (given.length < least || given.length > most)
    throw malformedRefusal(
      `${upper} takes ${least === most ? 'one value' : `${least} to ${most} values`} in parentheses.`,
    );
  const noDate = known.takesDate && given.find((operand) => !operand.isConstant && !isDate(operand));
  if (noDate) {
    const message = `${upper} takes a date, and “${noDate.name.slice(0, 80)}” is none. Compare it without ${upper}.`;
    throw malformedRefusal(message);
  }
  const varying = known.takesText && emptyInConcat && given.find(({ variesAsText }) => variesAsText);
  if (varying) {
    const message = `${upper} takes texts: databases write what is in “${varying.name.slice(0, 80)}” as text differently. Compare it without ${upper}.`;
    throw malformedRefusal(message);
  }
  const constants = given.filter(({ isConstant }) => isConstant).map(textOfConstant);
  const isConstant = constants.length === given.length;
  if (known.takesDate && emptyInConcat && constants.some((text) => ELSEWHERE.test(text)))
    throw malformedRefusal(`Databases read a time zone in ${upper} differently: write the time in UTC.`);
  const constant = isConstant ? known.apply(constants, work) : undefined;
  // An invalid date would be NULL: a test for missing values.
  if (isConstant && constant === undefined)
    throw malformedRefusal(`“${constants.join()}” is no date: write ${upper}('2026-03-31').`);
  const isNeverNull =
    (upper === 'CONCAT' && emptyInConcat !== undefined) || given.every((one) => one.isNeverNull === true);
  return {
    name: `${upper}(…)`,
    kind: known.kind,
    options: known.options ?? {},
    isConstant,
    isNumber: known.kind === 'Number',
    ...(given.some(({ onlyWith }) => onlyWith) && { onlyWith: 'NULL' as const }),
    isNeverNull,
    /**
     * Applies the function to its arguments' first values, which counts as work; empty if all are missing or there is
     * no result. In Corteza's language, records that `CONCAT` met a missing one, and is empty unless these are left
     * out.
     */
    texts(values, row) {
      if (constant !== undefined) return [constant];
      const results = given.map((operand) => operand.texts(values, row)[0]);
      const isMissing = (text: string | undefined, at: number): boolean =>
        text === undefined || (text === '' && !given[at]?.isConstant && !given[at]?.isNeverNull);
      if (emptyInConcat && results.some(isMissing)) {
        emptyInConcat.isMet ||= isNeverNull;
        if (!emptyInConcat.isLeftOut) return [];
      }
      const texts = results.map((text = '') => text);
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      work.countWork(CALL_COST + FOLD_COST * length);
      if (!isNeverNull && length === 0) return [];
      const made = known.apply(texts, work);
      return made === undefined ? [] : [made];
    },
  };
}

/** Throws `query.malformed` unless this is a known function or `NOW`. */
export function assertFunction(name: string): void {
  const names = ['NOW', ...Object.keys(FUNCTIONS)];
  if (names.includes(name.toUpperCase())) return;
  const message = `The function “${name.slice(0, 40)}” cannot be evaluated here. Use one of ${names.join(', ')}.`;
  throw malformedRefusal(message);
}

const isDate = ({ kind, options }: Operand): boolean => kind === 'DateTime' && options.only !== 'time';

function malformedRefusal(message: string): Refusal {
  return new Refusal('malformed', 'query.malformed', message);
}
