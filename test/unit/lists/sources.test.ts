import { describe, expect, it } from 'vitest';
import type { IncomingRow, Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { sourcesOf } from '../../../server/lists/rows/sources.ts';
import { classifyLosses } from '../../../server/sync/deletion-guard/classify.ts';
import {
  incoming,
  makeList,
  minuteTime,
  testLists,
  values,
  type TestLists,
} from '../../support/harness/lists.ts';

/** Partners as we know them, and their installations. */
const [OSLO, BERGEN, TURKU] = ['900', '901', '902'] as const;
const COLUMNS = ['Name', 'City'];
const NAME = 'q0Yw7mB1xJc4T9fKz2LhVg';

/** A row that was made in Oslo, as somebody brings it. */
function told(
  recordID: string,
  minute: number,
  values: Record<string, string>,
  ...via: string[]
): IncomingRow {
  const origin = { id: NAME, at: minuteTime(minute) };
  return { ...incoming(recordID, minute, values), via: ['oslo', ...via], origin };
}

const gone = (row: IncomingRow, minute: number): IncomingRow => ({
  ...row,
  values: {},
  deletedAt: minuteTime(minute),
});

let home: TestLists;
async function receiver(): Promise<{
  rows: Rows;
  from: (nodeID: string, ...rows: IncomingRow[]) => Promise<void>;
}> {
  home = await testLists();
  const { rows } = await makeList(home);
  return {
    rows,
    from: async (nodeID, ...page) => {
      await rows.receive({ nodeID, rows: page, mappedColumns: COLUMNS, overrule: true });
    },
  };
}

async function all(rows: Rows): Promise<Row[]> {
  const found: Row[] = [];
  for await (const page of rows.scan()) found.push(...page);
  return found;
}

async function only(rows: Rows): Promise<Row> {
  const [row, ...others] = await all(rows);
  expect(others).toEqual([]);
  return row!;
}

describe('a row that turns out to be another one', () => {
  it('counts as removed beside what comes in its place', async () => {
    const { rows, from } = await receiver();
    await from(OSLO, told('1', 1, { Name: 'Ada', City: 'Ulm' }));
    const apart = { id: 'Zt5Wc8nPq2Ls6VbX0dRfHg', at: minuteTime(1) };
    await from(BERGEN, { ...incoming('7', 1, { Name: 'Ada' }), via: ['bergen'], origin: apart });
    expect(await rows.count()).toBe(2);
    const page = { nodeID: BERGEN, mappedColumns: COLUMNS, overrule: true };
    const merged = { ...page, rows: [told('7', 2, { Name: 'Ada', City: 'Ulm' }, 'bergen')] };
    expect(await rows.receive(merged)).toMatchObject({ created: 0, deleted: 1 });
    expect(await rows.count()).toBe(1);
    expect(await rows.receive(merged)).toMatchObject({ created: 0, deleted: 0, unchanged: 1 });
    expect(await rows.count()).toBe(1);
  });

  it('does not count as removed where it lay in the bin before', async () => {
    const { rows, from } = await receiver();
    await from(OSLO, told('1', 1, { Name: 'Ada' }));
    const apart = { id: 'Zt5Wc8nPq2Ls6VbX0dRfHg', at: minuteTime(1) };
    await from(BERGEN, { ...incoming('7', 1, { Name: 'Ada' }), via: ['bergen'], origin: apart });
    const [theirs] = await rows.findReceived(BERGEN, ['7']);
    await rows.remove(theirs?.recordID ?? '', '12');
    const merged = [told('7', 2, { Name: 'Ada' }, 'bergen')];
    const counts = await rows.receive({ nodeID: BERGEN, rows: merged, mappedColumns: COLUMNS });
    expect(counts).toMatchObject({ created: 0, deleted: 0 });
    expect(await rows.count()).toBe(1);
  });
});

describe('a row that several partners bring', () => {
  it.each([
    ['one way', ['bergen', 'turku']],
    ['the other way round', ['turku', 'bergen']],
  ])('shows the newest version, then the same for everybody, whoever comes first (%s)', async (_, order) => {
    const { rows, from } = await receiver();
    const bring = { bergen: [BERGEN, '11'], turku: [TURKU, '12'] } as const;
    for (const name of order as ('bergen' | 'turku')[])
      await from(bring[name][0], told(bring[name][1], 5, { Name: 'Ada', City: `by ${name}` }, name));
    expect((await only(rows)).values.City).toEqual(['by bergen']);
    await from(TURKU, told('12', 6, { Name: 'Ada', City: 'newer' }, 'turku'));
    const row = await only(rows);
    expect(row.values.City).toEqual(['newer']);
    expect(row.received?.previous?.City).toEqual(['by bergen']);
    await from(BERGEN, told('11', 6, { Name: 'Ada', City: 'newer, by bergen' }, 'bergen'));
    expect((await only(rows)).values.City).toEqual(['newer, by bergen']);
  });

  it('fills the columns that one leaves out from the other', async () => {
    const { rows, from } = await receiver();
    await rows.receive({
      nodeID: BERGEN,
      rows: [told('11', 5, { Name: 'Ada' }, 'bergen')],
      mappedColumns: ['Name'],
      overrule: true,
    });
    await from(TURKU, told('12', 4, { Name: 'old', City: 'Ulm' }, 'turku'));
    expect((await only(rows)).values).toEqual(values({ Name: 'Ada', City: 'Ulm' }));
  });

  it('keeps what our user changed in it, whichever way leads', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada', City: 'Ulm' }, 'bergen'));
    const { recordID } = await only(rows);
    await rows.patch(recordID, values({ City: 'ours' }), '7');
    await from(OSLO, told('10', 7, { Name: 'Ada B', City: 'Köln' }));
    const row = await only(rows);
    expect(row.values).toEqual(values({ Name: 'Ada B', City: 'ours' }));
    expect((await rows.revertEdits(recordID, undefined, '7')).values.City).toEqual(['Köln']);
  });

  it('writes nothing for a word that is no news, so that none goes round for ever', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada' }, 'bergen'));
    await from(TURKU, told('12', 5, { Name: 'Ada' }, 'turku'));
    const seq = await rows.lastSeq();
    await from(TURKU, { ...told('12', 5, { Name: 'Ada' }, 'turku'), updatedAt: minuteTime(9) });
    expect(await rows.lastSeq()).toBe(seq);
  });

  it('is as it was after a restart, found by each of its ways', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada', City: 'Ulm' }, 'bergen'));
    await from(TURKU, told('12', 5, { Name: 'Ada', City: 'Bonn' }, 'turku'));
    const before = await only(rows);
    const { lists } = await home.reopen();
    const again = await lists.rows(rows.moduleID);
    expect(await only(again)).toEqual(before);
    expect((await again.findReceived(TURKU, ['12'])).map((row) => row?.recordID)).toEqual([before.recordID]);
    expect((await again.counts()).received).toEqual({ [BERGEN]: 1, [TURKU]: 1 });
  });

  it('has its columns moved in all of its ways when the list changes', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada', City: 'Ulm' }, 'bergen'));
    await from(TURKU, told('12', 5, { Name: 'Ada', City: 'Bonn' }, 'turku'));
    const module = await home.lists.module(rows.moduleID);
    await home.lists.updateModule(rows.moduleID, {
      fields: module.fields.map((field) => (field.name === 'City' ? { ...field, name: 'Town' } : field)),
    });
    const row = await only(await home.lists.rows(rows.moduleID));
    expect(sourcesOf(row.received!).map((way) => way.values.Town)).toEqual([['Ulm'], ['Bonn']]);
  });
});

