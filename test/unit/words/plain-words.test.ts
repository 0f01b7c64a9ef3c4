import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ownWords } from '../../../renderer/state/notices.svelte.ts';
import { wordings as wordingsOf } from '../../../server/words/format-message.ts';
import { LANGUAGES, NODE_TEXTS, WINDOW_TEXTS, type Language } from '../../../server/words/messages.ts';
import { jargonIn, saysWhatToDo } from '../../support/reading/plain-words.ts';
import { readSentences } from '../../support/reading/sentences.ts';
import { FOR_SCRIPTS_ONLY, STEP_OF_WINDOW, WITHOUT_STEP } from './without-step.ts';

const RENDERER = fileURLToPath(new URL('../../../renderer', import.meta.url));

type Texts = Readonly<Record<string, string>>;
const CATALOGUES = LANGUAGES.map((language): [Language, Texts] => [language, WINDOW_TEXTS[language]]);
const OF_NODE = LANGUAGES.map((language): [Language, Texts] => [language, NODE_TEXTS[language]]);
const wordings = (texts: Texts): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, message]) =>
    wordingsOf(message).map(([, text]): [string, string] => [key, text]),
  );
const textOf = (texts: Texts, key: string): string => wordingsOf(texts[key] ?? '').at(-1)?.[1] ?? '';

/** Every way in which something that went wrong gets onto the screen, found in the window's own code. */
function failurePaths(): { keys: string[]; others: string[] } {
  const keys = new Set(Object.keys(WINDOW_TEXTS.en).filter((key) => key.startsWith('error.')));
  const others: string[] = [];
  for (const file of readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(svelte|ts)$/.test(file)) continue;
    const text = readFileSync(join(RENDERER, file), 'utf8');
    for (const [, argument = ''] of text.matchAll(/notices\.fail\(\s*([^,)]+)/g)) {
      const key = /^(?:(?:this\.#deps\.)?app\.)?t\('([^']+)'/.exec(argument.trim())?.[1];
      if (key !== undefined) keys.add(key);
      // A refused input keeps the explanation of its refusal.
      else if (!/^(?:this\.)?explain\(|^input\.problem$/.test(argument)) others.push(`${file}: ${argument}`);
    }
    // A message is shown as it came nowhere but where the words for it are chosen.
    if (/\b(?:problem|cause|error)\.message\b/.test(text) && file !== join('state', 'notices.svelte.ts'))
      others.push(`${file}: a bare message`);
  }
  return { keys: [...keys], others };
}

/** What users of a first version were asked about, and could not say what it means. */
const NOT_UNDERSTOOD =
  /is known as|number is missing|^(their|our) number$|offers no safe|sort (up|down)wards|somebody without the right|the partner refused|paused for a while/iu;

describe('no sentence that users did not understand', () => {
  it('stands in the window, or comes from the node', () => {
    const all = [...wordings(WINDOW_TEXTS.en), ...wordings(NODE_TEXTS.en)];
    expect(all.filter(([, text]) => NOT_UNDERSTOOD.test(text))).toEqual([]);
  });
});

describe('every error has a next step', () => {
  const { codes, thrown, codesForScripts } = readSentences();
  const excused = new Set<string>(Object.values(WITHOUT_STEP).flat());

  it.each(OF_NODE)('in each sentence of the node: %s', (language, texts) => {
    const lacking = wordings(texts)
      .filter(([code, text]) => !excused.has(code) && /\p{L}/u.test(text.replace(/\{\w+\}/g, '')))
      .filter(([, text]) => !saysWhatToDo(text, language));
    expect(lacking).toEqual([]);
  });

  it('and what is excused from it is still said, and is no refusal', () => {
    expect([...excused].filter((code) => !codes.has(code))).toEqual([]);
    const allowed: readonly string[] = [...FOR_SCRIPTS_ONLY, 'value.and-more'];
    expect([...thrown].filter((code) => excused.has(code) && !allowed.includes(code))).toEqual([]);
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
  it.each(OF_NODE)('in the sentences of the node: %s', (language, texts) => {
    const forScripts: readonly string[] = FOR_SCRIPTS_ONLY;
    const shown = wordings(texts).filter(([code]) => !forScripts.includes(code));
    expect(shown.filter(([, text]) => jargonIn(text, language) !== undefined)).toEqual([]);
  });

  it.each(CATALOGUES)('in the texts of the window: %s', (language, texts) => {
    expect(wordings(texts).filter(([, text]) => jargonIn(text, language) !== undefined)).toEqual([]);
  });
});

/** Words of networks, which nobody needs to know to connect two offices. */
const OF_NETWORKS =
  /(?<!\p{L})(?:relays?|relais|relés?|routes?|Routen?|rutas?|routers?|routeurs?|enrutador(?:es)?|ports?|puertos?|IP(?:v[46])?|NAT|UPnP|TLS|https?(?!:)|URLs?|hosts?|endpoints?|firewalls?|certificates?|certificats?|certificados?|Zertifikate?s?|fingerprints?|Fingerabdr(?:uck|ücke)|empreintes?|huellas?)(?!\p{L})/iu;

describe('connecting an office needs no word of networks', () => {
  const inWindow = CATALOGUES.map(([language, texts]) => ['window', language, texts] as const);
  const inNode = OF_NODE.map(([language, texts]) => ['node', language, texts] as const);

  it.each([...inWindow, ...inNode])('in what the %s says: %s', (_whose, _language, texts) => {
    const shown = wordings(texts).filter(([key]) => /^(?:add|nearby|pairing|words|invite|peer)\./.test(key));
    expect(shown.length).toBeGreaterThan(50);
    // On its way, not a route.
    const found = shown.filter(([, text]) => OF_NETWORKS.test(text.replace(/\{\w+\}|en route/g, '')));
    expect(found).toEqual([]);
  });
});
