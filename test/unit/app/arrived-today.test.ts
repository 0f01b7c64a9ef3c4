import { expect, it } from 'vitest';
import { createArrivedToday, type ArrivedCounts } from '../../../server/app/arrived-today.ts';
import type { Activity } from '../../../server/sync/status/history.ts';

const NOON = new Date(2026, 2, 4, 12).getTime();
const MIDNIGHT = new Date(2026, 2, 4).getTime();

/** One pull a minute, the latest at noon; the partners take turns. */
const pulls: readonly Activity[] = Array.from({ length: 900 }, (_, minute) => ({
  activityID: String(900 - minute),
  at: new Date(NOON - minute * 60_000).toISOString(),
  nodeID: minute % 3 === 0 ? 'berlin' : 'oslo',
  partner: 'Office',
  kind: minute % 9 === 0 ? ('structure' as const) : ('pull' as const),
  outcome: 'ok' as const,
  counts: { created: 2, updated: minute % 2, deleted: 1, unchanged: 50, failed: 1 },
  message: '',
}));

const history = {
  list: ({ limit, before }: { limit: number; before?: string }) => {
    const from = before === undefined ? 0 : pulls.findIndex(({ activityID }) => activityID === before) + 1;
    return Promise.resolve(pulls.slice(from, from + limit));
  },
};

type Sources = Parameters<typeof createArrivedToday>[0];
const nothing = { sentToday: () => Promise.resolve(new Map()) };

/** What has arrived, for who asks for the first time. */
const arrivedAfresh = (from: Sources['history'], now: number): Promise<ArrivedCounts> =>
  createArrivedToday({ history: from, ledger: nothing, clock: { now: () => now } }).countArrived();

it('counts the rows that each partner brought since midnight, however many pulls that were', async () => {
  const expected = new Map<string, { created: number; updated: number; deleted: number }>();
  for (const { at, nodeID, kind, counts } of pulls) {
    if (Date.parse(at) < MIDNIGHT || kind !== 'pull' || !counts) continue;
    const { created, updated, deleted } = expected.get(nodeID) ?? { created: 0, updated: 0, deleted: 0 };
    expected.set(nodeID, {
      created: created + counts.created,
      updated: updated + counts.updated,
      deleted: deleted + counts.deleted,
    });
  }
  expect(expected.get('oslo')?.created).toBeGreaterThan(500);
  expect(await arrivedAfresh(history, NOON)).toEqual(expected);
  expect(await arrivedAfresh({ list: () => Promise.resolve([]) }, NOON)).toEqual(new Map());
});

it('reads only what came since it was asked last, and begins anew with the day', async () => {
  let told = pulls.slice(500);
  let read = 0;
  const growing: typeof history = {
    list: ({ limit, before }) => {
      const from = before === undefined ? 0 : told.findIndex(({ activityID }) => activityID === before) + 1;
      const page = told.slice(from, from + limit);
      read += page.length;
      return Promise.resolve(page);
    },
  };
  let now = NOON;
  const today = createArrivedToday({ history: growing, ledger: nothing, clock: { now: () => now } });
  for (const from of [500, 499, 499, 420, 0]) {
    told = pulls.slice(from);
    read = 0;
    const arrived = await today.countArrived();
    if (from === 499) expect(read).toBeLessThanOrEqual(50);
    expect(arrived).toEqual(await arrivedAfresh(growing, now));
  }
  now = NOON - 86_400_000;
  expect(await today.countArrived()).toEqual(await arrivedAfresh(growing, now));
  now = NOON + 86_400_000;
  expect(await today.countArrived()).toEqual(new Map());
});

it('tells of a partner what arrived and what left, the latest first', async () => {
  const ledger = {
    sentToday: () =>
      Promise.resolve(
        new Map([
          ['40', { listName: 'Customers', rows: 3, at: '2026-03-04T08:00:00.000Z' }],
          ['41', { listName: 'Orders', rows: 18, at: '2026-03-04T09:44:00.000Z' }],
        ]),
      ),
  };
  const today = createArrivedToday({ history, ledger, clock: { now: () => NOON } });
  const came = { created: 1200, updated: 7, deleted: 1 };
  expect(await today.forPartner('berlin', new Map([['berlin', came]]))).toEqual({
    arrived: came,
    sent: [
      { list: 'Orders', rows: 18, at: '2026-03-04T09:44:00.000Z' },
      { list: 'Customers', rows: 3, at: '2026-03-04T08:00:00.000Z' },
    ],
  });
  expect((await today.forPartner('oslo', new Map())).arrived).toEqual({ created: 0, updated: 0, deleted: 0 });
});
