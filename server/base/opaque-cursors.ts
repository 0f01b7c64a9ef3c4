import { createCipheriv } from 'node:crypto';

/** Encrypted numbers: they disclose only equality, neither order nor distance; 0 stays 0. */
export interface OpaqueCursors {
  /** @param number a safe integer from 0; so is the result */
  readonly encrypt: (number: number) => number;
  /** Every number decrypts to some number; whether it was ever issued is unknown. */
  readonly decrypt: (sealed: number) => number;
}

/** Bits of one half. */
const HALF_BITS = 27n;
const HALF = (1n << HALF_BITS) - 1n;
const MAX_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);
const ROUNDS = [0, 1, 2, 3, 4, 5];

/** Encrypts safe integers as such: a Feistel network with AES. @param key 32 bytes, for this only */
export function createOpaqueCursors(key: Buffer): OpaqueCursors {
  // Single, distinct blocks: nothing to chain.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const block = Buffer.alloc(16);

  /** Returns the round function of the Feistel network for half a number. */
  function roundFunction(round: number, half: bigint): bigint {
    block.writeUInt32BE(round, 0);
    block.writeUInt32BE(Number(half), 12);
    return BigInt(cipher.update(block).readUInt32BE()) & HALF;
  }

  /** Returns the number after these rounds of the Feistel network. */
  function applyRounds(number: bigint, rounds: readonly number[]): bigint {
    let [left, right] = [number >> HALF_BITS, number & HALF];
    for (const round of rounds) [left, right] = [right, left ^ roundFunction(round, right)];
    return (right << HALF_BITS) | left;
  }

  /** Repeats the rounds until the result is a safe integer above 0 (cycle walking). */
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
