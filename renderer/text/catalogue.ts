import { LANGUAGES, type Language } from '../../server/base/vocabulary.ts';
import { translator, type Translate as Translator } from '../../server/words/format-message.ts';
import type { WindowKey, WindowParameters } from '../../server/words/messages.ts';

export type { Language };

export type Key = WindowKey;
export type Translate = Translator<Key, WindowParameters<string | number>>;

/** A chunk per language. */
const FILES = import.meta.glob<Readonly<Record<Key, string>>>('../../server/words/*.json', {
  import: 'window',
});

/** Returns the function that translates into the language. Rejects if its texts can't be loaded. */
export async function loadTranslate(language: Language): Promise<Translate> {
  const texts = await FILES[`../../server/words/${language}.json`]?.();
  if (!texts) throw new Error(`There are no texts in ${language}.`);
  return translator<Key, WindowParameters<string | number>>(texts, language);
}

/** Returns the language to use; for `system` the first of the system's languages that has texts, else English. */
export function chooseLanguage(setting: Language | 'system', system: readonly string[]): Language {
  if (setting !== 'system') return setting;
  for (const tag of system) {
    const [base] = tag.toLowerCase().split('-', 1);
    const known = LANGUAGES.find((language) => language === base);
    if (known) return known;
  }
  return 'en';
}
