import { describe, expect, it } from 'vitest';
import { createOpaqueCursors } from '../../../server/base/opaque-cursors.ts';
import { seeded } from '../../support/data/seeded.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const keyOf = (word: string): Buffer => Buffer.alloc(32, word);

describe('a sealed number', () => {
  it('opens to what it stands for, whichever that is, and only with its key', () => {
    const random = seeded(41);
    const [mine, other] = [createOpaqueCursors(keyOf('one')), createOpaqueCursors(keyOf('other'))];
    const some = Array.from({ length: 200 }, () => random.below(2 ** 31) * 2 ** random.below(22));
    const all = [...new Set([0, 1, 2, 3, MOST - 1, MOST, 2 ** 52, 2 ** 52 - 1, ...some])];
    const sealed = all.map((number) => mine.encrypt(number));
    expect(new Set(sealed).size).toBe(all.length);
    for (const [at, number] of all.entries()) {
      expect(sealed[at]).toBeLessThanOrEqual(MOST);
      expect(sealed[at]).toBeGreaterThanOrEqual(number === 0 ? 0 : 1);
      expect(mine.decrypt(sealed[at] ?? 0)).toBe(number);
      if (number > 0) expect(other.decrypt(sealed[at] ?? 0)).not.toBe(number);
    }
  });

  it('tells of two neighbours neither which is the later one nor that they are neighbours', () => {
    const { encrypt } = createOpaqueCursors(keyOf('two'));
    const numbers = Array.from({ length: 2000 }, (_, at) => encrypt(at + 1));
    const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0));
    const rising = steps.filter((step) => step > 0).length;
    expect(rising).toBeGreaterThan(900);
    expect(rising).toBeLessThan(1100);
    expect(Math.min(...steps.map(Math.abs))).toBeGreaterThan(2 ** 30);
    // Of any bit, as many are set as by chance.
    for (let bit = 0; bit < 53; bit++) {
      const set = numbers.filter((number) => (BigInt(number) >> BigInt(bit)) & 1n).length;
      expect(set, `bit ${bit}`).toBeGreaterThan(850);
      expect(set, `bit ${bit}`).toBeLessThan(1150);
    }
  });
});
