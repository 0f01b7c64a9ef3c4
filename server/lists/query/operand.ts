import { Refusal } from '../../base/refusal.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import type { FieldOptions, Values } from '../definitions/model.ts';
import { checkValue } from '../values/kinds/check.ts';
import { valuesOf } from '../values/value-sets.ts';
import type { MemberScope, QueryField, RowMembers } from './predicate.ts';

/** One side of a comparison: a column, a member of the row, a value, or a function of these. */
export interface Operand {
  /** As it is spelled in messages. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly options: FieldOptions;
  /** Same for every row, so that it can be compared with. */
  readonly isConstant: boolean;
  /** A number that was written without quotation marks. */
  readonly isNumber: boolean;
  /** Returns the values to compare; an empty text counts as none. */
  texts(values: Values, row: RowMembers): readonly string[];
}

const MEMBERS: Readonly<Record<string, keyof RowMembers>> = {
  id: 'recordID',
  recordid: 'recordID',
  createdat: 'createdAt',
  updatedat: 'updatedAt',
};
const COMPOSE_MEMBERS: typeof MEMBERS = {
  ...MEMBERS,
  createdby: 'createdBy',
  // The owner cannot be changed here: it is who made the row.
  ownedby: 'createdBy',
  updatedby: 'updatedBy',
  deletedat: 'deletedAt',
};

