import { createComparison, looksForEmpty } from './comparison.ts';
import { createFinder } from './finder.ts';
import {
  assertFunction,
  functionOperand,
  literalOperand,
  memberNamed,
  namedOperand,
  type Operand,
} from './operand.ts';
import { tokenize, type Token } from './query-tokens.ts';
import { Refusal } from '../../base/refusal.ts';
import { createQueryWork, type QueryWork } from './query-work.ts';
import { fold } from '../values/text.ts';
import type { MemberScope, Predicate, QueryField, RowMembers } from './predicate.ts';
import type { Values } from '../definitions/model.ts';

const MAX_LENGTH = 4096;
const MAX_DEPTH = 32;

/** Values in one `IN`. */
const MAX_VALUES = 500;

export interface QueryOptions {
  /** Members of the row that may be compared besides columns; `feed` unless given. */
  readonly scope?: MemberScope;
  /** What `NOW()` stands for, ISO 8601; without it a query that asks for it is refused. */
  readonly now?: string;
}

/**
 * Parses a `query` (docs/interface.md: What a feed tells): comparisons as Compose writes them, joined by AND, OR, NOT
 * and parentheses: `Title = 'x' AND (Amount > 3 OR Note LIKE '%y%') AND City IN ('Ulm', 'Bonn') AND YEAR(Due) = 2026`. A
 * text that holds no comparison is searched for: a row fits when each of its words is part of some value. `!=`, NOT LIKE,
 * NOT IN and NOT BETWEEN are the exact opposites of their counterparts, so rows without a value fit them. In the scope
 * `compose` such rows fit neither, as in Corteza's database: a script that deletes by `!=` must not delete more here. A
 * multi-value column fits by any value; a function looks at the first one.
 *
 * @param allowed the only columns that are looked at, for either form; a column takes precedence over a member of the row
 * @throws Refusal `malformed` for a comparison that names another column, cannot be evaluated, is too long or too deep
 */
export function parseQuery(
  text: string,
  allowed: readonly QueryField[],
  options: QueryOptions = {},
): Predicate {
  const trimmed = text.trim();
  if (trimmed === '') return () => true;
  if (trimmed.length > MAX_LENGTH) throw malformed(`A query has at most ${MAX_LENGTH} characters.`);
  if (!isComparison(trimmed, allowed, options)) return createSearch(trimmed, allowed);
  const work = createQueryWork();
  const test = new QueryParser(trimmed, allowed, work, options).parse();
  return (values, row) => {
    work.nextRow();
    return test(values, row) === true;
  };
}

function isComparison(text: string, allowed: readonly QueryField[], { scope }: QueryOptions): boolean {
  if (QUERY_SIGNS.some((sign) => sign.test(text))) return true;
  return scope === 'compose' && (COMPOSE_SIGNS.some((sign) => sign.test(text)) || namesColumn(text, allowed));
}

/** For what changes every row that fits: words alone would find more of them than was meant. @throws Refusal `malformed` */
export function assertComparison(text: string, allowed: readonly QueryField[]): void {
  if (isComparison(text.trim(), allowed, { scope: 'compose' })) return;
  throw malformed(
    "Name the rows by comparisons here, such as Title = 'x'; words are only searched for in lists.",
  );
}

/** What a part of a query says of a row; undefined where the row lacks the value that decides it. */
type Test = (values: Values, row: RowMembers) => boolean | undefined;

/**
 * Signs of a comparison: operators, a function or group at the start, keywords with what must follow them, a text in
 * quotation marks. A script that creates what its query does not find must not get a search for words instead.
 */