describe('rows of before there were origins', () => {
  it('get theirs when they are read again, and are one where they were two', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, incoming('11', 5, { Name: 'Ada' }));
    await from(TURKU, incoming('12', 5, { Name: 'Ada' }));
    expect(await all(rows)).toHaveLength(2);
    await from(BERGEN, told('11', 5, { Name: 'Ada' }, 'bergen'));
    expect(await all(rows)).toHaveLength(2);
    await from(TURKU, told('12', 5, { Name: 'Ada' }, 'turku'));
    const row = await only(rows);
    expect(sourcesOf(row.received!).map(({ nodeID }) => nodeID)).toEqual([BERGEN, TURKU]);
    expect(await rows.counts()).toMatchObject({ total: 1, inBin: 0 });
  });

  it('go into the bin where our user had put something into the one that goes', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada' }, 'bergen'));
    await from(TURKU, incoming('12', 5, { Name: 'Ada' }));
    const [, second] = await all(rows);
    await rows.patch(second!.recordID, values({ Note: 'call her on Monday' }), '7');
    await from(TURKU, told('12', 5, { Name: 'Ada' }, 'turku'));
    expect(await rows.counts()).toMatchObject({ total: 1, inBin: 1 });
    expect((await rows.restore(second!.recordID, '7')).values.Note).toEqual(['call her on Monday']);
  });
});

