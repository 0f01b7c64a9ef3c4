import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockOf,
  blocksFor,
  createBlockSums,
  differingBlocks,
  differingRows,
  MAX_BLOCKS,
  rowDigest,
  type BlockDigest,
} from '../../../server/federation/sharing/digest.ts';
import type { Values } from '../../../server/lists/definitions/model.ts';

const FIELDS = ['City', 'Name', 'Tags'];
const values = fc.dictionary(fc.constantFrom(...FIELDS), fc.array(fc.string(), { maxLength: 3 }));
const rows = fc.dictionary(fc.bigInt(1n, 2n ** 64n - 1n).map(String), values, { maxKeys: 60 });

function sum(list: Record<string, Values>, blocks: number, order = Object.keys(list)): BlockDigest[] {
  const sums = createBlockSums(blocks);
  for (const recordID of order) sums.add(recordID, rowDigest(recordID, list[recordID]!, FIELDS));
  return sums.result();
}

function inBlock(list: Record<string, Values>, block: number, blocks: number): Map<string, string> {
  return new Map(
    Object.entries(list)
      .filter(([recordID]) => blockOf(recordID, blocks) === block)
      .map(([recordID, row]) => [recordID, rowDigest(recordID, row, FIELDS)]),
  );
}

const tidy = (row: Values): string =>
  JSON.stringify(FIELDS.map((name) => (row[name]?.length ? row[name] : null)));

describe('the digest of a row', () => {
  it('stays the same in every version, as two versions must agree on it', () => {
    expect(rowDigest('42', { Name: ['Ada'], Tags: ['a', 'b'] }, FIELDS)).toBe(
      '4b63317b458efa05360a3a749eeb9560',
    );
  });

  it('is equal exactly when id and values are', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const same = rowDigest('1', one, FIELDS) === rowDigest('1', other, FIELDS);
        expect(same).toBe(tidy(one) === tidy(other));
      }),
    );
    expect(rowDigest('1', {}, FIELDS)).not.toBe(rowDigest('2', {}, FIELDS));
  });

  it('does not depend on the order of columns, nor on columns outside of the choice', () => {
    const row = { City: ['Bern'], Name: ['Ada'], Secret: ['x'] };
    expect(rowDigest('1', row, ['Name', 'City'])).toBe(
      rowDigest('1', { ...row, Secret: ['y'] }, ['City', 'Name']),
    );
  });

  it('tells values that would read alike when joined', () => {
    const digests = [{ Tags: ['a', 'b'] }, { Tags: ['a,b'] }, { Tags: ['ab'] }, { Tags: ['b', 'a'] }].map(
      (row) => rowDigest('1', row, FIELDS),
    );
    expect(new Set(digests).size).toBe(4);
  });

  it('H4: a column called __proto__ or constructor is a column like any other', () => {
    expect(rowDigest('1', {}, ['constructor'])).toBe(rowDigest('1', {}, ['__proto__']));
  });
});

describe('blocks', () => {
  it('are equal whatever the order of the rows', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (list, blocks) => {
        expect(sum(list, blocks, Object.keys(list).reverse())).toEqual(sum(list, blocks));
      }),
    );
  });

  it('lead to every difference and to nothing else', () => {
    fc.assert(
      fc.property(rows, rows, rows, fc.integer({ min: 1, max: 9 }), (both, mine, theirs, blocks) => {
        const [ours, others] = [
          { ...both, ...mine },
          { ...both, ...theirs },
        ];
        const found = differingBlocks(sum(ours, blocks), sum(others, blocks)).flatMap((block) =>
          differingRows(inBlock(ours, block, blocks), inBlock(others, block, blocks)),
        );
        const expected = [...new Set([...Object.keys(ours), ...Object.keys(others)])].flatMap((recordID) => {
          const [own, other] = [ours[recordID], others[recordID]];
          if (!own) return [`${recordID} missing-here`];
          if (!other) return [`${recordID} missing-there`];
          return tidy(own) === tidy(other) ? [] : [`${recordID} values`];
        });
        expect(found.map(({ recordID, difference }) => `${recordID} ${difference}`).sort()).toEqual(
          expected.sort(),
        );
      }),
    );
  });

  it('spread rows evenly, whose ids all begin alike', () => {
    const counts = new Array<number>(64).fill(0);
    for (let at = 0; at < 64 * 128; at++) counts[blockOf(String(10n ** 18n + BigInt(at)), 64)]!++;
    expect(Math.max(...counts)).toBeLessThan(2 * 128);
    expect(Math.min(...counts)).toBeGreaterThan(64);
  });

  it('are as many as the list is long, within bounds', () => {
    expect([0, 1, 128, 129, 50_000, 10 ** 9].map(blocksFor)).toEqual([1, 1, 1, 2, 391, MAX_BLOCKS]);
  });
});
