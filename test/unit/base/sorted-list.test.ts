import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys, SortedList } from '../../../server/base/sorted-list.ts';

interface Item {
  readonly key: string;
  readonly n: number;
}
const make = (): SortedList<Item, string> =>
  new SortedList<Item, string>(
    ({ key }) => key,
    (item, key) => compareKeys(item.key, key),
  );

describe('sorted blocks', () => {
  it('hold what a plain map holds after any puts and removals, and views show their own moment', () => {
    // Few keys that come often, so that blocks fill, split, empty and merge.
    const step = fc.record({
      kind: fc.constantFrom('put', 'put', 'remove', 'view'),
      from: fc.nat(3000),
      count: fc.nat(700),
      stride: fc.constantFrom(1, 7, 13),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const sorted = make();
        const model = new Map<string, Item>();
        const inOrder = (): Item[] => [...model.values()].sort((a, b) => compareKeys(a.key, b.key));
        const views: [readonly (readonly Item[])[], Item[]][] = [];
        for (const [n, { kind, from, count, stride }] of steps.entries()) {
          if (kind === 'view') views.push([sorted.view(), inOrder()]);
          for (let i = 0; i < count && kind !== 'view'; i++) {
            const key = String((from + i * stride) % 3000);
            if (kind === 'put') {
              expect(sorted.put({ key, n })).toEqual(model.get(key));
              model.set(key, { key, n });
            } else {
              expect(sorted.remove(key)).toEqual(model.get(key));
              model.delete(key);
            }
          }
        }
        const expected = inOrder();
        expect(sorted.size()).toBe(expected.length);
        expect(sorted.takeFrom(() => false, Infinity)).toEqual(expected);
        expect(sorted.takeBackFrom(() => true, Infinity)).toEqual(expected.toReversed());
        for (const { key, n } of expected.slice(0, 50)) expect(sorted.get(key)).toEqual({ key, n });
        expect(expected.map((_, place) => sorted.at(place))).toEqual(expected);
        expect(sorted.at(expected.length)).toBeUndefined();
        expect(sorted.get('none')).toBeUndefined();
        for (const [view, then] of views) expect(view.flat()).toEqual(then);
      }),
      { numRuns: 60 },
    );
  });

  it('keep few blocks however much was removed', () => {
    const sorted = make();
    for (let i = 0; i < 20_000; i++) sorted.put({ key: String(i), n: i });
    for (let i = 0; i < 20_000; i++) if (i % 100) sorted.remove(String(i));
    expect(sorted.size()).toBe(200);
    expect(sorted.view().length).toBeLessThan(10);
  });
});
