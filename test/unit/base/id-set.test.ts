import { describe, expect, it } from 'vitest';
import { createIDSet } from '../../../server/base/id-set.ts';
import { processorTime } from '../../support/reading/processor-time.ts';

describe('a set of ids', () => {
  it('has what was added and nothing else, up to the largest ids and beyond its first size', () => {
    const ids = createIDSet();
    const added = ['0', '1', '18446744073709551615', '523396897000000001'];
    for (let number = 0; number < 5000; number++)
      added.push(String(523_396_897_000_000_000n + 7n * BigInt(number)));
    expect(added.slice(0, 3).map((id) => ids.has(id))).toEqual([false, false, false]);
    for (const id of [...added, ...added]) ids.add(id);
    expect(added.every((id) => ids.has(id))).toBe(true);
    expect(['2', '18446744073709551614', '523396897000000002'].some((id) => ids.has(id))).toBe(false);
  });

  it('is quick with ids that differ in their first bits only, or in their last', () => {
    const ids = createIDSet();
    const all = Array.from({ length: 100_000 }, (_, at) =>
      [BigInt(at + 1) << 40n, BigInt(at + 1)].map(String),
    ).flat();
    const took = processorTime(() => {
      for (const id of all) ids.add(id);
      expect(all.every((id) => ids.has(id))).toBe(true);
    });
    expect(took).toBeLessThan(5000);
  });
});
