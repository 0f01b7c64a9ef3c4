import { describe, expect, it } from 'vitest';
import type { IncomingColumns } from '../../../server/base/incoming-row.ts';
import { findNewKeys } from '../../../server/lists/rows/candidates.ts';
import { listPartition } from '../../../server/lists/rows/row-table.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { incoming, makeList, minuteTime, testLists, text, values } from '../../support/harness/lists.ts';

const NODE = '900';
const COLUMNS = ['Name', 'City'];

async function received(rows: Rows, recordID: string): Promise<Awaited<ReturnType<Rows['get']>>> {
  const [row] = await rows.findReceived(NODE, [recordID]);
  if (!row) throw new Error(`nothing received as ${recordID}`);
  return row;
}

const page = (...rows: ReturnType<typeof incoming>[]): Parameters<Rows['receive']>[0] => ({
  nodeID: NODE,
  rows,
  mappedColumns: COLUMNS,
});

describe('receiving rows', () => {
  it('T3: the same page twice changes nothing, writes nothing and counts as unchanged', async () => {
    const { rows } = await makeList(await testLists());
    const same = page(incoming('1', 1, { Name: 'Ada', City: 'Ulm' }), incoming('2', 1, { Name: 'Bo' }));
    expect(await rows.receive(same)).toEqual({ created: 2, updated: 0, deleted: 0, unchanged: 0 });
    const seq = await rows.lastSeq();
    expect(await rows.receive(same)).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 2 });
    expect(await rows.lastSeq()).toBe(seq);
    expect(await rows.count()).toBe(2);
  });

  it('T3: the same row twice in one page becomes one row with the later version', async () => {
    const { rows } = await makeList(await testLists());
    const counts = await rows.receive(
      page(incoming('1', 1, { Name: 'Ada' }), incoming('1', 2, { Name: 'Bo' })),
    );
    expect(counts).toEqual({ created: 1, updated: 1, deleted: 0, unchanged: 0 });
    expect((await received(rows, '1')).values).toEqual(values({ Name: 'Bo' }));
    expect(await rows.count()).toBe(1);
  });

  it('T3: pages out of order: an older version never overwrites a newer one', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 5, { Name: 'new' })));
    await rows.receive(page(incoming('1', 9, { Name: 'new' })));
    expect(await rows.receive(page(incoming('1', 7, { Name: 'old' })))).toMatchObject({ unchanged: 1 });
    expect((await received(rows, '1')).values).toEqual(values({ Name: 'new' }));
  });

  it('applies another value that comes with the same time (two changes in one second)', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 5, { Name: 'first' })));
    expect(await rows.receive(page(incoming('1', 5, { Name: 'second' })))).toMatchObject({ updated: 1 });
    const row = await received(rows, '1');
    expect(row.values).toEqual(values({ Name: 'second' }));
    expect(row.received?.previous).toEqual({ Name: ['first'], City: [] });
  });

  it('tells nanoseconds apart', async () => {
    const { rows } = await makeList(await testLists());
    const at = (updatedAt: string, Name: string): Parameters<Rows['receive']>[0] =>
      page(incoming('1', 0, { Name }, { updatedAt }));
    await rows.receive(at('2025-01-01T00:00:00.000000002Z', 'later'));
    await rows.receive(at('2025-01-01T01:00:00.000000001+01:00', 'earlier'));
    expect((await received(rows, '1')).values).toEqual(values({ Name: 'later' }));
  });

  it('keeps columns that are not mapped, and empties mapped ones that came empty', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'Ada', City: 'Ulm' })));
    const { recordID } = await received(rows, '1');
    await rows.patch(recordID, values({ Note: 'ours' }), '7');
    await rows.receive(page(incoming('1', 2, { Name: 'Ada', Note: 'not mapped' })));
    expect((await rows.get(recordID)).values).toEqual(values({ Name: 'Ada', Note: 'ours' }));
  });

  it('keeps a local edit as an overlay that ends when the value is set back or becomes the same', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'Ada', City: 'Ulm' })));
    const { recordID } = await received(rows, '1');
    const edited = await rows.patch(recordID, values({ City: 'Bonn', Name: 'Ada' }), '7');
    expect(edited.received?.edited).toEqual(['City']);
    expect((await rows.counts()).edited).toBe(1);

    await rows.receive(page(incoming('1', 2, { Name: 'Ada B', City: 'Köln' })));
    const kept = await rows.get(recordID);
    expect(kept.values).toEqual(values({ Name: 'Ada B', City: 'Bonn' }));
    expect(kept.received?.values).toEqual({ Name: ['Ada B'], City: ['Köln'] });

    const back = await rows.revertEdits(recordID, undefined, '7');
    expect(back.values.City).toEqual(['Köln']);
    expect(back.received?.edited).toEqual([]);

    await rows.patch(recordID, values({ City: 'Trier' }), '7');
    await rows.receive(page(incoming('1', 3, { Name: 'Ada B', City: 'Trier' })));
    expect((await rows.get(recordID)).received?.edited).toEqual([]);
    expect((await rows.counts()).edited).toBe(0);
  });

  it('a replace that does not change received values makes no edit and writes nothing', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'Ada', City: 'Ulm' })));
    const { recordID } = await received(rows, '1');
    const seq = await rows.lastSeq();
    const same = await rows.replace(recordID, values({ Name: 'Ada', City: 'Ulm' }), '7');
    expect(same.received?.edited).toEqual([]);
    expect(await rows.lastSeq()).toBe(seq);
  });

  it('never writes over what the user typed into a column before it was matched', async () => {
    const { rows } = await makeList(await testLists());
    const first = { nodeID: NODE, rows: [incoming('1', 1, { Name: 'Ada' })], mappedColumns: ['Name'] };
    await rows.receive(first);
    const { recordID } = await received(rows, '1');
    await rows.patch(recordID, values({ City: 'typed here' }), '7');
    await rows.receive(page(incoming('1', 1, { Name: 'Ada', City: 'Ulm' })));
    const row = await rows.get(recordID);
    expect(row.values.City).toEqual(['typed here']);
    expect(row.received).toMatchObject({ edited: ['City'], values: { City: ['Ulm'] } });
  });

  it('back-fills a newly matched column though the time is the same', async () => {
    const { rows } = await makeList(await testLists());
    const row = incoming('1', 1, { Name: 'Ada', City: 'Ulm' });
    await rows.receive({ nodeID: NODE, rows: [row], mappedColumns: ['Name'] });
    expect((await received(rows, '1')).values).toEqual(values({ Name: 'Ada' }));
    expect(await rows.receive(page(row))).toMatchObject({ updated: 1 });
    expect((await received(rows, '1')).values).toEqual(values({ Name: 'Ada', City: 'Ulm' }));
  });

  it('keeps rows of two partners with the same ids apart', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'ours' })));
    await rows.receive({ ...page(incoming('1', 1, { Name: 'theirs' })), nodeID: '901' });
    expect(await rows.counts()).toMatchObject({ total: 2, received: { 900: 1, 901: 1 } });
  });

  it('writes what `also` puts in the same transaction, or nothing of either', async () => {
    const { store, ...rest } = await testLists();
    const { rows, module } = await makeList({ store, ...rest });
    const checkpoints = { name: 'checkpoint' };
    await rows.receive({
      ...page(incoming('1', 1, { Name: 'a' })),
      also: (tx) => tx.put(checkpoints, 'c', 1),
    });
    const partition = await store.partition(`list-${module.moduleID}`);
    expect(await partition.get(checkpoints, 'c')).toBe(1);
    const failing = rows.receive({
      ...page(incoming('2', 1, { Name: 'b' })),
      also: (tx) => {
        tx.put(checkpoints, 'c', 2);
        throw new Error('no');
      },
    });
    await expect(failing).rejects.toThrow('no');
    expect(await partition.get(checkpoints, 'c')).toBe(1);
    expect(await rows.count()).toBe(1);
  });

  it('keeps all values of a multi-value column, in order', async () => {
    const { rows } = await makeList(await testLists(), [text('Name'), text('Tags', { isMulti: true })]);
    const row = { ...incoming('1', 1, { Name: 'a' }), values: { Name: ['a'], Tags: ['red', 'blue'] } };
    await rows.receive({ nodeID: NODE, rows: [row], mappedColumns: ['Name', 'Tags'] });
    expect((await received(rows, '1')).values.Tags).toEqual(['red', 'blue']);
  });
});

