import type { Express } from 'express';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PEER_LIMITS } from '../../server/peer/guard/limits.ts';
import { sampleOf } from '../support/data/luck.ts';
import { manualClock, type ManualClock } from '../support/harness/manual-clock.ts';
import { madeUpOrigin, type MadeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, idOf, matched, shownBy, WAYS, type Matched, type Way } from '../support/partners/matched.ts';
import { told } from '../support/reading/told.ts';
import { sayYes } from '../support/harness/approve-deletions.ts';

const BY_TIME = WAYS.filter(([, { footbridge }]) => footbridge !== true);
const DAY = 24 * 3_600_000 + 1000;

interface Scene {
  readonly clock: ManualClock;
  readonly origin: MadeUpOrigin;
  readonly set: Matched;
  /** All rows are looked through once more. */
  readonly nextDay: () => Promise<void>;
  /** What is said of the partner. */
  readonly standing: () => Promise<{
    readonly state: string;
    readonly reason: string;
    readonly brake: unknown;
  }>;
}

/** A partner with so many rows, all of which have arrived. */
async function arrived(
  way: Way,
  rows: number,
  lies?: (app: Express, origin: MadeUpOrigin) => void,
): Promise<Scene> {
  const clock = manualClock('2026-03-02T08:00:00Z');
  const origin = madeUpOrigin();
  origin.now = () => clock.now();
  fill(origin, 0, rows);
  const set = await matched(origin, way, { clock, lies: (app) => lies?.(app, origin) });
  const { office, nodeID, moduleID } = set;
  clock.advance(60_000);
  await office.sync.syncNow(nodeID);
  expect((await office.received(moduleID)).size).toBe(rows);
  return {
    clock,
    origin,
    set,
    async nextDay() {
      clock.advance(DAY);
      await office.sync.syncNow(nodeID);
    },
    async standing() {
      const status = told(await office.sync.status(nodeID));
      return { state: status.state, reason: status.reason, brake: status.lists[0]?.brake };
    },
  };
}

