import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { openPgDatabase } from '../../../../server/store/sql/pg-database.ts';
import type { Database } from '../../../../server/store/sql/database.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import { openSqlStore } from '../../../../server/store/sql/sql-store.ts';
import type { Ranked, Ranking, Store } from '../../../../server/store/store.ts';
import { pgliteDatabase } from '../../../support/harness/pglite-database.ts';
import { NO_POSTGRES, sharedServer } from '../../../support/harness/postgres-server.ts';
import { IS_NIGHTLY, NIGHTLY_ONLY } from '../../../support/data/luck.ts';
import { seeded } from '../../../support/data/seeded.ts';

describe('a ranking in a database', () => {
  const server = sharedServer();
  describe('within the process', async () => {
    if ((await server) && !IS_NIGHTLY) {
      it('makes rankings', ({ skip }) => skip(NIGHTLY_ONLY));
      return;
    }
    let lite: Awaited<ReturnType<typeof pgliteDatabase>>;
    beforeAll(async () => {
      lite = await pgliteDatabase();
    });
    describeRanking(async () => {
      await lite.ask('DROP SCHEMA IF EXISTS public CASCADE');
      await lite.ask('CREATE SCHEMA public');
      return () => lite.open();
    });
  });
  describe('on a PostgreSQL server', async () => {
    const found = await server;
    if (!found) it('makes rankings', ({ skip }) => skip(NO_POSTGRES));
    else
      describeRanking(async () => {
        const address = await found.newDatabase();
        return () => openPgDatabase(address);
      });
  });
});

