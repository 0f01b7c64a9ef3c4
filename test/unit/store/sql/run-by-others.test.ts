import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { DatabaseAway, type Database } from '../../../../server/store/sql/database.ts';
import { takeLease, type Lease } from '../../../../server/store/sql/lease.ts';
import { openPgDatabase } from '../../../../server/store/sql/pg-database.ts';
import { migrateTables, makeTables, STEPS } from '../../../../server/store/sql/schema.ts';
import { openSqlStore, type SqlStore } from '../../../../server/store/sql/sql-store.ts';
import type { Table } from '../../../../server/store/store.ts';
import {
  NO_POSTGRES,
  postgresServer,
  type PostgresServer,
} from '../../../support/harness/postgres-server.ts';

const ROWS: Table<{ n: number }> = { name: 'rows' };
const server = await postgresServer();
const opened: Database[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});
afterAll(() => server?.stop());

function connect(address: string): Database {
  const database = openPgDatabase(address);
  let closed: Promise<void> | undefined;
  const once = { ...database, close: () => (closed ??= database.close()) };
  opened.push(once);
  return once;
}

async function leaseOf(database: Database): Promise<Lease> {
  const lease = await takeLease(database, systemClock, {
    isOver: () => true,
    onWaiting: () => undefined,
    onAway(error) {
      throw error;
    },
  });
  if (!lease) throw new Error('Another one has it.');
  return lease;
}

const storeOn = (address: string, fence: Pick<Lease, 'check'>): Promise<SqlStore> =>
  openSqlStore({ database: connect(address), fence, clock: systemClock, dataDir: '' });