describe('a partner on the way', () => {
  it('says nothing against the office where a row was made, however new it calls its word', async () => {
    const { rows, from } = await receiver();
    await from(OSLO, told('10', 5, { Name: 'Ada', City: 'Ulm' }));
    await from(TURKU, told('12', 5_000_000, { Name: 'mine', City: 'mine' }, 'turku'));
    expect((await only(rows)).values).toEqual(values({ Name: 'Ada', City: 'Ulm' }));
    await from(OSLO, gone(told('10', 6, {}), 6));
    expect(await all(rows)).toEqual([]);
  });

  it('removes no row that another one brings, and its own word ends with it', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada', City: 'Ulm' }, 'bergen'));
    await from(TURKU, gone(told('12', 5_000_000, {}, 'turku'), 5_000_000));
    await from(TURKU, told('12', 5_000_001, { Name: 'mine' }, 'turku'));
    await from(TURKU, gone(told('12', 5_000_002, {}, 'turku'), 5_000_002));
    expect((await only(rows)).values).toEqual(values({ Name: 'Ada', City: 'Ulm' }));
    await from(TURKU, told('12', 5_000_003, { Name: 'mine' }, 'turku'));
    expect((await only(rows)).values.Name).toEqual(['mine']);
    await rows.releaseFrom(TURKU, 'remove');
    expect((await only(rows)).values).toEqual(values({ Name: 'Ada', City: 'Ulm' }));
  });

  it('has one way to a row: the one under the number that it brought last', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada' }, 'bergen'));
    for (let number = 20; number < 60; number++)
      await from(TURKU, told(String(number), 5, { Name: `copy ${number}` }, 'turku'));
    const row = await only(rows);
    expect(sourcesOf(row.received!).map(({ recordID }) => recordID)).toEqual(['11', '59']);
  });

  it('brings its rows under new numbers once its list went back, and each is there once', async () => {
    const { rows, from } = await receiver();
    await from(TURKU, told('12', 5, { Name: 'Ada', City: 'Ulm' }, 'turku'));
    const { recordID } = await only(rows);
    await rows.patch(recordID, values({ Note: 'call her on Monday' }), '7');
    await from(TURKU, told('30', 5, { Name: 'Ada', City: 'Ulm' }, 'turku'));
    await from(TURKU, gone(told('12', 6, {}, 'turku'), 6));
    expect(await only(rows)).toMatchObject({
      recordID,
      values: values({ Name: 'Ada', City: 'Ulm', Note: 'call her on Monday' }),
    });
  });

  it('brings one row in an older version too, under whatever number', async () => {
    const { rows, from } = await receiver();
    await from(TURKU, told('12', 5, { Name: 'Ada', City: 'Ulm' }, 'turku'));
    await from(TURKU, told('30', 4, { Name: 'Ada', City: 'Mainz' }, 'turku'));
    await from(TURKU, gone(told('12', 6, {}, 'turku'), 6));
    expect((await only(rows)).values.City).toEqual(['Mainz']);
  });

  it('has the row under another number while its version waits, and shows what it was', async () => {
    const { rows, from } = await receiver();
    await from(TURKU, told('12', 5, { Name: 'Ada', City: 'Ulm' }, 'turku'));
    const older = told('30', 4, { Name: 'Ada', City: 'Mainz' }, 'turku');
    await from(TURKU, { ...older, values: {}, idOnly: true });
    await from(TURKU, {
      ...told('31', 4, {}, 'bergen', 'turku'),
      origin: { id: 'none', at: minuteTime(4) },
      idOnly: true,
    });
    await from(TURKU, gone(told('12', 6, {}, 'turku'), 6));
    const row = await only(rows);
    expect(row.values.City).toEqual(['Ulm']);
    expect(row.received).toMatchObject({ recordID: '30', origin: { at: minuteTime(5) } });
    await from(TURKU, older);
    expect((await only(rows)).values.City).toEqual(['Mainz']);
  });

  it('removes its rows to the bin alone where it calls them all the same one', async () => {
    const { rows, from } = await receiver();
    const own = (number: number): IncomingRow => ({
      ...told(String(number), 5, { Name: `customer ${number}`, City: 'Ulm' }),
      via: ['turku'],
      origin: { id: `${NAME}${number}`, at: minuteTime(5) },
    });
    const numbers = [21, 22, 23, 24, 25];
    await from(TURKU, ...numbers.map(own));
    for (const number of numbers.slice(1))
      await from(TURKU, { ...own(number), via: ['turku'], origin: { id: `${NAME}21`, at: minuteTime(6) } });
    const seen = new Map<string, string | undefined>();
    for await (const page of rows.scan({ deleted: 1 }))
      for (const { values: shown, deletedAt } of page) seen.set(shown.Name?.[0] ?? '(gone)', deletedAt);
    expect([...seen.keys()].sort()).toEqual(expect.arrayContaining([22, 23, 24].map((n) => `customer ${n}`)));
    expect(seen.has('(gone)')).toBe(false);
  });

  it('removes a row to the bin where it calls it deleted under the name of another one', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada', City: 'Ulm' }, 'bergen'));
    await from(TURKU, { ...incoming('12', 5, { Name: 'Grace', City: 'Kiel' }) });
    await from(TURKU, gone(told('12', 6, {}, 'turku'), 6));
    const inBin = (await all(rows)).map((row) => row.values.Name);
    expect(inBin).toEqual([['Ada']]);
    const { rows: found } = await rows.list({ limit: 10, deleted: 2 });
    expect(found.map((row) => row.values)).toEqual([values({ Name: 'Grace', City: 'Kiel' })]);
  });

  it('takes back what it has from us, and nothing but its own word goes', async () => {
    const { rows, from } = await receiver();
    await from(BERGEN, told('11', 5, { Name: 'Ada' }, 'bergen'));
    await from(TURKU, told('12', 6, { Name: 'Ada B' }, 'turku'));
    const takenBack = { ...incoming('12', 7, {}), fromUs: true as const };
    await from(TURKU, takenBack, { ...takenBack, recordID: '13' });
    expect((await only(rows)).values.Name).toEqual(['Ada']);
    await from(BERGEN, { ...takenBack, recordID: '11' });
    expect(await all(rows)).toEqual([]);
  });
});

