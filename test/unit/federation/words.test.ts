import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalRoutes } from '../../../server/base/routes.ts';
import { WORD_LIST } from '../../../server/federation/partners/words.ts';
import { verificationWords, type WordsInput } from '../../../server/federation/partners/words.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const facts: WordsInput = {
  invite: hash('invite'),
  certificateA: hash('certificate of A'),
  certificateB: hash('certificate of B'),
  addressA: 'https://oslo.example/federation',
  addressB: 'https://192.168.1.20:7420/federation',
  nodeA: '459201873645101057',
  nodeB: '459201873645109313',
  tokenA: hash('token of A'),
  tokenB: hash('token of B'),
};

const routes = (...texts: string[]): string => canonicalRoutes({ pin: hash('pin'), texts });

describe('verification words', () => {
  it('are five words of the list, the same for the same facts', async () => {
    const words = (await verificationWords(facts)).split(' ');
    expect(words).toHaveLength(5);
    for (const word of words) expect(WORD_LIST).toContain(word);
    expect(await verificationWords({ ...facts })).toBe(words.join(' '));
  });

  it('stay the same in every version, as two versions must agree on them', async () => {
    expect(await verificationWords(facts)).toBe('vanilla valley cushion autumn coconut');
  });

  it('stay the same with an older version, which knows no routes, and where neither side has any', async () => {
    const words = await verificationWords(facts);
    expect(await verificationWords({ ...facts, routesA: '', routesB: '' })).toBe(words);
  });

  it.each([
    ['routes of the inviter', { routesA: routes('direct:192.168.1.20:7420') }],
    ['routes of the invited', { routesB: routes('direct:192.168.1.20:7420') }],
    ['another route', { routesA: routes('direct:192.168.1.21:7420') }],
    ['another order of routes', { routesA: routes('mapped:11.7.0.11:7420', 'direct:192.168.1.20:7420') }],
    ['another certificate of the routes', { routesA: canonicalRoutes({ pin: hash('o'), texts: ['x'] }) }],
  ])('differ with %s', async (_name, change) => {
    const known = { ...facts, routesA: routes('direct:192.168.1.20:7420', 'mapped:11.7.0.11:7420') };
    const words = await verificationWords(known);
    expect(await verificationWords(facts)).not.toBe(words);
    expect(await verificationWords({ ...known, ...change })).not.toBe(words);
  });

  it.each([
    ['another invite', { invite: hash('other') }],
    [
      'another certificate of the inviter, as somebody in between would show',
      { certificateA: hash('other') },
    ],
    ['no certificate of the inviter', { certificateA: undefined }],
    ['another certificate of the invited', { certificateB: hash('other') }],
    ['no certificate of the invited', { certificateB: undefined }],
    [
      'certificates that changed sides',
      { certificateA: hash('certificate of B'), certificateB: hash('certificate of A') },
    ],
    ['another address of the inviter', { addressA: 'https://oslo.example:444/federation' }],
    ['another address of the invited', { addressB: 'https://192.168.1.21:7420/federation' }],
    ['another id at the inviter', { nodeA: '459201873645101058' }],
    ['another id at the invited', { nodeB: '459201873645109314' }],
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
