import { createCipheriv } from 'node:crypto';

export interface OpaqueCursors {
  /** Encrypts a safe integer from 0 to another one; 0 stays 0. */
  readonly encrypt: (number: number) => number;
  /** Decrypts any number to some number, issued or not. */
  readonly decrypt: (sealed: number) => number;
}

const HALF_BITS = 27n;
const HALF = (1n << HALF_BITS) - 1n;
const MAX_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);
const ROUNDS = [0, 1, 2, 3, 4, 5];

/**
 * Returns an encryption of safe integers as safe integers, by a Feistel network with AES: they disclose equality, but
 * no order or distance; 0 stays 0. `key` has 32 bytes and serves nothing else.
 */
export function createOpaqueCursors(key: Buffer): OpaqueCursors {
  // Single, distinct blocks: nothing to chain.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const block = Buffer.alloc(16);

  /** Returns 32 bits that the key, the round and the half determine. */
  function roundFunction(round: number, half: bigint): bigint {
    block.writeUInt32BE(round, 0);
    block.writeUInt32BE(Number(half), 12);
    return BigInt(cipher.update(block).readUInt32BE()) & HALF;
  }

  /** Encrypts by the rounds in order; the reverse order decrypts. */
  function applyRounds(number: bigint, rounds: readonly number[]): bigint {
    let [left, right] = [number >> HALF_BITS, number & HALF];
    for (const round of rounds) [left, right] = [right, left ^ roundFunction(round, right)];
    return (right << HALF_BITS) | left;
  }

  /** Repeats the rounds until the result is a safe integer above 0; 0 stays. */
  function cycleWalk(number: number, rounds: readonly number[]): number {
    if (number === 0) return 0;
    let at = BigInt(number);
    do at = applyRounds(at, rounds);
    while (at === 0n || at > MAX_NUMBER);
    return Number(at);
  }

  const back = ROUNDS.toReversed();
  return { encrypt: (number) => cycleWalk(number, ROUNDS), decrypt: (sealed) => cycleWalk(sealed, back) };
}
