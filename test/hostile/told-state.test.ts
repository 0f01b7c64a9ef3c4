import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf, seedOf } from '../support/data/luck.ts';
import { WEATHERS, type Weather } from '../support/faults/line.ts';
import {
  BOUND,
  SHARED,
  toldOffices,
  type SharedColumn,
  type ToldOffices,
} from '../support/worlds/told-offices.ts';

/** Runs of the property; more by FOOTBRIDGE_RUNS, one again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(20, 1);
const SEED = seedOf(2_027_587_827);

type Act =
  | { readonly does: 'add'; readonly count: number }
  | { readonly does: 'edit'; readonly which: number; readonly column: SharedColumn; readonly value: string }
  | { readonly does: 'remove'; readonly which: number; readonly count: number }
  | {
      readonly does: 'agent';
      readonly which: number;
      readonly column: 'Name' | 'Phone';
      readonly value: string;
    }
  | { readonly does: 'bin'; readonly which: number; readonly isIn: boolean }
  | { readonly does: 'weather'; readonly weather: Weather }
  | { readonly does: 'clock'; readonly ahead: number }
  | { readonly does: 'restart'; readonly isKilled: boolean }
  | { readonly does: 'pause'; readonly fetch: boolean; readonly serve: boolean }
  | { readonly does: 'share'; readonly columns: readonly SharedColumn[] }
  | { readonly does: 'resume' | 'match' | 'unmatch' | 'unshare' | 'sync' }
  | { readonly does: 'decide'; readonly go: boolean };
interface Step {
  readonly side: 0 | 1;
  readonly act: Act;
  /** Milliseconds that pass then. */
  readonly then: number;
}

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const which = fc.nat(200);
const text = fc.constantFrom(
  '',
  'Überlingen',
  'Łódź, ul. Świętej 4',
  '“Küçük” ve ortakları',
  'Quayside 7\nDock 3',
);
const one = <const T extends string>(does: T): fc.Arbitrary<{ readonly does: T }> => fc.constant({ does });
const columns = fc
  .subarray<SharedColumn>(SHARED.slice(1))
  .map((some): SharedColumn[] => ['CustomerID', ...some]);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('add' as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('edit' as const),
      which,
      column: fc.constantFrom<SharedColumn>('CompanyName', 'City', 'Remark', 'Agent'),
      value: text,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('remove' as const), which, count: fc.constantFrom(1, 2, 35) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('agent' as const),
      which,
      column: fc.constantFrom('Name' as const, 'Name' as const, 'Phone' as const),
      value: text,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('bin' as const), which, isIn: fc.boolean() }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      does: fc.constant('weather' as const),
      weather: fc.constantFrom<Weather>('clear', ...WEATHERS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('clock' as const),
      ahead: fc.constantFrom(-YEAR, -HOUR, 0, HOUR, YEAR),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('restart' as const), isKilled: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc
      .record({ does: fc.constant('pause' as const), fetch: fc.boolean(), serve: fc.boolean() })
      .filter(({ fetch, serve }) => fetch || serve),
  },
  { weight: 2, arbitrary: one('resume') },
  { weight: 2, arbitrary: one('sync') },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('share' as const), columns }) },
  { weight: 3, arbitrary: one('match') },
  { weight: 1, arbitrary: one('unmatch') },
  { weight: 1, arbitrary: one('unshare') },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('decide' as const), go: fc.boolean() }) },
);
const step: fc.Arbitrary<Step> = fc.record({
  side: fc.constantFrom<0 | 1>(0, 1),
  act,
  then: fc.constantFrom(1_000, 3_000, BOUND + 1_000),
});

async function perform(offices: ToldOffices, { side: number, act: what, then }: Step): Promise<void> {
  const side = offices.sides[number];
  switch (what.does) {
    case 'add':
      await offices.add(side, what.count);
      break;
    case 'edit':
      await offices.edit(side, what.which, what.column, what.value);
      break;
    case 'remove':
      await offices.remove(side, what.which, what.count);
      break;
    case 'agent':
      await offices.callAgent(side, what.which, what.column, what.value);
      break;
    case 'bin':
      await offices.binAgent(side, what.which, what.isIn);
      break;
    case 'weather':
      offices.weather(side, what.weather);
      break;
    case 'clock':
      offices.clock(side, what.ahead);
      break;
    case 'restart':
      await offices.restart(side, what.isKilled);
      break;
    case 'pause':
      await offices.pause(side, { fetch: what.fetch, serve: what.serve });
      break;
    case 'share':
      await offices.share(side, what.columns);
      break;
    case 'decide':
      await offices.decide(side, what.go);
      break;
    default:
      await offices[what.does](side);
  }
  await offices.pass(then);
}

