import { de } from './de/index.ts';
import { en, type English } from './en/index.ts';

/** The languages that the window speaks. English is the one the keys and their types come from. */
const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export type Key = keyof English;

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Wording<K extends Key> = English[K] extends { other: infer Other } ? Other : English[K];
type Filling<K extends Key> = [Names<Wording<K>>] extends [never]
  ? []
  : [Record<Names<Wording<K>>, string | number>];

/** Gives the text of a key, its `{names}` filled in; numbers are written as the language writes them. */
export type Translate = <K extends Key>(key: K, ...filling: Filling<K>) => string;

const catalogues: Record<Language, Record<Key, string | { one: string; other: string }>> = { en, de };

/**
 * The text of one language. A text with two wordings is chosen by the number `n`, by the language's own
 * rule. Missing keys and missing fillings do not exist: they fail the type check.
 */
export function createTranslate(language: Language): Translate {
  const catalogue = catalogues[language];
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (key, ...filling) => {
    const values: Record<string, string | number> = filling[0] ?? {};
    const message = catalogue[key];
    const wording =
      typeof message === 'string'
        ? message
        : message[plural.select(Number(values.n)) === 'one' ? 'one' : 'other'];
    return wording.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      return typeof value === 'number' ? number.format(value) : value;
    });
  };
}

/** The language to use for a setting: the system's where it is one of ours, else English. */
export function chooseLanguage(setting: Language | 'system', system: readonly string[]): Language {
  if (setting !== 'system') return setting;
  for (const tag of system) {
    const base = tag.slice(0, 2).toLowerCase();
    const known = LANGUAGES.find((language) => language === base);
    if (known) return known;
  }
  return 'en';
}
