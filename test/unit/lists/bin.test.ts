import { describe, expect, it } from 'vitest';
import type { Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { incoming, makeList, testLists, values } from '../../support/harness/lists.ts';

const DAY = 24 * 3_600_000;
const NODE = '900';
const COLUMNS = ['Name', 'City'];

const page = (...rows: ReturnType<typeof incoming>[]): Parameters<Rows['receive']>[0] => ({
  nodeID: NODE,
  rows,
  mappedColumns: COLUMNS,
});

async function received(rows: Rows, recordID: string): Promise<Row> {
  const [row] = await rows.findReceived(NODE, [recordID]);
  if (!row) throw new Error(`nothing received as ${recordID}`);
  return row;
}

const binned = async (rows: Rows): Promise<string[]> =>
  (await rows.list({ limit: 100, deleted: 2, sort: 'updatedAt DESC' })).rows.map(({ values: { Name } }) =>
    String(Name?.[0]),
  );

describe('a bin in which rows have lain long enough', () => {
  it('is emptied of those alone, and of all their values', async () => {
    const { clock, ...office } = await testLists();
    const { rows } = await makeList({ clock, ...office });
    const made = await rows.createMany(
      ['Ada', 'Bo', 'Cy', 'Di'].map((Name) => values({ Name, City: 'Ulm' })),
      '1',
    );
    const [ada = '', bo = '', cy = ''] = made.map(({ recordID }) => recordID);
    await rows.remove(ada, '1');
    clock.advance(10 * DAY);
    await rows.remove(bo, '1');
    expect(await binned(rows)).toEqual(['Bo', 'Ada']);
    expect(await rows.emptyBin(clock.now() - 5 * DAY)).toBe(1);
    expect(await binned(rows)).toEqual(['Bo']);
    expect(await rows.counts()).toMatchObject({ total: 2, inBin: 1 });
    expect(await rows.get(ada)).toMatchObject({ values: {}, purged: true, deletedBy: '1' });
    await expect(rows.restore(ada, '1')).rejects.toMatchObject({ kind: 'conflict' });
    expect((await rows.get(cy)).values).toEqual(values({ Name: 'Cy', City: 'Ulm' }));
    expect(await rows.emptyBin(clock.now() - 5 * DAY)).toBe(0);
  });

  it('is not counted, nor paged, as it was before, by who looked at it shortly before', async () => {
    const { clock, ...office } = await testLists();
    const { rows } = await makeList({ clock, ...office });
    const made = await rows.createMany(
      ['Ada', 'Bo', 'Cy'].map((Name) => values({ Name })),
      '1',
    );
    await rows.removeMany(
      made.slice(0, 2).map(({ recordID }) => recordID),
      '1',
    );
    const looked = async (deleted: 1 | 2): Promise<unknown> => {
      const { total, rows: found } = await rows.list({ offset: 0, limit: 2, sort: 'Name', deleted });
      return [total, ...found.map(({ values: { Name } }) => Name?.[0])];
    };
    expect(await looked(1)).toEqual([3, 'Ada', 'Bo']);
    expect(await looked(2)).toEqual([2, 'Ada', 'Bo']);
    await rows.emptyBin(clock.now() + 100);
    expect(await looked(1)).toEqual([1, 'Cy']);
    expect(await looked(2)).toEqual([0]);
  });

  it('tells nobody anything: that the row was deleted stands where it stood among the changes', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office);
    const made = await rows.createMany(
      ['Ada', 'Bo', 'Cy'].map((Name) => values({ Name })),
      '1',
    );
    const beforeThat = await rows.lastSeq();
    await rows.remove(made[0]?.recordID ?? '', '1');
    await rows.patch(made[1]?.recordID ?? '', values({ City: 'Ulm' }), '1');
    const told = async (of: Rows, afterSeq: number): Promise<string[]> =>
      (await of.changesSince({ afterSeq }, 100)).map(({ key, seq, value }) =>
        [key, seq, value.updatedAt, value.deletedAt].join(' '),
      );
    const before = await told(rows, 0);
    const read = await rows.lastSeq();
    office.clock.advance(100 * DAY);
    expect(await rows.emptyBin(office.clock.now() - DAY)).toBe(1);
    expect(await told(rows, read)).toEqual([]);
    expect(await told(rows, 0)).toEqual(before);
    const { lists } = await office.reopen();
    const again = await lists.rows(module.moduleID);
    expect(await told(again, 0)).toEqual(before);
    // A partner that was away since before the deletion still hears of it, however long that was.
    expect(await told(again, beforeThat)).toEqual(before.slice(-2));
  });

  it('does not let a row come back that our user deleted, whatever its partner sends', async () => {
    const { clock, ...office } = await testLists();
    const { rows } = await makeList({ clock, ...office });
    await rows.receive(page(incoming('1', 1, { Name: 'Ada', City: 'Ulm' })));
    await rows.remove((await received(rows, '1')).recordID, '1');
    clock.advance(100 * DAY);
    await rows.emptyBin(clock.now() - DAY);
    expect(JSON.stringify(await received(rows, '1'))).not.toMatch(/Ada|Ulm/);
    for (const [minute, Name] of [
      [1, 'Ada'],
      [5, 'Ada again'],
    ] as const) {
      expect(await rows.receive(page(incoming('1', minute, { Name })))).toMatchObject({
        created: 0,
        unchanged: 1,
      });
      const row = await received(rows, '1');
      expect(row.deletedAt).toBeDefined();
      expect(JSON.stringify(row)).not.toContain('Ada');
    }
    expect(await rows.counts()).toMatchObject({ total: 0, inBin: 0 });
  });

  it('lets a row come back that its partner deleted and has again', async () => {
    const { clock, ...office } = await testLists();
    const { rows } = await makeList({ clock, ...office });
    await rows.receive(page(incoming('1', 1, { Name: 'Ada' })));
    await rows.receive(page(incoming('1', 2, {}, { deletedAt: '2025-01-01T00:02:00Z' })));
    clock.advance(100 * DAY);
    expect(await rows.emptyBin(clock.now() - DAY)).toBe(1);
    expect(await rows.receive(page(incoming('1', 1, { Name: 'Ada' })))).toMatchObject({ unchanged: 1 });
    expect((await rows.counts()).total).toBe(0);
    expect(await rows.receive(page(incoming('1', 9, { Name: 'Ada back' })))).toMatchObject({ created: 1 });
    expect((await received(rows, '1')).values).toEqual(values({ Name: 'Ada back' }));
    expect(await rows.counts()).toMatchObject({ total: 1, inBin: 0 });
  });
});
