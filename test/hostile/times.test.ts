import { describe, expect, it } from 'vitest';
import { madeUpOrigin } from '../support/made-up-origin.ts';
import { asksForRows, fill, idOf, matched, pageRows, shownBy, WAYS } from '../support/matched.ts';

const minute = 60_000;
const day = 86_400_000;

describe.each(WAYS)('a partner that speaks %s', (_, way) => {
  it.each([
    ['ten minutes ahead', 10 * minute],
    ['ten minutes behind', -10 * minute],
    ['a day ahead', day],
    ['a day behind', -day],
  ])('T1: loses nothing with its clock %s', async (__, offset) => {
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
    let lost = 0;
    const { office, nodeID, moduleID } = await matched(origin, way, {
      lies: (app) =>
        app.use((request, response, next) => {
          // The second page never arrives, the first time.
          if (asksForRows(request) && ++lost === 2) response.socket?.destroy();
          else next();
        }),
    });
    await expect(office.sync.syncNow(nodeID)).rejects.toMatchObject({ code: 'partner.unreachable' });
    const rows = await office.lists.rows(moduleID);
    const seq = await rows.lastSeq();
    const result = await office.sync.syncNow(nodeID);
    expect(result.created).toBe(700 - pageRows(way));
    expect(result.updated + result.deleted).toBe(0);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await rows.lastSeq()).toBeLessThan(seq + 750 - pageRows(way));
  });
});