function describeRanking(make: () => Promise<() => Database>): void {
  const chance = seeded(97);
  let connect: () => Database;
  let store: Store;
  let ranking: Ranking;

  const open = async (): Promise<void> => {
    store = await openOn(connect());
    ranking = await rankingOf(store);
  };
  beforeEach(async () => {
    connect = await make();
    await makeTables(connect());
    await open();
    return () => store.close();
  });

  it('holds what was put into it, in the order of the bytes, and so after opening anew', async () => {
    expect(await ranking.state()).toBeUndefined();
    const entries = made(chance, 9000);
    await ranking.build(7, inPieces(entries, 700));
    const inOrder = sorted(entries);

    for (const again of [false, true]) {
      if (again) {
        await store.close();
        await open();
      }
      expect(await ranking.state()).toEqual({ seq: 7, length: 9000 });
      expect(await ranking.slice(0, 40)).toEqual(inOrder.slice(0, 40));
      expect(await ranking.slice(8995, Infinity)).toEqual(inOrder.slice(8995));
      expect(await ranking.slice(0, Infinity)).toEqual(inOrder);
      expect(await ranking.slice(9000, 9050)).toEqual([]);
    }
  });

  it('finds places after any changes as a plain list does', async () => {
    let plain = made(chance, 6000);
    await ranking.build(1, inPieces(plain, 2500));
    for (let round = 0; round < 6; round++) {
      const gone = plain.filter(() => chance.happens(0.1)).map(({ key }) => key);
      // Most of them fall into one place, as a list does to which rows of today are added.
      const come = made(chance, 900, round % 2 === 0 ? 0x61 : undefined);
      await ranking.update(round + 2, [...gone, ...come.map(({ key }) => key), 'never there'], come);
      const left = new Set([...gone, ...come.map(({ key }) => key)]);
      plain = [...plain.filter(({ key }) => !left.has(key)), ...come];
      const inOrder = sorted(plain);

      expect(await ranking.state()).toEqual({ seq: round + 2, length: plain.length });
      for (const start of [0, 4096, 5000, plain.length - 3, chance.below(plain.length)])
        expect(await ranking.slice(start, start + 25)).toEqual(inOrder.slice(start, start + 25));
      for (const place of [0, 1023, 4100, plain.length - 1]) {
        const { rank } = inOrder[place] ?? { rank: Buffer.alloc(0) };
        const behind = inOrder.slice(place + 1, place + 6);
        expect(await ranking.entriesAfter(rank, 5)).toEqual(behind);
        expect(await ranking.entriesAfter(Buffer.concat([rank, Buffer.of(0)]), 5)).toEqual(behind);
      }
      expect(await ranking.entriesAfter(Buffer.alloc(0), 4000)).toEqual(inOrder.slice(0, 4000));
      expect(await ranking.entriesAfter(Buffer.alloc(200, 255), 5)).toEqual([]);
    }
  });

  it('is not there before it is whole, and of one that failed or was left nothing stays', async () => {
    const stopped = (async function* () {
      yield made(chance, 6000);
      expect(await ranking.state()).toBeUndefined();
      throw new Error('stopped here');
    })();
    await expect(ranking.build(3, stopped)).rejects.toThrow('stopped here');
    expect(await ranking.state()).toBeUndefined();
    // As a process leaves it that was ended meanwhile.
    await connect().transaction((ask) =>
      ask("INSERT INTO footbridge_ranking VALUES (17, 1, 'half', false, 0, 0, now())"),
    );
    await connect().transaction((ask) =>
      ask("INSERT INTO footbridge_ranked VALUES (17, CAST('a' AS bytea), CAST('b' AS bytea))"),
    );

    await store.close();
    await open();
    await expect.poll(() => count(connect(), 'footbridge_ranking')).toBe(0);
    expect(await count(connect(), 'footbridge_ranked')).toBe(0);
  });

  it('goes where its partition is not there any more, or the database was away when it failed', async () => {
    const part = await store.partition('p');
    const names = async (): Promise<unknown> =>
      (await connect().read('SELECT name FROM footbridge_ranking ORDER BY name')).map(({ name }) => name);
    await part.ranking?.('good').build(1, inPieces(made(chance, 50), 50));
    await connect().transaction((ask) =>
      ask(`INSERT INTO footbridge_ranking SELECT 17, partition_id, 'half', false, 0, 0, now() - interval '2 minutes'
        FROM footbridge_ranking`),
    );
    await part.ranking?.('another').build(1, inPieces(made(chance, 50), 50));
    await expect.poll(names).toEqual(['another', 'good']);

    // As whoever removes what a restore had replaced.
    await connect().transaction((ask) =>
      ask("UPDATE footbridge_ranking SET partition_id = partition_id + 50 WHERE name = 'another'"),
    );
    await store.close();
    await open();
    await expect.poll(names).toEqual(['good']);
    expect(await count(connect(), 'footbridge_ranked')).toBe(50);
  });

  it('is written beside the rows, so that the database refuses no change of those for it', async () => {
    const found: unknown[] = [];
    const real = connect();
    const watched = await openOn({
      ...real,
      transaction: (work, isolation) =>
        real.transaction(
          (ask) =>
            work((statement, values) => {
              if (/(INTO|FROM) footbridge_ranked/.test(statement)) found.push(isolation);
              return ask(statement, values);
            }),
          isolation,
        ),
    });
    const beside = await rankingOf(watched);
    await beside.build(1, inPieces(made(chance, 50), 10));
    await beside.update(2, ['1'], made(chance, 5));
    await beside.build(3, inPieces(made(chance, 50), 50));
    await watched.drop('p');
    await watched.close();
    expect(found.length).toBeGreaterThan(8);
    expect(new Set(found)).toEqual(new Set(['read committed']));
  });

  it('is not remembered by the store once nobody has it any more', async () => {
    const part = await store.partition('p');
    const [first, again] = [part.ranking?.('one'), part.ranking?.('one')];
    await first?.build(1, inPieces(made(chance, 9000), 3000));
    expect(await again?.slice(8000, 8005)).toHaveLength(5);
    setFlagsFromString('--expose-gc');
    const used = async (): Promise<number> => {
      for (let turn = 0; turn < 3; turn++) {
        runInNewContext('gc()');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return process.memoryUsage().heapUsed;
    };
    const ask = (from: number): void => {
      for (let at = from; at < from + 50_000; at++) part.ranking?.(`search ${at}`);
    };
    ask(0);
    const before = await used();
    ask(50_000);
    // Files beside this one may leave garbage of their own for a moment.
    await expect.poll(async () => (await used()) - before).toBeLessThan(4_000_000);
  });

  it('goes with its partition, and the least used of many goes for a new one', async () => {
    const part = await store.partition('p');
    for (let at = 0; at < 10; at++) {
      await part.ranking?.(`order ${at}`).build(at, inPieces(made(chance, 50), 50));
      await connect().transaction((ask) =>
        ask("UPDATE footbridge_ranking SET used = used + interval '1 minute' * $1 WHERE name = $2", [
          at === 0 ? 100 : at,
          `order ${at}`,
        ]),
      );
    }
    const kept: (number | undefined)[] = [];
    for (let at = 0; at < 10; at++) kept.push((await part.ranking?.(`order ${at}`).state())?.seq);
    expect(kept).toEqual([0, undefined, undefined, 3, 4, 5, 6, 7, 8, 9]);

    await store.drop('p');
    expect(await count(connect(), 'footbridge_ranked')).toBe(0);
  });

  it('of an owner takes the place of none of those without, and of its owner’s own of before', async () => {
    const database = connect();
    const part = await store.partition('p');
    await part.transaction((tx) => {
      for (let n = 0; n < 60; n++) tx.put({ name: 'rows' }, String(n), { n });
    });
    const make = async (name: string, entries = 50): Promise<void> => {
      await part.ranking?.(name).build(1, inPieces(made(chance, entries), 50));
      await database.transaction((ask) =>
        ask("UPDATE footbridge_ranking SET used = used - interval '1 minute'"),
      );
    };
    const kept = async (of: string): Promise<string[]> =>
      (await database.read('SELECT name FROM footbridge_ranking WHERE is_whole AND name LIKE $1', [of]))
        .map(({ name }) => String(name))
        .sort();
    for (let at = 0; at < 8; at++) await make(`order ${at}`);
    for (const since of [1, 2, 3]) await make(`partner.since ${since}`);
    expect(await kept('%.%')).toEqual(['partner.since 3']);

    // Small ones are kept of all; large ones as many as there are of those without an owner.
    for (let at = 0; at < 30; at++) await make(`p${at}.small`, 5);
    expect(await kept('%.small')).toHaveLength(30);
    await database.transaction((ask) =>
      ask("UPDATE footbridge_ranking SET used = used - interval '1 hour' WHERE name LIKE '%.small'"),
    );
    // Those that are in use stay; of twelve that are read in turn the first would otherwise be made anew for each page.
    for (let at = 0; at < 12; at++) await make(`p${at}.large`, 60);
    const first = Array.from({ length: 7 }, (_, at) => `p${at}.large`);
    expect(await kept('%.large')).toEqual([...first, 'p11.large'].sort());
    await database.transaction((ask) =>
      ask(
        "UPDATE footbridge_ranking SET used = used - interval '1 hour' WHERE name IN ('p2.large', 'p4.large')",
      ),
    );
    await make('p12.large', 60);
    await make('p13.large', 60);
    expect(await kept('%.large')).toEqual(
      ['p0', 'p1', 'p3', 'p5', 'p6', 'p11', 'p12', 'p13'].map((owner) => `${owner}.large`).sort(),
    );
    expect(await kept('order %')).toHaveLength(8);
    await make('order 8');
    expect(await kept('order %')).toEqual(Array.from({ length: 8 }, (_, at) => `order ${at + 1}`));
    expect(await kept('%.large')).toHaveLength(8);
  });

  it('that is begun while its partition is dropped, at whatever step of that, leaves nothing', async () => {
    for (let step = 1, isOver = false; !isOver; step++) {
      await store.close();
      await open();
      let left = Infinity;
      let begun: Promise<unknown> = Promise.resolve();
      const real = connect();
      const watched = await openOn({
        ...real,
        async transaction(work, isolation) {
          if (--left === 0)
            begun = ranking.build(1, inPieces(made(chance, 50), 10)).catch((error: unknown) => error);
          await begun;
          return real.transaction(work, isolation);
        },
      });
      await (await rankingOf(watched, 'another')).build(1, inPieces(made(chance, 50), 50));
      left = step;
      await watched.drop('p');
      isOver = left > 0;
      await watched.close();
      const all = [await count(connect(), 'footbridge_ranking'), await count(connect(), 'footbridge_ranked')];
      expect({ step, all }).toEqual({ step, all: [0, 0] });
    }
  });

  it('that is being written while its partition is dropped leaves nothing either', async () => {
    let goOn = (): void => undefined;
    let isWritten = (): void => undefined;
    const begun = new Promise<void>((resolve) => (isWritten = resolve));
    const pieces = (async function* () {
      yield made(chance, 11_000, 0x61);
      isWritten();
      // In front of all that may have been removed by then.
      for (;;) {
        await new Promise<void>((resolve) => (goOn = resolve));
        yield made(chance, 5, 0x01);
      }
    })();
    const making = ranking.build(1, pieces).catch((error: unknown) => error);
    await begun;
    const real = connect();
    const watched = await openOn({
      ...real,
      async transaction(work, isolation) {
        goOn();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return real.transaction(work, isolation);
      },
    });
    await watched.drop('p');
    await watched.close();
    goOn();
    expect(await making).toMatchObject({ code: 'closed' });
    expect([
      await count(connect(), 'footbridge_ranking'),
      await count(connect(), 'footbridge_ranked'),
    ]).toEqual([0, 0]);
  });

  it('is made once where two make it at the same time', async () => {
    const entries = made(chance, 300);
    let isRead = false;
    const others = (async function* () {
      isRead = true;
      yield await Promise.resolve(made(chance, 10));
    })();
    await Promise.all([ranking.build(7, inPieces(entries, 100)), ranking.build(7, others)]);

    expect(isRead).toBe(false);
    expect(await ranking.slice(0, Infinity)).toEqual(sorted(entries));
    expect(await count(connect(), 'footbridge_ranking')).toBe(1);
  });

  it('refuses a rank that is too long for an index', async () => {
    const long = { key: 'a', rank: Buffer.alloc(2001, 1) };
    await expect(ranking.build(1, inPieces([long], 1))).rejects.toThrow('more than 2000 bytes');
  });
}

async function openOn(database: Database): Promise<Store> {
  const fence = { check: () => Promise.resolve() };
  return openSqlStore({ database, fence, clock: systemClock, dataDir: '' });
}

async function rankingOf(store: Store, name = 'by name'): Promise<Ranking> {
  const ranking = (await store.partition('p')).ranking?.(name);
  if (!ranking) throw new Error('The store keeps no rankings.');
  return ranking;
}

async function count(database: Database, table: string): Promise<number> {
  const [row] = await database.read(`SELECT count(*) AS all FROM ${table}`);
  return Number(row?.all);
}

let next = 0;
/** @param first the byte that their ranks begin with */
function made(chance: ReturnType<typeof seeded>, entries: number, first?: number): Ranked[] {
  return Array.from({ length: entries }, () => {
    const key = String(++next);
    const bytes = Buffer.from(Array.from({ length: 1 + chance.below(40) }, () => chance.below(256)));
    const begin = first === undefined ? Buffer.alloc(0) : Buffer.of(first);
    return { key, rank: Buffer.concat([begin, bytes, Buffer.from(`/${key}`)]) };
  });
}

const sorted = (entries: readonly Ranked[]): Ranked[] =>
  entries.toSorted((a, b) => Buffer.compare(a.rank, b.rank));

async function* inPieces(entries: readonly Ranked[], size: number): AsyncGenerator<readonly Ranked[]> {
  for (let at = 0; at < entries.length; at += size) yield await Promise.resolve(entries.slice(at, at + size));
}