async function asOwner(address: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function as(user: string, address: string): string {
  const url = new URL(address);
  url.username = user;
  return url.href;
}

const needed = (skip: (note: string) => never): PostgresServer => server ?? skip(NO_POSTGRES);

describe('a database that others look after', () => {
  it('says what to do where its user may make no tables, or may only read', async ({ skip }) => {
    const address = await needed(skip).newDatabase();
    const name = `reader_${randomBytes(4).toString('hex')}`;
    await asOwner(address, `CREATE ROLE ${name} LOGIN`);
    const reader = as(name, address);
    const refusal = {
      code: 'permission',
      message: expect.stringContaining('Give its user the right') as unknown,
    };
    await expect(makeTables(connect(reader))).rejects.toMatchObject(refusal);
    await makeTables(connect(address));
    await asOwner(address, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`);
    await makeTables(connect(reader));
    await expect(leaseOf(connect(reader))).rejects.toMatchObject(refusal);
    await asOwner(
      address,
      `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`,
      `ALTER ROLE ${name} SET default_transaction_read_only = on`,
    );
    await expect(leaseOf(connect(reader))).rejects.toThrow(/read-only transaction/);
    await expect(leaseOf(connect(reader))).rejects.toThrow(DatabaseAway);
  });

  it('says what to do where there is none of that name', async ({ skip }) => {
    const url = new URL(await needed(skip).newDatabase());
    url.pathname = '/nowhere';
    await expect(makeTables(connect(url.href))).rejects.toMatchObject({
      code: 'permission',
      message: expect.stringContaining('Check the name of the database') as unknown,
    });
  });

  it('says what to do where another program has a table of a name that is needed', async ({ skip }) => {
    const address = await needed(skip).newDatabase();
    await asOwner(address, 'CREATE TABLE footbridge_note (text text)');
    await expect(makeTables(connect(address))).rejects.toMatchObject({
      code: 'permission',
      message: expect.stringContaining('give an empty database') as unknown,
    });
    await expect(connect(address).read('SELECT text FROM footbridge_note')).resolves.toEqual([]);
  });

  it('holds one office in each of its schemas', async ({ skip }) => {
    const address = await needed(skip).newDatabase();
    await asOwner(address, 'CREATE SCHEMA one', 'CREATE SCHEMA other');
    const [one = '', other = ''] = ['one', 'other'].map((schema) => {
      const url = new URL(address);
      url.searchParams.set('options', `-c search_path=${schema}`);
      return url.href;
    });
    for (const [n, place] of [one, other].entries()) {
      await makeTables(connect(place));
      const store = await storeOn(place, await leaseOf(connect(place)));
      const part = await store.partition('list-1');
      await part.transaction((tx) => tx.put(ROWS, '1', { n }));
      await store.close();
    }
    for (const [n, place] of [one, other].entries()) {
      const store = await storeOn(place, { check: () => Promise.resolve() });
      expect(await (await store.partition('list-1')).get(ROWS, '1')).toEqual({ n });
    }
    const [made] = await connect(address).read("SELECT to_regclass('public.footbridge_hub') AS there");
    expect(made?.there).toBeNull();
  });

  it('says that what it holds is damaged where somebody changed or dropped what lies there', async ({
    skip,
  }) => {
    const address = await needed(skip).newDatabase();
    await makeTables(connect(address));
    const store = await storeOn(address, await leaseOf(connect(address)));
    const part = await store.partition('list-1');
    await part.transaction((tx) => {
      tx.put(ROWS, '1', { n: 1 });
      tx.put(ROWS, '2', { n: 2 });
    });
    await asOwner(address, `UPDATE footbridge_entry SET value = '{"n":"a secret' WHERE seq = 1`);
    const damaged = { code: 'damaged' };
    const told: unknown = await part.get(ROWS, '1').catch((error: unknown) => error);
    expect(told).toMatchObject(damaged);
    expect(inspect(told)).not.toContain('a secret');
    expect(await part.get(ROWS, '2')).toEqual({ n: 2 });
    await asOwner(address, 'UPDATE footbridge_partition SET last_seq = 7');
    await expect(part.transaction((tx) => tx.put(ROWS, '3', { n: 3 }))).rejects.toMatchObject({
      code: 'closed',
    });
    await part.transaction((tx) => tx.put(ROWS, '3', { n: 3 }));
    expect(await part.changesSince(ROWS, { afterSeq: 7 }, 9)).toMatchObject([{ key: '3', seq: 8 }]);
    await asOwner(address, 'DROP TABLE footbridge_entry');
    await expect(part.get(ROWS, '2')).rejects.toMatchObject(damaged);
    await asOwner(address, 'DELETE FROM footbridge_hub');
    await expect(makeTables(connect(address))).rejects.toMatchObject(damaged);
  });

  it('is brought up to date by the newer of two versions once that serves, and then taken by no older one', async ({
    skip,
  }) => {
    const address = await needed(skip).newDatabase();
    const newer = [...STEPS, ['CREATE TABLE footbridge_made_up (no bigint PRIMARY KEY)']];
    await makeTables(connect(address));
    const older = await leaseOf(connect(address));
    const store = await storeOn(address, older);
    const part = await store.partition('list-1');
    await part.transaction((tx) => tx.put(ROWS, '1', { n: 1 }));

    // The newer one comes and waits: the older one goes on.
    await makeTables(connect(address), newer);
    await expect(leaseOf(connect(address))).rejects.toThrow('Another one has it.');
    await part.transaction((tx) => tx.put(ROWS, '2', { n: 2 }));
    await older.release();

    const taken = await leaseOf(connect(address));
    await migrateTables(connect(address), newer);
    await expect(part.transaction((tx) => tx.put(ROWS, '3', { n: 3 }))).rejects.toMatchObject({
      code: 'closed',
    });
    const next = await storeOn(address, taken);
    expect(await (await next.partition('list-1')).count(ROWS)).toBe(2);
    const [made] = await connect(address).read(
      "SELECT to_regclass('footbridge_made_up') IS NOT NULL AS made",
    );
    expect(made?.made).toBe(true);
    for (const begin of [makeTables, migrateTables])
      await expect(begin(connect(address))).rejects.toMatchObject({ code: 'newer-version' });
    await migrateTables(connect(address), newer);
  });
});
