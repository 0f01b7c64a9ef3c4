import { createComparison, type Literal } from './comparison.ts';
import { createFinder } from './finder.ts';
import { tokenize, type Token } from './query-tokens.ts';
import { Refusal } from '../../base/refusal.ts';
import { createQueryWork, type QueryWork } from './query-work.ts';
import { fold } from '../values/text.ts';
import type { Predicate, QueryField } from './predicate.ts';

const MAX_LENGTH = 4096;
const MAX_DEPTH = 32;

/**
 * Reads a `query` (docs/interface.md: What a feed tells): comparisons as Compose writes them, joined by AND, OR, NOT
 * and parentheses: `Title = 'x' AND (Amount > 3 OR Note LIKE '%y%') AND City IS NOT NULL`. A text that has no such
 * form is searched for: a row fits when each of its words is part of some value. `!=` and NOT LIKE are the exact
 * opposites of `=` and LIKE, so rows without a value fit them. A multi-value column fits by any value.
 *
 * @param allowed the only columns that are looked at, for either form; `id`, `createdAt` and `updatedAt`   (also
 * spelt `created_at`, …) may be compared as well, unless a column has that name
 * @throws Refusal `malformed` for a comparison that names another column, is broken, too long or too deep
 */
export function parseQuery(text: string, allowed: readonly QueryField[]): Predicate {
  const trimmed = text.trim();
  if (trimmed === '') return () => true;
  if (trimmed.length > MAX_LENGTH) throw malformed(`A query has at most ${MAX_LENGTH} characters.`);
  if (!looksLikeComparison(trimmed)) return createSearch(trimmed, allowed);
  const work = createQueryWork();
  const predicate = new ComparisonsParser(trimmed, allowed, work).parse();
  return (values, times) => {
    work.nextRow();
    return predicate(values, times);
  };
}

const COMPARISON =
  /^(?:[(\s]|NOT\b)*[A-Za-z_][\w.-]*\s*(?:(?:=|!=|<>|<=?|>=?)\s*(?:['"+.\d-]|(?:NULL|TRUE|FALSE)\b)|(?:NOT\s+)?LIKE\s*['"]|IS\s+(?:NOT\s+)?NULL\b)/i;

function looksLikeComparison(text: string): boolean {
  return COMPARISON.test(text);
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

/** Reads comparisons: each rule of how they are written is a method, from {@link ComparisonsParser.parse} down to a value. */
class ComparisonsParser {
  readonly #tokens: readonly Token[];
  readonly #allowed: readonly QueryField[];
  readonly #work: QueryWork;
  #at = 0;

  constructor(text: string, allowed: readonly QueryField[], work: QueryWork) {
    const tokens = tokenize(text);
    if (!tokens) throw malformed('The query cannot be read: is a quotation mark left open?');
    this.#tokens = tokens;
    this.#allowed = allowed;
    this.#work = work;
  }

  parse(): Predicate {
    const predicate = this.#either(0);
    if (this.#at < this.#tokens.length) {
      throw malformed(`The query goes on where it should end${position(this.#tokens, this.#at)}.`);
    }
    return predicate;
  }

  #either(depth: number): Predicate {
    const parts = [this.#both(depth)];
    while (this.#takeWord('OR')) parts.push(this.#both(depth));
    return parts.length === 1 && parts[0]
      ? parts[0]
      : (values, times) => parts.some((part) => part(values, times));
  }

  #both(depth: number): Predicate {
    const parts = [this.#one(depth)];
    while (this.#takeWord('AND')) parts.push(this.#one(depth));
    return parts.length === 1 && parts[0]
      ? parts[0]
      : (values, times) => parts.every((part) => part(values, times));
  }

  #one(depth: number): Predicate {
    if (depth > MAX_DEPTH) throw malformed(`A query has at most ${MAX_DEPTH} levels.`);
    if (this.#takeWord('NOT')) {
      const part = this.#one(depth + 1);
      return (values, times) => !part(values, times);
    }
    if (this.#tokens[this.#at]?.type !== 'open') return this.#comparison();
    this.#at++;
    const part = this.#either(depth + 1);
    this.#take('close', 'a closing parenthesis');
    return part;
  }

  #comparison(): Predicate {
    const name = this.#take('word', 'the name of a column');
    if (this.#takeWord('IS')) {
      const negated = this.#takeWord('NOT');
      if (!this.#takeWord('NULL')) throw malformed('IS is followed by NULL or NOT NULL.');
      return this.#compare(name, negated ? 'IS NOT NULL' : 'IS NULL', undefined);
    }
    const negated = this.#takeWord('NOT');
    if (negated || this.#isWord('LIKE')) {
      if (!this.#takeWord('LIKE')) throw malformed('NOT is followed by LIKE here.');
      const pattern = { text: this.#take('string', 'a text in quotation marks'), isNumber: false };
      return this.#compare(name, negated ? 'NOT LIKE' : 'LIKE', pattern);
    }
    return this.#compare(name, this.#take('operator', 'an operator such as ='), this.#literal());
  }

  #literal(): Literal {
    if (this.#takeWord('NULL')) return undefined;
    if (this.#takeWord('TRUE')) return { text: '1', isNumber: true };
    if (this.#takeWord('FALSE')) return { text: '0', isNumber: true };
    const token = this.#tokens[this.#at++];
    if (token?.type === 'string' || token?.type === 'number') {
      return { text: token.text, isNumber: token.type === 'number' };
    }
    throw malformed('The query lacks a value: write texts in quotation marks, numbers as they are.');
  }

  #compare(name: string, operator: string, literal: Literal): Predicate {
    return createComparison(name, operator, literal, this.#allowed, this.#work);
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

  #take(type: Token['type'], what: string): string {
    const token = this.#tokens[this.#at++];
    if (token?.type !== type) {
      throw malformed(`The query lacks ${what}${position(this.#tokens, this.#at - 1)}.`);
    }
    return 'text' in token ? token.text : '';
  }
}

function position(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token && 'text' in token ? ` at “${token.text.slice(0, 40)}”` : '';
}

function malformed(message: string): Refusal {
  return new Refusal('malformed', 'query.malformed', message);
}
