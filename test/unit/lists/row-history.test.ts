import { describe, expect, it } from 'vitest';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import {
  createHistoryRecorder,
  readHistory,
  HISTORY_LIMITS,
} from '../../../server/lists/rows/row-history.ts';
import { importTable } from '../../../server/lists/csv/import.ts';
import { customers } from '../../support/data/office-lists.ts';
import { incoming, makeList, minuteTime, testLists, values } from '../../support/harness/lists.ts';

const DAY = 24 * 3_600_000;
const [OSLO, BERGEN] = ['900', '901'] as const;
const COLUMNS = ['Name', 'City'];

const from = (nodeID: string, ...rows: ReturnType<typeof incoming>[]): Parameters<Rows['receive']>[0] => ({
  nodeID,
  rows,
  mappedColumns: COLUMNS,
  overrule: true,
});

/** What is kept of a row, in short: who, what was done, and the values before. */
async function past(rows: Rows, recordID: string): Promise<string[]> {
  const { changes, older } = await rows.history(recordID);
  const told = changes.map(({ by, from, did, was }) =>
    [from ?? `user ${by}`, did, ...Object.values(was).map((texts) => texts.join('|') || '-')]
      .filter((word) => word !== undefined)
      .join(' '),
  );
  return older ? ['…', ...told] : told;
}

async function only(rows: Rows, nodeID: string, recordID: string): Promise<string> {
  const [row] = await rows.findReceived(nodeID, [recordID]);
  return row?.recordID ?? '';
}

/** A row of Oslo, as it comes by others. */
const told = (
  minute: number,
  row: Record<string, string>,
  ...via: string[]
): ReturnType<typeof incoming> => ({
  ...incoming('1', minute, row),
  via: ['oslo', ...via],
  origin: { id: 'q0Yw7mB1xJc4T9fKz2LhVg', at: minuteTime(minute) },
});

describe('what a row was before', () => {
  it('is kept with who changed it: the user, a program, each partner that brings it', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office);
    await rows.receive(from(OSLO, incoming('1', 1, { Name: 'Ada', City: 'Ulm' })));
    const recordID = await only(rows, OSLO, '1');
    expect(await past(rows, recordID)).toEqual([]);
    await rows.receive(from(OSLO, incoming('1', 2, { Name: 'Ada', City: 'Oslo' })));
    await rows.patch(recordID, values({ Name: 'Ada L.' }), '0');
    await rows.patch(recordID, { City: [] }, '77');
    await rows.remove(recordID, '0');
    await rows.restore(recordID, '0');
    const all = [`${OSLO} Ulm`, 'user 0 Ada', 'user 77 Oslo', 'user 0 removed', 'user 0 restored'];
    expect(await past(rows, recordID)).toEqual(all);
    const { lists } = await office.reopen();
    expect(await past(await lists.rows(module.moduleID), recordID)).toEqual(all);
  });

  it('names the partner whose word is shown once another one is not heard any more', async () => {
    const { rows } = await makeList(await testLists());
    const told = (minute: number, City: string, ...via: string[]): ReturnType<typeof incoming> => ({
      ...incoming('1', minute, { Name: 'Ada', City }),
      via: ['oslo', ...via],
      origin: { id: 'q0Yw7mB1xJc4T9fKz2LhVg', at: minuteTime(minute) },
    });
    await rows.receive(from(OSLO, told(1, 'Ulm')));
    const recordID = await only(rows, OSLO, '1');
    await rows.receive(from(BERGEN, told(2, 'Turku', 'bergen')));
    expect(await past(rows, recordID)).toEqual([]);
    await rows.endSource(OSLO);
    expect((await rows.get(recordID)).values.City).toEqual(['Turku']);
    expect(await past(rows, recordID)).toEqual([`${BERGEN} Ulm`]);
  });

  it('is not written where nothing changes, and with the row or not at all', async () => {
    const { rows } = await makeList(await testLists());
    const { recordID } = await rows.create(values({ Name: 'Ada' }), '0');
    await rows.patch(recordID, values({ Name: 'Ada' }), '0');
    await expect(
      rows.saveMany(
        [
          { recordID, values: values({ Name: 'Bo' }) },
          { recordID: '5', values: {} },
        ],
        '0',
      ),
    ).rejects.toMatchObject({ kind: 'not-found' });
    expect(await past(rows, recordID)).toEqual([]);
  });

  it('names the file that rows came from, and that changed them', async () => {
    const office = await testLists();
    const { lists, clock } = office;
    const [first, ...others] = customers({ rows: 700 }).rows;
    const csv = (rows: readonly object[]): Buffer =>
      Buffer.from(['CustomerID,City', ...rows.map((row) => Object.values(row).join(','))].join('\n'));
    const short = [first!, ...others].map(({ CustomerID, City }) => ({ CustomerID, City }));
    const to = { name: 'Customers' };
    const { moduleID } = await importTable(lists, csv(short), {
      ...{ to, key: ['CustomerID'], by: '0', file: 'spring.csv' },
    });
    clock.advance(DAY);
    const moved = short.map((row, at) => (at === 650 ? { ...row, City: 'Ulm' } : row));
    await importTable(lists, csv(moved), { to, key: ['CustomerID'], by: '0', file: 'autumn.csv' });
    const rows = await lists.rows(moduleID);
    const { rows: found } = await rows.list({ limit: 500, query: "City = 'Ulm'" });
    const row = found.find(({ values: { CustomerID } }) => CustomerID?.[0] === short[650]?.CustomerID);
    expect(await rows.importedFrom(row!.createdAt, '0')).toBe('spring.csv');
    const { changes } = await rows.history(row!.recordID);
    expect(Object.values(changes[0]!.was)).toEqual([[short[650]!.City]]);
    expect(await rows.importedFrom(changes[0]!.at, '0')).toBe('autumn.csv');
    expect(await rows.importedFrom(changes[0]!.at, '5')).toBeUndefined();
  });
});

