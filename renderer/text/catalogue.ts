import { LANGUAGES, type Language } from '../../server/base/vocabulary.ts';
import { translator, type Translate as Speak, type Translated } from '../../server/words/catalogue.ts';
import { de } from '../../server/words/de/window/index.ts';
import { en, type English } from '../../server/words/en/window/index.ts';
import { es } from '../../server/words/es/window/index.ts';
import { fr } from '../../server/words/fr/window/index.ts';

export type { Language };

export type Key = keyof English;
export type Translate = Speak<English>;

/** Texts of the window in each language. */
export const CATALOGUES: Readonly<Record<Language, Translated<English>>> = {
  en,
  de,
  fr,
  es,
};

/** Returns the translator of a language. Missing keys or parameters fail the type check. */
export const createTranslate = (language: Language): Translate =>
  translator<English>(CATALOGUES[language], language);

/** Returns the language of a setting: the system's if available, otherwise English. */
export function chooseLanguage(setting: Language | 'system', system: readonly string[]): Language {
  if (setting !== 'system') return setting;
  for (const tag of system) {
    const [base] = tag.toLowerCase().split('-', 1);
    const known = LANGUAGES.find((language) => language === base);
    if (known) return known;
  }
  return 'en';
}
