import fc from 'fast-check';
import { HARMS } from './three-harms.ts';
import type { Act } from './three-lives.ts';
import { NAMES } from './three-offices.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const at = fc.constantFrom(...NAMES);
const which = fc.nat(1000);
const ahead = fc.constantFrom(-YEAR, -DAY, -HOUR, 0, HOUR, DAY, YEAR);
const does = <const T extends string>(what: T): fc.Arbitrary<T> => fc.constant(what);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: does('add'), at, count: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 5, arbitrary: fc.record({ does: does('edit'), at, which }) },
  { weight: 3, arbitrary: fc.record({ does: does('remove'), at, which }) },
  { weight: 6, arbitrary: fc.record({ does: does('sync'), at }) },
  { weight: 2, arbitrary: fc.record({ does: does('pass'), seconds: fc.constantFrom(5, 20, 60) }) },
  { weight: 2, arbitrary: fc.record({ does: does('kill'), at, calls: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ does: does('copy'), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: does('harm'),
      at,
      what: fc.constantFrom(...HARMS, 'bare tail' as const),
      which,
      isKilled: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: does('backup'), at }) },
  { weight: 1, arbitrary: fc.record({ does: does('restore'), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: does('clock'),
      at,
      ahead,
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: does('line'), at, isCut: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: does('tear'), at }) },
  { weight: 1, arbitrary: fc.record({ does: does('cut restore'), at, calls: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ does: does('pair anew'), which, ahead }) },
);
/** How three offices stand to each other, what happens to them, and what their users do in the end. */
export const worlds = fc.record({
  shape: fc.constantFrom('chain' as const, 'ring' as const, 'star' as const),
  acts: fc.array(act, { minLength: 10, maxLength: 30 }),
  way: fc.constantFrom('take' as const, 'keep' as const, 'bring back' as const),
});