describe('T4: deletions that arrive', () => {
  const gone = (recordID: string, minute: number): ReturnType<typeof incoming> =>
    incoming(recordID, 1, {}, { deletedAt: minuteTime(minute) });

  it('put the row in the bin with its values; a later version brings it back', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'Ada' })));
    expect(await rows.receive(page(gone('1', 3)))).toMatchObject({ deleted: 1 });
    const binned = await received(rows, '1');
    expect(binned).toMatchObject({ values: { Name: ['Ada'] } });
    expect(binned.deletedAt).toBeDefined();
    expect(await rows.counts()).toMatchObject({ total: 0, inBin: 1, receivedInBin: { 900: 1 } });

    expect(await rows.receive(page(incoming('1', 2, { Name: 'late' })))).toMatchObject({ unchanged: 1 });
    expect((await received(rows, '1')).deletedAt).toBeDefined();

    expect(await rows.receive(page(incoming('1', 4, { Name: 'again' })))).toMatchObject({ updated: 1 });
    const back = await received(rows, '1');
    expect(back.deletedAt).toBeUndefined();
    expect(back.values).toEqual(values({ Name: 'again' }));
  });

  it('of a row that the user took out of the bin count once: it stays until the origin changes', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'Ada' })));
    await rows.receive(page(gone('1', 3)));
    const { recordID } = await received(rows, '1');
    await rows.restore(recordID, '7');
    const seq = await rows.lastSeq();
    expect(await rows.receive(page(gone('1', 3)))).toMatchObject({ unchanged: 1 });
    expect(await rows.lastSeq()).toBe(seq);
    expect((await rows.get(recordID)).deletedAt).toBeUndefined();
    expect(await rows.receive(page(gone('1', 5)))).toMatchObject({ deleted: 1 });
  });

  it('of a row never seen leave a tombstone: an older creation stays out, a newer one comes in', async () => {
    const { rows } = await makeList(await testLists());
    expect(await rows.receive(page(gone('1', 3)))).toMatchObject({ unchanged: 1 });
    expect(await rows.counts()).toMatchObject({ total: 0, inBin: 0 });
    expect((await rows.list({ limit: 10, deleted: 2, incTotal: true })).total).toBe(0);
    await rows.receive(page(incoming('1', 2, { Name: 'late' })));
    expect(await rows.count()).toBe(0);
    expect(await rows.receive(page(incoming('1', 4, { Name: 'new' })))).toMatchObject({ created: 1 });
    expect((await received(rows, '1')).values).toEqual(values({ Name: 'new' }));
  });

  it('win over a change of the same time', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(gone('1', 3)));
    await rows.receive(page(incoming('1', 3, { Name: 'same second' })));
    expect(await rows.count()).toBe(0);
  });

  it('leave a row that the user deleted in the bin when the partner goes on changing it', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'Ada' })));
    const { recordID } = await received(rows, '1');
    await rows.remove(recordID, '7');
    await rows.receive(page(incoming('1', 2, { Name: 'changed' })));
    expect((await rows.get(recordID)).deletedAt).toBeDefined();
    expect((await rows.restore(recordID, '7')).values).toEqual(values({ Name: 'changed' }));
  });
});