const QUERY_SIGNS = [
  /[=<>]/,
  /^(?:NOT\b)?\s*\(/i,
  /\b[A-Za-z_]\w*\((?:\)|[^()]*\))/,
  /"/,
  /(?:^|[\s(,])'.*'(?:$|[\s),])/s,
  /\s(?:NOT\s+)?(?:I?LIKE|IN|BETWEEN)\s*[('"\d]/i,
  /\sIS\s+(?:NOT\s+)?NULL\b/i,
];

/**
 * Further signs for Compose. Corteza parses every text: there quotation marks, signs between blanks, operators in
 * words, and the statements of SQL are a query, or the attempt of one.
 */
const COMPOSE_SIGNS = [
  /['"`!;*^()]|&&|\|\|/,
  /(?:^|\s)[+\-/%](?:$|\s)/,
  /^(?:SELECT|WHERE|FROM|DELETE|UPDATE|INSERT)\b/i,
  /^\S+\s+(?:(?:does\s+)?not\s+)?(?:contains?|equals?|is|in|i?like|between|matches|(?:starts|ends)\s?with|eq|ne|[gl]te?|[gl]e)(?:$|\s)/i,
  /(?:^|\s)(?:AND|OR|XOR|NOT|LIKE|BETWEEN|NULL|TRUE|FALSE|ASC|DESC|INTERVAL)(?:$|\s)/,
];

/** Whether a word of a text is a column or a member of the row: Corteza reads such a word as that. */
function namesColumn(text: string, allowed: readonly QueryField[]): boolean {
  const isNamed = (word: string): boolean =>
    allowed.some((column) => column.name === word) || memberNamed(word, 'compose') !== undefined;
  return text.split(/[\s,]+/).some(isNamed) || /^(?:TRUE|FALSE|NULL)$/i.test(text);
}

/** The words that a text is searched for by, folded; none where it is blank. */
export function searchWords(text: string): readonly string[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : fold(trimmed).split(/\s+/);
}

/** The second form of {@link parseQuery} for any text: rows that hold each of its words. */
export function createSearch(text: string, allowed: readonly QueryField[]): Predicate {
  const work = createQueryWork();
  const finders = searchWords(text).map(createFinder);
  const names = allowed.map(({ name }) => name);
  return (values) => {
    work.nextRow();
    const texts = names
      .flatMap((name) => (Object.hasOwn(values, name) ? (values[name] ?? []) : []))
      .map((value) => work.folded(value));
    return finders.every((find) =>
      texts.some((value) => {
        work.spend(value.length);
        return find(value, 0) >= 0;
      }),
    );
  };
}

/** Recursive descent over the tokens of a query, from {@link QueryParser.parse} down to a value. */
class QueryParser {
  readonly #tokens: readonly Token[];
  readonly #allowed: readonly QueryField[];
  readonly #work: QueryWork;
  readonly #options: QueryOptions;
  #at = 0;

  constructor(text: string, allowed: readonly QueryField[], work: QueryWork, options: QueryOptions) {
    const tokens = tokenize(text);
    if (!tokens) {
      throw malformed(
        'The query cannot be read: is a quotation mark left open, does a number run into letters, or is there a sign other than = != < > <= >= ( ) ,? ' +
          'To search for words, leave out operators and quotation marks.',
      );
    }
    this.#tokens = tokens;
    this.#allowed = allowed;
    this.#work = work;
    this.#options = options;
  }

  parse(): Test {
    const test = this.#either(0);
    if (this.#at < this.#tokens.length) {
      throw malformed(`The query goes on where it should end${position(this.#tokens, this.#at)}.`);
    }
    return test;
  }

  #either(depth: number): Test {
    const parts = [this.#both(depth)];
    while (this.#takeWord('OR')) parts.push(this.#both(depth));
    return joined(parts, true);
  }

  #both(depth: number): Test {
    const parts = [this.#one(depth)];
    while (this.#takeWord('AND')) parts.push(this.#one(depth));
    return joined(parts, false);
  }

  #one(depth: number): Test {
    if (depth > MAX_DEPTH) throw malformed(`A query has at most ${MAX_DEPTH} levels.`);
    if (this.#takeWord('NOT')) {
      const part = this.#one(depth + 1);
      return (values, row) => {
        const is = part(values, row);
        return is === undefined ? undefined : !is;
      };
    }
    if (this.#tokens[this.#at]?.type !== 'open') return this.#comparison(depth);
    this.#at++;
    const part = this.#either(depth + 1);
    this.#take('close', 'a closing parenthesis');
    return part;
  }

  #comparison(depth: number): Test {
    const operand = this.#operand(depth);
    if (operand.isConstant) {
      throw malformed(`A comparison begins with a column, not with “${operand.name.slice(0, 40)}”.`);
    }
    if (this.#takeWord('IS')) return this.#is(operand);
    const not = this.#takeWord('NOT') ? 'NOT ' : '';
    if (this.#takeWord('LIKE') || this.#takeWord('ILIKE')) {
      const pattern = literalOperand(this.#take('string', 'a text in quotation marks'));
      return this.#compare(operand, `${not}LIKE`, [pattern]);
    }
    if (this.#takeWord('IN')) return this.#compare(operand, `${not}IN`, this.#list(depth));
    if (this.#takeWord('BETWEEN')) {
      const least = this.#operand(depth);
      if (!this.#takeWord('AND')) throw malformed('BETWEEN is followed by two values with AND between them.');
      return this.#compare(operand, `${not}BETWEEN`, [least, this.#operand(depth)]);
    }
    if (not !== '') throw malformed('NOT is followed by LIKE, IN or BETWEEN here.');
    const operator = this.#take('operator', 'an operator such as =');
    return this.#compare(operand, operator, [this.#operand(depth)]);
  }

  /** What follows IS: NULL, and of a yes-no column also TRUE and FALSE. */
  #is(operand: Operand): Test {
    const isNegated = this.#takeWord('NOT');
    if (this.#takeWord('NULL')) return this.#compare(operand, isNegated ? 'IS NOT NULL' : 'IS NULL', []);
    const value = this.#takeWord('TRUE')
      ? CONSTANTS.TRUE
      : this.#takeWord('FALSE')
        ? CONSTANTS.FALSE
        : undefined;
    if (!value || operand.kind !== 'Bool') {
      throw malformed('IS is followed by NULL or NOT NULL, and for a yes-no column also by TRUE or FALSE.');
    }
    return this.#compare(operand, isNegated ? '!=' : '=', [value]);
  }

  /** One comparison. In the scope `compose` it says nothing of a row that lacks the value; of yes and no, none is no. */
  #compare(operand: Operand, operator: string, wanted: readonly Operand[]): Test {
    if (operand.kind !== 'Bool' && wanted.some((one) => one === CONSTANTS.TRUE || one === CONSTANTS.FALSE)) {
      throw malformed(
        `Only a yes-no column is compared with TRUE and FALSE, and “${operand.name.slice(0, 80)}” is none.`,
      );
    }
    const fits = createComparison(operand, operator, wanted, this.#work);
    const isAlwaysKnown = this.#options.scope !== 'compose' || operand.kind === 'Bool';
    if (isAlwaysKnown || looksForEmpty(operator, wanted)) return fits;
    return (values, row) =>
      operand.texts(values, row).some((text) => text !== '') ? fits(values, row) : undefined;
  }

  /** Values in parentheses with commas between them; none in `()`. */
  #list(depth: number): readonly Operand[] {
    this.#take('open', 'an opening parenthesis');
    const operands: Operand[] = [];
    if (this.#tokens[this.#at]?.type === 'close') {
      this.#at++;
      return operands;
    }
    do {
      if (operands.length >= MAX_VALUES) throw malformed(`A query lists at most ${MAX_VALUES} values.`);
      operands.push(this.#operand(depth));
    } while (this.#takeType('comma'));
    this.#take('close', 'a closing parenthesis');
    return operands;
  }

  /** A value, a column, a member of the row, or a function of these. */
  #operand(depth: number): Operand {
    if (depth > MAX_DEPTH) throw malformed(`A query has at most ${MAX_DEPTH} levels.`);
    const token = this.#tokens[this.#at++];
    if (token?.type === 'string') return literalOperand(token.text);
    if (token?.type === 'number') return literalOperand(token.text, true);
    if (token?.type !== 'word') {
      throw malformed('The query lacks a value: write texts in quotation marks, numbers as they are.');
    }
    if (this.#tokens[this.#at]?.type === 'open') return this.#function(token.text, depth + 1);
    const isColumn = this.#allowed.some(({ name }) => name === token.text);
    if (!isColumn) {
      const constant = CONSTANTS[token.text.toUpperCase()];
      if (constant) return constant;
      if (KEYWORDS.test(token.text))
        throw malformed(`The query has “${token.text}” where a column or value is needed.`);
    }
    return namedOperand(token.text, this.#allowed, this.#options.scope ?? 'feed');
  }

  #function(name: string, depth: number): Operand {
    const { now } = this.#options;
    if (now === undefined && name.toUpperCase() === 'NOW') {
      throw malformed('NOW() cannot be used here: write the date, such as 2026-03-31.');
    }
    assertFunction(name);
    return functionOperand(name, this.#list(depth), now ?? '');
  }

  #isWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.type === 'word' && token.text.toUpperCase() === word;
  }

  #takeWord(word: string): boolean {
    const found = this.#isWord(word);
    if (found) this.#at++;
    return found;
  }

  #takeType(type: Token['type']): boolean {
    const isFound = this.#tokens[this.#at]?.type === type;
    if (isFound) this.#at++;
    return isFound;
  }

  #take(type: Token['type'], what: string): string {
    const token = this.#tokens[this.#at++];
    if (token?.type !== type) {
      throw malformed(`The query lacks ${what}${position(this.#tokens, this.#at - 1)}.`);
    }
    return 'text' in token ? token.text : '';
  }
}

/** One part that is `decisive` decides for all; else one that is not known leaves the whole unknown. */
function joined(parts: readonly Test[], decisive: boolean): Test {
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

/** Keywords of Corteza, which name no column whatever their case. */
const KEYWORDS = /^(?:AND|OR|XOR|NOT|IN|IS|I?LIKE|BETWEEN|INTERVAL)$/i;

const CONSTANTS: Readonly<Record<string, Operand | undefined>> = {
  NULL: literalOperand(undefined),
  TRUE: literalOperand('1', true),
  FALSE: literalOperand('0', true),
};

function position(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token && 'text' in token ? ` at “${token.text.slice(0, 40)}”` : '';
}

function malformed(message: string): Refusal {
  return new Refusal('malformed', 'query.malformed', message);
}
