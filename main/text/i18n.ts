import type { Settings } from '../../server/contract/app/settings.ts';
import { LANGUAGES, type Language } from '../../server/base/vocabulary.ts';
import { translator, type Translate } from '../../server/words/format-message.ts';
import { SHELL_TEXTS, type ShellKey, type ShellParameters } from '../../server/words/messages.ts';

/** Translates a key of the shell's texts. */
export type Texts = Translate<ShellKey, Parameters>;
type Parameters = ShellParameters<string | number>;

/** The shell's language: its texts, and how days and times are written. */
export interface Translation {
  readonly language: Language;
  readonly t: Texts;
  /** BCP 47, with the system's region if that has the same language. */
  readonly locale: string;
}

const translators = new Map<Language, Texts>();

/** Returns the shell's translator of a language, always the same one. */
export function textsIn(language: Language): Texts {
  const texts =
    translators.get(language) ?? translator<ShellKey, Parameters>(SHELL_TEXTS[language], language);
  translators.set(language, texts);
  return texts;
}

/**
 * Returns the translation for the language that the user set, by default the system's; English if it isn't one of
 * ours.
 */
export function translationFor(setting: Settings['language'], systemLocale: string): Translation {
  const [system = ''] = systemLocale.toLowerCase().split('-', 1);
  const language = setting === 'system' ? system : setting;
  if (!isOurs(language)) return { language: 'en', t: textsIn('en'), locale: 'en' };
  return { language, t: textsIn(language), locale: system === language ? systemLocale : language };
}

/** Returns whether there are texts in the language. */
const isOurs = (language: string): language is Language => LANGUAGES.some((ours) => ours === language);