describe('releasing a partner', () => {
  it('keeps rows as our own', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(page(incoming('1', 1, { Name: 'Ada' }), incoming('2', 1, { Name: 'Bo' })));
    expect(await rows.releaseFrom(NODE, 'keep')).toEqual({ rows: 2 });
    expect(await rows.counts()).toMatchObject({ total: 2, received: {} });
    expect((await rows.list({ limit: 10 })).rows.every((row) => row.received === undefined)).toBe(true);
  });

  it('removes rows for good, leaving tombstones for those whom they were passed on to', async () => {
    const { rows } = await makeList(await testLists());
    await rows.create(values({ Name: 'own' }), '7');
    await rows.receive(page(incoming('1', 1, { Name: 'Ada' })));
    const { recordID } = await received(rows, '1');
    expect(await rows.releaseFrom(NODE, 'remove')).toEqual({ rows: 1 });
    expect(await rows.counts()).toMatchObject({ total: 1, inBin: 0 });
    expect(await rows.get(recordID)).toMatchObject({ values: {}, purged: true });
    await expect(rows.restore(recordID, '7')).rejects.toMatchObject({ kind: 'conflict' });
    await rows.receive(page(incoming('1', 1, { Name: 'Ada' })));
    expect(await rows.count()).toBe(2);
  });

  it('leaves as ours, with what they hold, the rows that our user changed, added to or joined with ours', async () => {
    const { rows } = await makeList(
      await testLists(),
      ['Name', 'City', 'Phone'].map((name) => text(name)),
    );
    const ours = await rows.createMany(
      [
        values({ Name: 'Hafenkontor', City: 'Kiel' }),
        values({ Name: 'Seiler & Co', City: 'Lübeck' }),
        values({ Name: 'Nordlicht', City: 'Husum' }),
      ],
      '7',
    );
    await rows.receive(
      page(
        incoming('1', 1, { Name: 'Hafenkontor', City: 'Kiel' }),
        incoming('2', 1, { Name: 'Möwe GmbH', City: 'Emden' }),
        incoming('3', 1, { Name: 'Deichbau', City: 'Norden' }),
        incoming('4', 1, { Name: 'Reederei Voss', City: 'Bremen' }),
        incoming('5', 1, { Name: 'Seiler & Co', City: 'Lübeck' }),
        incoming('6', 1, { Name: 'Nordlicht', City: 'Husum' }),
      ),
    );
    const came = async (id: string): Promise<string> => (await received(rows, id)).recordID;
    const at = (place: number): string[] => [ours[place]?.recordID ?? ''];
    await rows.joinMany([{ kept: await came('5'), others: at(1) }], '7');
    await rows.undo('7');
    await rows.joinMany(
      [
        { kept: await came('1'), others: at(0) },
        { kept: await came('6'), others: at(2) },
      ],
      '7',
    );
    await rows.undo('7');
    await rows.redo('7');
    await rows.patch(await came('2'), values({ Phone: '04921 88' }), '7');
    await rows.patch(await came('3'), values({ City: 'Norddeich' }), '7');
    // An emptied cell is no value.
    await rows.patch(await came('4'), { City: [] }, '7');
    expect(await rows.countOnlyFrom(NODE)).toEqual({ rows: 6, partlyOurs: 4 });
    await rows.releaseFrom(NODE, 'remove');
    const left = (await rows.list({ limit: 10 })).rows;
    expect(left.map(({ values: shown }) => shown)).toEqual([
      values({ Name: 'Seiler & Co', City: 'Lübeck' }),
      values({ Name: 'Hafenkontor', City: 'Kiel' }),
      values({ Name: 'Möwe GmbH', City: 'Emden', Phone: '04921 88' }),
      values({ Name: 'Deichbau', City: 'Norddeich' }),
      values({ Name: 'Nordlicht', City: 'Husum' }),
    ]);
    expect(left.every(({ received: from }) => from === undefined)).toBe(true);
  });
});

