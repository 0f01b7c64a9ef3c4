import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { german } from '../../../server/words/de/index.ts';
import { regionOf } from '../../../server/http/listeners/language.ts';
import { readSentences } from '../../support/sentences.ts';
import { counted, english, joined, moment, said, speak, verbatim } from '../../../server/words/said.ts';

const parts = (text: string): string[] => [...text.matchAll(/\{\d+\}/g)].map(([part]) => part).sort();
const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\d+\}/g, ''));

const SERVER = fileURLToPath(new URL('../../../server', import.meta.url));

describe('what the node says to people', () => {
  const { sentences, bare } = readSentences();
  const wordy = [...sentences].filter(hasWords);

  it('has a German text for every sentence', () => {
    expect(wordy.length).toBeGreaterThan(200);
    expect(wordy.filter((sentence) => german[sentence] === undefined)).toEqual([]);
  });

  it('has the same parts in both languages', () => {
    const wrong = Object.entries(german).filter(
      ([key, text]) => JSON.stringify(parts(key)) !== JSON.stringify(parts(text)),
    );
    expect(wrong).toEqual([]);
  });

  it('refuses nothing in words that cannot be translated', () => {
    expect(bare).toEqual([]);
  });

  it('has no German text left over from a sentence that is gone', () => {
    const code = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('words'))
      .map((file) => readFileSync(join(SERVER, file), 'utf8'))
      .join('\n');
    const left = Object.keys(german).filter((key) => !sentences.has(key) && !code.includes(key));
    expect(left).toEqual([]);
  });

  it('fills a sentence with its parts, and with other sentences, in the language of whoever asks', () => {
    const refusal = said`The partner refused. Ask them about it: ${said`paired`}`;
    expect(english(refusal)).toBe('The partner refused. Ask them about it: paired');
    expect(speak(refusal, 'de')).toBe('Der Partner hat abgelehnt. Fragen Sie dort nach: schon verbunden');
    expect(speak(joined([said`paired`, 'as it came'], ' '), 'de')).toBe('schon verbunden as it came');
    expect(speak(counted(1, said`it is too long`, said`are several values`), 'de')).toBe('sie ist zu lang');
  });

  it('takes a part for text, whatever is in it', () => {
    expect(english(said`There is no column “${'{0} {1}'}”.`)).toBe('There is no column “{0} {1}”.');
  });

  it('says what it knows no translation for in English, and what an older version stored as it is', () => {
    expect(speak(said`Nobody translated this ${1}.`, 'de')).toBe('Nobody translated this 1.');
    expect(speak('Stored long ago.', 'de')).toBe('Stored long ago.');
    expect(speak(verbatim('not connected'), 'de')).toBe('nicht verbunden');
  });

  it('survives being stored', () => {
    const stored: unknown = JSON.parse(
      JSON.stringify(said`This step does not fit now: the partner is ${said`paired`}`),
    );
    expect(stored).toEqual(said`This step does not fit now: the partner is ${said`paired`}`);
  });
});

describe('a time in a sentence', () => {
  const at = new Date(2031, 4, 7, 14, 5).toISOString();
  const words = said`Last asked at ${moment(at, Date.parse(at))}.`;

  it('is written as the window writes its own: by the region that it names', () => {
    expect(speak(words, 'en', 'en-GB')).toBe('Last asked at 14:05.');
    expect(speak(words, 'en', 'en-US')).toMatch(/^Last asked at 2:05\sPM\.$/);
  });

  it.each([
    ['en-GB', 'en-GB'],
    ['en-GB,en;q=0.9', 'en-GB'],
    ['de-AT', 'de-AT'],
    ['en', 'en'],
    ['fr-FR', 'en'],
    ['en-GB-x-made-up', 'en'],
    ['de-!!', 'de'],
    [undefined, 'en'],
  ])('takes %s for the region %s, and nothing that is none', (header, region) => {
    expect(regionOf({ get: () => header } as Parameters<typeof regionOf>[0])).toBe(region);
  });
});
