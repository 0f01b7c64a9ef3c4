import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../server/base/vocabulary.ts';
import { wordings } from '../../../server/words/format-message.ts';
import { NODE_TEXTS } from '../../../server/words/messages.ts';
import { english, joined, moment, said, speak } from '../../../server/words/said.ts';
import { localeOf } from '../../../server/http/listeners/language.ts';
import { readSentences } from '../../support/reading/sentences.ts';

describe('what the node says to people', () => {
  const { codes, bare } = readSentences();

  it('refuses nothing in words that cannot be translated', () => {
    expect(bare).toEqual([]);
  });

  it('has no sentence left over that nothing says', () => {
    expect(codes.size).toBeGreaterThan(300);
    expect(
      Object.keys(NODE_TEXTS.en).filter((code) => !codes.has(code) && code !== 'sentence.joined'),
    ).toEqual([]);
  });

  it('has every wording once: the older ones were found by it', () => {
    const all = Object.values(NODE_TEXTS.en).flatMap((message) => wordings(message).map(([, text]) => text));
    expect(all.filter((text, place) => all.indexOf(text) !== place)).toEqual([]);
  });

  it('fills a sentence with its parts, and with other sentences, in the language of whoever asks', () => {
    const refusal = said('peer.refused', { answer: said('pairing.state-paired') });
    expect(english(refusal)).toBe('Their computer rejected this. Ask them what it means: paired');
    expect(speak(refusal, 'de')).toBe(
      'Der Computer des Partners hat das nicht angenommen. Fragen Sie dort, was das heißt: schon verbunden',
    );
    expect(speak(joined([said('pairing.state-paired'), 'as it came'], ' '), 'de')).toBe(
      'schon verbunden as it came',
    );
  });

  it('words a number by the language’s own rule, and writes it as its region does', () => {
    const sent = (n: number): string[] => [
      english(said('served.sent', { n })),
      speak(said('served.sent', { n }), 'de'),
    ];
    expect(sent(0)).toEqual(['0 rows sent', '0 Zeilen gesendet']);
    expect(sent(1)).toEqual(['1 row sent', '1 Zeile gesendet']);
    expect(sent(14_000)).toEqual(['14,000 rows sent', '14.000 Zeilen gesendet']);
    expect(speak(said('served.sent', { n: 14_000 }), 'de', { region: 'de-CH' })).toMatch(
      /^14['’]000 Zeilen gesendet$/,
    );
  });

  it('puts a million, which French and Spanish count for themselves, among the many', () => {
    for (const language of ['fr', 'es'] as const) {
      expect(new Intl.PluralRules(language).select(1_000_000)).toBe('many');
      expect(speak(said('served.sent', { n: 1_000_000 }), language)).toMatch(
        /(?:lignes envoyées|filas enviadas)$/,
      );
    }
    expect([0, 1, 2].map((n) => speak(said('served.sent', { n }), 'fr'))).toEqual([
      '0 ligne envoyée',
      '1 ligne envoyée',
      '2 lignes envoyées',
    ]);
  });

  it('takes a part for text, whatever is in it', () => {
    expect(english(said('csv.no-such-column', { column: '{n} {column}' }))).toBe(
      'There is no column “{n} {column}”. Choose another one.',
    );
  });

  it('survives being stored', () => {
    const words = said('pairing.out-of-order', { state: said('pairing.state-paired') });
    const stored: unknown = JSON.parse(JSON.stringify(words));
    expect(stored).toEqual(words);
  });

  it('says what an older version stored by its English text in the language of whoever asks', () => {
    const older = {
      say: '{0} ended the connection and asks you to remove the {1} rows that came from them.',
      with: ['Bergen', 3],
    };
    const now = said('inbox.remove-rows', { partner: 'Bergen', n: 3 });
    for (const language of LANGUAGES) expect(speak(older, language)).toBe(speak(now, language));
    const one = { say: '1 change is on its way to {0}.', with: ['Bergen'] };
    const oneNow = said('state.on-their-way', { n: 1, partner: 'Bergen' });
    for (const language of LANGUAGES) expect(speak(one, language)).toBe(speak(oneNow, language));
  });

  it('leaves a text as it was that no sentence of today stands for', () => {
    expect(speak({ say: 'Worded anew since, {0}.', with: ['Bergen'] }, 'de')).toBe(
      'Worded anew since, Bergen.',
    );
    expect(speak('Stored long ago.', 'de')).toBe('Stored long ago.');
  });
});

describe('a time in a sentence', () => {
  const at = new Date(2031, 4, 7, 14, 5).toISOString();
  const words = said('state.last-asked', { partner: 'Bergen', since: moment(at, Date.parse(at)) });

  it('is written as the window writes its own: by the region that it names', () => {
    expect(speak(words, 'en', { region: 'en-GB' })).toBe('Bergen last checked at 14:05.');
    expect(speak(words, 'en', { region: 'en-US' })).toMatch(/^Bergen last checked at 2:05\sPM\.$/);
  });

  it.each([
    ['en-GB', 'en-GB'],
    ['en-GB,en;q=0.9', 'en-GB'],
    ['de-AT', 'de-AT'],
    ['en', 'en'],
    ['fr-FR', 'fr-FR'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr-CA'],
    ['es-419', 'es-419'],
    ['it-IT,es-MX;q=0.8', 'es-MX'],
    ['frr-DE', 'en'],
    ['ja', 'en'],
    ['en-GB-x-made-up', 'en'],
    ['de-!!', 'de'],
    [undefined, 'en'],
  ])('takes %s for the region %s, and nothing that is none', (header, region) => {
    const get = (name: string): string | undefined => (name === 'accept-language' ? header : undefined);
    expect(localeOf({ get } as Parameters<typeof localeOf>[0])).toEqual({ region });
  });

  it('goes by the clock of the window, also where the node stands in another zone, and by no made-up one', () => {
    const asked = (zone: string): string => {
      const get = (name: string): string => (name === 'x-time-zone' ? zone : 'en-GB');
      return speak(
        said('state.last-asked', { partner: 'Bergen', since: moment(noon, Date.parse(noon)) }),
        'en',
        {
          ...localeOf({ get } as Parameters<typeof localeOf>[0]),
        },
      );
    };
    const noon = '2031-05-07T12:00:00.000Z';
    expect(asked('Europe/Berlin')).toBe('Bergen last checked at 14:00.');
    expect(asked('Asia/Tokyo')).toBe('Bergen last checked at 21:00.');
    expect(asked('Mars/Olympus')).toMatch(/^Bergen last checked at \d\d:\d\d\.$/);
  });
});
