import type { Settings } from '../../server/contract/app.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** How the shell speaks: its texts, and how days and times are written. */
export interface Speech {
  readonly t: Texts;
  /** BCP 47, with the system's region where that speaks the same language. */
  readonly locale: string;
}

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de };

/** The language that the user set, or the system's where it is one of ours, else English. */
export function speechFor(setting: Settings['language'], systemLocale: string): Speech {
  const system = systemLocale.slice(0, 2).toLowerCase();
  const language = setting === 'system' ? system : setting;
  const t = LANGUAGES[language];
  if (!t) return { t: en, locale: 'en' };
  return { t, locale: system === language ? systemLocale : language };
}
