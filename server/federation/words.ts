import { createHash, scrypt } from 'node:crypto';
import { WORD_LIST } from './word-list.ts';

/** What both sides know once a pairing is complete, and nobody else. Hashes are SHA-256 in lower-case hex. */
export interface WordsInput {
  /** Of the invite's secret. */
  readonly invite: string;
  /** Of the token that the inviter (node A) issued. */
  readonly tokenA: string;
  /** Of the token that the invitee (node B) issued. */
  readonly tokenB: string;
  /** Fingerprint of the inviter's certificate, as it stood in the invite. */
  readonly certificate?: string | undefined;
}

const WORDS = 5;

/**
 * The verification words of a pairing (design §6): the same five words on both sides, such as
 * `anchor violin husky maple ferry`, to be compared by telephone. Somebody in between would have to bring
 * facts of their own, and finding some that give the same words is made slow: 40 bits, each try an scrypt of
 * 16 MiB. They speak for the certificate as well, so that an invite which was exchanged on its way shows.
 */
export async function verificationWords(input: WordsInput): Promise<string> {
  const text = JSON.stringify([
    'footbridge verification words 1',
    input.invite,
    input.certificate ?? '',
    input.tokenA,
    input.tokenB,
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