describe.each(BY_TIME)('rows that a partner of %s drops without a word', (_, way) => {
  it('are not removed in silence, nor is it said that all is there: the user is asked', async () => {
    const { origin, set, nextDay, standing } = await arrived(way, 60);
    for (let number = 11; number < 18; number++) origin.lose(idOf(number));
    await nextDay();
    expect((await set.office.received(set.moduleID)).size).toBe(60);
    expect(await standing()).toMatchObject({
      state: 'needs-you',
      reason: expect.stringContaining('7 rows that you have are no longer at') as string,
      brake: { removes: 7, missing: 7, of: 60 },
    });
    const waiting = await set.office.sync.decisions.listPending(set.nodeID, set.sharedModuleID);
    expect(waiting.map(({ recordID }) => recordID).sort()).toEqual(
      [11, 12, 13, 14, 15, 16, 17].map(idOf).sort(),
    );
  });

  it('go into the bin on a yes, and come back if the partner has them again', async () => {
    const { origin, set, nextDay, standing } = await arrived(way, 40);
    const [lost] = origin.rows().filter(({ recordID }) => recordID === idOf(7));
    for (const number of [7, 8]) origin.lose(idOf(number));
    await nextDay();
    expect(await sayYes(set.office.sync, set.nodeID, set.sharedModuleID)).toBe(2);
    expect(await set.office.received(set.moduleID)).toEqual(shownBy(origin));
    expect((await (await set.office.lists.rows(set.moduleID)).counts()).inBin).toBe(2);
    await nextDay();
    expect(await standing()).toMatchObject({ state: 'up-to-date', brake: undefined });
    origin.put(idOf(7), lost?.values ?? {});
    await nextDay();
    expect(await set.office.received(set.moduleID)).toEqual(shownBy(origin));
  });

  it('are asked about once where the user keeps them, and it stays said that both differ', async () => {
    const { origin, set, nextDay, standing } = await arrived(way, 40);
    for (const number of [3, 30]) origin.lose(idOf(number));
    await nextDay();
    expect(await set.office.sync.decisions.decide(set.nodeID, set.sharedModuleID, 'keep')).toBe(2);
    for (let day = 0; day < 2; day++) {
      await nextDay();
      expect(await standing()).toMatchObject({
        state: 'needs-you',
        reason: expect.stringMatching(/^You kept 2 rows .* Remove them here, ask/) as string,
        brake: undefined,
      });
    }
    expect((await set.office.received(set.moduleID)).size).toBe(40);
    // A new one is asked about all the same.
    origin.lose(idOf(5));
    await nextDay();
    expect(await standing()).toMatchObject({ brake: { removes: 1, missing: 1 } });
  });

  it('are waited for no longer where they could not be taken in', async () => {
    const { clock, origin, set, nextDay, standing } = await arrived(way, 30);
    const tooLong = { Name: ['x'.repeat(PEER_LIMITS.valueLength + 1)] };
    for (const number of [5, 40, 41]) origin.put(idOf(number), tooLong);
    clock.advance(60_000);
    await set.office.sync.syncNow(set.nodeID);
    expect((await standing()).reason).toMatch(/^3 rows from Berlin couldn’t be imported/);
    origin.lose(idOf(40));
    await nextDay();
    expect((await standing()).reason).toMatch(/^2 rows from Berlin couldn’t be imported/);
    for (const number of [5, 41]) origin.lose(idOf(number));
    await nextDay();
    expect(await set.office.sync.failedRows.list(set.nodeID)).toEqual([]);
    // Of the one that was here before there is something to decide.
    expect(await standing()).toMatchObject({ state: 'needs-you', brake: { removes: 1, missing: 1 } });
  });

  it('wait no more once the partner shows them again', async () => {
    const { origin, set, nextDay, standing } = await arrived(way, 40);
    const [lost] = origin.rows().filter(({ recordID }) => recordID === idOf(9));
    origin.lose(idOf(9));
    await nextDay();
    expect(await standing()).toMatchObject({ state: 'needs-you' });
    origin.put(idOf(9), lost?.values ?? {});
    await set.office.sync.syncNow(set.nodeID);
    expect(await standing()).toMatchObject({ state: 'up-to-date', brake: undefined });
  });

  it('are asked about though the second look at them broke off, and not before it', async () => {
    let left = Infinity;
    const breaks = (app: Express): void => {
      app.use((request, response, next) => {
        if (!request.path.includes('/records') || left-- > 0) next();
        else response.status(503).end();
      });
    };
    const { origin, set, nextDay, standing } = await arrived(way, 40, breaks);
    origin.lose(idOf(21));
    left = 1;
    await expect(nextDay()).rejects.toThrow();
    expect(await set.office.sync.decisions.listPending(set.nodeID, set.sharedModuleID)).toEqual([]);
    expect((await standing()).state).not.toBe('up-to-date');
    left = Infinity;
    await set.office.sync.syncNow(set.nodeID);
    expect(await standing()).toMatchObject({ brake: { removes: 1, missing: 1 } });
  });
});

describe.each(BY_TIME.filter(([, { dialect }]) => dialect !== 'live'))(
  'a partner of %s whose pages shift while they are read',
  (_, way) => {
    it('is not accused of a row that no page showed', async () => {
      let shifts = 0;
      const seen: string[] = [];
      const shift = (app: Express, origin: MadeUpOrigin): void => {
        app.use((request, _response, next) => {
          if (request.path.includes('/records')) {
            seen.push(z.string().optional().parse(request.query.page) ?? '');
            // The newest row goes for good between the first page and the second: what follows moves up by one.
            if (request.query.page === '2' && shifts-- > 0) origin.lose(idOf(699));
          }
          next();
        });
      };
      const { origin, set, nextDay, standing } = await arrived(way, 700, shift);
      origin.lose(idOf(100));
      shifts = 1;
      seen.length = 0;
      await nextDay();
      expect(seen.slice(0, 4)).toEqual(['1', '2', '1', '2']);
      // Of the two that are gone one is known by now; the one that was skipped is none of them.
      const waiting = await set.office.sync.decisions.listPending(set.nodeID, set.sharedModuleID);
      expect(waiting.map(({ recordID }) => recordID)).toEqual([idOf(100)]);
      expect(await standing()).toMatchObject({ state: 'needs-you', brake: { removes: 1, missing: 1 } });
      expect((await set.office.received(set.moduleID)).size).toBe(700);
    });
  },
);

