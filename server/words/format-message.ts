import type { Language } from './messages.ts';

/** Literal text, parameters, and plurals with a message for each category. */
export type Message = readonly (string | Parameter)[];

interface Parameter {
  readonly name: string;
  readonly plural?: Plural;
}

interface Plural {
  readonly other: Message;
  readonly [category: string]: Message;
}

/** An apostrophe quotes only before a brace. */
const LITERAL = /(?:[^{}'#]|''|'(?![{}])|'[{}](?:[^']|'')*'?)+/y;
const COUNT = /#/y;
const ARGUMENT = /\{\s*(\w+)\s*(?:\}|,\s*plural\s*,\s*)/y;
const CATEGORY = /\s*(=\d+|zero|one|two|few|many|other)\s*\{/y;
const END = /\s*\}/y;

const unquote = (text: string): string =>
  text.replace(/''|'([{}](?:[^']|'')*)'?/g, (_, quoted?: string) => quoted?.replaceAll("''", "'") ?? "'");

/**
 * Parses the part of ICU MessageFormat that the catalogues use: `{name}`, `{n, plural, one {…} other {…}}` with `=1`
 * and `#`, quoting with apostrophes. Throws SyntaxError at anything else.
 */
export function parseMessage(text: string): Message {
  let position = 0;
  /** Consumes a token at the present position; null if there is none. */
  const takeToken = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = position;
    const match = token.exec(text);
    position += match?.[0].length ?? 0;
    return match;
  };
  /** Parses up to the end or an unmatched brace. @param counted name of the plural's parameter, for `#` */
  const parseUntilBrace = (counted?: string): Message => {
    const found: (string | Parameter)[] = [];
    for (;;) {
      const literal = takeToken(LITERAL);
      const argument = literal ? null : takeToken(ARGUMENT);
      const name = argument?.[1] ?? '';
      if (literal) found.push(unquote(literal[0]));
      else if (argument)
        found.push(argument[0].endsWith('}') ? { name } : { name, plural: parsePlural(name) });
      else if (takeToken(COUNT)) found.push(counted === undefined ? '#' : { name: counted });
      else return found;
    }
  };
  /** Parses the categories of a plural up to its closing brace. Throws SyntaxError without `other`. */
  const parsePlural = (name: string): Plural => {
    const found: Record<string, Message> = {};
    for (let match = takeToken(CATEGORY); match; match = takeToken(CATEGORY)) {
      found[match[1] ?? ''] = parseUntilBrace(name);
      if (!takeToken(END)) throw new SyntaxError(`A brace is missing after character ${position}: ${text}`);
    }
    const { other } = found;
    if (!other || !takeToken(END)) throw new SyntaxError(`Plural without “other” or end: ${text}`);
    return { ...found, other };
  };
  const whole = parseUntilBrace();
  if (position < text.length) throw new SyntaxError(`Syntax not supported at character ${position}: ${text}`);
  return whole;
}

/** Returns a message as text. `choose` picks a plural's form for a parameter, `write` returns a parameter's text. */
const render = (
  message: Message,
  choose: (plural: Plural, name: string) => Message,
  write: (name: string) => string,
): string =>
  message
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const { name, plural } = piece;
      return plural ? render(choose(plural, name), choose, write) : write(name);
    })
    .join('');

/** Returns a message's text in each plural category that it has, otherwise in `other`. Parameters stay as `{name}`. */
export function wordings(text: string): [category: string, text: string][] {
  const message = parseMessage(text);
  const plurals = message.flatMap((piece) =>
    typeof piece === 'object' && piece.plural ? [piece.plural] : [],
  );
  const categories = new Set(plurals.flatMap((plural) => Object.keys(plural)));
  return [...(categories.size === 0 ? ['other'] : categories)].map((category) => [
    category,
    render(
      message,
      (plural) => plural[category] ?? plural.other,
      (name) => `{${name}}`,
    ),
  ]);
}

const parsed = new Map<string, Message>();
const rules = new Map<Language, Intl.PluralRules>();

/** Returns a message with its parameters filled in by `write`; a missing one stays `{name}`. Throws SyntaxError. */
export function formatMessage<V>(
  text: string,
  language: Language,
  values: Readonly<Record<string, V>>,
  write: (value: V) => string,
): string {
  if (!/[{']/.test(text)) return text;
  const message = parsed.get(text) ?? parseMessage(text);
  parsed.set(text, message);
  /**
   * Returns a plural's message for its parameter's number: an exact `=n` before the plural category; `other` if it is
   * no number.
   */
  const choosePlural = (plural: Plural, name: string): Message => {
    const n = values[name];
    if (typeof n !== 'number') return plural.other;
    const rule = rules.get(language) ?? new Intl.PluralRules(language);
    rules.set(language, rule);
    return plural[`=${n}`] ?? plural[rule.select(n)] ?? plural.other;
  };
  return render(message, choosePlural, (name) => {
    const value = values[name];
    return value === undefined ? `{${name}}` : write(value);
  });
}

/** Arguments after a key: its parameters, or none. */
export type Filling<Key, Parameters> = Key extends keyof Parameters ? [Parameters[Key]] : [];

export type Translate<Key extends string, Parameters> = <K extends Key>(
  key: K,
  ...filling: Filling<K, Parameters>
) => string;

/** Returns a function that returns a key's text with parameters filled in, numbers as the language writes them. */
export function translator<Key extends string, Parameters>(
  texts: Readonly<Record<Key, string>>,
  language: Language,
): Translate<Key, Parameters> {
  let numbers: Intl.NumberFormat | undefined;
  const write = (value: string | number): string =>
    typeof value === 'string' ? value : (numbers ??= new Intl.NumberFormat(language)).format(value);
  return (key, ...filling) => {
    const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
    return formatMessage(texts[key], language, values, write);
  };
}
