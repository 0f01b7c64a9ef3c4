import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customers } from '../support/data/office-lists.ts';
import { goingBack, type GoingBack } from '../support/worlds/going-back.ts';
import { runsOf, seedOf } from '../support/data/luck.ts';

/** Runs of the property; more by FOOTBRIDGE_RUNS, one again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(30, 2);
const SEED = seedOf(20_261_122);

const ROWS = customers({ rows: 400, seed: 22 }).rows.map(({ CompanyName = '', City = '' }) =>
  [CompanyName, City].map((text) => text.replaceAll(/[",]/g, '')),
);

const which = fc.nat(1000);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('add' as const), count: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('change' as const, 'edit' as const), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), which }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('sync' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('copy' as const, 'putBack' as const, 'restart' as const),
      who: fc.constantFrom('oslo' as const, 'oslo' as const, 'bergen' as const),
    }),
  },
  // What matters most: changes that the partner has, and that are lost here.
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('lose' as const),
      which,
      count: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('decide' as const), go: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const nameOf = (row: string): string => row.split(',')[0] ?? '';
/** An untouched one of the rows that are shown. */
const picked = (rows: readonly string[], at: number): string =>
  nameOf(rows[at % Math.max(rows.length, 1)] ?? '');

/** Lets it all happen; answers the rows that Bergen must still have, as nobody took them away. */
async function perform(offices: GoingBack, steps: readonly Step[]): Promise<Set<string>> {
  const { oslo, bergen } = offices;
  let made = 0;
  let safe = new Set<string>();
  const removed = new Set<string>();
  const note = async (): Promise<void> => {
    for (const row of await bergen.shown()) if (!removed.has(nameOf(row))) safe.add(nameOf(row));
  };
  const forget = async (): Promise<void> => {
    safe = new Set();
    await note();
  };
  await note();
  const fresh = (): string => `${ROWS[made % ROWS.length]?.[0]} ${++made}`;
  const rowsToAdd = (count: number): string[] => Array.from({ length: count }, () => `${fresh()},${town()}`);
  const town = (): string => ROWS[(made * 7) % ROWS.length]?.[1] ?? '';
  for (const office of [oslo, bergen]) await office.copy();
  for (const one of steps) {
    switch (one.does) {
      case 'add':
        await oslo.add(rowsToAdd(one.count));
        break;
      case 'change':
        await oslo.change(picked(await oslo.shown(), one.which), town());
        break;
      case 'edit':
        await bergen.change(picked(await bergen.shown(), one.which), `${town()} (here)`);
        break;
      case 'remove': {
        const name = picked(await oslo.shown(), one.which);
        await oslo.remove(name);
        removed.add(name);
        safe.delete(name);
        break;
      }
      case 'sync':
        await offices.sync();
        await note();
        break;
      case 'lose':
        await oslo.add(rowsToAdd(one.count));
        await oslo.change(picked(await oslo.shown(), one.which), town());
        await offices.sync();
        await note();
        await oslo.putBack();
        break;
      case 'copy':
      case 'restart':
        await offices[one.who][one.does]();
        break;
      case 'putBack':
        await offices[one.who].putBack();
        // What neither of the two has any more is gone.
        if (one.who === 'bergen') await forget();
        break;
      case 'decide':
        await offices.decide(one.go);
        if (one.go) await forget();
        break;
    }
  }
  return safe;
}

describe('folders that are put back to older copies, at either side, in any order with everything else', () => {
  it(
    'end with both sides equal, or with both saying what is missing and where it still is',
    { tags: 'nightly-orders', timeout: 600_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
          const offices = await goingBack(
            ROWS.slice(0, 30).map(([name, city], at) => `${name} of ${at},${city}`),
          );
          try {
            const safe = await perform(offices, steps);
            await offices.sync();
            await offices.sync();
            const { oslo, bergen } = offices;
            const shown = new Set((await bergen.shown()).map(nameOf));
            expect([...safe].filter((name) => !shown.has(name))).toEqual([]);

            const { identical } = await offices.compare();
            const { brake } = await offices.offer();
            if (brake) expect(await bergen.says()).toMatch(/went back|removed or emptied/);
            else if (!identical) expect(await bergen.says()).toMatch(/You kept/);
            if (!identical)
              await expect
                .poll(() => oslo.says(), { timeout: 20_000 })
                .toMatch(/Your data went back|stands? differently|waits? for a yes/);

            await offices.decide(true);
            await offices.sync();
            const { differing } = await offices.compare();
            const says = await bergen.says();
            if (differing.length > 0) expect(says).toMatch(/You kept/);
          } finally {
            await offices.close();
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env.FOOTBRIDGE_SHRINK === undefined },
      );
    },
  );
});
