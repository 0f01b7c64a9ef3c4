import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf, seedOf } from '../support/data/luck.ts';
import { COLUMNS, twoWay, type Column, type TwoWay } from '../support/worlds/two-way.ts';

/** Runs of the property; more by FOOTBRIDGE_RUNS, one again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(60, 2);
const SEED = seedOf(2_718);

type SideNumber = 0 | 1;
type Act =
  | { readonly does: 'add'; readonly count: number }
  | { readonly does: 'edit'; readonly which: number; readonly column: Column; readonly value: string }
  | { readonly does: 'remove'; readonly which: number }
  | { readonly does: 'meddle'; readonly which: number; readonly value: string }
  | { readonly does: 'rename'; readonly column: Column }
  | { readonly does: 'share' | 'match'; readonly columns: readonly Column[] }
  | { readonly does: 'sync' };
/** Something that one side does, perhaps while the power of one side is cut with its n-th disk call. */
interface Step {
  readonly side: SideNumber;
  readonly act: Act;
  readonly cut?: { readonly side: SideNumber; readonly calls: number };
}

const sideNumber = fc.constantFrom<SideNumber>(0, 1);
const column = fc.constantFrom<Column>('City', 'Note');
const columns = fc.subarray([...COLUMNS].slice(1)).map((some): Column[] => ['Key', ...some]);
const value = fc.constantFrom('', 'a', 'b', 'Ünïcode “quoted”, with a comma');
const which = fc.nat(1000);
const sync = fc.record({ does: fc.constant('sync' as const) });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('add' as const), count: fc.constant(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('add' as const), count: fc.integer({ min: 30, max: 1200 }) }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('edit' as const), which, column, value }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('remove' as const), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('meddle' as const), which, value }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('rename' as const), column }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('share' as const, 'match' as const), columns }) },
  { weight: 6, arbitrary: sync },
);
const cut = fc.record({
  side: sideNumber,
  calls: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 25 })),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ side: sideNumber, act }) },
  { weight: 1, arbitrary: fc.record({ side: sideNumber, act, cut }) },
  // What a power cut in the middle of a pull leaves is what matters most.
  { weight: 1, arbitrary: fc.record({ side: sideNumber, act: sync, cut }) },
);

async function perform(two: TwoWay, { side: number, act: what, cut: power }: Step): Promise<void> {
  const side = two.sides[number];
  if (power) two.sides[power.side].disk.cutAfter(power.calls);
  switch (what.does) {
    case 'add':
      await two.add(side, what.count);
      break;
    case 'edit':
      await two.edit(side, what.which, what.column, what.value);
      break;
    case 'remove':
      await two.remove(side, what.which);
      break;
    case 'meddle':
      await two.meddle(side, what.which, what.value);
      break;
    case 'rename':
      await two.rename(side, what.column);
      break;
    case 'share':
      await two.share(side, what.columns);
      break;
    case 'match':
      await two.match(side, what.columns);
      break;
    case 'sync':
      await two.sync(side);
      break;
  }
  if (power) await two.revive(two.sides[power.side]);
}

describe('T5: two offices that share with each other', () => {
  it(
    `are equal in the end, whatever was changed, cut off and synced on the way (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 60_000 },
    async () => {
      const counts = { steps: 0, cuts: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
          const two = await twoWay();
          try {
            for (const each of steps) {
              await perform(two, each);
              counts.steps++;
              if (each.cut) counts.cuts++;
            }
            await two.expectEqual();
          } finally {
            await two.close();
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env.FOOTBRIDGE_SHRINK === undefined },
      );
      console.log(`T5: ${RUNS} runs, ${counts.steps} steps, ${counts.cuts} power cuts, seed ${SEED}`);
      expect(counts.cuts).toBeGreaterThan(0);
    },
  );
});
