import { assertComparable, createComparison, testsForEmpty } from './comparison.ts';
import { createFinder } from './finder.ts';
import {
  assertFunction,
  createFunctionOperand,
  createLiteralOperand,
  createNamedOperand,
  type EmptyInConcat,
  type Operand,
} from './operand.ts';
import { tokenize, type Token } from './query-tokens.ts';
import { Refusal } from '../../base/refusal.ts';
import { createQueryWork, type QueryWork } from './query-work.ts';
import { fold } from '../values/text.ts';
import {
  isCorteza,
  type MemberScope,
  type Predicate,
  type QueryField,
  type RowMembers,
} from './predicate.ts';
import type { Values } from '../definitions/model.ts';

const MAX_LENGTH = 4096;
const MAX_DEPTH = 32;

const MAX_VALUES = 500;

export interface QueryOptions {
  /** Default: `feed`. */
  readonly scope?: MemberScope;
  /** For `NOW()`, ISO 8601; absent: queries with it are refused. */
  readonly now?: string;
}

/**
 * Parses a `query` (docs/interface.md: What a feed tells): comparisons in Compose's syntax, or words to search, which
 * Corteza's language refuses; an empty one matches all rows. Throws `query.column` for an unknown column,
 * `query.malformed` for a query that can't be evaluated or exceeds 4,096 characters; in Corteza's language the test
 * throws that too, for rows that databases decide differently. Negated comparisons match rows without a value, and a
 * multi-value column matches by any value; in Corteza's language rows without a value don't match, and only `IS NULL`
 * tests several values.
 * @param allowed the only columns examined; a column takes precedence over a member, except in Corteza's language,
 * which refuses it
 */
export function parseQuery(
  text: string,
  allowed: readonly QueryField[],
  options: QueryOptions = {},
): Predicate {
  const trimmed = text.trim();
  if (trimmed === '') return () => true;
  if (trimmed.length > MAX_LENGTH) throw malformedRefusal(`A query has at most ${MAX_LENGTH} characters.`);
  if (!isCorteza(options.scope) && !QUERY_SIGNS.some((sign) => sign.test(trimmed)))
    return createSearch(trimmed, allowed);
  const work = createQueryWork();
  const empty: EmptyInConcat = { isLeftOut: true, isMet: false };
  const emptyInConcat = isCorteza(options.scope) ? empty : undefined;
  const test = new QueryParser(trimmed, allowed, work, { ...options, emptyInConcat }).parse();
  return (values, row) => {
    work.nextRow();
    Object.assign(empty, { isLeftOut: true, isMet: false } satisfies EmptyInConcat);
    const fits = test(values, row) === true;
    if (!empty.isMet) return fits;
    empty.isLeftOut = false;
    if ((test(values, row) === true) !== fits) throw malformedRefusal(DISPUTED);
    return fits;
  };
}

const DISPUTED =
  'A row has no value in a column that CONCAT joins, and databases differ in whether this row matches. Write AND Column IS NOT NULL for each column that CONCAT joins.';

/** Undefined: the deciding value is missing. */
type Test = (values: Values, row: RowMembers) => boolean | undefined;

