import type { Express } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { sampleOf } from '../support/data/luck.ts';
import { madeUpOrigin, type MadeUpOrigin } from '../support/partners/made-up-origin.ts';
import {
  asksForRows,
  fill,
  idOf,
  matched,
  shownBy,
  WAYS,
  type Matched,
  type Way,
} from '../support/partners/matched.ts';
import { manualClock } from '../support/harness/manual-clock.ts';
import { told } from '../support/reading/told.ts';
import { sayYes } from '../support/harness/approve-deletions.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

async function inBin({ office, moduleID }: Matched): Promise<number> {
  return (await (await office.lists.rows(moduleID)).counts()).inBin;
}

async function filled(rows: number, way: Way): Promise<{ origin: MadeUpOrigin; set: Matched }> {
  const origin = madeUpOrigin();
  fill(origin, 0, rows);
  const set = await matched(origin, way);
  await set.office.sync.syncNow(set.nodeID);
  return { origin, set };
}

describe.each(sampleOf(WAYS, 2, 0))('H8: a partner that speaks %s and removes much', (_, way) => {
  it('removes 80 %: nothing goes until the user says yes, the rest goes on', async () => {
    const { origin, set } = await filled(1300, way);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    for (let number = 0; number < 1040; number++) origin.remove(idOf(number));
    origin.put(idOf(1299), { Name: ['changed'] });
    fill(origin, 1300, 1310);
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 10, updated: 1, deleted: 0 });
    expect((await office.received(moduleID)).size).toBe(1310);
    expect(told(await office.sync.status(nodeID))).toMatchObject({
      state: 'needs-you',
      reason: expect.stringContaining('1,040 rows') as string,
      lists: [{ brake: { removes: 1040, empties: 0, of: 1310 } }],
    });
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(1040);

    const again = await office.restart();
    expect(await again.sync.syncNow(nodeID)).toMatchObject({ created: 0, deleted: 0 });
    expect((await again.received(moduleID)).size).toBe(1310);
    expect(await sayYes(again.sync, nodeID, sharedModuleID)).toBe(1040);
    expect(await again.received(moduleID)).toEqual(shownBy(origin));
    expect(await inBin({ ...set, office: again })).toBe(1040);
    expect(await again.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
    await again.sync.syncNow(nodeID);
    expect(await again.received(moduleID)).toEqual(shownBy(origin));
    await again.sync.stop();
    await again.store.close();
  });

  it('sends many rows first, of which those that were there are few: they wait for a yes all the same', async () => {
    const { origin, set } = await filled(100, way);
    const { office, nodeID, moduleID } = set;
    fill(origin, 1000, 1400);
    await office.sync.syncNow(nodeID);
    for (let number = 0; number < 30; number++) origin.remove(idOf(number));
    await office.sync.syncNow(nodeID);
    expect((await office.received(moduleID)).size).toBe(470);
    for (let number = 30; number < 100; number++) origin.remove(idOf(number));
    await office.sync.syncNow(nodeID);
    expect((await office.received(moduleID)).size).toBe(470);
    const again = await office.restart();
    await again.sync.syncNow(nodeID);
    expect((await again.received(moduleID)).size).toBe(470);
    expect(told(await again.sync.status(nodeID))).toMatchObject({
      state: 'needs-you',
      lists: [{ brake: { removes: 70, gone: 30 } }],
    });
    await again.sync.stop();
    await again.store.close();
  });

  it('removes 20 %: they go to the bin at once', async () => {
    const { origin, set } = await filled(600, way);
    for (let number = 0; number < 120; number++) origin.remove(idOf(number));
    expect(await set.office.sync.syncNow(set.nodeID)).toMatchObject({ deleted: 120 });
    expect(await inBin(set)).toBe(120);
    expect(await set.office.received(set.moduleID)).toEqual(shownBy(origin));
  });
});