describe('a row that another partner had emptied before, which did not count', () => {
  it.each([
    ['is not heard of any more', (rows: Rows) => rows.endSource(OSLO), ['empty']],
    ['ends, and our user keeps what came', (rows: Rows) => rows.releaseFrom(OSLO, 'keep'), []],
  ])(
    'keeps its values when the office where it was made %s, until that is said anew',
    async (_what, end, waits) => {
      const { rows, from } = await receiver();
      await from(OSLO, told('1', 5, { Name: 'Ada', City: 'Ulm' }));
      const emptied = told('2', 9, { Name: 'Ada', City: '' }, 'turku');
      await from(TURKU, emptied);
      expect((await only(rows)).values).toEqual({ Name: ['Ada'], City: ['Ulm'] });
      expect(await rows.countOnlyFrom(OSLO)).toEqual({ rows: 0, partlyOurs: 0 });
      await end(rows);
      expect((await only(rows)).values).toEqual({ Name: ['Ada'], City: ['Ulm'] });
      const never = (): boolean => false;
      const search = { nodeID: TURKU, sharedModuleID: '5', choice: '', wentBack: never, isMissed: never };
      const { found, judge } = classifyLosses(search);
      await rows.receive({ nodeID: TURKU, rows: [emptied], mappedColumns: COLUMNS, overrule: true, judge });
      expect([...found.values()].map(({ kind }) => kind)).toEqual(waits);
      expect((await only(rows)).values).toEqual({ Name: ['Ada'], City: ['Ulm'] });
      // It became nobody's own: what comes anew shows, and a removal removes.
      expect((await only(rows)).received?.edited).toEqual([]);
      await from(TURKU, told('2', 12, { Name: 'Ada', City: 'Bonn' }, 'turku'));
      expect((await only(rows)).values.City).toEqual(['Bonn']);
      await from(TURKU, gone(told('2', 14, {}, 'turku'), 14));
      expect(await all(rows)).toEqual([]);
    },
  );

  it('is not heard again where only its number for the row is told of', async () => {
    const { rows, from } = await receiver();
    await from(OSLO, told('1', 5, { Name: 'Ada', City: '' }));
    await rows.endSource(OSLO);
    await from(TURKU, told('2', 9, { Name: 'Ada', City: 'Ulm' }, 'turku'));
    expect((await only(rows)).values.City).toEqual(['Ulm']);
    await from(OSLO, { ...told('31', 4, {}), idOnly: true });
    expect((await only(rows)).values.City).toEqual(['Ulm']);
    expect(await rows.findReceived(OSLO, ['31'])).toMatchObject([{ values: { City: ['Ulm'] } }]);
  });
});
