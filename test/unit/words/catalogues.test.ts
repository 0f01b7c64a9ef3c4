import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messagesModule, WORDS } from '../../../scripts/words.ts';
import { formatMessage, parseMessage, wordings } from '../../../server/words/format-message.ts';
import { LANGUAGES, type Language } from '../../../server/words/messages.ts';

const catalogue = z.record(z.string(), z.record(z.string(), z.string()));

/** The messages of a language file, by section and key. */
async function messagesIn(language: string): Promise<Map<string, string>> {
  const sections = catalogue.parse(JSON.parse(await readFile(join(WORDS, `${language}.json`), 'utf8')));
  return new Map(
    Object.entries(sections).flatMap(([section, texts]) =>
      Object.entries(texts).map(([key, text]): [string, string] => [`${section}: ${key}`, text]),
    ),
  );
}

/** The sets of parameters in the texts of a message. The number may be missing where it is said in words. */
const parametersOf = (message: string): string[] => {
  const sets = wordings(message).map(([, text]) =>
    [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))]
      .filter((name) => name !== 'n')
      .sort()
      .join(),
  );
  return [...new Set(sets)].sort();
};

/** The categories that a language has for whole numbers that occur; those for millions may be left out. */
const categoriesOf = (language: string): string[] => {
  const rules = new Intl.PluralRules(language);
  return [...new Set([...Array.from({ length: 1_000 }, (_, n) => rules.select(n)), 'other'])].sort();
};

describe.each(LANGUAGES)('the file of a language: %s', (language) => {
  let english: Map<string, string>;
  let ours: Map<string, string>;
  beforeAll(async () => {
    [english, ours] = [await messagesIn('en'), await messagesIn(language)];
  });

  it('has the keys of the English one, in the same order', () => {
    expect([...ours.keys()]).toEqual([...english.keys()]);
  });

  it('has the same parameters in every text', () => {
    const wrong = [...ours].filter(
      ([key, message]) => parametersOf(message).join(';') !== parametersOf(english.get(key) ?? '').join(';'),
    );
    expect(wrong).toEqual([]);
  });

  it('has the plural categories that the language has', () => {
    const has = categoriesOf(language);
    const known = new Set<string>(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
    const wrong = [...ours].filter(([key, message]) => {
      const isCounted = wordings(english.get(key) ?? '').length > 1;
      const categories = wordings(message).map(([category]) => category);
      if (!isCounted) return categories.length > 1;
      return (
        has.some((category) => !categories.includes(category)) ||
        categories.some((category) => !known.has(category) && !category.startsWith('='))
      );
    });
    expect(wrong).toEqual([]);
  });
});

describe('the module of the languages', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-words-'));
    for (const name of await readdir(WORDS))
      if (name.endsWith('.json')) await cp(join(WORDS, name), join(folder, name));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is current; `npm run words` writes it', async () => {
    expect(await readFile(join(WORDS, 'messages.ts'), 'utf8')).toBe(await messagesModule(WORDS));
  });

  it('offers a language by its file alone', async () => {
    await cp(join(WORDS, 'en.json'), join(folder, 'it.json'));
    const code = await messagesModule(folder);
    expect(code).toContain("export const LANGUAGES = ['en', 'de', 'es', 'fr', 'it'] as const;");
    expect(code.match(/it: it(?:Node|Window|Shell),/g)).toHaveLength(3);
  });

  it('names file and key of a message that cannot be parsed', async () => {
    const texts = catalogue.parse(JSON.parse(await readFile(join(WORDS, 'en.json'), 'utf8')));
    const node = { ...texts.node, 'state.held': '{n, plural, one {1 row}}' };
    await writeFile(join(folder, 'it.json'), JSON.stringify({ ...texts, node }));
    await expect(messagesModule(folder)).rejects.toThrow('it.json, node, state.held: SyntaxError: Plural');
  });
});

describe('a message', () => {
  const numbers = new Intl.NumberFormat('en');
  const text = (message: string, values: Record<string, string | number>, language = 'en'): string =>
    formatMessage(message, language as Language, values, (value) =>
      typeof value === 'number' ? numbers.format(value) : value,
    );

  it('is chosen by the plural rule of the language, or by the number itself', () => {
    const polish = '{n, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}';
    expect([1, 3, 5, 22, 1_500].map((n) => text(polish, { n }, 'pl'))).toEqual([
      '1 wiersz',
      '3 wiersze',
      '5 wierszy',
      '22 wiersze',
      '1,500 wierszy',
    ]);
    const none = '{n, plural, =0 {No rows from {partner}} one {1 row} other {{n} rows}} today';
    expect([0, 1, 2].map((n) => text(none, { n, partner: 'Bergen' }))).toEqual([
      'No rows from Bergen today',
      '1 row today',
      '2 rows today',
    ]);
  });

  it('falls back to “other” for a category that it does not have', () => {
    const lignes = '{n, plural, one {{n} ligne} other {{n} lignes}}';
    expect(text(lignes, { n: 1_000_000 }, 'fr')).toBe('1,000,000 lignes');
  });

  it('is quoted as ICU does it, and takes values as they are', () => {
    expect(text("Don't write '{name}' or ''{name}'', #1", { name: "{n} 'x" })).toBe(
      "Don't write {name} or '{n} 'x', #1",
    );
    expect(text('From {partner}', {})).toBe('From {partner}');
  });

  it.each([
    'From {partner',
    'From }',
    '{n, plural, one {1 row}}',
    '{n, plural, one {1 row} other {{n} rows}',
    '{n, number}',
    '{kind, select, other {x}}',
  ])('is refused if the syntax is not supported: %s', (message) => {
    expect(() => parseMessage(message)).toThrow(SyntaxError);
  });
});
