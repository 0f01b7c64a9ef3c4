import type { Settings } from '../../server/contract/app/settings.ts';
import { LANGUAGES, type Language } from '../../server/words/said.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** How the shell speaks: its texts, and how days and times are written. */
export interface Speech {
  readonly language: Language;
  readonly t: Texts;
  /** BCP 47, with the system's region where that speaks the same language. */
  readonly locale: string;
}

const TEXTS: Readonly<Record<Language, Texts>> = { en, de };

/** The language that the user set, or the system's where it is one of ours, else English. */
export function speechFor(setting: Settings['language'], systemLocale: string): Speech {
  const system = systemLocale.slice(0, 2).toLowerCase();
  const language = setting === 'system' ? system : setting;
  if (!isOurs(language)) return { language: 'en', t: en, locale: 'en' };
  return { language, t: TEXTS[language], locale: system === language ? systemLocale : language };
}

const isOurs = (language: string): language is Language => LANGUAGES.some((ours) => ours === language);
