import type { Settings } from '../../server/contract/app/settings.ts';
import { LANGUAGES, type Language } from '../../server/base/vocabulary.ts';
import { translator, type Translate, type Translated } from '../../server/words/catalogue.ts';
import { de } from '../../server/words/de/shell.ts';
import { en } from '../../server/words/en/shell.ts';
import { es } from '../../server/words/es/shell.ts';
import { fr } from '../../server/words/fr/shell.ts';

/** Translates a key of the shell's texts. */
export type Texts = Translate<typeof en>;

/** The shell's language: its texts, and how days and times are written. */
export interface Translation {
  readonly language: Language;
  readonly t: Texts;
  /** BCP 47, with the system's region if that has the same language. */
  readonly locale: string;
}

/** Every text of the shell, by language. */
export const CATALOGUES: Readonly<Record<Language, Translated<typeof en>>> = { en, de, fr, es };

const speaking = (language: Language): Texts => translator<typeof en>(CATALOGUES[language], language);

/** The shell's translators, by language. */
export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: speaking('en'),
  de: speaking('de'),
  fr: speaking('fr'),
  es: speaking('es'),
};

/** Returns the language that the user set, or the system's if it is one of ours, else English. */
export function translationFor(setting: Settings['language'], systemLocale: string): Translation {
  const [system = ''] = systemLocale.toLowerCase().split('-', 1);
  const language = setting === 'system' ? system : setting;
  if (!isOurs(language)) return { language: 'en', t: TEXTS.en, locale: 'en' };
  return { language, t: TEXTS[language], locale: system === language ? systemLocale : language };
}

const isOurs = (language: string): language is Language => LANGUAGES.some((ours) => ours === language);