/** A partner that says of each row on one page first what it says now, and then once more what it said at first. */
function saysItTwice(): { readonly lies: (app: Express) => void; begins: boolean } {
  const first = new Map<string, unknown>();
  const rowsIn = z.object({
    response: z.looseObject({ set: z.array(z.looseObject({ recordID: z.string() })) }),
  });
  const liar = {
    begins: false,
    lies: (app: Express): void => {
      app.use((request, response, next) => {
        const send = response.json.bind(response);
        response.json = (body: unknown) => {
          const page = asksForRows(request) ? rowsIn.safeParse(body) : undefined;
          if (!page?.success) return send(body);
          const { set } = page.data.response;
          if (!liar.begins) for (const row of set) first.set(row.recordID, row);
          const twice = set.flatMap((row) => [row, first.get(row.recordID) ?? row]);
          return send(liar.begins ? { response: { ...page.data.response, set: twice } } : body);
        };
        next();
      });
    },
  };
  return liar;
}

describe.each(sampleOf(WAYS, 2, 1))(
  'a partner that speaks %s and names each row twice on a page',
  (_, way) => {
    it.each(['removed', 'emptied'] as const)('has none %s without the user’s yes', async (what) => {
      const origin = madeUpOrigin();
      origin.now = () => Date.now() - 3_600_000;
      fill(origin, 0, 200);
      origin.now = () => Date.now();
      const liar = saysItTwice();
      const set = await matched(origin, way, { lies: liar.lies });
      const { office, nodeID, moduleID } = set;
      await office.sync.syncNow(nodeID);
      const before = await office.received(moduleID);
      expect(before.size).toBe(200);
      liar.begins = true;
      for (let number = 0; number < 200; number++) {
        if (what === 'removed') origin.remove(idOf(number));
        else origin.put(idOf(number), { Name: [`Name ${number}`] });
      }
      await office.sync.syncNow(nodeID);
      await office.sync.syncNow(nodeID);
      expect(await office.received(moduleID)).toEqual(before);
      expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });
    });
  },
);

const feed: Way = { dialect: 'shape1', footbridge: true };

