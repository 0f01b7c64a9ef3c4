import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cuttableDisk } from '../support/faults/disk-cut.ts';
import { runsOf, seedOf } from '../support/data/luck.ts';
import { startLyingPartner } from '../support/partners/lying-partner.ts';
import { madeUpOrigin, text, type MadeUpOrigin } from '../support/partners/made-up-origin.ts';
import { idOf, NAME_AND_CITY, shownBy, WAYS, type Way } from '../support/partners/matched.ts';
import { receivingOffice, type ReceivingOffice } from '../support/harness/pulling-parts.ts';
import { sayYes } from '../support/harness/approve-deletions.ts';

/** Runs in each way of speaking; more by FOOTBRIDGE_RUNS, one again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(60, 2);
const SEED = seedOf(4_711);

type Step =
  | { readonly does: 'put'; readonly row: number; readonly city: string }
  | { readonly does: 'remove'; readonly row: number }
  /** Many rows within one second, so that some lie at a page's edge. */
  | { readonly does: 'fill'; readonly rows: number }
  | { readonly does: 'pass'; readonly seconds: number }
  | { readonly does: 'offer'; readonly city: boolean }
  | { readonly does: 'sync'; readonly cut: number };

const row = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('put' as const), row, city: fc.constantFrom('', 'a', 'b') }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('remove' as const), row }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('fill' as const), rows: fc.integer({ min: 1, max: 900 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('pass' as const),
      seconds: fc.constantFrom(0, 1, 40, -5, 90_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('offer' as const), city: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('sync' as const),
      cut: fc.constantFrom(0, 0, 1, 2, 3, 5, 8, 13),
    }),
  },
);

/** What the office shows of columns that are offered now; the values of others rest as they are. */
async function mapped(office: ReceivingOffice, moduleID: string, origin: MadeUpOrigin): Promise<object> {
  const names = new Set(origin.fields.map(({ name }) => name));
  return new Map(
    [...(await office.received(moduleID))].map(([id, values]) => [
      id,
      Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))),
    ]),
  );
}

async function play(way: Way, steps: readonly Step[]): Promise<void> {
  let now = Date.UTC(2026, 10, 20, 12);
  let filled = 100;
  const [name, city] = [text('Name'), text('City')];
  const origin = madeUpOrigin([name, city]);
  origin.now = () => now;
  const partner = await startLyingPartner((app) => origin.serve(app));
  let disk = cuttableDisk();
  let office = await receivingOffice({ disk });
  try {
    const { nodeID } = await office.addPartner({ baseURL: partner.base, ...way });
    await office.sync.syncNow(nodeID);
    const { module, sharedModuleID } = await office.match(nodeID, NAME_AND_CITY);
    const sync = async (cut: number): Promise<void> => {
      disk.cutAfter(cut === 0 ? Infinity : cut);
      await office.sync.syncNow(nodeID).catch((error: unknown) => {
        if (!disk.isCut) throw error;
      });
      if (cut === 0) return;
      disk.cutAfter(0);
      disk = cuttableDisk();
      office = await office.restart(disk);
    };
    for (const each of steps) {
      if (each.does === 'put')
        origin.put(idOf(each.row), { Name: [`Name ${each.row}`], City: each.city === '' ? [] : [each.city] });
      else if (each.does === 'remove') origin.remove(idOf(each.row));
      else if (each.does === 'pass') now += each.seconds * 1000;
      else if (each.does === 'offer') origin.fields = each.city ? [name, city] : [name];
      else if (each.does === 'sync') await sync(each.cut);
      else for (let many = 0; many < each.rows; many++) origin.put(idOf(filled++), { Name: ['one of many'] });
    }
    origin.fields = [name, city];
    // Rows that carry times from before a clock was put back are found when a second look is due at the latest.
    for (let look = 0; look < 3; look++) {
      await sync(0);
      await sayYes(office.sync, nodeID, sharedModuleID);
      now += 60_000;
    }
    expect(await mapped(office, module.moduleID, origin)).toEqual(shownBy(origin));
  } finally {
    await office.close();
    await partner.close();
  }
}

describe.each(WAYS)('T5: a partner that speaks %s', (_, way) => {
  it(
    `is equal to what we hold in the end, whatever it did and whenever our power was cut (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 10_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => play(way, steps)),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env.FOOTBRIDGE_SHRINK === undefined },
      );
    },
  );
});