/** Has it all happened to two offices, and all taken back; answers how often they rightly said that all is well. */
async function happens(steps: readonly Step[], ahead = 0): Promise<number> {
  const offices = await toldOffices(ahead);
  try {
    await offices.heal();
    for (const each of steps) await perform(offices, each);
    await offices.heal();
    return offices.rightly;
  } finally {
    await offices.close();
  }
}

describe('what two offices say of each other', () => {
  it(
    `is “up to date” only when they are equal, whatever partner, line, clock or kill do (${RUNS} runs, seed ${SEED})`,
    { timeout: 120_000 + RUNS * 120_000 },
    async () => {
      const counts = { steps: 0, rightly: 0 };
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 12, maxLength: 25 }),
          fc.constantFrom(0, HOUR),
          async (steps, ahead) => {
            counts.rightly += await happens(steps, ahead);
            counts.steps += steps.length;
          },
        ),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env.FOOTBRIDGE_SHRINK === undefined },
      );
      console.log(
        `told state: ${RUNS} runs, ${counts.steps} steps, ${counts.rightly} times rightly well, seed ${SEED}`,
      );
      expect(counts.rightly).toBeGreaterThan(0);
    },
  );

  it(
    'outlives that both clocks are a year off, either way, while a token is renewed',
    { tags: 'nightly-waits' },
    async () => {
      const off = (side: 0 | 1, years: number, then: number): Step => ({
        side,
        act: { does: 'clock', ahead: years * YEAR },
        then,
      });
      await happens([off(1, -1, 1_000), off(0, 1, 3_000), { side: 0, act: { does: 'sync' }, then: 1_000 }]);
    },
  );

  it(
    'follows what rows are called that shared ones refer to, and rows that go, though the clocks were ahead',
    { tags: 'nightly-orders' },
    async () => {
      const then = 3_000;
      const agent = (value: string): Step => ({
        side: 0,
        act: { does: 'agent', which: 2, column: 'Name', value },
        then,
      });
      const bin = (isIn: boolean): Step => ({ side: 0, act: { does: 'bin', which: 4, isIn }, then });
      const remove: Step = { side: 1, act: { does: 'remove', which: 9, count: 2 }, then: BOUND + 1_000 };
      const well = await happens(
        [agent('Łódź, ul. Świętej 4'), bin(true), agent(''), bin(false), remove],
        HOUR,
      );
      expect(well).toBeGreaterThan(0);
    },
  );

  it(
    'is not said of a list that came back while its rows cannot be read, however shortly before they were',
    { tags: 'nightly-orders' },
    async () => {
      const offices = await toldOffices();
      const [giver, taker] = offices.sides;
      try {
        await offices.heal();
        expect(await offices.state(taker)).toBe('up-to-date');
        await offices.unshare(giver);
        await offices.pass(1_000);
        offices.weather(giver, 'frozen', /\/changes$/);
        await offices.edit(giver, 3, 'City', 'Überlingen');
        const { met } = giver.line;
        await offices.share(giver, SHARED);
        // It knows that the list is back, and no time has passed yet in which its silence would tell.
        await expect.poll(() => giver.line.met, { timeout: 20_000, interval: 10 }).toBeGreaterThan(met);
        expect(await offices.state(taker), 'as soon as it came back').not.toBe('up-to-date');
        for (let second = 0; second < 14; second++) {
          await offices.pass(1_000);
          expect(await offices.state(taker), `${second + 1} s after it came back`).not.toBe('up-to-date');
        }
        await offices.heal();
        expect(await offices.state(taker)).toBe('up-to-date');
      } finally {
        await offices.close();
      }
    },
  );
});
