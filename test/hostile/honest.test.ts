import { describe, expect, it } from 'vitest';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { asksForRows, fill, matched, PAGE_ROWS, shownBy, WAYS } from '../support/partners/matched.ts';

describe.each(WAYS)('a partner that speaks %s', (_, way) => {
  it('brings 1,203 rows over several pages, then changes and deletions, and nothing twice', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1203);
    const { office, nodeID, moduleID } = await matched(origin, way);
    expect(await office.sync.syncNow(nodeID)).toMatchObject({
      created: 1203,
      updated: 0,
      deleted: 0,
      failed: 0,
    });
    expect(await office.received(moduleID)).toEqual(shownBy(origin));

    const rows = origin.rows();
    for (const { recordID } of rows.slice(0, 10)) origin.remove(recordID);
    for (const { recordID } of rows.slice(10, 25)) origin.put(recordID, { Name: ['changed'], City: ['x'] });
    fill(origin, 1203, 1210);
    expect(await office.sync.syncNow(nodeID)).toMatchObject({
      created: 7,
      updated: 15,
      deleted: 10,
      failed: 0,
    });
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
  });

  it('goes on without loss or doubles after a restart in the middle', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1700);
    let pages = 0;
    let isDown = true;
    const set = await matched(origin, way, {
      lies: (app) =>
        app.use((request, response, next) => {
          if (isDown && asksForRows(request) && ++pages >= 3) response.socket?.destroy();
          else next();
        }),
    });
    await expect(set.office.sync.syncNow(set.nodeID)).rejects.toMatchObject({ code: 'partner.unreachable' });
    expect((await set.office.received(set.moduleID)).size).toBe(2 * PAGE_ROWS);
    isDown = false;
    const again = await set.office.restart();
    fill(origin, 1700, 1710);
    origin.put(origin.rows()[3]!.recordID, { Name: ['changed meanwhile'] });
    await again.sync.syncNow(set.nodeID);
    expect(await again.received(set.moduleID)).toEqual(shownBy(origin));
    await again.sync.stop();
    await again.store.close();
  });

  it('T2: changes, grows and loses rows while it is paged through, and in the end all is the same', async () => {
    const origin = madeUpOrigin();
    const second = Math.floor(Date.now() / 1000) * 1000;
    origin.now = () => second;
    fill(origin, 0, 1500);
    let pages = 0;
    const { office, nodeID, moduleID } = await matched(origin, way, {
      lies: (app) =>
        app.use((request, __, next) => {
          if (asksForRows(request) && ++pages < 4) {
            origin.put(origin.rows()[pages * 200]!.recordID, { Name: [`changed before page ${pages}`] });
            origin.remove(origin.rows()[pages * 100 + 1]!.recordID);
            fill(origin, 2000 + pages * 10, 2010 + pages * 10);
          }
          next();
        }),
    });
    for (let pull = 0; pull < 3; pull++) await office.sync.syncNow(nodeID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });
});