it('names no file for what was done by hand while the clock stood behind its import', async () => {
  const { lists, clock } = await testLists();
  const csv = Buffer.from('Name,Price\nFjellheim,120\nTromsø AS,80\n');
  const { moduleID } = await importTable(lists, csv, { to: { name: 'Prices' }, by: '0', file: 'prices.csv' });
  clock.set(clock.now() - 600_000);
  const rows = await lists.rows(moduleID);
  const { rows: found } = await rows.list({ limit: 10 });
  await rows.patch(found[0]!.recordID, values({ Price: '99' }), '0');
  const made = await rows.create(values({ Name: 'Ærø' }), '0');
  const { changes } = await rows.history(found[0]!.recordID);
  expect(await rows.importedFrom(found[0]!.createdAt, '0')).toBe('prices.csv');
  expect(await rows.importedFrom(changes[0]!.at, '0')).toBeUndefined();
  expect(await rows.importedFrom(made.createdAt, '0')).toBeUndefined();
  // Nor the file for what was done before it.
  const more = Buffer.from('Name,Price\nBodø,7\n');
  await importTable(lists, more, { to: { moduleID }, by: '0', file: 'more.csv' });
  expect(await rows.importedFrom(made.createdAt, '0')).toBeUndefined();
});

describe('how much of it is kept', () => {
  it('is the last changes of a row, and it is told that there were others', async () => {
    const { rows } = await makeList(await testLists());
    const { recordID } = await rows.create(values({ Name: 'name 0' }), '0');
    for (let n = 1; n <= 30; n++) await rows.patch(recordID, values({ Name: `name ${n}` }), String(n % 2));
    const kept = await past(rows, recordID);
    expect(kept).toHaveLength(HISTORY_LIMITS.changes + 1);
    expect([kept[0], kept[1], kept.at(-1)]).toEqual(['…', 'user 1 name 10', 'user 0 name 29']);
  });

  it('is not pushed out by who changes a row often: its changes are told as one, and what was before stays', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(from(OSLO, incoming('1', 1, { Name: 'Ada', City: 'Ulm' })));
    const recordID = await only(rows, OSLO, '1');
    await rows.patch(recordID, values({ Note: 'owes 300' }), '0');
    for (let n = 2; n < 60; n++)
      await rows.receive(
        from(OSLO, incoming('1', n, { Name: `Eva ${n}`, City: n < 9 ? 'Ulm' : `Oslo ${n}` })),
      );
    const kept = await past(rows, recordID);
    expect(kept).toHaveLength(HISTORY_LIMITS.changes);
    expect(kept[0]).toBe('user 0 -');
    expect(kept[1]).toMatch(/^900 (Ada Ulm|Ulm Ada)$/);
    const { changes } = await rows.history(recordID);
    expect(changes.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(59);
  });

  it('is not pushed out by who removes and restores a row over and over, or writes what is too long to keep', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive(
      from(OSLO, ...['1', '2'].map((id) => incoming(id, 1, { Name: 'DE02 1203', City: 'Ulm' }))),
    );
    const [removed, filled] = [await only(rows, OSLO, '1'), await only(rows, OSLO, '2')];
    await rows.receive(from(OSLO, incoming('1', 2, { Name: 'FR14 2004', City: 'Ulm' })));
    for (let n = 3; n < 60; n += 2) {
      const gone = { ...incoming('1', n, {}), deletedAt: minuteTime(n) };
      await rows.receive(from(OSLO, gone));
      await rows.receive(from(OSLO, incoming('1', n + 1, { Name: 'FR14 2004', City: 'Ulm' })));
    }
    expect((await past(rows, removed))[0]).toMatch(/^900 .*DE02 1203/);
    const long = customers({ rows: 300 })
      .rows.map(({ Remark }) => Remark)
      .join(' ')
      .slice(0, HISTORY_LIMITS.chars + 1);
    await rows.receive(from(OSLO, incoming('2', 2, { Name: 'FR14 2004', City: 'Ulm' })));
    await rows.receive(from(OSLO, incoming('2', 3, { Name: 'FR14 2004', City: long })));
    await rows.receive(from(OSLO, incoming('2', 4, { Name: 'FR14 2004', City: 'Ulm' })));
    const { changes, older } = await rows.history(filled);
    expect(changes).toMatchObject([{ times: 3 }]);
    expect(Object.values(changes[0]!.was).flat().sort()).toEqual(['DE02 1203', 'Ulm']);
    expect(older).toBeUndefined();
  });

  it('is so many letters of a row, but always the last change', async () => {
    const { rows } = await makeList(await testLists());
    const long = customers({ rows: 300 })
      .rows.map(({ Remark }) => Remark)
      .join(' ');
    const { recordID } = await rows.create(values({ Name: `${long.slice(0, 5000)} 1` }), '0');
    await rows.patch(recordID, values({ Name: `${long.slice(0, 5000)} 2` }), '0');
    await rows.patch(recordID, values({ Name: `${long.slice(0, 9000)} 3` }), '0');
    await rows.patch(recordID, values({ Name: 'short' }), '0');
    const { changes, older } = await rows.history(recordID);
    expect(changes.map(({ was }) => Object.values(was)[0]?.[0]?.slice(-1))).toEqual(['3']);
    expect(older).toBe(true);
  });

  it('is that of the rows of a list that changed last', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office);
    const made = await rows.createMany(
      customers({ rows: 40 }).rows.map(({ CompanyName }) => values({ Name: CompanyName! })),
      '0',
    );
    const partition = await office.store.partition(`list-${module.moduleID}`);
    const limits = { ...HISTORY_LIMITS, rows: 10 };
    for (const row of made)
      await partition.transaction(async (tx) => {
        const notes = createHistoryRecorder({
          tx,
          partition,
          now: row.updatedAt,
          fields: module.fields,
          limits,
        });
        notes.recordChange(row, { ...row, values: values({ Name: 'another' }) });
        await notes.write();
      });
    const kept = await Promise.all(made.map(({ recordID }) => readHistory(partition, recordID)));
    const count = kept.filter((each) => each !== undefined).length;
    expect(count).toBeLessThanOrEqual(limits.rows + 2);
    expect(kept.slice(-count).every((each) => each !== undefined)).toBe(true);
  });

  it('goes with its time, change by change', async () => {
    const office = await testLists();
    const { clock } = office;
    const { module, rows } = await makeList(office);
    const made = await rows.createMany(
      [values({ Name: 'Ada' }), values({ Name: 'Bo' }), values({ Name: 'Di' })],
      '0',
    );
    const [old = '', both = '', young = ''] = made.map(({ recordID }) => recordID);
    await rows.patch(old, values({ Name: 'Eva' }), '0');
    await rows.patch(both, values({ Name: 'Cy' }), '0');
    clock.advance(10 * DAY);
    await rows.patch(both, values({ Name: 'Cleo' }), '0');
    await rows.patch(young, values({ Name: 'Dora' }), '0');
    expect(await rows.forgetHistory(clock.now() - 5 * DAY)).toBe(2);
    const left = [[], ['…', 'user 0 Cy'], ['user 0 Di']];
    expect(await Promise.all([old, both, young].map((id) => past(rows, id)))).toEqual(left);
    expect(await rows.forgetHistory(clock.now() - 5 * DAY)).toBe(0);
    const again = await (await office.reopen()).lists.rows(module.moduleID);
    expect(await Promise.all([old, both, young].map((id) => past(again, id)))).toEqual(left);
  });
});

