import { beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import type { Exposure, Node } from '../../../server/federation/model.ts';
import { Selections } from '../../../server/federation/sharing/feed-selection.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { parseSort } from '../../../server/lists/query/sort.ts';
import { rowReaderOf, type RowReader } from '../../../server/lists/rows/row-reader.ts';
import { putRow } from '../../../server/lists/rows/row-table.ts';
import { makeTables } from '../../../server/store/sql/schema.ts';
import { openSqlStore } from '../../../server/store/sql/sql-store.ts';
import type { Partition, Store } from '../../../server/store/store.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { testDatabase, type TestDatabase } from '../../support/harness/test-database.ts';

/** A partner's order of more rows is kept where they are. */
const LARGE = 500;
/** Up to 2000 changes are looked through each time. */
const ROWS = 2600;

let db: TestDatabase;
let store: Store;
let partition: Partition;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  await db.ask('DROP SCHEMA IF EXISTS public CASCADE');
  await db.ask('CREATE SCHEMA public');
  await makeTables(db.open());
  const fence = { check: () => Promise.resolve() };
  store = await openSqlStore({ database: db.open(), fence, clock: systemClock, dataDir: '' });
  partition = await store.partition('list-1');
  await partition.transaction((tx) => {
    for (let at = 0; at < ROWS; at++) putRow(tx, undefined, rowOf(at));
  });
  return () => store.close();
});

const timeOf = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
const rowOf = (at: number): Row => ({
  ...{ recordID: String(1000 + at), createdBy: '1', updatedBy: '1', values: {} },
  ...{ createdAt: timeOf(at), updatedAt: timeOf(at) },
});

/** What a partner is given of the list that is shared with it. */
async function idsFor(
  share: string,
  asked: { readonly since?: number; readonly after?: number },
  source: RowReader = rowReaderOf(partition),
): Promise<string[]> {
  const exposure = { moduleID: share, createdAt: timeOf(0) } as Exposure;
  const list = { exposure, rows: { source } } as Parameters<Selections['get']>[0];
  const view = await new Selections({ clock: manualClock() }, LARGE).get(list, {} as Node, {
    ...{ ...asked, deleted: true, order: parseSort('id', []) },
    comparing: { key: '', toCompared: ({ values }) => values },
  });
  return view.ids(0);
}
const kept = async (): Promise<number> =>
  Number((await db.ask('SELECT count(*) AS all FROM footbridge_ranking WHERE is_whole'))[0]?.all);

it('very many changes behind a number are told by an order in the database, few from memory', async () => {
  const last = await partition.lastSeq();
  const all = Array.from({ length: ROWS }, (_, at) => String(1000 + at));
  expect(await idsFor('1', { after: last - 20 })).toEqual(all.slice(-20));
  expect(await kept()).toBe(0);
  expect(await idsFor('1', { after: last - 2300 })).toEqual(all.slice(-2300));
  expect(await kept()).toBe(1);
  // Where the store keeps no orders there is no other place than memory.
  const bare: RowReader = { ...rowReaderOf(partition), ranking: undefined };
  expect(await idsFor('1', { after: last - 2300 }, bare)).toEqual(all.slice(-2300));
});

it('very many changes that are not told in the order of their times are all told', async () => {
  const source = rowReaderOf(partition);
  const jumbled = (row: Row): Row => ({
    ...row,
    updatedAt: timeOf((Number(row.recordID) * 7919) % ROWS),
  });
  const asTold: RowReader = {
    name: 'told',
    ranking: source.ranking,
    lastSeq: source.lastSeq,
    changed: async (point, limit) =>
      (await source.changed(point, limit)).map(({ key, seq, bytes, value }) => ({
        ...{ key, seq, bytes },
        value: jumbled(value),
      })),
    async *all() {
      yield (await source.changed({ afterSeq: 0 }, ROWS)).map(({ value }) => jumbled(value));
    },
  };
  const all = Array.from({ length: ROWS }, (_, at) => String(1000 + at));
  const told = await idsFor('1', { after: (await partition.lastSeq()) - 2300 }, asTold);
  expect(new Set(told)).toEqual(new Set([...told, ...all.slice(-2300)]));
});

it(
  'however often a partner comes from another place, one order is kept for what is shared with it',
  { tags: 'nightly-sizes' },
  async () => {
    for (const at of [0, 300])
      expect(await idsFor('1', { since: Date.parse(timeOf(at)) })).toHaveLength(ROWS - at);
    expect(await kept()).toBe(1);
    expect(await idsFor('2', {})).toHaveLength(ROWS);
    expect(await kept()).toBe(2);
  },
);
