import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { openDatabaseStorage } from '../../../../server/node/storage/database-storage.ts';
import type { NodeStorage } from '../../../../server/node/storage/storage.ts';
import { tryOpenStore } from '../../../../server/node/trial-open.ts';
import { DatabaseAway, textIn, type Database } from '../../../../server/store/sql/database.ts';
import { removeReplaced } from '../../../../server/store/sql/restoring.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import type { Partition, Store, Table } from '../../../../server/store/store.ts';
import { temporaryFolder } from '../../../support/harness/temporary-folder.ts';
import { testDatabase, type TestDatabase } from '../../../support/harness/test-database.ts';

const ROWS: Table<{ n: number }> = { name: 'rows' };
const NOTHING_KEPT = { keeps: () => false };
const trusting = { ...NOTHING_KEPT, tryOut: () => Promise.resolve() };

let db: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  await db.ask('DROP SCHEMA IF EXISTS public CASCADE');
  await db.ask('CREATE SCHEMA public');
  await makeTables(db.open());
});
afterEach(() => folder.remove());

const storageOn = (change: (database: Database) => Database = (same) => same): Promise<NodeStorage> =>
  openDatabaseStorage({
    connect: () => change(db.open()),
    database: change(db.open()),
    fence: { check: () => Promise.resolve() },
    secret: 'two words and twelve more of them',
    clock: systemClock,
    dataDir: folder.path,
    isOver: () => true,
  });
const open = (storage: NodeStorage): Promise<Store> =>
  storage.openStore({
    log: pino({ level: 'silent' }),
    goesOnWithout: () => false,
    onWritability: () => undefined,
  });
const fill = (part: Partition, from: number, to: number): Promise<void> =>
  part.transaction((tx) => {
    for (let n = from; n < to; n++) tx.put(ROWS, String(n), { n });
  });
const names = async (): Promise<string[]> =>
  (await db.ask('SELECT name FROM footbridge_partition')).map((row) => textIn(row, 'name')).sort();
async function countIn(storage: NodeStorage, partition = 'list-1'): Promise<number> {
  const store = await open(storage);
  const count = await (await store.partition(partition)).count(ROWS);
  await store.close();
  return count;
}

/** A backup of ten entries; the database has twenty. */
async function backedUp(storage: NodeStorage): Promise<string> {
  const file = join(folder.path, 'one.backup');
  const store = await open(storage);
  const part = await store.partition('list-1');
  await fill(part, 0, 10);
  await store.backup(file);
  await fill(part, 10, 20);
  await store.close();
  return file;
}

