import { checkValue } from '../values/kinds/check.ts';
import { numberKey } from '../values/kinds/number.ts';
import { createLike } from './like.ts';
import { textOfConstant, ORDERED, type Operand } from './operand.ts';
import { FOLD_COST, type QueryWork } from './query-work.ts';
import { Refusal } from '../../base/refusal.ts';
import {
  createCharacterFold,
  fold,
  foldCase,
  foldCharacters,
  lower,
  lowerCharacters,
  naturalKey,
} from '../values/text.ts';
import { compareTimes, timeKey } from '../values/times.ts';

const MAX_PATTERN = 256;

const ANY_CHARACTER = /^(?:[^_\\]|\\.)*_/s;
const BEYOND_BMP = /[\ud800-\udbff]/;

/** Each operator's exact opposite. */
const NEGATED: Readonly<Record<string, string>> = {
  '!=': '=',
  '<>': '=',
  'NOT LIKE': 'LIKE',
  'NOT IN': 'IN',
  'NOT BETWEEN': 'BETWEEN',
};

/** Tests one side's values, as the {@link Operand} reads them. */
export type Comparison = (texts: readonly string[]) => boolean;

/**
 * Returns a test whether any text of a cell fits or, for a negated operator, none does, so that an empty cell matches
 * (an empty Yes/No counts as no). Throws `query.malformed` if a wanted value is a column or isn't of the left-hand
 * kind.
 * @param wanted right-hand operands: one value, those of an `IN`, two of a `BETWEEN`, none for `IS [NOT] NULL`
 * @param ignoring what LIKE does not distinguish
 */
export function createComparison(
  operand: Operand,
  operator: string,
  wanted: readonly Operand[],
  work: QueryWork,
  ignoring: Ignoring,
): Comparison {
  const variable = wanted.find(({ isConstant }) => !isConstant);
  if (variable) {
    throw malformedRefusal(
      `“${variable.name.slice(0, 80)}” stands where a value is needed: compare a column with a value.`,
    );
  }
  if (testsForEmpty(operator, wanted)) {
    const wantsNone = operator === '=' || operator === 'IS NULL';
    return (texts) => texts.every((text) => text === '') === wantsNone;
  }
  const positive = NEGATED[operator] ?? operator;
  const literals = wanted.map((one) => ({ text: textOfConstant(one), isNumber: one.isNumber }));
  const fits = createTextTest(positive, literals, operand, work, ignoring);
  return (texts) => {
    const isFit = (texts.length === 0 && operand.kind === 'Bool' ? NO : texts).some(fits);
    return isFit !== (positive !== operator);
  };
}

/** Returns a test of one text by an operator without NOT. Throws `query.malformed` for a literal of another kind. */
function createTextTest(
  operator: string,
  literals: readonly Literal[],
  operand: Operand,
  work: QueryWork,
  ignoring: Ignoring,
): (text: string) => boolean {
  if (operator === 'IN') return createMembership(literals, operand, work);
  if (operator === 'LIKE') return createPatternTest(literals[0]?.text ?? '', work, ignoring);
  const operators = operator === 'BETWEEN' ? ['>=', '<='] : [operator];
  const tests = literals.map((literal, at) =>
    createValueTest(operators[at] ?? operator, literal, operand, work),
  );
  return (text) => tests.every((test) => test(text));
}

/** Bool without a value means no. */
const NO: readonly string[] = [''];

/** Returns whether the operator tests for no or any value, as `IS NOT NULL` and `!= ''` do. */
export function testsForEmpty(operator: string, wanted: readonly Operand[]): boolean {
  const [only] = wanted;
  if (wanted.length !== 1 || !only) return operator.startsWith('IS');
  return only.isConstant && textOfConstant(only) === '' && /^(?:=|!=|<>)$/.test(operator);
}

const ID = /^\d{1,20}$/;
const EQUALITY = /^(?:=|!=|<>|(?:NOT )?IN)$/;
const ORDER = /^(?:[<>]=?|(?:NOT )?BETWEEN)$/;
/** Date with time: beside a date PostgreSQL takes the day, MySQL and earlier Corteza versions the moment. */
const WITHIN_DAY = /[T ](?!00:00(?::00(?:\.0+)?)?Z?$)/i;
const TIME_OF_DAY = /^\s*\d{1,2}:/;
/** Backslashes escape wildcards and backslashes; databases drop others. */
const CLEAR_PATTERN = /^(?:[^\\]|\\[\\%_])*$/;

/**
 * Throws `query.malformed` for comparisons that versions of Corteza evaluate differently or not at all, such as columns
 * of several values, texts in place of ids, unclear backslashes, texts compared by order or with numbers.
 */
