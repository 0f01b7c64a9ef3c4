import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { parseSort } from '../../../server/lists/query/sort.ts';
import { rowReaderOf, type RowReader } from '../../../server/lists/rows/row-reader.ts';
import { putRow } from '../../../server/lists/rows/row-table.ts';
import { createViews, type Views } from '../../../server/lists/rows/row-views.ts';
import type { ViewDefinition } from '../../../server/lists/rows/view-rows.ts';
import { makeTables } from '../../../server/store/sql/schema.ts';
import { openSqlStore } from '../../../server/store/sql/sql-store.ts';
import type { Partition, Store } from '../../../server/store/store.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { customers } from '../../support/data/office-lists.ts';
import { testDatabase, type TestDatabase } from '../../support/harness/test-database.ts';
import { seeded } from '../../support/data/seeded.ts';

const FIELDS = [
  { name: 'CompanyName', kind: 'String' },
  { name: 'City', kind: 'String' },
  { name: 'Credit', kind: 'Number' },
] as const;
const OFFICE = customers({ rows: 900, seed: 12 }).rows;
/** A view of more is kept where the rows are. */
const MOST = 60;

const DEFINITIONS: readonly ViewDefinition[] = [
  ...['CompanyName', 'City DESC, CompanyName', 'Credit, City', 'updatedAt DESC', 'id DESC', 'id'].map(
    (sort) => definition(sort, 'all', (row) => row.deletedAt === undefined),
  ),
  definition('Credit DESC', 'few', ({ values }) => values.City?.[0]?.startsWith('B') === true),
  definition('CompanyName', 'none', () => false),
];

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
  return () => store.close();
});

it(
  'views that are kept where the rows are show what those in memory show, after any changes and a start',
  { timeout: 150_000 },
  async () => {
    const chance = seeded(4);
    const rows = new Map<string, Row>();
    const source = rowReaderOf(partition);
    const inMemory: RowReader = {
      name: 'the same',
      changed: source.changed,
      lastSeq: source.lastSeq,
      async *all() {
        yield await Promise.resolve(
          [...rows.values()].sort((a, b) => Number(a.recordID) - Number(b.recordID)),
        );
      },
    };
    let views = createViews(manualClock(), MOST);
    const plain = createViews(manualClock());
    let time = Date.UTC(2026, 0, 1);
    const office = [...OFFICE];

    for (let round = 0; round < 4; round++) {
      time += 60_000;
      const now = new Date(time).toISOString();
      await partition.transaction((tx) => {
        const put = (row: Row): void => {
          putRow(tx, rows.get(row.recordID), row);
          rows.set(row.recordID, row);
        };
        for (const row of rows.values()) {
          if (chance.happens(0.05)) put({ ...row, updatedAt: now, deletedAt: now });
          else if (chance.happens(0.1))
            put({ ...row, updatedAt: now, values: valuesOf(chance.pick(OFFICE)) });
        }
        for (const values of office.splice(0, 130)) {
          const recordID = String(1000 + rows.size * 7);
          const made = { createdAt: now, createdBy: '1', updatedAt: now, updatedBy: '1' };
          put({ recordID, ...made, values: valuesOf(values) });
        }
      });
      if (round === 2) views = createViews(manualClock(), MOST);
      for (const each of DEFINITIONS)
        await expectAlike(each, { views, source }, { views: plain, source: inMemory });
    }
  },
);

it('views that are kept where the rows are are not made again at a start, and small ones stay in memory', async () => {
  await fill(300);
  let reads = 0;
  const source = rowReaderOf(partition);
  const counted: RowReader = {
    ...bare(source),
    ranking: source.ranking,
    stored: () => {
      reads++;
      return partition.stored({ name: 'row' });
    },
  };
  const [byName] = DEFINITIONS;
  if (!byName) throw new Error('There is no definition.');
  for (let start = 0; start < 3; start++) {
    const view = await createViews(manualClock(), MOST).view(counted, byName);
    expect(view.length).toBe(300);
  }
  expect(reads).toBe(1);
  const small = await createViews(manualClock(), 1000).view(counted, { ...byName, key: 'another' });
  expect(small.length).toBe(300);
  expect(reads).toBe(2);
  const [kept] = await db.ask('SELECT count(*) AS rankings FROM footbridge_ranking');
  expect(Number(kept?.rankings)).toBe(1);
});

