import { describe, expect, it } from 'vitest';
import type { IncomingRow } from '../../../server/lists/definitions/model.ts';
import {
  createReclassifier,
  totalLoss,
  classifyLosses,
} from '../../../server/sync/deletion-guard/classify.ts';
import { incoming, makeList, minuteTime, testLists } from '../../support/harness/lists.ts';

const [BERGEN, TURKU] = ['901', '902'] as const;
const COLUMNS = ['Name', 'City'];
const SEARCH = {
  nodeID: TURKU,
  sharedModuleID: '5',
  choice: 'as it is',
  wentBack: () => false,
  isMissed: () => false,
};

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
  const { found, judge } = classifyLosses({ ...SEARCH, ...back });
  await rows.receive({ nodeID: TURKU, rows: now, mappedColumns: COLUMNS, overrule: true, judge });
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

  it('counts both of a row that goes into another one and empties that', async () => {
    const { rows } = await makeList(await testLists());
    const first = named(ada('21'), 'first', 'turku');
    const page = { nodeID: TURKU, mappedColumns: COLUMNS, overrule: true };
    await rows.receive({ ...page, rows: [first, named(grace, 'second', 'turku')] });
    const { found, judge } = classifyLosses(SEARCH);
    const emptying = { ...grace, updatedAt: minuteTime(7), values: { Name: ['Grace'] } };
    await rows.receive({ ...page, rows: [named(emptying, 'first', 'turku', 7)], judge });
    expect([...found.values()]).toMatchObject([
      { recordID: '22', kind: 'remove', takes: { removes: 1, empties: 1 } },
    ]);
    expect(totalLoss(found.values())).toEqual({ removes: 1, empties: 1 });
  });

  it('applies nothing that waited and has come to take away more since, as names went elsewhere', async () => {
    const { rows } = await makeList(await testLists());
    const page = { nodeID: TURKU, mappedColumns: COLUMNS, overrule: true };
    const both = [named(ada('21'), 'first', 'turku'), named(grace, 'second', 'turku')];
    await rows.receive({ ...page, rows: both });
    const { found, judge } = classifyLosses(SEARCH);
    const emptied = named(incoming('21', 6, { Name: 'Ada' }), 'third', 'turku', 6);
    await rows.receive({ ...page, rows: [emptied], judge });
    const third = named({ ...grace, updatedAt: minuteTime(7) }, 'third', 'turku', 7);
    await rows.receive({ ...page, rows: [third] });

    const checked = createReclassifier([...found.values()]);
    const waited = [...found.values()].map(({ row }) => row);
    await rows.receive({ ...page, rows: waited, judge: checked.judge });
    expect([...checked.changed.values()]).toMatchObject([{ recordID: '21', kind: 'remove' }]);
    const now = await rows.findReceived(TURKU, ['21', '22']);
    expect(now.map((row) => row?.values.City)).toEqual([['Ulm'], ['Kiel']]);
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
    const emptied = incoming('22', 7, { Name: 'Ada' });
    const found = await losses(
      before,
      {},
      named(gone, 'first', 'turku', 6),
      named(emptied, 'first', 'turku', 7),
    );
    expect(found).toEqual({ '21': 'remove', '22': 'empty' });
  });

  it('counts a value that goes from a row in the bin, whoever put it there, and one that comes back without', async () => {
    const emptied = incoming('21', 7, { Name: 'Ada' });
    const gone = { ...ada('21'), values: {}, deletedAt: minuteTime(6) };
    const before = [
      [TURKU, ada('21')],
      [TURKU, gone],
    ] as const;
    expect(await losses(before, {}, emptied)).toEqual({ '21': 'empty' });

    const { rows } = await makeList(await testLists());
    await rows.receive({ nodeID: TURKU, rows: [ada('21')], mappedColumns: COLUMNS });
    const [row] = await rows.findReceived(TURKU, ['21']);
    await rows.remove(row?.recordID ?? '', '7');
    const { found, judge } = classifyLosses(SEARCH);
    await rows.receive({ nodeID: TURKU, rows: [emptied], mappedColumns: COLUMNS, judge });
    expect([...found.values()].map(({ kind }) => kind)).toEqual(['empty']);
    await rows.restore(row?.recordID ?? '', '7');
    expect((await rows.get(row?.recordID ?? '')).values.City).toEqual(['Ulm']);
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