export function assertComparable(
  { name, kind, options, onlyWith, isNeverNull, variesAsText }: Operand,
  operator: string,
  wanted: readonly Operand[],
): void {
  if (isNeverNull && testsForEmpty(operator, wanted))
    throw malformedRefusal(
      'Databases differ in whether CONCAT has a result without values: test the columns alone.',
    );
  const constants = wanted.filter(({ isConstant }) => isConstant);
  if (operator.endsWith('LIKE') && !constants.every((one) => CLEAR_PATTERN.test(textOfConstant(one))))
    throw malformedRefusal(
      'In LIKE, write two backslashes only before % and _, and four where the text has one.',
    );
  if (operator.startsWith('IS ')) return;
  if (operator.endsWith('IN') && constants.some((one) => textOfConstant(one) === ''))
    throw malformedRefusal("IN takes no empty text: add OR Column = '' for rows without a value.");
  if (onlyWith === undefined) {
    const shown = name.slice(0, 80);
    const times = kind === 'DateTime' ? constants.filter((one) => one.kind === 'String') : [];
    if (options.only === 'date' && times.some((one) => WITHIN_DAY.test(textOfConstant(one).trim())))
      throw malformedRefusal(
        `“${shown}” holds dates, which databases compare with a time differently: write a date, such as '2026-03-31'.`,
      );
    if (options.only === undefined && times.some((one) => TIME_OF_DAY.test(textOfConstant(one))))
      throw malformedRefusal(`“${shown}” holds dates with time: write the date before the time.`);
    if (variesAsText && operator.endsWith('LIKE'))
      throw malformedRefusal(
        `LIKE takes texts, and databases write what is in “${shown}” as text differently.`,
      );
    if (ORDERED.includes(kind)) return;
    // Some databases compare texts then, others numbers.
    if (wanted.some(({ isNumber }) => isNumber))
      throw malformedRefusal(`“${shown}” holds texts: write the number beside it in quotation marks.`);
    if (!ORDER.test(operator)) return;
    const message = `“${shown}” holds texts, which databases order differently, such as 20 after 100: compare it by =, LIKE or IN, or make it a column of numbers or dates.`;
    throw malformedRefusal(message);
  }
  if (onlyWith === 'NULL') {
    const message = `“${name.slice(0, 80)}” is of a column with several values or with ids: only IS NULL and IS NOT NULL can be evaluated. Select from the answer yourself.`;
    throw malformedRefusal(message);
  }
  if (EQUALITY.test(operator) && constants.every((one) => ID.test(textOfConstant(one)))) return;
  throw malformedRefusal(`“${name.slice(0, 80)}” holds ids: compare it by =, != or IN, and with ids.`);
}

interface Literal {
  readonly text: string;
  readonly isNumber: boolean;
}

function malformedRefusal(message: string): Refusal {
  return new Refusal('malformed', 'query.malformed', message);
}

/** LIKE ignores case in Corteza's language, as PostgreSQL does; ours ignores accents too. */
export type Ignoring = 'case' | 'case and accents';

/** Returns a test by a LIKE pattern, which counts work. Throws `query.malformed` beyond 256 characters. */
function createPatternTest(pattern: string, work: QueryWork, ignoring: Ignoring): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN)
    throw malformedRefusal(`A pattern has at most ${MAX_PATTERN} characters.`);
  const keepsAccents = ignoring === 'case';
  const isByCharacter = ANY_CHARACTER.test(pattern);
  const own =
    isByCharacter && BEYOND_BMP.test(pattern)
      ? createCharacterFold(pattern, keepsAccents ? foldCase : undefined)
      : undefined;
  const [byCharacter, whole] = keepsAccents ? [lowerCharacters, lower] : [foldCharacters, fold];
  const folding = isByCharacter ? byCharacter : whole;
  const like = createLike((own ?? folding)(pattern));
  const perCharacter = Math.ceil(pattern.length / 32);
  return (text) => {
    if (own) work.countWork(FOLD_COST * text.length);
    const folded = own?.(text) ?? work.foldCached(text, folding);
    work.countWork(folded.length * perCharacter);
    return like(folded);
  };
}

