import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ownWords } from '../../../renderer/state/explain.ts';
import { de } from '../../../renderer/text/de/index.ts';
import { en } from '../../../renderer/text/en/index.ts';
import { german } from '../../../server/words/de/index.ts';
import { jargonIn, saysWhatToDo } from '../../support/plain-words.ts';
import { readSentences } from '../../support/sentences.ts';
import { FOR_SCRIPTS_ONLY, STEP_OF_WINDOW, WITHOUT_STEP } from './without-step.ts';

const RENDERER = fileURLToPath(new URL('../../../renderer', import.meta.url));

type Texts = Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;
const CATALOGUES: readonly [language: 'en' | 'de', Texts][] = [
  ['en', en],
  ['de', de],
];
const wordings = (texts: Texts): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string'
      ? [[key, text]]
      : [
          [key, text.one],
          [key, text.other],
        ],
  );
const textOf = (texts: Texts, key: string): string => {
  const text = texts[key] ?? '';
  return typeof text === 'string' ? text : text.other;
};

/** Every way in which something that went wrong gets onto the screen, found in the window's own code. */
function failurePaths(): { keys: string[]; others: string[] } {
  const keys = new Set(Object.keys(en).filter((key) => key.startsWith('error.')));
  const others: string[] = [];
  for (const file of readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(svelte|ts)$/.test(file)) continue;
    const text = readFileSync(join(RENDERER, file), 'utf8');
    for (const [, argument = ''] of text.matchAll(/notices\.fail\(\s*([^,)]+)/g)) {
      const key = /^(?:app\.)?t\('([^']+)'/.exec(argument.trim())?.[1];
      if (key !== undefined) keys.add(key);
      else if (!argument.startsWith('explain(')) others.push(`${file}: ${argument}`);
    }
    // A message is shown as it came nowhere but where the words for it are chosen.
    if (/\b(?:problem|cause|error)\.message\b/.test(text) && file !== join('state', 'explain.ts'))
      others.push(`${file}: a bare message`);
  }
  return { keys: [...keys], others };
}

describe('every error has a next step', () => {
  const { sentences, thrown, codesForScripts } = readSentences();
  const excused = new Set(Object.values(WITHOUT_STEP).flat());
  const wordy = [...sentences].filter((text) => /\p{L}/u.test(text.replace(/\{\d+\}/g, '')));

  it('in each sentence of the node, in both languages', () => {
    const lacking = wordy
      .filter((text) => !excused.has(text))
      .filter((text) => !saysWhatToDo(text, 'en') || !saysWhatToDo(german[text] ?? '', 'de'));
    expect(lacking).toEqual([]);
  });

  it('and what is excused from it is still said, and is no refusal', () => {
    expect([...excused].filter((text) => !sentences.has(text))).toEqual([]);
    const allowed = [...FOR_SCRIPTS_ONLY, '{0}. And {1} more.'];
    expect([...thrown].filter((text) => excused.has(text) && !allowed.includes(text))).toEqual([]);
    expect(thrown.size).toBeGreaterThan(60);
  });

  it('in the texts of the window that go with reasons', () => {
    for (const [language, texts] of CATALOGUES)
      for (const key of STEP_OF_WINDOW)
        expect([key, saysWhatToDo(textOf(texts, key), language)]).toEqual([key, true]);
  });

  it('where the window itself says what went wrong; nothing else gets onto the screen', () => {
    const { keys, others } = failurePaths();
    expect(others).toEqual([]);
    for (const [language, texts] of CATALOGUES)
      expect(keys.filter((key) => !saysWhatToDo(textOf(texts, key), language))).toEqual([]);
  });

  it('also where the node’s text is for programs: the window says those in its own words', () => {
    const all = [...codesForScripts, 'request.malformed', 'request.not-json', 'request.encoding'];
    expect(all.filter((code) => ownWords(400, code) === undefined)).toEqual([]);
    expect(ownWords(500, 'window.unexpected')).toBe('error.unknown');
    expect(ownWords(422, 'row.values')).toBeUndefined();
  });
});

describe('nothing on the screen needs a programmer', () => {
  it('in the sentences of the node', () => {
    const shown = Object.entries(german).filter(([text]) => !FOR_SCRIPTS_ONLY.includes(text));
    const found = shown.flatMap(([english, text]) =>
      [jargonIn(english, 'en'), jargonIn(text, 'de')]
        .filter((word) => word !== undefined)
        .map((w) => [w, english]),
    );
    expect(found).toEqual([]);
  });

  it.each(CATALOGUES)('in the texts of the window: %s', (language, texts) => {
    expect(wordings(texts).filter(([, text]) => jargonIn(text, language) !== undefined)).toEqual([]);
  });
});
