import type { Language } from '../base/vocabulary.ts';

/** A text with `{names}` where parts go; in two wordings where the number `n` among them decides. */
export type Message = string | { readonly one: string; readonly other: string };

/** The same keys in another language; what has two wordings has them there as well. A missing key fails the types. */
export type Translated<Texts> = {
  readonly [K in keyof Texts]: Texts[K] extends string
    ? string
    : { readonly one: string; readonly other: string };
};

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Parts<Text, Value> = [Names<Text>] extends [never] ? [] : [Record<Names<Text>, Value>];

/** What a message has to be given: one value for each of its names, and the number that it is worded by. */
export type Filling<M, Value> = M extends { readonly other: infer Other }
  ? [Record<Exclude<Names<Other>, 'n'>, Value> & Record<'n', number>]
  : Parts<M, Value>;

/** They are dear to make. */
const plurals = new Map<Language, Intl.PluralRules>();

/** The wording for a number, by the language's own rule; the other one where there is no number. */
export function wordingOf(message: Message, language: Language, n: unknown): string {
  if (typeof message === 'string') return message;
  const rule = plurals.get(language) ?? new Intl.PluralRules(language);
  plurals.set(language, rule);
  return typeof n === 'number' && rule.select(n) === 'one' ? message.one : message.other;
}

/** A text with its parts in their places; what has no part stays as it stands. */
export function filled(text: string, part: (name: string) => string | undefined): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => part(name) ?? whole);
}

/** Gives the text of a key in one language, its names filled in; numbers are written as the language writes them. */
export type Translate<Texts> = <K extends keyof Texts>(
  key: K,
  ...filling: Filling<Texts[K], string | number>
) => string;

/** Speaks one language from its texts. */
export function translator<Texts extends Readonly<Record<string, Message>>>(
  texts: Translated<Texts>,
  language: Language,
): Translate<Texts> {
  const numbers = new Intl.NumberFormat(language);
  return (key, ...filling) => {
    const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
    return filled(wordingOf(texts[key], language, values.n), (name) => {
      const value = values[name];
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}