/** Returns a test by a positive operator, which counts work. Throws `query.malformed` for values of another kind. */
function createValueTest(
  operator: string,
  { text: wanted, isNumber }: Literal,
  field: Operand,
  work: QueryWork,
): (text: string) => boolean {
  const order = createOrder(wanted, isNumber, field);
  /** Counts the text as work, which may throw `query.too-much`, and compares it. */
  const compareWithinBudget: typeof order = (text) => {
    work.countWork(text.length);
    return order(text);
  };
  switch (operator) {
    case '<':
      return (text) => (compareWithinBudget(text) ?? 1) < 0;
    case '<=':
      return (text) => (compareWithinBudget(text) ?? 1) <= 0;
    case '>':
      return (text) => (compareWithinBudget(text) ?? -1) > 0;
    case '>=':
      return (text) => (compareWithinBudget(text) ?? -1) >= 0;
    default:
      return (text) => compareWithinBudget(text) === 0;
  }
}

/**
 * Returns a comparison of a text with the wanted value: negative, 0, positive; undefined if incomparable. Throws
 * `query.malformed` if the wanted value isn't of the kind.
 */
function createOrder(
  wanted: string,
  isNumber: boolean,
  field: Pick<Operand, 'name' | 'kind' | 'options'>,
): (text: string) => number | undefined {
  const { form, value, isNatural } = parseWanted({ text: wanted, isNumber }, field);
  if (isNatural) {
    const key = naturalKey(wanted);
    return (text) => {
      if (text === wanted) return 0;
      const own = naturalKey(text);
      return own < key ? -1 : own > key ? 1 : text < wanted ? -1 : 1;
    };
  }
  if (form === 'time') return (text) => compareTimes(text, value);
  if (form === 'text') return (text) => (text < value ? -1 : text > value ? 1 : 0);
  const key = numberKey(value);
  return (text) => {
    const own = KEYS.number(text);
    return own === undefined ? undefined : own < key ? -1 : own > key ? 1 : 0;
  };
}

interface Wanted {
  readonly form: 'text' | 'number' | 'time';
  readonly value: string;
  /** 2 before 10. */
  readonly isNatural: boolean;
}

/** Equal for equal texts; undefined equals nothing. */
const KEYS: Readonly<Record<Wanted['form'], (text: string) => string | undefined>> = {
  text: (text) => text,
  number: (text) => {
    const own = checkValue({ kind: 'Number', options: {} }, text);
    return text !== '' && 'value' in own ? numberKey(own.value) : undefined;
  },
  time: timeKey,
};

/** Returns a test, counting work, for a text equal to one of the values. Throws `query.malformed` for another kind. */
function createMembership(
  literals: readonly Literal[],
  field: Operand,
  work: QueryWork,
): (text: string) => boolean {
  const sets = new Map<Wanted['form'], Set<string | undefined>>();
  for (const literal of literals) {
    const { form, value } = parseWanted(literal, field);
    const known = sets.get(form) ?? new Set();
    sets.set(form, known.add(KEYS[form](value)));
  }
  return (text) => {
    for (const [form, keys] of sets) {
      work.countWork(text.length);
      const key = KEYS[form](text);
      if (key !== undefined && keys.has(key)) return true;
    }
    return false;
  };
}

/** Returns the value in the form to compare in. Throws `query.malformed` if it isn't of the operand's kind. */
function parseWanted(
  { text: wanted, isNumber }: Literal,
  field: Pick<Operand, 'name' | 'kind' | 'options'>,
): Wanted {
  const isText = field.kind !== 'Number' && field.kind !== 'Bool' && field.kind !== 'DateTime';
  const kind = isText && isNumber ? 'Number' : field.kind;
  if (kind !== 'Bool' && kind !== 'Number' && kind !== 'DateTime')
    return { form: 'text', value: wanted, isNatural: true };
  // Beside a time, a date is the start of its day, as databases compare it with NOW().
  const options = field.options.only === 'date' && /-.*:/.test(wanted) ? {} : field.options;
  const checked = checkValue({ kind, options }, wanted);
  // Any number or date exceeds an empty text: a script would change all these rows.
  if (!('value' in checked) || (kind !== 'Bool' && wanted.trim() === ''))
    throw malformedRefusal(notOfKindMessage(kind, wanted, field));
  const form = kind === 'Number' ? 'number' : kind === 'DateTime' && !options.only ? 'time' : 'text';
  return { form, value: checked.value, isNatural: false };
}

/** Returns why a value can't be compared with the operand, and what to write. */
function notOfKindMessage(
  kind: 'Bool' | 'Number' | 'DateTime',
  wanted: string,
  { name, options }: Pick<Operand, 'name' | 'options'>,
): string {
  const time =
    options.only === 'time' ? 'a time of day, such as 08:30' : 'a date or time, such as 2026-03-31';
  const needed = { Bool: 'yes or no', Number: 'a number', DateTime: time }[kind];
  return `“${wanted.slice(0, 80)}” cannot be compared with ${name.slice(0, 80)}: write ${needed}.`;
}
