import { createCipheriv } from 'node:crypto';

/**
 * Numbers that stand for others and tell nothing of them but whether two are the same: not how great they are, not
 * which is the greater, not how far apart. Whoever has the key opens them again; 0 stands for itself.
 */
export interface SealedNumbers {
  /** @param number a whole one from 0 to the greatest safe one, as is what comes back */
  readonly seal: (number: number) => number;
  /** Any number opens to some other; whether it was ever given out is not known. */
  readonly open: (sealed: number) => number;
}

/** A half of a number. */
const HALF_BITS = 27n;
const HALF = (1n << HALF_BITS) - 1n;
const MOST = BigInt(Number.MAX_SAFE_INTEGER);
const ROUNDS = [0, 1, 2, 3, 4, 5];

/**
 * A Feistel network over two halves with AES in it, gone through again until a number that can be used comes out: what
 * is known to give a permutation that nobody tells from a random one without the key.
 * @param key 32 bytes, for this and nothing else
 */
export function sealedNumbers(key: Buffer): SealedNumbers {
  // One block at a time, each of them another one: there is nothing to chain.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const block = Buffer.alloc(16);

  function mixed(round: number, half: bigint): bigint {
    block.writeUInt32BE(round, 0);
    block.writeUInt32BE(Number(half), 12);
    return BigInt(cipher.update(block).readUInt32BE()) & HALF;
  }

  function through(number: bigint, rounds: readonly number[]): bigint {
    let [left, right] = [number >> HALF_BITS, number & HALF];
    for (const round of rounds) [left, right] = [right, left ^ mixed(round, right)];
    return (right << HALF_BITS) | left;
  }

  /** The way out is the same with the rounds turned around. */
  function walk(number: number, rounds: readonly number[]): number {
    if (number === 0) return 0;
    let at = BigInt(number);
    do at = through(at, rounds);
    while (at === 0n || at > MOST);
    return Number(at);
  }

  const back = ROUNDS.toReversed();
  return { seal: (number) => walk(number, ROUNDS), open: (sealed) => walk(sealed, back) };
}
