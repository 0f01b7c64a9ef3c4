import type { Express } from 'express';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../support/data/luck.ts';
import { madeUpOrigin, type MadeUpOrigin } from '../support/partners/made-up-origin.ts';
import {
  asksForRows,
  fill,
  idOf,
  matched,
  PAGE_ROWS,
  shownBy,
  WAYS,
  type Matched,
} from '../support/partners/matched.ts';

const minute = 60_000;
const day = 86_400_000;

describe.each(WAYS)('a partner that speaks %s', (_, way) => {
  it.each(
    sampleOf(
      [
        ['ten minutes ahead', 10 * minute],
        ['ten minutes behind', -10 * minute],
        ['a day ahead', day],
        ['a day behind', -day],
      ] as const,
      2,
    ),
  )('T1: loses nothing with its clock %s', async (__, offset) => {
    const origin = madeUpOrigin();
    origin.now = () => Date.now() + offset;
    fill(origin, 0, 5);
    const { office, nodeID, moduleID } = await matched(origin, way);
    for (let round = 1; round <= 4; round++) {
      await office.sync.syncNow(nodeID);
      expect(await office.received(moduleID)).toEqual(shownBy(origin));
      fill(origin, round * 10, round * 10 + 3);
      origin.put(idOf(0), { Name: [`round ${round}`] });
    }
  });

  it('T1: loses nothing when its clock jumps back by a day, with and without a Date header', async () => {
    for (const showsDate of [true, false]) {
      const origin = madeUpOrigin();
      origin.showsDate = showsDate;
      let offset = 0;
      origin.now = () => Date.now() + offset;
      fill(origin, 0, 5);
      const { office, nodeID, moduleID } = await matched(origin, way);
      await office.sync.syncNow(nodeID);
      offset = showsDate || way.footbridge === true ? -day : -20_000;
      fill(origin, 10, 15);
      origin.put(idOf(20), { Name: ['after the jump'] });
      if (showsDate) origin.put(idOf(1), { Name: ['changed after the jump'], City: ['x'] });
      await office.sync.syncNow(nodeID);
      expect(await office.received(moduleID)).toEqual(shownBy(origin));
      if (showsDate) origin.put(idOf(2), { Name: ['changed after the next pull'], City: ['x'] });
      await office.sync.syncNow(nodeID);
      expect(await office.received(moduleID)).toEqual(shownBy(origin));
    }
  });

  it('T1: one row from the far future does not hide what comes after it', async () => {
    const origin = madeUpOrigin();
    origin.put(idOf(0), { Name: ['future'] });
    origin.rows()[0]!.updatedAt = Date.UTC(2099, 0, 1);
    const { office, nodeID, moduleID } = await matched(origin, way);
    await office.sync.syncNow(nodeID);
    fill(origin, 1, 4);
    await office.sync.syncNow(nodeID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it('T3: the same pages a second time change nothing and count as unchanged', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 700);
    let asked = 0;
    let isDown = true;
    const { office, nodeID, moduleID } = await matched(origin, way, {
      lies: (app) =>
        app.use((request, response, next) => {
          // The second page never arrives, the first time.
          if (isDown && asksForRows(request) && ++asked >= 2) response.socket?.destroy();
          else next();
        }),
    });
    await expect(office.sync.syncNow(nodeID)).rejects.toMatchObject({ code: 'partner.unreachable' });
    isDown = false;
    const rows = await office.lists.rows(moduleID);
    const seq = await rows.lastSeq();
    const result = await office.sync.syncNow(nodeID);
    expect(result.created).toBe(700 - PAGE_ROWS);
    expect(result.updated + result.deleted).toBe(0);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await rows.lastSeq()).toBeLessThan(seq + 750 - PAGE_ROWS);
  });
});

describe.each(WAYS.filter(([, way]) => way.footbridge !== true))(
  'a partner that speaks %s and gives less than it gave before',
  (_, way) => {
    /** Rows have arrived; from `gives(false)` on it says that there are none. */
    async function setting(): Promise<Matched & { origin: MadeUpOrigin; gives: (rows: boolean) => void }> {
      const origin = madeUpOrigin();
      fill(origin, 0, 30);
      let isHonest = true;
      const lies = (app: Express): void => {
        app.use((request, response, next) => {
          if (isHonest || !asksForRows(request)) next();
          else response.json({ response: { filter: { count: 0 }, set: [] } });
        });
      };
      const set = await matched(origin, way, { lies });
      await set.office.sync.syncNow(set.nodeID);
      expect(await set.office.received(set.moduleID)).toEqual(shownBy(origin));
      return { ...set, origin, gives: (rows) => (isHonest = rows) };
    }

    it('is not taken at its word that nothing is new, when not even the latest row comes again', async () => {
      const { office, nodeID, moduleID, origin, gives } = await setting();
      origin.put(idOf(40), { Name: ['Überlingen'], City: ['Łódź'] });
      gives(false);
      for (let round = 0; round < 3; round++) {
        const { modules } = await office.sync.syncNow(nodeID);
        expect(modules[0]?.error).toBeDefined();
        expect(await office.sync.status(nodeID)).toMatchObject({ state: 'error', cause: 'list-failed' });
      }
      gives(true);
      await office.sync.syncNow(nodeID);
      expect(await office.received(moduleID)).toEqual(shownBy(origin));
      expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
    });

    it('is read from the beginning once where its latest row is gone for good, and no more than once', async () => {
      const { office, nodeID, origin, partner } = await setting();
      const asked = async (): Promise<number> => {
        const before = partner.heard.length;
        await office.sync.syncNow(nodeID);
        return partner.heard.slice(before).filter(({ url }) => asksForRows({ path: url })).length;
      };
      // Some tell times in whole seconds.
      origin.now = () => Date.now() + 2000;
      origin.put(idOf(40), { Name: ['Überlingen'], City: ['Łódź'] });
      const usual = await asked();
      origin.lose(idOf(40));
      expect(await asked()).toBeGreaterThan(usual);
      expect(await asked()).toBe(usual);
      expect(await office.sync.status(nodeID)).toMatchObject({
        state: 'needs-you',
        lists: [{ brake: { removes: 1, missing: 1 } }],
      });
    });
  },
);