/** Returns the member of a row that a name such as `updated_at` stands for; undefined: none that may be named. */
export function memberNamed(name: string, scope: MemberScope): keyof RowMembers | undefined {
  const members = scope === 'compose' ? COMPOSE_MEMBERS : MEMBERS;
  const key = name.toLowerCase().replaceAll('_', '');
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

/** Returns the kind by which a member of a row is compared. */
export const memberKind = (member: keyof RowMembers): FieldKind =>
  member.endsWith('At') ? 'DateTime' : 'Number';

/** A member as the scope shows it: Compose leaves `updatedAt` out until a row is changed. */
export function memberText(
  row: RowMembers,
  member: keyof RowMembers,
  scope: MemberScope,
): string | undefined {
  const isUnchanged = scope === 'compose' && member.startsWith('updated') && row.updatedAt === row.createdAt;
  return isUnchanged ? undefined : row[member];
}

/** A column by its name, else a member of the row. @throws Refusal `malformed` for any other name */
export function namedOperand(name: string, allowed: readonly QueryField[], scope: MemberScope): Operand {
  const field = allowed.find((column) => column.name === name);
  const member = field ? undefined : memberNamed(name, scope);
  if (!field && !member) {
    throw new Refusal(
      'malformed',
      'query.column',
      `The query names “${name.slice(0, 80)}”, which is no column here.`,
    );
  }
  return {
    name,
    kind: field?.kind ?? (member ? memberKind(member) : 'String'),
    options: field?.options ?? {},
    isConstant: false,
    isNumber: false,
    texts: (values, row) =>
      field ? valuesOf(values, name) : [member ? (memberText(row, member, scope) ?? '') : ''],
  };
}

/** A constant looks at no row. */
const NO_ROW: RowMembers = { recordID: '', createdAt: '', updatedAt: '' };

/** Returns the text of a constant. @throws Refusal `malformed` for NULL, which no row fits in SQL */
export function constantText(constant: Operand): string {
  const [text] = constant.texts({}, NO_ROW);
  if (text === undefined) throw malformed('Write IS NULL or IS NOT NULL to look for empty values.');
  return text;
}

/** A value as the query writes it; undefined is NULL. */
export function literalOperand(text: string | undefined, isNumber = false): Operand {
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
  /** The argument is a date: of anything else there is no part, and no row could ever fit. */
  readonly takesDate?: true;
  /** Makes one text of the first value of each argument; undefined where one of them is missing. */
  apply(texts: readonly string[]): string | undefined;
}

/** A part of a time in UTC, as a number; undefined for what is no date. */
const datePart =
  (part: (date: Date) => number): QueryFunction['apply'] =>
  ([text = '']) => {
    const moment = momentOf(text);
    return moment && String(part(moment));
  };

function momentOf(text: string): Date | undefined {
  const checked = checkValue({ kind: 'DateTime', options: {} }, text);
  // A time of day belongs to no date.
  if (!('value' in checked) || !/^\d{4}-\d\d-\d\d/.test(checked.value)) return undefined;
  return new Date(checked.value);
}

const onePart = { arguments: [1, 1], kind: 'Number', takesDate: true } as const;

/** The functions of Corteza's query language that are evaluated here; all others are refused. */
const FUNCTIONS: Readonly<Record<string, QueryFunction>> = {
  YEAR: { ...onePart, apply: datePart((date) => date.getUTCFullYear()) },
  QUARTER: { ...onePart, apply: datePart((date) => Math.floor(date.getUTCMonth() / 3) + 1) },
  MONTH: { ...onePart, apply: datePart((date) => date.getUTCMonth() + 1) },
  DAY: { ...onePart, apply: datePart((date) => date.getUTCDate()) },
  DATE: {
    arguments: [1, 1],
    kind: 'DateTime',
    options: { only: 'date' },
    takesDate: true,
    apply: ([text = '']) => momentOf(text)?.toISOString().slice(0, 10),
  },
  LOWER: { arguments: [1, 1], kind: 'String', apply: ([text]) => text?.toLowerCase() },
  UPPER: { arguments: [1, 1], kind: 'String', apply: ([text]) => text?.toUpperCase() },
  CONCAT: { arguments: [1, 16], kind: 'String', apply: (texts) => texts.join('') },
};

/**
 * A function over its arguments; `NOW()` is `now`, ISO 8601.
 * @throws Refusal `malformed` for a function that is not evaluated here, a wrong number of arguments, or one of another kind
 */
export function functionOperand(name: string, given: readonly Operand[], now: string): Operand {
  assertFunction(name);
  const upper = name.toUpperCase();
  const known = FUNCTIONS[upper];
  if (!known) {
    if (given.length > 0) throw malformed('NOW takes nothing in parentheses.');
    return { ...literalOperand(now), name: 'NOW()', kind: 'DateTime' };
  }
  const [least, most] = known.arguments;
  if (given.length < least || given.length > most)
    throw malformed(
      `${upper} takes ${least === most ? 'one value' : `${least} to ${most} values`} in parentheses.`,
    );
  const noDate = known.takesDate && given.find((operand) => !operand.isConstant && !isDate(operand));
  if (noDate) {
    const message = `${upper} takes a date, and “${noDate.name.slice(0, 80)}” is none. Compare it without ${upper}.`;
    throw malformed(message);
  }
  const constants = given.filter(({ isConstant }) => isConstant).map(constantText);
  const isConstant = constants.length === given.length;
  // A constant date that is none would be NULL, and the comparison one for rows without a value.
  if (isConstant && known.apply(constants) === undefined)
    throw malformed(`“${constants.join()}” is no date: write ${upper}('2026-03-31').`);
  return {
    name: `${upper}(…)`,
    kind: known.kind,
    options: known.options ?? {},
    isConstant,
    isNumber: known.kind === 'Number',
    texts(values, row) {
      const texts = given.map((operand) => operand.texts(values, row)[0] ?? '');
      if (!isConstant && texts.every((text) => text === '')) return [];
      const made = known.apply(texts);
      return made === undefined ? [] : [made];
    },
  };
}

/** @throws Refusal `malformed` for a function that is not evaluated here */
export function assertFunction(name: string): void {
  const names = ['NOW', ...Object.keys(FUNCTIONS)];
  if (names.includes(name.toUpperCase())) return;
  const message = `The function “${name.slice(0, 40)}” cannot be evaluated here. Use one of ${names.join(', ')}.`;
  throw malformed(message);
}

const isDate = ({ kind, options }: Operand): boolean => kind === 'DateTime' && options.only !== 'time';

function malformed(message: string): Refusal {
  return new Refusal('malformed', 'query.malformed', message);
}
