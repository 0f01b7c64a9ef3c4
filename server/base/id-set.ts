import { randomBytes } from 'node:crypto';

/** A set of ids: decimal texts of numbers below 2^64. */
export interface IDSet {
  add(id: string): void;
  has(id: string): boolean;
}

const FIRST_BITS = 10;
const MIXING_FACTOR = 0x94d049bb133111ebn;

/**
 * Returns an empty set of whole numbers as texts, which takes 16 to 32 bytes per id, so that it can hold those of
 * millions of rows.
 */
export function createIDSet(): IDSet {
  // Random: nobody can choose colliding ids.
  const factor = randomBytes(8).readBigUInt64BE() | 1n;
  let bits = FIRST_BITS;
  // Open addressing; 0 is a free slot, so id 0 is separate.
  let slots = new BigUint64Array(2 ** bits);
  let used = 0;
  let hasZero = false;

  /** Returns the slot with the number, or the free one for it. */
  function slotOf(number: bigint): number {
    // One multiplication would cluster consecutive ids for some factors.
    const product = BigInt.asUintN(64, number * factor);
    const mixed = BigInt.asUintN(64, (product ^ (product >> 32n)) * MIXING_FACTOR);
    let at = Number(mixed >> BigInt(64 - bits));
    while (slots[at] !== 0n && slots[at] !== number) at = (at + 1) % slots.length;
    return at;
  }

  /** Doubles the slots and inserts all numbers again. */
  function growTable(): void {
    const smaller = slots;
    slots = new BigUint64Array(2 ** ++bits);
    for (const number of smaller) if (number !== 0n) slots[slotOf(number)] = number;
  }

  return {
    /** Adds an id; ignores one that is present. Throws SyntaxError unless it is a whole number. */
    add(id) {
      const number = BigInt(id);
      if (number === 0n) {
        hasZero = true;
        return;
      }
      const at = slotOf(number);
      if (slots[at] === number) return;
      slots[at] = number;
      if (++used * 2 > slots.length) growTable();
    },
    /** Returns whether the id was added. Throws SyntaxError unless it is a whole number. */
    has(id) {
      const number = BigInt(id);
      return number === 0n ? hasZero : slots[slotOf(number)] === number;
    },
  };
}
