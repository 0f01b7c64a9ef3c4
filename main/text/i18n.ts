import type { Settings } from '../../server/contract/app/settings.ts';
import { LANGUAGES, type Language } from '../../server/base/vocabulary.ts';
import { translator, type Translate } from '../../server/words/format-message.ts';
import { SHELL_TEXTS, type ShellKey, type ShellParameters } from '../../server/words/messages.ts';

export type Texts = Translate<ShellKey, Parameters>;
type Parameters = ShellParameters<string | number>;

export interface Translation {
  readonly language: Language;
  readonly t: Texts;
  /** BCP 47, for days and times: the system's, if of this language. */
  readonly locale: string;
}

const translators = new Map<Language, Texts>();

/** Returns a language's translator, the same object each time. */
export function textsIn(language: Language): Texts {
  const texts =
    translators.get(language) ?? translator<ShellKey, Parameters>(SHELL_TEXTS[language], language);
  translators.set(language, texts);
  return texts;
}

/**
 * Returns texts and locale for the user's setting, or the system's language for `system`; English if we lack it. The
 * locale is the system's own if it is of that language.
 */
export function translationFor(setting: Settings['language'], systemLocale: string): Translation {
  const [system = ''] = systemLocale.toLowerCase().split('-', 1);
  const language = setting === 'system' ? system : setting;
  if (!isOurs(language)) return { language: 'en', t: textsIn('en'), locale: 'en' };
  return { language, t: textsIn(language), locale: system === language ? systemLocale : language };
}

const isOurs = (language: string): language is Language => LANGUAGES.some((ours) => ours === language);