describe('nothing is kept of it', () => {
  it('once the row has left the bin for good', async () => {
    const { clock, ...office } = await testLists();
    const { rows } = await makeList({ clock, ...office });
    const { recordID } = await rows.create(values({ Name: 'Ada', City: 'Ulm' }), '0');
    await rows.patch(recordID, values({ City: 'Oslo' }), '0');
    await rows.remove(recordID, '0');
    expect(await past(rows, recordID)).toHaveLength(2);
    clock.advance(100 * DAY);
    await rows.emptyBin(clock.now() - DAY);
    expect(await past(rows, recordID)).toEqual([]);
  });

  it.each(['releaseFrom', 'endSource'] as const)(
    'where the partner that brought it ends and its rows are removed, by others or not: %s',
    async (end) => {
      const { rows } = await makeList(await testLists());
      await rows.receive(from(BERGEN, told(1, { Name: 'Ada', City: 'Ulm' }, 'bergen')));
      await rows.receive(from(OSLO, told(2, { Name: 'Ada', City: 'Turku' })));
      const recordID = await only(rows, OSLO, '1');
      expect(await past(rows, recordID)).toEqual([`${OSLO} Ulm`]);
      await rows[end](BERGEN, 'remove');
      expect(await past(rows, recordID)).toEqual([]);
    },
  );

  it('where the row stays as others bring it: nor of what only the removed partner had brought', async () => {
    const { rows } = await makeList(await testLists());
    await rows.receive({ ...from(OSLO, told(1, { Name: 'Ada' })), mappedColumns: ['Name'] });
    const recordID = await only(rows, OSLO, '1');
    await rows.receive(from(BERGEN, told(2, { Name: 'Ada', City: 'Turku' }, 'bergen')));
    await rows.receive(from(BERGEN, told(3, { Name: 'Ada', City: 'Kotka' }, 'bergen')));
    await rows.endSource(BERGEN, 'remove');
    const row = await rows.get(recordID);
    expect(row.values).toEqual({ Name: ['Ada'] });
    expect(JSON.stringify(row)).not.toMatch(/Turku|Kotka/);
    expect(await past(rows, recordID)).toEqual([]);
  });

  it('of a column that was purged; what is renamed, of another kind or in the bin keeps its past', async () => {
    const office = await testLists();
    const { module, rows } = await makeList(office);
    const { recordID } = await rows.create(values({ Name: '1', City: 'Ulm' }), '0');
    await rows.patch(recordID, values({ Name: '2' }), '0');
    await rows.patch(recordID, values({ City: 'Oslo' }), '0');
    const [name, city] = module.fields;
    await office.lists.updateModule(module.moduleID, { fields: [{ ...name!, name: 'Title' }, city!] });
    expect(await past(rows, recordID)).toEqual(['user 0 1', 'user 0 Ulm']);
    await office.lists.updateModule(module.moduleID, { fields: [{ ...name!, kind: 'Number' }] });
    expect(await past(rows, recordID)).toEqual(['user 0 1', 'user 0 Ulm']);
    await office.lists.purgeColumn(module.moduleID, city!.fieldID);
    expect(await past(rows, recordID)).toEqual(['…', 'user 0 1']);
  });
});
