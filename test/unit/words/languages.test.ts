import { describe, expect, it } from 'vitest';
import { translationFor } from '../../../main/text/i18n.ts';
import { chooseLanguage } from '../../../renderer/text/catalogue.ts';
import { wordings } from '../../../server/words/format-message.ts';
import {
  LANGUAGES,
  NODE_TEXTS,
  SHELL_TEXTS,
  WINDOW_TEXTS,
  type Language,
} from '../../../server/words/messages.ts';

/** Every text of the window, the node and the shell in a language, with its key and plural category. */
const textsOf = (language: Language): [key: string, text: string, category: string][] =>
  Object.entries({ window: WINDOW_TEXTS, node: NODE_TEXTS, shell: SHELL_TEXTS }).flatMap(([section, texts]) =>
    Object.entries<string>(texts[language]).flatMap(([key, message]) =>
      wordings(message).map(([category, text]): [string, string, string] => [
        `${section}: ${key}`,
        text,
        category,
      ]),
    ),
  );
const which = (language: Language, wrong: (text: string) => boolean): [key: string, text: string][] =>
  textsOf(language).flatMap(([key, text]): [string, string][] => (wrong(text) ? [[key, text]] : []));

describe('every language', () => {
  it.each(LANGUAGES)('says no other number than it was given, none at all among them: %s', (language) => {
    const none = new Intl.PluralRules(language).select(0);
    const wrong = textsOf(language).filter(
      ([, text, category]) => category === none && none === 'one' && /\b1\b/.test(text),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['fr-CA', 'fr'],
    ['fr', 'fr'],
    ['es-MX', 'es'],
    ['es-419', 'es'],
    ['DE-at', 'de'],
    ['it-IT', 'en'],
    ['frr-DE', 'en'],
    ['est', 'en'],
    ['', 'en'],
  ] as const)('is found by the region that the system names: %s', (system, language) => {
    expect(chooseLanguage('system', [system])).toBe(language);
    expect(translationFor('system', system).language).toBe(language);
  });
});

describe('texts are set and worded as each language does it', () => {
  /** Without what is typed or called as it stands, in any language. */
  const spoken = (text: string): string => text.replace(/\w+:\/\/\S*|\?\w+=\S*|HH:MM|\d+:\d\S*|[;,|]$/g, '');
  const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

  it('in French: a narrow space that does not break before ; : ! ? » and after «', () => {
    expect(which('fr', (text) => /[^\u202f][;:!?»]|«[^\u202f]/u.test(spoken(text)))).toEqual([]);
    expect(which('fr', (text) => /['"“”„]/.test(text))).toEqual([]);
  });

  it('in French: no word that would lose its vowel before the name of an office', () => {
    expect(
      which('fr', (text) => /(?<!\p{L})(?:de|que|le|la|si) \{(?:partner|name|office|who)/iu.test(text)),
    ).toEqual([]);
  });

  it('in Spanish: ¿ and ¡ in front, « and » around, and nothing before a sign', () => {
    expect(
      which(
        'es',
        (text) => count(text, /¿/g) !== count(spoken(text), /\?/g) || count(text, /¡/g) !== count(text, /!/g),
      ),
    ).toEqual([]);
    expect(
      which(
        'es',
        (text) => count(text, /«/g) !== count(text, /»/g) || /['"“”„]|\s[;:!?»]|«\s/.test(spoken(text)),
      ),
    ).toEqual([]);
  });

  it('in French and Spanish: one word for one thing', () => {
    const others = {
      fr: /\b(?:se |vous )?reli(?:er|ez|é)|jumel|appair|poubelle|sauvegarde de secours/iu,
      es: /asociad[oa]|colaborador|emparej|basura|recuper(?:e|a|ar) una copia|computadora/iu,
    };
    for (const language of ['fr', 'es'] as const)
      expect(which(language, (text) => others[language].test(text))).toEqual([]);
  });

  it('in German: „ and “', () => {
    expect(which('de', (text) => /["«»”]/.test(text))).toEqual([]);
  });
});