describe('a backup that is put in place in a database', () => {
  it('is tried out first as it will be, and nothing of that trial stays', async () => {
    const storage = await storageOn();
    const file = await backedUp(storage);
    let seen = 0;
    await storage.restore(file, {
      ...NOTHING_KEPT,
      async tryOut(there) {
        const store = await open(there);
        const part = await store.partition('list-1');
        seen = await part.count(ROWS);
        await fill(part, 500, 600);
        await store.partition('list-2');
        await store.close();
        await tryOpenStore(there, systemClock);
      },
    });
    expect(seen).toBe(10);
    expect(await countIn(storage)).toBe(10);
    expect((await names()).filter((name) => !name.includes('/'))).toEqual(['list-1']);
  });

  it('and cannot be used is refused, with what was there as it was', async () => {
    const storage = await storageOn();
    const file = await backedUp(storage);
    const tried = storage.restore(file, {
      ...NOTHING_KEPT,
      tryOut: () => Promise.reject(new TypeError('It says 7.')),
    });
    await expect(tried).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('It says 7.') as unknown,
    });
    expect(await countIn(storage)).toBe(20);
    expect(await names()).toEqual(['list-1']);
  });

  it('is there once, and told so, where the connection is lost as it has just been put in place', async () => {
    let losses = 0;
    const storage = await storageOn((database) => ({
      ...database,
      async transaction(work) {
        const seen = { isIt: false };
        const result = await database.transaction((ask) =>
          work((statement, values) => {
            seen.isIt ||= statement.startsWith('UPDATE footbridge_partition SET name = $2, last_seq');
            return ask(statement, values);
          }),
        );
        if (seen.isIt && losses++ < 2) throw new DatabaseAway();
        return result;
      },
    }));
    const file = await backedUp(storage);
    await storage.restore(file, trusting);
    expect(losses).toBe(1);
    expect(await countIn(storage)).toBe(10);
  });

  it('leaves no order of rows that it replaced', async () => {
    const storage = await storageOn();
    const file = await backedUp(storage);
    const store = await open(storage);
    const ranking = (await store.partition('list-1')).ranking?.('by n');
    await ranking?.build(
      7,
      (async function* () {
        yield await Promise.resolve([{ key: '1', rank: Buffer.of(1) }]);
      })(),
    );
    expect(await ranking?.slice(0, 5)).toHaveLength(1);
    await store.close();
    await storage.restore(file, trusting);
    const [left] = await db.ask(
      'SELECT (SELECT count(*) FROM footbridge_ranking) + (SELECT count(*) FROM footbridge_ranked) AS count',
    );
    expect(Number(left?.count)).toBe(0);
  });

  it('leaves beside it what it replaced, also what an earlier one had replaced', async () => {
    const storage = await storageOn();
    const file = await backedUp(storage);
    await storage.restore(file, trusting);
    await storage.restore(file, trusting);
    const replaced = (await names()).filter((name) => name.startsWith('list-1/replaced-'));
    expect(replaced).toHaveLength(2);
    const [most] = await db.ask('SELECT max(entries) AS entries FROM footbridge_table');
    expect(Number(most?.entries)).toBe(20);
  });

  it('leaves nothing beside it once that is removed, wherever the removal was ended before', async () => {
    const storage = await storageOn();
    const file = await backedUp(storage);
    const counts = async (): Promise<unknown> =>
      (
        await db.ask(`SELECT (SELECT count(*)::int FROM footbridge_entry) AS entries,
          (SELECT count(*)::int FROM footbridge_table) AS tables, (SELECT count(*)::int FROM footbridge_partition) AS parts`)
      )[0];
    await storage.restore(file, trusting);
    expect(await removeReplaced(db.open())).toMatchObject({ restores: 1 });
    const alone = await counts();
    for (let last = 0, isOver = false; !isOver; last++) {
      await storage.restore(file, trusting);
      await storage.restore(file, trusting);
      let left = last;
      const real = db.open();
      isOver = await removeReplaced({
        ...real,
        transaction: (work) => (left-- > 0 ? real.transaction(work) : Promise.reject(new Error('killed'))),
      }).then(
        () => true,
        () => false,
      );
      const { restores } = await removeReplaced(real);
      expect(isOver ? restores === 0 : restores > 0).toBe(true);
      expect(await counts()).toEqual(alone);
    }
    expect(await countIn(storage)).toBe(10);
  });

  it('while another one is, waits for it', async () => {
    const storage = await storageOn();
    const file = await backedUp(storage);
    await Promise.all([storage.restore(file, trusting), storage.restore(file, trusting)]);
    expect(await countIn(storage)).toBe(10);
    expect((await names()).filter((name) => name.endsWith('/restoring'))).toEqual([]);
  });

  it('leaves nothing where its process is ended in the middle of it, at whatever step', async () => {
    const file = await backedUp(await storageOn());
    for (let last = 1; ; last++) {
      let left = last;
      const ending = await storageOn((database) => ({
        ...database,
        transaction: (work) =>
          left-- > 0 ? database.transaction(work) : Promise.reject(new Error('killed')),
      })).catch(() => undefined);
      const ended = await ending?.restore(file, trusting).then(
        () => true,
        () => false,
      );
      const storage = await storageOn();
      const count = await countIn(storage);
      expect((await names()).filter((name) => name.endsWith('/restoring'))).toEqual([]);
      // What replaced it is there as a whole, or not at all.
      expect(count).toBe(ended === true || count === 10 ? 10 : 20);
      if (ended === true) return;
    }
  });
});

describe('a partition', () => {
  it('has a number of its own, which no other one gets after it was dropped', async () => {
    const store = await open(await storageOn());
    const numberOf = async (name: string): Promise<number> => {
      await store.partition(name);
      const [row] = await db.ask('SELECT id FROM footbridge_partition WHERE name = $1', [name]);
      return Number(row?.id);
    };
    const first = await numberOf('list-1');
    const second = await numberOf('list-2');
    await store.drop('list-2');
    expect(await numberOf('list-3')).toBeGreaterThan(second);
    expect(second).toBeGreaterThan(first);
  });

  it('that is dropped by a process which is ended in its middle is removed by the next one', async () => {
    const before = await open(await storageOn());
    await fill(await before.partition('list-1'), 0, 10);
    await before.close();
    let left = Infinity;
    const ending = await open(
      await storageOn((database) => ({
        ...database,
        transaction: (work) =>
          left-- > 0 ? database.transaction(work) : Promise.reject(new Error('killed')),
      })),
    );
    left = 1;
    await expect(ending.drop('list-1')).rejects.toThrow('killed');
    const after = await open(await storageOn());
    expect(await after.partitions()).toEqual([]);
    await after.close();
    expect(await db.ask('SELECT seq FROM footbridge_entry')).toEqual([]);
    expect(await names()).toEqual([]);
  });

  it('refuses in words a key that an index cannot hold, and goes on', async () => {
    const store = await open(await storageOn());
    const part = await store.partition('list-1');
    const long = Array.from({ length: 1500 }, (_, at) => String.fromCharCode(33 + ((at * 7919) % 9000))).join(
      '',
    );
    await expect(part.transaction((tx) => tx.put(ROWS, long, { n: 1 }))).rejects.toThrow(
      'A key of 1500 letters cannot be stored in a database, 1200 is the most',
    );
    const longest = long.slice(0, 1200);
    await part.transaction((tx) => tx.put(ROWS, longest, { n: 2 }));
    expect(await part.getMany(ROWS, [long, longest])).toEqual([undefined, { n: 2 }]);
  });
});
