import { describe, expect, it } from 'vitest';
import type { IncomingRow } from '../../../server/lists/definitions/model.ts';
import { openLists } from '../../../server/lists/lists.ts';
import { findLosses } from '../../../server/sync/pull/held.ts';
import { countingStore } from '../../support/counting-store.ts';
import { customers } from '../../support/office-lists.ts';
import { incoming, makeList, minuteTime, testLists } from '../../support/test-lists.ts';

const [BERGEN, TURKU] = ['901', '902'] as const;
const COLUMNS = ['Name', 'City'];

/** A row that was made in Oslo under this name, by whatever office. */
const named = (row: IncomingRow, name: string, by: string, minute = 5): IncomingRow => ({
  ...row,
  via: ['oslo', by],
  origin: { id: name, at: minuteTime(minute) },
});

async function losses(
  before: readonly (readonly [nodeID: string, row: IncomingRow])[],
  back: Partial<Record<'wentBack' | 'isMissed', (recordID: string) => boolean>>,
  ...now: IncomingRow[]
): Promise<Record<string, string>> {
  const { rows } = await makeList(await testLists());
  for (const [nodeID, row] of before)
    await rows.receive({ nodeID, rows: [row], mappedColumns: COLUMNS, overrule: true });
  const page = { nodeID: TURKU, rows: now, mappedColumns: COLUMNS, overrule: true };
  const found = await findLosses(
    { rows, sharedModuleID: '5', wentBack: () => false, isMissed: () => false, ...back },
    page,
  );
  return Object.fromEntries([...found].map(([recordID, { kind }]) => [recordID, kind]));
}

describe('what a page would take away', () => {
  const ada = (recordID: string): IncomingRow => incoming(recordID, 5, { Name: 'Ada', City: 'Ulm' });
  const grace = incoming('22', 5, { Name: 'Grace', City: 'Kiel' });

  it('counts a row that the partner puts into another one that it brings', async () => {
    const before = [
      [TURKU, named(ada('21'), 'first', 'turku')],
      [TURKU, named(grace, 'second', 'turku')],
    ] as const;
    expect(await losses(before, {}, named(grace, 'first', 'turku', 6))).toEqual({ '22': 'remove' });
  });

  it('counts it also where the same page names both once more, as they were', async () => {
    const [first, second] = [named(ada('21'), 'first', 'turku'), named(grace, 'second', 'turku')];
    const before = [
      [TURKU, first],
      [TURKU, second],
    ] as const;
    const moved = named(ada('21'), 'second', 'turku', 6);
    expect(await losses(before, {}, moved, first, second)).toEqual({ '21': 'remove' });
  });

  it('counts each row that it puts into one of another partner, and that shows the same', async () => {
    const mine = ['21', '22', '23', '24'].map((id) => named(ada(id), `row-${id}`, 'turku'));
    const before = [
      [BERGEN, named(ada('11'), 'theirs', 'bergen')] as const,
      ...mine.map((row) => [TURKU, row] as const),
    ];
    const moved = mine.map((row) => named({ ...row, updatedAt: minuteTime(6) }, 'theirs', 'turku', 6));
    expect(await losses(before, {}, ...moved)).toEqual({
      '21': 'remove',
      '22': 'remove',
      '23': 'remove',
      '24': 'remove',
    });
  });

  it('counts what a second row of the page takes away where the first one, which waits, is not applied', async () => {
    const before = [[TURKU, named(ada('21'), 'first', 'turku')]] as const;
    const gone = { ...ada('21'), values: {}, deletedAt: minuteTime(6) };
    const emptied = incoming('22', 7, { Name: 'Ada', City: '' });
    const found = await losses(
      before,
      {},
      named(gone, 'first', 'turku', 6),
      named(emptied, 'first', 'turku', 7),
    );
    expect(found).toEqual({ '21': 'remove', '22': 'empty' });
  });

  it('counts a row that goes under the name of another one', async () => {
    const before = [
      [BERGEN, named(ada('11'), 'first', 'bergen')],
      [TURKU, grace],
    ] as const;
    const gone = { ...grace, values: {}, deletedAt: minuteTime(6) };
    expect(await losses(before, {}, named(gone, 'first', 'turku', 6))).toEqual({ '22': 'remove' });
  });

  it('lets an older version wait under whatever id, but not the same one that was only passed on before', async () => {
    const before = [[TURKU, named(ada('21'), 'first', 'turku', 6)]] as const;
    const missed = { wentBack: () => true };
    const other = incoming('22', 7, { Name: 'Ada', City: 'Kiel' });
    expect(await losses(before, { ...missed }, named(other, 'first', 'turku', 5))).toEqual({ '22': 'older' });
    expect(
      await losses(before, { isMissed: (id) => id === '21' }, named(other, 'first', 'turku', 5)),
    ).toEqual({
      '22': 'older',
    });
    expect(await losses(before, {}, named(other, 'first', 'turku', 5))).toEqual({});
    const earlier = { ...ada('21'), updatedAt: minuteTime(4) };
    expect(await losses(before, { ...missed }, named(earlier, 'first', 'turku', 6))).toEqual({});
  });

  it('counts also a row that turns out to be there a second time', async () => {
    const before = [
      [BERGEN, named(ada('11'), 'first', 'bergen')],
      [TURKU, ada('21')],
    ] as const;
    expect(await losses(before, {}, named(ada('21'), 'first', 'turku'))).toEqual({ '21': 'remove' });
  });
});

describe('the rows of a page', () => {
  it('are looked up once, also where the partner’s list went back', async () => {
    const office = await testLists();
    const counting = countingStore(office.store);
    const lists = await openLists({ store: counting.store, clock: office.clock, ids: office.ids });
    const { rows } = await makeList({ ...office, lists });
    const list = customers({ rows: 60 }).rows.map(({ CompanyName = '', City = '' }, at) =>
      incoming(String(at + 1), 5, { Name: CompanyName, City }),
    );
    const common = { nodeID: TURKU, mappedColumns: COLUMNS, overrule: true };
    await rows.receive({ ...common, rows: list });

    const older = list.map(({ values, ...row }) => ({
      ...row,
      updatedAt: minuteTime(4),
      values: { ...values, City: ['Ulm'] },
    }));
    const page = { ...common, rows: older };
    counting.taken();
    await rows.foresee(page, () => false);
    const once = counting.taken();
    expect(once).toBeGreaterThan(60);
    const search = { rows, sharedModuleID: '5', isMissed: () => false };
    expect(await findLosses({ ...search, wentBack: () => false }, page)).toEqual(new Map());
    expect(counting.taken()).toBe(once);
    const found = await findLosses({ ...search, wentBack: (recordID) => recordID === '7' }, page);
    expect([...found.values()].map(({ recordID, kind }) => [recordID, kind])).toEqual([['7', 'older']]);
    expect(counting.taken()).toBe(once);
  });
});