it('other work runs while many columns are looked up', async () => {
  const setup = await testLists();
  const { module } = await makeList(setup);
  const partition = await setup.store.partition(listPartition(module.moduleID));
  const all = <T>(of: (at: number) => T): T[] => Array.from({ length: 20_000 }, (_, at) => of(at));
  const times = all(() => minuteTime(0));
  const columns: IncomingColumns = {
    recordIDs: all(String),
    vias: all(() => ['office-a']),
    originIDs: all((at) => `origin-of-row-${String(at).padStart(8, '0')}`),
    ...{ createdAt: times, updatedAt: times, originTimes: times },
    cells: new Map(),
  };
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  expect((await findNewKeys(partition, NODE, columns))?.received).toHaveLength(20_000);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(5);
});

it('a received row is stored with its values once, and read whole', async () => {
  const setup = await testLists();
  const { rows, module } = await makeList(setup);
  const long = 'x'.repeat(5000);
  await rows.receive(page(incoming('1', 1, { Name: long })));
  const partition = await setup.store.partition(`list-${module.moduleID}`);
  const [stored] = await partition.page({ name: 'row' }, { limit: 1 });
  expect(JSON.stringify(stored?.value).split(long)).toHaveLength(2);
  expect(await received(rows, '1')).toMatchObject({
    values: { Name: [long] },
    received: { values: { Name: [long], City: [] } },
  });
  const { recordID } = await received(rows, '1');
  await rows.patch(recordID, values({ Note: 'own' }), '7');
  expect((await rows.get(recordID)).received?.values).toEqual({ Name: [long], City: [] });
  const again = await (await setup.reopen()).lists.rows(module.moduleID);
  expect((await again.get(recordID)).received?.values).toEqual({ Name: [long], City: [] });
});
