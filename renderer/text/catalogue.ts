import { LANGUAGES, type Language } from '../../server/base/vocabulary.ts';
import { translator, type Translate as Translator } from '../../server/words/format-message.ts';
import { WINDOW_TEXTS, type WindowKey, type WindowParameters } from '../../server/words/messages.ts';

export type { Language };

export type Key = WindowKey;
export type Translate = Translator<Key, WindowParameters<string | number>>;

/** Returns the translator of a language. */
export const createTranslate = (language: Language): Translate =>
  translator(WINDOW_TEXTS[language], language);

/**
 * Returns the language of a setting; for `system` the first of the system's languages that has texts, else English.
 */
export function chooseLanguage(setting: Language | 'system', system: readonly string[]): Language {
  if (setting !== 'system') return setting;
  for (const tag of system) {
    const [base] = tag.toLowerCase().split('-', 1);
    const known = LANGUAGES.find((language) => language === base);
    if (known) return known;
  }
  return 'en';
}