/** Operators, function or group, keywords with operands, quoted text. */
const QUERY_SIGNS = [
  /[=<>]/,
  /^(?:NOT\b)?\s*\(/i,
  /\b[A-Za-z_]\w*\((?:\)|[^()]*\))/,
  /"/,
  /(?:^|[\s(,])'.*'(?:$|[\s),])/s,
  /\s(?:NOT\s+)?(?:I?LIKE|IN|BETWEEN)\s*[('"\d]/i,
  /\sIS\s+(?:NOT\s+)?NULL\b/i,
];

/** Returns the folded words of a full-text search; none for blank text. */
export function searchWords(text: string): readonly string[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : fold(trimmed).split(/\s+/);
}

/** Returns a test whether each word is in some of the columns, ignoring case and accents. */
export function createSearch(text: string, allowed: readonly QueryField[]): Predicate {
  const work = createQueryWork();
  const finders = searchWords(text).map(createFinder);
  const names = allowed.map(({ name }) => name);
  return (values) => {
    work.nextRow();
    const texts = names
      .flatMap((name) => (Object.hasOwn(values, name) ? (values[name] ?? []) : []))
      .map((value) => work.foldCached(value));
    return finders.every((find) =>
      texts.some((value) => {
        work.countWork(value.length);
        return find(value, 0) >= 0;
      }),
    );
  };
}

interface ParserOptions extends QueryOptions {
  readonly emptyInConcat: EmptyInConcat | undefined;
}

/** Recursive descent from {@link QueryParser.parse} to a value. */
class QueryParser {
  readonly #tokens: readonly Token[];
  readonly #allowed: readonly QueryField[];
  readonly #work: QueryWork;
  readonly #options: ParserOptions;
  #at = 0;

  constructor(text: string, allowed: readonly QueryField[], work: QueryWork, options: ParserOptions) {
    const tokens = tokenize(text);
    if (!tokens) {
      throw malformedRefusal(
        'The query cannot be read: is a quotation mark left open, does a number run into letters, or is there a sign other than = != < > <= >= ( ) ,? ' +
          (isCorteza(options.scope)
            ? "To search for a word, write Title LIKE '%word%'."
            : 'To search for words, leave out operators and quotation marks.'),
      );
    }
    if (isCorteza(options.scope) && tokens.some((token) => token.type === 'string' && token.hasLoneBackslash))
      throw malformedRefusal('Write each backslash twice: a single one is dropped.');
    this.#tokens = tokens;
    this.#allowed = allowed;
    this.#work = work;
    this.#options = options;
  }

  /** Parses the whole query. Throws `query.malformed`, naming the position, like all parts. */
  parse(): Test {
    const test = this.#parseOr(0);
    if (this.#at < this.#tokens.length) {
      throw malformedRefusal(
        `The query goes on where it should end${failurePosition(this.#tokens, this.#at)}.`,
      );
    }
    return test;
  }

  /** Parses tests joined by OR. `depth` is the level of nesting. */
  #parseOr(depth: number): Test {
    const parts = [this.#parseAnd(depth)];
    while (this.#takeWord('OR')) parts.push(this.#parseAnd(depth));
    return combineTests(parts, true);
  }

  /** Parses tests joined by AND. */
  #parseAnd(depth: number): Test {
    const parts = [this.#parseTest(depth)];
    while (this.#takeWord('AND')) parts.push(this.#parseTest(depth));
    return combineTests(parts, false);
  }

  /** Parses a comparison, a negated test, or a group. Throws beyond 32 levels. */
  #parseTest(depth: number): Test {
    if (depth > MAX_DEPTH) throw malformedRefusal(`A query has at most ${MAX_DEPTH} levels.`);
    if (this.#takeWord('NOT')) {
      const part = this.#parseTest(depth + 1);
      return (values, row) => {
        const is = part(values, row);
        return is === undefined ? undefined : !is;
      };
    }
    if (this.#tokens[this.#at]?.type !== 'open') return this.#parseComparison(depth);
    this.#at++;
    const part = this.#parseOr(depth + 1);
    this.#takeOrThrow('close', 'a closing parenthesis');
    return part;
  }

  /** Parses a comparison, which begins with a column or a function of one. */
  #parseComparison(depth: number): Test {
    const operand = this.#parseOperand(depth);
    if (operand.isConstant) {
      throw malformedRefusal(`A comparison begins with a column, not with “${operand.name.slice(0, 40)}”.`);
    }
    if (this.#takeWord('IS')) return this.#parseIs(operand);
    const not = this.#takeWord('NOT') ? 'NOT ' : '';
    if (this.#takeWord('LIKE') || this.#takeWord('ILIKE')) {
      const pattern = createLiteralOperand(this.#takeOrThrow('string', 'a text in quotation marks'));
      return this.#createTest(operand, `${not}LIKE`, [pattern]);
    }
    if (this.#takeWord('IN')) {
      const values = this.#parseList(depth);
      if (values.length === 0) throw malformedRefusal('IN is followed by one value or more in parentheses.');
      return this.#createTest(operand, `${not}IN`, values);
    }
    if (this.#takeWord('BETWEEN')) {
      const least = this.#parseOperand(depth);
      if (!this.#takeWord('AND'))
        throw malformedRefusal('BETWEEN is followed by two values with AND between them.');
      return this.#createTest(operand, `${not}BETWEEN`, [least, this.#parseOperand(depth)]);
    }
    if (not !== '') throw malformedRefusal('NOT is followed by LIKE, IN or BETWEEN here.');
    const operator = this.#takeOrThrow('operator', 'an operator such as =');
    return this.#createTest(operand, operator, [this.#parseOperand(depth)]);
  }

  /** Parses what follows IS: [NOT] NULL, for yes/no columns also [NOT] TRUE or FALSE. */
  #parseIs(operand: Operand): Test {
    const isNegated = this.#takeWord('NOT');
    if (this.#takeWord('NULL')) return this.#createTest(operand, isNegated ? 'IS NOT NULL' : 'IS NULL', []);
    const value = this.#takeWord('TRUE')
      ? CONSTANTS.TRUE
      : this.#takeWord('FALSE')
        ? CONSTANTS.FALSE
        : undefined;
    if (!value || operand.kind !== 'Bool') {
      throw malformedRefusal(
        'IS is followed by NULL or NOT NULL, and for a yes-no column also by TRUE or FALSE.',
      );
    }
    return this.#createTest(operand, isNegated ? '!=' : '=', [value]);
  }

  /**
   * Returns the comparison's test; in Corteza's language its result is undefined without a value, but not for yes/no or
   * a test for NULL. Throws for TRUE or FALSE with another kind, and there for what databases compare differently.
   */
  #createTest(operand: Operand, operator: string, wanted: readonly Operand[]): Test {
    if (operand.kind !== 'Bool' && wanted.some((one) => one === CONSTANTS.TRUE || one === CONSTANTS.FALSE)) {
      throw malformedRefusal(
        `Only a yes-no column is compared with TRUE and FALSE, and “${operand.name.slice(0, 80)}” is none.`,
      );
    }
    if (isCorteza(this.#options.scope)) assertComparable(operand, operator, wanted);
    const ignoring = isCorteza(this.#options.scope) ? 'case' : 'case and accents';
    const fits = createComparison(operand, operator, wanted, this.#work, ignoring);
    const isAlwaysKnown =
      !isCorteza(this.#options.scope) || operand.kind === 'Bool' || testsForEmpty(operator, wanted);
    return (values, row) => {
      const texts = operand.texts(values, row);
      const isKnown = isAlwaysKnown || texts.some((text) => text !== '' || operand.isNeverNull === true);
      return isKnown ? fits(texts) : undefined;
    };
  }

  /** Parses at most 500 values in parentheses; empty for `()`. */
  #parseList(depth: number): readonly Operand[] {
    this.#takeOrThrow('open', 'an opening parenthesis');
    const operands: Operand[] = [];
    if (this.#tokens[this.#at]?.type === 'close') {
      this.#at++;
      return operands;
    }
    do {
      if (operands.length >= MAX_VALUES)
        throw malformedRefusal(`A query lists at most ${MAX_VALUES} values.`);
      operands.push(this.#parseOperand(depth));
    } while (this.#takeIf('comma'));
    this.#takeOrThrow('close', 'a closing parenthesis');
    return operands;
  }

  /**
   * Parses a literal, column or function call. Throws `query.malformed` for anything else and beyond 32 levels,
   * `query.column` for an unknown name.
   */
  #parseOperand(depth: number): Operand {
    if (depth > MAX_DEPTH) throw malformedRefusal(`A query has at most ${MAX_DEPTH} levels.`);
    const token = this.#tokens[this.#at++];
    if (token?.type === 'string') return createLiteralOperand(token.text);
    if (token?.type === 'number') return createLiteralOperand(token.text, true);
    if (token?.type !== 'word') {
      throw malformedRefusal('The query lacks a value: write texts in quotation marks, numbers as they are.');
    }
    if (this.#tokens[this.#at]?.type === 'open') return this.#parseFunction(token.text, depth + 1);
    const isColumn = this.#allowed.some(({ name }) => name === token.text);
    if (!isColumn) {
      const constant = CONSTANTS[token.text.toUpperCase()];
      if (constant) return constant;
      if (KEYWORDS.test(token.text))
        throw malformedRefusal(`The query has “${token.text}” where a column or value is needed.`);
    }
    return createNamedOperand(token.text, this.#allowed, this.#options.scope ?? 'feed');
  }

  /** Parses a function's arguments. Throws for an unknown function, and for `NOW()` without `options.now`. */
  #parseFunction(name: string, depth: number): Operand {
    const { now } = this.#options;
    if (now === undefined && name.toUpperCase() === 'NOW') {
      throw malformedRefusal('NOW() cannot be used here: write the date, such as 2026-03-31.');
    }
    assertFunction(name);
    return createFunctionOperand(
      name,
      this.#parseList(depth),
      now ?? '',
      this.#work,
      this.#options.emptyInConcat,
    );
  }

  /** Returns whether the next token is this keyword, in any case. */
  #isWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.type === 'word' && token.text.toUpperCase() === word;
  }

  /** Takes the next token if it is this keyword, in any case; returns whether it did. */
  #takeWord(word: string): boolean {
    const found = this.#isWord(word);
    if (found) this.#at++;
    return found;
  }

  /** Takes the next token if it is of this type; returns whether it did. */
  #takeIf(type: Token['type']): boolean {
    const isFound = this.#tokens[this.#at]?.type === type;
    if (isFound) this.#at++;
    return isFound;
  }

  /** Takes the next token of this type and returns its text. Throws `query.malformed`, saying that it lacks `what`. */
  #takeOrThrow(type: Token['type'], what: string): string {
    const token = this.#tokens[this.#at++];
    if (token?.type !== type) {
      throw malformedRefusal(`The query lacks ${what}${failurePosition(this.#tokens, this.#at - 1)}.`);
    }
    return 'text' in token ? token.text : '';
  }
}

/**
 * Combines tests by OR (`decisive` true) or AND (false). A part with the decisive result decides; otherwise the result
 * is unknown if a part's is, else the opposite.
 */
function combineTests(parts: readonly Test[], decisive: boolean): Test {
  if (parts.length === 1 && parts[0]) return parts[0];
  return (values, row) => {
    let whole: boolean | undefined = !decisive;
    for (const part of parts) {
      const is = part(values, row);
      if (is === decisive) return decisive;
      if (is === undefined) whole = undefined;
    }
    return whole;
  };
}

/** Corteza's; never a column. */
const KEYWORDS = /^(?:AND|OR|XOR|NOT|IN|IS|I?LIKE|BETWEEN|INTERVAL)$/i;

const CONSTANTS: Readonly<Record<string, Operand | undefined>> = {
  NULL: createLiteralOperand(undefined),
  TRUE: createLiteralOperand('1', true),
  FALSE: createLiteralOperand('0', true),
};

/** Returns a token's text for a message; empty at the query's end and for signs. */
function failurePosition(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token && 'text' in token ? ` at “${token.text.slice(0, 40)}”` : '';
}

function malformedRefusal(message: string): Refusal {
  return new Refusal('malformed', 'query.malformed', message);
}