it('a page of an order that was given up meanwhile, as others were asked for, has all of its rows', async () => {
  await fill(300);
  const source = rowReaderOf(partition);
  const [byName] = DEFINITIONS;
  if (!byName) throw new Error('There is no definition.');
  const views = createViews(manualClock(), MOST);
  const view = await views.view(source, byName);
  const all = await view.slice(0);
  expect(all).toHaveLength(300);
  // As whoever makes more of them than are kept does to the one that was not used for longest.
  const giveUp = (): Promise<unknown> =>
    db.ask("UPDATE footbridge_ranking SET name = id || '/left', is_whole = false WHERE is_whole");
  await giveUp();
  expect(await view.slice(10, 20)).toEqual(all.slice(10, 20));
  await giveUp();
  expect(await view.ids(290)).toEqual(all.slice(290).map(({ recordID }) => recordID));
  await giveUp();
  const [first] = all;
  expect(first && (await view.keysAfter(first, 5))).toEqual(all.slice(1, 6));
});

it('views of partners are made one at a time where they are large, and no others wait for them', async () => {
  await fill(300);
  const source = rowReaderOf(partition);
  let [making, most] = [0, 0];
  const slow: RowReader = {
    name: source.name,
    changed: source.changed,
    lastSeq: source.lastSeq,
    async *all() {
      const rows = (await source.changed({ afterSeq: 0 }, 300)).map(({ value }) => value);
      for (let at = 0; at < rows.length; at += 20) {
        yield rows.slice(at, at + 20);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    ranking: (name) => {
      const ranking = partition.ranking?.(name);
      if (!ranking) throw new Error('The store keeps no rankings.');
      return {
        ...ranking,
        async build(seq, entries) {
          most = Math.max(most, ++making);
          await ranking.build(seq, entries);
          making--;
        },
      };
    },
  };
  const [byName] = DEFINITIONS;
  if (!byName) throw new Error('There is no definition.');
  // So few that each is more than a few portions.
  const views = createViews(manualClock(), MOST / 3);
  const owners = Array.from({ length: 5 }, (_, at) => `share ${at}`);
  const made = await Promise.all(
    owners.map((owner) => views.view(slow, { ...byName, key: `${byName.key} ${owner}`, owner })),
  );
  for (const view of made) expect(await view.ids(0)).toEqual(await made[0]?.ids(0));
  expect(most).toBe(1);
  const names = (await db.ask('SELECT name FROM footbridge_ranking WHERE is_whole')).map(({ name }) =>
    String(name),
  );
  expect(names.filter((name) => name.includes('.'))).toHaveLength(5);

  most = 0;
  const few = createViews(manualClock(), MOST * 2);
  await Promise.all(
    owners.map((owner) => few.view(slow, { ...byName, key: `${byName.key} ${owner} few`, owner })),
  );
  expect(most).toBeGreaterThan(1);
});

it(
  'views of partners that wait to be made hold none of the rows that were read of them',
  { tags: 'nightly-sizes' },
  async () => {
    await fill(300);
    const source = rowReaderOf(partition);
    const rows = (await source.changed({ afterSeq: 0 }, 300)).map(({ value }) => value);
    let goOn: () => void = () => undefined;
    const untilThen = new Promise<void>((resolve) => (goOn = resolve));
    let looked = 0;
    const held: RowReader = {
      name: source.name,
      changed: source.changed,
      lastSeq: source.lastSeq,
      async *all() {
        try {
          for (let at = 0; at < rows.length; at += 20) yield await Promise.resolve(rows.slice(at, at + 20));
        } finally {
          looked++;
        }
      },
      ranking: (name) => {
        const ranking = partition.ranking?.(name);
        if (!ranking) throw new Error('The store keeps no rankings.');
        return { ...ranking, build: (seq, entries) => untilThen.then(() => ranking.build(seq, entries)) };
      },
    };
    const [byName] = DEFINITIONS;
    if (!byName) throw new Error('There is no definition.');
    const views = createViews(manualClock(), MOST / 3);
    const before = await memoryOfBuffers();
    const owners = Array.from({ length: 20 }, (_, at) => `share ${at}`);
    const made = owners.map((owner) => views.view(held, { ...byName, key: `${byName.key} ${owner}`, owner }));
    await vi.waitFor(() => expect(looked).toBe(owners.length), 5000);
    // Five portions of each would be a hundred mebibytes; what one is made of is a few.
    expect((await memoryOfBuffers()) - before).toBeLessThan(30 * 2 ** 20);
    goOn();
    for (const view of await Promise.all(made)) expect(view.length).toBe(300);
  },
);

/** Bytes, of what is used still. */
async function memoryOfBuffers(): Promise<number> {
  setFlagsFromString('--expose-gc');
  for (let turn = 0; turn < 5; turn++) {
    runInNewContext('gc()');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage().arrayBuffers;
}

it('a view that failed in the making is made by who asks next', { tags: 'nightly-orders' }, async () => {
  await fill(300);
  const source = rowReaderOf(partition);
  let isBroken = true;
  const failing: RowReader = {
    ...bare(source),
    ranking: source.ranking,
    async *stored() {
      let blocks = 0;
      for await (const block of partition.stored({ name: 'row' })) {
        yield block;
        if (isBroken && ++blocks === 1) throw new Error('the line was cut');
      }
    },
  };
  const views = createViews(manualClock(), MOST);
  const [byName] = DEFINITIONS;
  if (!byName) throw new Error('There is no definition.');
  await expect(views.view(failing, byName)).rejects.toThrow('the line was cut');
  isBroken = false;
  expect((await views.view(failing, byName)).length).toBe(300);
});

function definition(sort: string, key: string, fits: (row: Row) => boolean): ViewDefinition {
  return { key: `${sort} ${key}`, order: parseSort(sort, FIELDS, { language: 'de' }), fits };
}

interface Side {
  readonly views: Views;
  readonly source: RowReader;
}

async function expectAlike(each: ViewDefinition, ranked: Side, plain: Side): Promise<void> {
  const [view, other] = [
    await ranked.views.view(ranked.source, each),
    await plain.views.view(plain.source, each),
  ];
  expect(view.length).toBe(other.length);
  const keys = await view.slice(0);
  expect(keys).toEqual(await other.slice(0));
  for (const [start, end] of [
    [0, 10],
    [50, 75],
    [view.length - 5, view.length + 5],
  ] as const)
    expect(await view.ids(start, end)).toEqual(await other.ids(start, end));
  for (const key of [...keys.slice(0, 3), ...keys.slice(-3)])
    expect(await view.keysAfter(key, 20)).toEqual(await other.keysAfter(key, 20));
}

/** The same without a place where orders are kept. */
const bare = ({ name, changed, lastSeq }: RowReader): RowReader & { stored: Partition['stored'] } => ({
  name,
  changed,
  lastSeq,
  stored: () => partition.stored({ name: 'row' }),
});

async function fill(count: number): Promise<void> {
  const made = {
    createdAt: '2026-01-01T00:00:00Z',
    createdBy: '1',
    updatedAt: '2026-01-01T00:00:00Z',
    updatedBy: '1',
  };
  await partition.transaction((tx) => {
    for (const [at, values] of OFFICE.slice(0, count).entries())
      putRow(tx, undefined, { recordID: String(500 + at), ...made, values: valuesOf(values) });
  });
}

/** With a number besides, that some share. */
const valuesOf = (row: Readonly<Record<string, string>>): Row['values'] =>
  Object.fromEntries(
    Object.entries({ ...row, Credit: String((row.CustomerID?.charCodeAt(1) ?? 0) * -3.5) }).flatMap(
      ([name, value]) => (value === '' ? [] : [[name, [value]]]),
    ),
  );
