import { describe, expect, it } from 'vitest';
import { CATALOGUES as SHELL, translationFor } from '../../../main/text/i18n.ts';
import { chooseLanguage, CATALOGUES as WINDOW } from '../../../renderer/text/catalogue.ts';
import { LANGUAGES, type Language } from '../../../server/base/vocabulary.ts';
import { wordingOf, type Message } from '../../../server/words/catalogue.ts';
import { CATALOGUES as NODE } from '../../../server/words/said.ts';

const wordings = (message: Message): string[] =>
  typeof message === 'string' ? [message] : [message.one, message.other];

/** Every text of the window, the node and the shell in a language, with what names it. */
const textsOf = (language: Language): [key: string, text: string][] =>
  Object.entries({ window: WINDOW, node: NODE, shell: SHELL }).flatMap(([place, catalogues]) =>
    Object.entries<Message>(catalogues[language]).flatMap(([key, message]) =>
      wordings(message).map((text): [string, string] => [`${place}: ${key}`, text]),
    ),
  );
const which = (language: Language, wrong: (text: string) => boolean): [key: string, text: string][] =>
  textsOf(language).filter(([, text]) => wrong(text));

describe('every language', () => {
  it.each(LANGUAGES)('has the parts of each text of the window and the shell: %s', (language) => {
    const names = (message: Message): string[] =>
      wordings(message)
        .map((text) =>
          [...new Set(text.match(/\{\w+\}/g))]
            .filter((name) => name !== '{n}')
            .sort()
            .join(),
        )
        .sort();
    for (const [ours, english] of [
      [WINDOW[language], WINDOW.en],
      [SHELL[language], SHELL.en],
    ] as const) {
      const texts: Readonly<Record<string, Message>> = ours;
      const wrong = Object.entries<Message>(english).filter(
        ([key, message]) => names(texts[key] ?? '').join(';') !== names(message).join(';'),
      );
      expect(wrong.map(([key]) => key)).toEqual([]);
    }
  });

  it.each(LANGUAGES)('says no other number than it was given, none at all among them: %s', (language) => {
    const rule = new Intl.PluralRules(language);
    for (const catalogue of [WINDOW, NODE, SHELL])
      for (const [key, message] of Object.entries<Message>(catalogue[language])) {
        if (typeof message === 'string') continue;
        if (rule.select(0) === 'one')
          expect([key, message.one]).toEqual([key, expect.not.stringMatching(/\b1\b/)]);
        // French and Spanish have a form of their own for millions; it is worded as the other numbers are.
        expect(wordingOf(message, language, 1_000_000)).toBe(message.other);
      }
  });

  it.each(LANGUAGES)('is called by its own name in all of them: %s', (language) => {
    const own = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? '';
    for (const other of LANGUAGES)
      expect(WINDOW[other][`settings.language.${language}`]).toBe(
        own.charAt(0).toLocaleUpperCase(language) + own.slice(1),
      );
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