describe('two lists of a partner that come into one', () => {
  interface Two extends Matched {
    readonly clock: ManualClock;
    readonly customers: MadeUpOrigin;
    /** What is offered: customers, which are matched, and suppliers. */
    readonly offers: readonly { readonly moduleID: string }[];
    /** Has the rows of an offer come into the list where the customers are. */
    readonly match: (sharedModuleID: string) => Promise<void>;
    /** What waits, list by list, and how many rows are there. */
    readonly stands: () => Promise<readonly [brakes: readonly unknown[], rows: number]>;
  }

  async function two(way: Way = { dialect: 'shape1' }): Promise<Two> {
    const clock = manualClock('2026-03-02T08:00:00Z');
    const now = (): number => clock.now();
    const customers = Object.assign(madeUpOrigin(), { now });
    const suppliers = Object.assign(madeUpOrigin(), { now, moduleID: '900101', name: 'Suppliers' });
    fill(customers, 0, 20);
    fill(suppliers, 100, 130);
    const both = (app: Express): void => {
      app.get('/exposed/modules', ({ query: { page = '1' } }, response) => {
        const set = [customers, suppliers].map(({ moduleID, name }) => ({
          type: 'GET',
          rel: name,
          href: `/federation/exposed/modules/${moduleID}?after=1`,
        }));
        response.json({ response: { filter: { page: Number(page), perPage: 20, count: 2 }, set } });
      });
      suppliers.serve(app);
    };
    const set = await matched(customers, way, { clock, lies: both });
    const { office, nodeID, moduleID } = set;
    const columns = ['Name', 'City'].map((name) => ({ origin: { name }, destination: { name } }));
    return {
      ...set,
      clock,
      customers,
      offers: await office.federation.shared.list(nodeID),
      async match(sharedModuleID) {
        const fields = { composeModuleID: moduleID, fields: columns, shape: 1 } as const;
        await office.federation.mappings.set(nodeID, sharedModuleID, fields);
      },
      async stands() {
        await office.sync.syncNow(nodeID);
        const { lists } = await office.sync.status(nodeID);
        return [lists.map(({ brake }) => brake), (await office.received(moduleID)).size];
      },
    };
  }

  it('the rows of either are not missed in the other', async () => {
    const { clock, offers, match, stands } = await two();
    for (const { moduleID } of offers) await match(moduleID);
    for (let day = 0; day < 3; day++) {
      expect(await stands()).toEqual([[undefined, undefined], 50]);
      clock.advance(DAY);
    }
  });

  it('nor are those of one that was left, which stayed', async () => {
    const { office, nodeID, sharedModuleID, clock, offers, match, stands } = await two();
    for (const { moduleID } of offers) await match(moduleID);
    await stands();
    await office.federation.mappings.remove(nodeID, sharedModuleID);
    for (let day = 0; day < 3; day++) {
      expect(await stands()).toEqual([[undefined], 50]);
      clock.advance(DAY);
    }
  });

  describe('of a Footbridge', () => {
    const ways = { dialect: 'shape1', footbridge: true } as const;

    it('one that is read from the beginning takes none of the other, and what it lost goes', async () => {
      const { customers, offers, match, stands } = await two(ways);
      for (const { moduleID } of offers) await match(moduleID);
      expect(await stands()).toEqual([[undefined, undefined], 50]);
      for (let again = 0; again < 2; again++) {
        customers.epoch += 'x';
        expect(await stands()).toEqual([[undefined, undefined], 50]);
      }
      customers.lose(idOf(3));
      customers.epoch += 'x';
      expect(await stands()).toEqual([[undefined, undefined], 49]);
    });

    it('are compared each by itself, and a row of the other that is fetched again stays', async () => {
      const { office, nodeID, customers, offers, match, stands } = await two(ways);
      for (const { moduleID } of offers) await match(moduleID);
      await stands();
      for (const { moduleID } of offers)
        expect(await office.sync.compare(nodeID, moduleID)).toMatchObject({ identical: true });
      customers.lose(idOf(3));
      const [first, second] = offers.map(({ moduleID }) => moduleID);
      const found = await office.sync.compare(nodeID, first!);
      expect(found).toMatchObject({
        differing: [{ recordID: idOf(3), difference: 'missing-there' }],
      });
      expect(await office.sync.compare(nodeID, second!)).toMatchObject({
        differing: [{ recordID: idOf(3), difference: 'missing-there' }],
      });
      await office.sync.repull(nodeID, first!, [idOf(3), idOf(105)]);
      expect(await stands()).toEqual([[undefined, undefined], 49]);
      expect(await office.sync.compare(nodeID, second!)).toMatchObject({ identical: true });
    });

    it('of one that was left each row waits for a yes, where the other does not show it', async () => {
      const { office, nodeID, sharedModuleID, customers, offers, match, stands } = await two(ways);
      for (const { moduleID } of offers) await match(moduleID);
      await stands();
      const [left] = offers.filter(({ moduleID }) => moduleID !== sharedModuleID);
      await office.federation.mappings.remove(nodeID, left!.moduleID);
      customers.lose(idOf(3));
      await office.sync.repull(nodeID, sharedModuleID, [idOf(105)]);
      expect(await stands()).toMatchObject([[{ removes: 1, missing: 1 }], 50]);
      const found = await office.sync.compare(nodeID, sharedModuleID);
      expect(found.differing).toHaveLength(31);
      customers.epoch += 'x';
      expect(await stands()).toMatchObject([[{ removes: 31, missing: 31 }], 50]);
      await office.sync.decisions.decide(nodeID, sharedModuleID, 'keep');
      customers.epoch += 'x';
      expect(await stands()).toEqual([[undefined], 50]);
    });
  });

  it('nor where one takes the place of the other', async () => {
    const { office, nodeID, sharedModuleID, clock, offers, match, stands } = await two();
    expect(await stands()).toEqual([[undefined], 20]);
    await office.federation.mappings.remove(nodeID, sharedModuleID);
    for (const { moduleID } of offers) if (moduleID !== sharedModuleID) await match(moduleID);
    for (let day = 0; day < 2; day++) {
      expect(await stands()).toEqual([[undefined], 50]);
      clock.advance(DAY);
    }
  });
});

describe.each(sampleOf(BY_TIME, 2))('removals of a partner of %s that the user refused', (_, way) => {
  it('are no new word when they are read once more', async () => {
    const { clock, origin, set, nextDay, standing } = await arrived(way, 60);
    for (let number = 0; number < 50; number++) origin.remove(idOf(number));
    await set.office.sync.syncNow(set.nodeID);
    expect(await set.office.sync.decisions.decide(set.nodeID, set.sharedModuleID, 'keep')).toBe(50);
    clock.advance(10_000);
    await set.office.sync.syncNow(set.nodeID);
    expect((await standing()).reason).toMatch(/^You kept 50 rows/);
    await nextDay();
    expect((await standing()).reason).toMatch(/^You kept 50 rows/);
    expect((await set.office.received(set.moduleID)).size).toBe(60);
    origin.put(idOf(4), { Name: ['said anew'] });
    clock.advance(60_000);
    await set.office.sync.syncNow(set.nodeID);
    expect((await standing()).reason).toMatch(/^You kept 49 rows/);
  });
});
