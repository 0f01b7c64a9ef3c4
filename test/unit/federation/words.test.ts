import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WORD_LIST } from '../../../server/federation/word-list.ts';
import { verificationWords, type WordsInput } from '../../../server/federation/words.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const facts: WordsInput = {
  invite: hash('invite'),
  certificate: hash('certificate'),
  tokenA: hash('token of A'),
  tokenB: hash('token of B'),
};

describe('verification words', () => {
  it('are five words of the list, the same for the same facts', async () => {
    const words = (await verificationWords(facts)).split(' ');
    expect(words).toHaveLength(5);
    for (const word of words) expect(WORD_LIST).toContain(word);
    expect(await verificationWords({ ...facts })).toBe(words.join(' '));
  });

  it('stay the same in every version, as two versions must agree on them', async () => {
    expect(await verificationWords(facts)).toBe('parrot caravan radish whistle candle');
  });

  it.each([
    ['another invite', { invite: hash('other') }],
    ['another certificate, as somebody in between would show', { certificate: hash('other') }],
    ['no certificate', { certificate: undefined }],
    ['another token of the inviter', { tokenA: hash('other') }],
    ['another token of the invited', { tokenB: hash('other') }],
    ['tokens that changed sides', { tokenA: facts.tokenB, tokenB: facts.tokenA }],
  ])('differ with %s', async (_name, change) => {
    expect(await verificationWords({ ...facts, ...change })).not.toBe(await verificationWords(facts));
  });
});

/** Single-letter changes between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

describe('the list of words', () => {
  it('has one for each byte, of 4 to 10 plain letters', () => {
    expect(WORD_LIST).toHaveLength(256);
    for (const word of WORD_LIST) expect(word).toMatch(/^[a-z]{4,10}$/);
  });

  it('has no two that begin alike or are one letter apart', () => {
    expect(new Set(WORD_LIST.map((word) => word.slice(0, 3))).size).toBe(256);
    const alike = WORD_LIST.flatMap((word, at) =>
      WORD_LIST.slice(at + 1).flatMap((other) => (distance(word, other) < 2 ? [`${word} ${other}`] : [])),
    );
    expect(alike).toEqual([]);
  });
});