describe('the brake', () => {
  it('H8: holds values that are emptied in 80 % of the rows, and lets changed ones through', async () => {
    const { origin, set } = await filled(200, feed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    for (let number = 0; number < 160; number++) origin.put(idOf(number), { Name: [`Name ${number}`] });
    for (let number = 160; number < 200; number++)
      origin.put(idOf(number), { Name: ['changed'], City: ['changed'] });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ updated: 40 });
    expect((await office.received(moduleID)).get(idOf(0))).toEqual({ Name: 'Name 0', City: 'City 0' });
    await sayYes(office.sync, nodeID, sharedModuleID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it.each([
    ['a blank', ' '],
    ['a blank that breaks no line', '\u00a0'],
    ['a space of no width', '\u200b'],
    ['fillers and a Braille letter without dots', '\u3164\u2800\u115f'],
    ['a place for an object', '\ufffc'],
  ])('H8: holds values that become %s in 80 % of the rows', async (_what, nothing) => {
    const { origin, set } = await filled(200, feed);
    const { office, nodeID, moduleID } = set;
    for (let number = 0; number < 160; number++)
      origin.put(idOf(number), { Name: [`Name ${number}`], City: [nothing] });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ updated: 0 });
    expect((await office.received(moduleID)).get(idOf(0))).toEqual({ Name: 'Name 0', City: 'City 0' });
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });
  });

  it('H8: never holds values that merely change, be it all of them', async () => {
    const { origin, set } = await filled(200, feed);
    for (let number = 0; number < 200; number++) origin.put(idOf(number), { Name: ['x'], City: ['y'] });
    expect(await set.office.sync.syncNow(set.nodeID)).toMatchObject({ updated: 200 });
  });

  it.each<[string, (origin: MadeUpOrigin) => void]>([
    ['more rows', (origin) => range(80, 190).forEach((at) => origin.remove(idOf(at)))],
    [
      'as many others',
      (origin) => {
        for (const at of range(0, 80)) origin.put(idOf(at), { Name: ['back'], City: ['again'] });
        for (const at of range(80, 160)) origin.remove(idOf(at));
      },
    ],
    [
      'values in place of rows',
      (origin) => range(0, 80).forEach((at) => origin.put(idOf(at), { Name: ['back'] })),
    ],
  ])('H8: takes a yes for what our user was shown, not for %s', async (_what, change) => {
    const { origin, set } = await filled(200, feed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    for (const at of range(0, 80)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID);
    const { mark } = await office.sync.decisions.openReview(nodeID, sharedModuleID);
    change(origin);
    await office.sync.syncNow(nodeID);
    const before = await office.received(moduleID);
    await expect(
      office.sync.decisions.decide(nodeID, sharedModuleID, { apply: { mark } }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      code: 'brake.changed',
    });
    expect(await office.received(moduleID)).toEqual(before);
    await sayYes(office.sync, nodeID, sharedModuleID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it('H8: takes the yes for what our user was shown where less of it waits by now', async () => {
    const { origin, set } = await filled(200, feed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    for (const at of range(0, 80)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID);
    const { mark } = await office.sync.decisions.openReview(nodeID, sharedModuleID);
    for (const at of range(0, 5)) origin.put(idOf(at), { Name: ['back'], City: ['again'] });
    await office.sync.syncNow(nodeID);
    expect(await office.sync.decisions.decide(nodeID, sharedModuleID, { apply: { mark } })).toBe(75);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it('H8: takes no yes for rows that were put into columns which have other names by now', async () => {
    const { origin, set } = await filled(200, feed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    for (const at of range(0, 80)) origin.put(idOf(at), { Name: [`Name ${at}`], City: [] });
    await office.sync.syncNow(nodeID);
    const module = await office.lists.module(moduleID);
    const fields = module.fields.map((field) =>
      field.name === 'Name' ? { ...field, name: 'Customer', label: 'Customer' } : field,
    );
    await office.lists.updateModule(moduleID, { fields });
    await expect(sayYes(office.sync, nodeID, sharedModuleID)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'brake.columns',
    });
    expect((await office.received(moduleID)).get(idOf(0))).toEqual({ Customer: 'Name 0', City: 'City 0' });
    await office.sync.syncNow(nodeID);
    await sayYes(office.sync, nodeID, sharedModuleID);
    expect((await office.received(moduleID)).get(idOf(0))).toEqual({ Customer: 'Name 0' });
  });

  it.each<[string, (origin: MadeUpOrigin) => void]>([
    ['removes', (origin) => range(0, 500).forEach((at) => origin.remove(idOf(at)))],
    ['empties', (origin) => range(0, 500).forEach((at) => origin.put(idOf(at), { Name: [`Name ${at}`] }))],
  ])('H8: holds in a first reading too what that brought and %s again', async (_what, take) => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1000);
    let asked = 0;
    const lies = (app: Express): void => {
      app.use((request, _answer, next) => {
        // The first page is there already; what is taken away comes in the same pull, behind the second one.
        if (asksForRows(request) && ++asked === 2) take(origin);
        next();
      });
    };
    const { office, nodeID, moduleID } = await matched(origin, feed, { lies });
    await office.sync.syncNow(nodeID);
    expect(asked).toBeGreaterThan(2);
    const received = await office.received(moduleID);
    expect(received.get(idOf(0))).toEqual({ Name: 'Name 0', City: 'City 0' });
    expect(received.size).toBe(1000);
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });
  });

  it('H8: gives what came besides in a first reading no part in what is much', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1000);
    let asked = 0;
    const lies = (app: Express): void => {
      app.use((request, _answer, next) => {
        if (asksForRows(request) && ++asked === 2) {
          for (const at of range(0, 250)) origin.put(idOf(at), { Name: [`Name ${at}`] });
          fill(origin, 1000, 3000);
        }
        next();
      });
    };
    const { office, nodeID, moduleID } = await matched(origin, feed, { lies });
    await office.sync.syncNow(nodeID);
    const received = await office.received(moduleID);
    expect(received.size).toBe(3000);
    expect(received.get(idOf(0))).toEqual({ Name: 'Name 0', City: 'City 0' });
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });
  });

  it('H8: gives it none either where that reading was cut and goes on', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1000);
    let asked = 0;
    const lies = (app: Express): void => {
      app.use((request, answer, next) => {
        if (asksForRows(request) && ++asked === 3) answer.status(403).json({ error: { message: 'No.' } });
        else next();
      });
    };
    const { office, nodeID, moduleID } = await matched(origin, feed, { lies });
    fill(origin, 1000, 3000);
    await office.sync.syncNow(nodeID).catch(() => undefined);
    const some = (await office.received(moduleID)).size;
    expect([some > 250, some < 3000]).toEqual([true, true]);
    for (const at of range(0, 250)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID).catch(() => undefined);
    expect((await office.received(moduleID)).size).toBe(3000);
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });
  });

  it.each([190, 200])('H8: holds what goes from the bin where %i of 200 rows lie in it', async (binned) => {
    const { origin, set } = await filled(200, feed);
    const { office, nodeID, moduleID } = set;
    const rows = await office.lists.rows(moduleID);
    const found = await rows.findReceived(nodeID, range(0, binned).map(idOf));
    const ids = found.flatMap((row) => row?.recordID ?? []);
    for (const id of ids) await rows.remove(id, '7');
    for (const at of range(0, 200)) origin.put(idOf(at), { Name: [`Name ${at}`] });
    await office.sync.syncNow(nodeID);
    for (const id of ids) await rows.restore(id, '7');
    const received = await office.received(moduleID);
    expect([...received.values()].filter(({ City }) => City !== undefined)).toHaveLength(200);
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });
  });

  it('H8: takes no yes where the names of the rows have gone to others since they were shown', async () => {
    const origin = madeUpOrigin();
    const names = new Map<string, string>();
    let minute = 0;
    const put = (recordID: string, name: string, number: number, values: Record<string, string[]>): void => {
      names.set(recordID, name);
      origin.put(recordID, { Name: [`Name ${number}`], ...values });
      minute++;
    };
    origin.tells = ({ recordID, updatedAt }) => ({
      via: ['bergen'],
      origin: { id: names.get(recordID) ?? recordID, at: new Date(updatedAt + minute).toISOString() },
    });
    const cityOf = (number: number): { City: string[] } => ({ City: [`City ${number}`] });
    for (const at of range(0, 200)) put(idOf(at), `name-of-row-${idOf(at)}`, at, cityOf(at));
    const set = await matched(origin, { ...feed, installation: 'bergen' });
    const { office, nodeID, moduleID, sharedModuleID } = set;
    await office.sync.syncNow(nodeID);
    for (const at of range(0, 80)) put(idOf(at), `name-of-row-${idOf(at)}`, at, {});
    await office.sync.syncNow(nodeID);
    const { mark } = await office.sync.decisions.openReview(nodeID, sharedModuleID);

    // Never naming those that wait, their names go by way of other ids to rows that nobody was shown.
    for (const at of range(0, 80)) put(idOf(1000 + at), `name-of-row-${idOf(at)}`, at, cityOf(at));
    await office.sync.syncNow(nodeID);
    for (const at of range(0, 80)) put(idOf(1000 + at), `other-name-${idOf(at)}`, at, cityOf(at));
    await office.sync.syncNow(nodeID);
    for (const at of range(0, 80)) put(idOf(100 + at), `name-of-row-${idOf(at)}`, 100 + at, cityOf(100 + at));
    await office.sync.syncNow(nodeID);
    const citiesOf = async (): Promise<number> =>
      [...(await office.received(moduleID)).values()].filter(({ City }) => City !== undefined).length;
    const before = await citiesOf();
    await expect(
      office.sync.decisions.decide(nodeID, sharedModuleID, { apply: { mark } }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      code: 'brake.changed',
    });
    expect(await citiesOf()).toBe(before);
  });

  it('H8: gives what came today no part in what is much after a yes either', async () => {
    const { origin, set } = await filled(200, feed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    fill(origin, 200, 1100);
    await office.sync.syncNow(nodeID);
    for (const at of range(900, 1050)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID);
    expect(await sayYes(office.sync, nodeID, sharedModuleID)).toBe(150);
    for (const at of range(0, 200)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID);
    expect((await office.received(moduleID)).size).toBe(950);
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(200);
  });

  it('is taken off by the partner itself when the rows come back', async () => {
    const { origin, set } = await filled(100, feed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    for (let number = 0; number < 80; number++) origin.remove(idOf(number));
    await office.sync.syncNow(nodeID);
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(80);
    for (let number = 0; number < 80; number++) origin.put(idOf(number), { Name: ['back'] });
    await office.sync.syncNow(nodeID);
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(80);
    for (let number = 0; number < 80; number++) origin.put(idOf(number), { Name: ['back'], City: ['home'] });
    await office.sync.syncNow(nodeID);
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toEqual([]);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
  });

  it('H8: once held, goes on holding however many rows come in, also after a restart', async () => {
    const { origin, set } = await filled(100, feed);
    const { nodeID, moduleID, sharedModuleID } = set;
    for (let number = 0; number < 80; number++) origin.remove(idOf(number));
    await set.office.sync.syncNow(nodeID);
    const office = await set.office.restart();
    onTestFinished(() => office.close());
    fill(origin, 200, 800);
    // With those that wait already this one is too many as well.
    origin.remove(idOf(99));
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 600, deleted: 0 });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ deleted: 0 });
    expect((await office.received(moduleID)).size).toBe(700);
    expect(told(await office.sync.status(nodeID)).reason).toContain('81 rows');
    expect(await sayYes(office.sync, nodeID, sharedModuleID)).toBe(81);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it('H8: counts small deletions of a whole day together, also over a restart', async () => {
    const { origin, set } = await filled(200, feed);
    const { nodeID, moduleID, sharedModuleID } = set;
    let { office } = set;
    let gone = 0;
    for (const piece of [13, 17, 8, 19, 3]) {
      for (const end = gone + piece; gone < end; gone++) origin.remove(idOf(gone));
      expect(await office.sync.syncNow(nodeID)).toMatchObject({ deleted: piece });
      if (piece === 8) office = await office.restart();
    }
    onTestFinished(() => office.close());
    expect(gone).toBe(60);
    for (; gone < 67; gone++) origin.remove(idOf(gone));
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ deleted: 0 });
    expect((await office.received(moduleID)).size).toBe(140);
    expect(told(await office.sync.status(nodeID))).toMatchObject({
      state: 'needs-you',
      // What went before stands beside it: nobody may read that nothing was removed.
      lists: [{ brake: { removes: 7, empties: 0, of: 140, gone: 60 } }],
    });
    // What was agreed to does not count again: there is room for as many as in a list of this size.
    expect(await sayYes(office.sync, nodeID, sharedModuleID)).toBe(7);
    for (; gone < 67 + 39; gone++) origin.remove(idOf(gone));
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ deleted: 39 });
    origin.remove(idOf(gone));
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ deleted: 0 });
  });

  it('H8: counts small emptyings of a whole day together', async () => {
    const { origin, set } = await filled(90, feed);
    const { office, nodeID, moduleID } = set;
    for (let number = 0; number < 27; number++) {
      origin.put(idOf(number), { Name: [`Name ${number}`] });
      if (number % 5 === 4) await office.sync.syncNow(nodeID);
    }
    await office.sync.syncNow(nodeID);
    origin.put(idOf(40), { Name: ['Almut'] });
    await office.sync.syncNow(nodeID);
    const received = await office.received(moduleID);
    expect([...received.values()].filter(({ City }) => City === undefined)).toHaveLength(27);
    expect(received.get(idOf(40))).toEqual({ Name: 'Name 40', City: 'City 5' });
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });
  });

  it('H8: tells with values that would go how many went before, and a yes to one kind is none to the other', async () => {
    const { origin, set } = await filled(100, feed);
    const { office, nodeID, sharedModuleID } = set;
    const brake = async (): Promise<unknown> => (await office.sync.status(nodeID)).lists[0]?.brake;
    const empty = async (from: number, to: number): Promise<void> => {
      for (const at of range(from, to)) origin.put(idOf(at), { Name: [`Name ${at}`] });
      await office.sync.syncNow(nodeID);
    };
    await empty(0, 28);
    expect(await brake()).toBeUndefined();
    await empty(28, 31);
    expect(await brake()).toMatchObject({ empties: 3, removes: 0, emptied: 28 });
    for (const at of range(40, 75)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID);
    expect(await brake()).toMatchObject({ empties: 3, removes: 35 });
    await sayYes(office.sync, nodeID, sharedModuleID);
    for (const at of range(75, 80)) origin.remove(idOf(at));
    await empty(80, 81);
    expect(await brake()).toBeUndefined();
  });

  it('H8: a yes to rows that go lets no values go that nobody was told of', async () => {
    const { origin, set } = await filled(100, feed);
    const { office, nodeID, sharedModuleID } = set;
    for (const at of range(0, 19)) origin.put(idOf(at), { Name: [`Name ${at}`] });
    await office.sync.syncNow(nodeID);
    for (const at of range(50, 85)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID);
    await sayYes(office.sync, nodeID, sharedModuleID);
    for (const at of range(19, 26)) origin.put(idOf(at), { Name: [`Name ${at}`] });
    await office.sync.syncNow(nodeID);
    expect((await office.sync.status(nodeID)).lists[0]?.brake).toMatchObject({ empties: 7, emptied: 19 });
  });

  it('waits no longer for rows that the partner brings again, be it in a form that does not fit', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 60);
    const fields = [
      { kind: 'String', name: 'Name' },
      { kind: 'Number', name: 'City' },
    ] as const;
    for (const at of range(0, 60)) origin.put(idOf(at), { Name: [`Name ${at}`], City: [String(at)] });
    const set = await matched(origin, feed, { fields });
    const { office, nodeID, moduleID, sharedModuleID } = set;
    await office.sync.syncNow(nodeID);
    for (const at of range(0, 40)) origin.remove(idOf(at));
    await office.sync.syncNow(nodeID);
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(40);
    for (const at of range(0, 30)) origin.put(idOf(at), { Name: [`Name ${at}`], City: ['a text'] });
    await office.sync.syncNow(nodeID);
    expect(await office.sync.decisions.listPending(nodeID, sharedModuleID)).toHaveLength(10);
    expect(await office.sync.failedRows.list(nodeID)).toHaveLength(30);
    await sayYes(office.sync, nodeID, sharedModuleID);
    expect((await office.received(moduleID)).size).toBe(50);
  });

  it('lets an honest office remove a little every day, and grow meanwhile', async () => {
    const clock = manualClock('2026-02-02T08:00:00Z');
    const origin = madeUpOrigin();
    fill(origin, 0, 80);
    const { office, nodeID, moduleID } = await matched(origin, feed, { clock });
    await office.sync.syncNow(nodeID);
    let gone = 0;
    for (let day = 0; day < 12; day++) {
      for (const end = gone + 11 + (day % 3) * 4; gone < end; gone++) origin.remove(idOf(gone));
      fill(origin, 80 + day * 14, 80 + (day + 1) * 14);
      await office.sync.syncNow(nodeID);
      expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
      clock.advance(24 * 3_600_000);
    }
    expect(gone).toBe(180);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it('leaves the rows where they are when the user says so', async () => {
    const { origin, set } = await filled(100, feed);
    const { office, nodeID, moduleID, sharedModuleID } = set;
    for (let number = 0; number < 80; number++) origin.remove(idOf(number));
    await office.sync.syncNow(nodeID);
    expect(await office.sync.decisions.decide(nodeID, sharedModuleID, 'keep')).toBe(80);
    await office.sync.syncNow(nodeID);
    expect((await office.received(moduleID)).size).toBe(100);
    // The two differ now, and nothing may be called up to date that does.
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you', cause: 'kept' });
  });
});

describe.each(WAYS)('T4: deletions from a partner that speaks %s', (_, way) => {
  it('of rows never seen leave no trace, and a row that is made again comes back', async () => {
    const { origin, set } = await filled(3, way);
    const { office, nodeID, moduleID } = set;
    origin.put(idOf(9), { Name: ['short-lived'] });
    origin.remove(idOf(9));
    origin.remove(idOf(1));
    await office.sync.syncNow(nodeID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await inBin(set)).toBe(1);
    const before = origin.now;
    origin.now = () => before() + 5000;
    origin.put(idOf(1), { Name: ['again'] });
    await office.sync.syncNow(nodeID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await inBin(set)).toBe(0);
  });
});
