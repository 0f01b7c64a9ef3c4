import { createHash, scrypt } from 'node:crypto';
import { WORD_LIST } from './word-list.ts';

/**
 * What both sides know of a complete pairing; `A` is the inviter, `B` the invitee. Hashes are SHA-256 in
 * lower-case hex, certificates by fingerprint.
 */
export interface WordsInput {
  /** Hash of the invite's secret. */
  readonly invite: string;
  /** Hash of the token that this side issued. */
  readonly tokenA: string;
  readonly tokenB: string;
  /** A's certificate from the invite, and B's from its request. */
  readonly certificateA?: string | undefined;
  readonly certificateB?: string | undefined;
  /** A's address from the invite, and B's from its request. */
  readonly addressA: string;
  readonly addressB: string;
  /** Each side's own id of the pair. */
  readonly nodeA: string;
  readonly nodeB: string;
  /** Each side's further routes (`canonicalRoutes`), if both sides know routes; both absent with older versions. */
  readonly routesA?: string | undefined;
  readonly routesB?: string | undefined;
}

/**
 * Returns whether either side has routes, which are then part of the words; otherwise the form of older
 * versions applies.
 */
export const hasRoutes = ({ routesA = '', routesB = '' }: Pick<WordsInput, 'routesA' | 'routesB'>): boolean =>
  routesA !== '' || routesB !== '';

const WORDS = 5;

/**
 * Returns the verification words of a pairing (docs/pairing.md: What is kept, and what it opens): the same
 * five words on both sides, such as `anchor violin husky maple ferry`, to be compared by telephone. A man in
 * the middle brings at least one fact of its own: a token, address or certificate. Facts with the same words
 * must be searched for (40 bits, each try an scrypt of 16 MiB) against words that are fixed: neither side
 * makes a second token.
 */
export async function verificationWords(input: WordsInput): Promise<string> {
  const isRouted = hasRoutes(input);
  const text = JSON.stringify([
    `footbridge verification words ${isRouted ? 3 : 2}`,
    input.invite,
    [
      ...[input.nodeA, input.addressA, input.certificateA ?? '', input.tokenA],
      ...(isRouted ? [input.routesA ?? ''] : []),
    ],
    [
      ...[input.nodeB, input.addressB, input.certificateB ?? '', input.tokenB],
      ...(isRouted ? [input.routesB ?? ''] : []),
    ],
  ]);
  const digest = createHash('sha256').update(text).digest();
  const bytes = await slowHash(digest);
  return Array.from(bytes, (byte) => WORD_LIST[byte]).join(' ');
}

function slowHash(digest: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(digest, 'footbridge words', WORDS, { N: 2 ** 14, r: 8, p: 1 }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
