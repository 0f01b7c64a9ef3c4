import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { openDatabaseStorage } from '../../../../server/node/storage/database-storage.ts';
import type { NodeStorage } from '../../../../server/node/storage/storage.ts';
import { openStore } from '../../../../server/store/engine/open-store.ts';
import { restoreBackup } from '../../../../server/store/recovery/restore-backup.ts';
import { DatabaseAway, type Database } from '../../../../server/store/sql/database.ts';
import { takeLease, type Lease } from '../../../../server/store/sql/lease.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import type { Partition, Store, Table } from '../../../../server/store/store.ts';
import { temporaryFolder } from '../../../support/harness/temporary-folder.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';
import { customers } from '../../../support/data/office-lists.ts';
import { testDatabase, type TestDatabase } from '../../../support/harness/test-database.ts';

interface Customer {
  readonly name: string;
  readonly city?: string | undefined;
}
const CUSTOMERS: Table<Customer> = {
  name: 'customer',
  indexes: { city: ({ city }) => city, name: ({ name }) => name },
};
const ROWS = customers({ rows: 700, seed: 5 }).rows.map((row) => ({
  name: row.CompanyName ?? '',
  city: row.City,
}));
const SECRET = 'two words and twelve more of them';

let db: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let isOver: boolean;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  isOver = false;
  folder = await temporaryFolder();
  await db.ask('DROP SCHEMA IF EXISTS public CASCADE');
  await db.ask('CREATE SCHEMA public');
  await makeTables(db.open());
});
afterEach(async () => {
  isOver = true;
  await folder.remove();
});

async function lease(): Promise<Lease> {
  const taken = await takeLease(db.open(), systemClock, { isOver: () => true, onWaiting: () => undefined });
  if (!taken) throw new Error('Another one has it.');
  return taken;
}
/** As if its holder had said nothing for a while. */
const leaveUnrenewed = (): Promise<unknown> =>
  db.ask("UPDATE footbridge_lease SET held_until = now() - interval '1 second'");

async function storageOf(
  fence: Pick<Lease, 'check'>,
  connect = () => db.open(),
  secret = SECRET,
): Promise<NodeStorage> {
  return openDatabaseStorage({
    ...{ connect, fence, secret, database: db.open(), clock: systemClock },
    dataDir: folder.path,
    isOver: () => isOver,
  });
}
const open = (storage: NodeStorage): Promise<Store> =>
  storage.openStore({
    log: pino({ level: 'silent' }),
    goesOnWithout: () => false,
    onWritability: () => undefined,
  });
const put = (part: Partition, rows: readonly Customer[]): Promise<void> =>
  part.transaction((tx) => rows.forEach((row, at) => tx.put(CUSTOMERS, String(at), row)));

async function contentOf(store: Store): Promise<unknown> {
  const all: Record<string, unknown> = {};
  for (const name of await store.partitions()) {
    const part = await store.partition(name);
    all[name] = (await part.page(CUSTOMERS, { limit: 10_000 })).map(({ key, seq, value }) => [
      key,
      seq,
      value,
    ]);
  }
  return all;
}

describe('one process at a time', () => {
  it('serves; another gets its place once it is given up, or nothing was heard of it', async () => {
    const first = await lease();
    await expect(lease()).rejects.toThrow('Another one has it.');
    await first.release();
    await lease();
    await expect(lease()).rejects.toThrow('Another one has it.');
    await leaveUnrenewed();
    await lease();
  });

  it('serves; of one that ended, another gets the place also where the database’s clock was put back', async () => {
    await lease();
    await db.ask("UPDATE footbridge_lease SET held_until = held_until + interval '1 hour'");
    await lease();
  });

  it('keeps its lease as long as it was told to; one that waits hears when what it waits for changes', async () => {
    const changes: string[] = [];
    const database = db.open();
    const first = await takeLease(database, systemClock, {
      ...{ isOver: () => true, onWaiting: () => undefined, heldMs: 4_000 },
    });
    const [held] = await db.ask(
      "SELECT held_until <= clock_timestamp() + interval '4 seconds' AS short FROM footbridge_lease",
    );
    expect(held).toMatchObject({ short: true });
    let tries = 0;
    await takeLease(
      {
        ...database,
        transaction: (work, isolation) =>
          tries === 2 ? Promise.reject(new DatabaseAway()) : database.transaction(work, isolation),
      },
      systemClock,
      {
        isOver: () => ++tries === 5,
        onWaiting: () => changes.push('held'),
        onAway: () => changes.push('away'),
      },
    );
    expect(changes).toEqual(['held', 'away', 'held']);
    await first?.release();
  });

  it('writes: what was begun before another took over is refused, hears of it, and changes nothing', async () => {
    const first = await lease();
    const store = await open(await storageOf(first));
    const part = await store.partition('list-1');
    await put(part, ROWS.slice(0, 3));
    await leaveUnrenewed();
    const second = await open(await storageOf(await lease()));
    const theirs = await second.partition('list-1');
    await put(theirs, ROWS.slice(3, 6));
    await expect(put(part, ROWS.slice(6, 9))).rejects.toMatchObject({ code: 'closed' });
    await expect(store.drop('list-1')).rejects.toMatchObject({ code: 'closed' });
    await expect(store.partition('list-2')).rejects.toMatchObject({ code: 'closed' });
    await first.lost;
    const read = await theirs.getMany(CUSTOMERS, ['0', '1', '2']);
    expect(read).toEqual(ROWS.slice(3, 6));
    expect(await second.partitions()).toEqual(['list-1']);
  });
});

describe('a process that gets no answer from the database', () => {
  it('gives up its place when another may have it, and does not wait for the answer', async () => {
    const clock = manualClock();
    const database = db.open();
    let isSilent = false;
    const silent: Database = {
      ...database,
      transaction: (work) => (isSilent ? new Promise<never>(() => undefined) : database.transaction(work)),
    };
    const held = await takeLease(silent, clock, { isOver: () => true, onWaiting: () => undefined });
    isSilent = true;
    clock.advance(3_000);
    let isLost = false;
    void held?.lost.then(() => (isLost = true));
    clock.advance(5_900);
    await Promise.resolve();
    expect(isLost).toBe(false);
    clock.advance(200);
    await held?.lost;
  });
});

describe('a list that is removed', () => {
  it('takes nothing from one that is made meanwhile, where two remove what was dropped', async () => {
    const fence = await lease();
    const before = await open(await storageOf(fence));
    for (const name of ['list-1', 'list-2']) await put(await before.partition(name), ROWS.slice(0, 3));
    // As a process leaves it that ends while it removes a list.
    await db.ask("UPDATE footbridge_partition SET name = id || '/dropped' WHERE name = 'list-1'");
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const slow = (): Database => {
      const database = db.open();
      let isFirst = true;
      return {
        ...database,
        async read(statement, values) {
          const rows = await database.read(statement, values);
          if (!isFirst || !statement.startsWith('SELECT id, name FROM')) return rows;
          isFirst = false;
          await held;
          return rows;
        },
      };
    };
    const store = await open(await storageOf(fence, slow));
    await store.drop('list-2');
    const part = await store.partition('list-3');
    await put(part, ROWS.slice(0, 5));
    goOn();
    await store.close();
    const after = await open(await storageOf(fence));
    expect(await after.partitions()).toEqual(['list-3']);
    expect(await (await after.partition('list-3')).getMany(CUSTOMERS, ['0', '4'])).toEqual([
      ROWS[0],
      ROWS[4],
    ]);
  });
});

describe('a database whose connection is lost', () => {
  /** Loses it behind each change that was made: nobody heard that it was. */
  const lossy = (losses: { left: number }): Database => {
    const database = db.open();
    return {
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        if (losses.left-- > 0) throw new DatabaseAway();
        return result;
      },
    };
  };

  it('while a change is made keeps that once, however often it is lost, and numbers the next one behind it', async () => {
    const losses = { left: 0 };
    const store = await open(await storageOf(await lease(), () => lossy(losses)));
    const part = await store.partition('list-1');
    losses.left = 3;
    await put(part, ROWS.slice(0, 5));
    expect(await part.count(CUSTOMERS)).toBe(5);
    expect(await part.lastSeq()).toBe(5);
    await part.transaction((tx) => tx.put(CUSTOMERS, '2', { name: 'Łódź' }));
    expect((await part.changesSince(CUSTOMERS, { afterSeq: 5 }, 9)).map(({ key }) => key)).toEqual(['2']);
    expect(store.unwritable()).toBeUndefined();
  });
});

describe('the keys', () => {
  it('lie sealed, are the same for each process with the secret, and open by no other', async () => {
    const one = await storageOf(await lease());
    const tokens = { isRevoked: () => false, isListed: () => true };
    const sealed = await (await one.secrets()).seal('a partner’s token');
    const token = (await one.userKey(tokens)).issue('viewer', 60_000);
    const { fingerprint, key } = await one.certificate();
    const other = await storageOf({ check: () => Promise.resolve() });
    expect(await (await other.secrets()).open(sealed)).toBe('a partner’s token');
    expect((await other.userKey(tokens)).verify(token, () => false)).toMatchObject({ role: 'viewer' });
    expect((await other.certificate()).fingerprint).toBe(fingerprint);
    const wrong = storageOf({ check: () => Promise.resolve() }, () => db.open(), `${SECRET}!`);
    await expect(wrong).rejects.toMatchObject({ code: 'permission' });
    const stored = JSON.stringify(await db.ask('SELECT * FROM footbridge_own'));
    for (const plain of [SECRET, key.slice(40, 80), 'BEGIN']) expect(stored).not.toContain(plain);
  });

  it('of users are told of as soon as another process has made or revoked them, and no restore brings one back', async () => {
    const storage = await storageOf(await lease());
    const [here, there] = [await storage.userTokens(), await storage.userTokens()];
    const made = { jti: 'a1', role: 'viewer', issuedAt: '2026-01-01', expiresAt: '2026-02-01' } as const;
    await there.add(made);
    await expect.poll(() => here.isListed('a1')).toBe(true);
    await there.revoke('a1', '2026-01-02');
    await expect.poll(() => here.isRevoked('a1')).toBe(true);
    expect(here.list()).toEqual([{ ...made, revokedAt: '2026-01-02' }]);
  });
});

describe('a backup', () => {
  it('of a database is put in place on a disk, and of a disk in a database, with every value as it was', async () => {
    const disk = await openStore({ dataDir: join(folder.path, 'disk'), clock: systemClock });
    await put(await disk.partition('list-1'), ROWS);
    await put(await disk.partition('list-2'), ROWS.slice(0, 1));
    const content = await contentOf(disk);
    const [fromDisk, fromDatabase] = ['disk.backup', 'database.backup'].map((name) =>
      join(folder.path, name),
    );
    await disk.backup(fromDisk ?? '');
    await disk.close();

    const storage = await storageOf(await lease());
    await storage.restore(fromDisk ?? '', { keeps: () => false, tryOut: () => Promise.resolve() });
    const store = await open(storage);
    expect(await contentOf(store)).toEqual(content);
    const part = await store.partition('list-1');
    expect(await part.count(CUSTOMERS)).toBe(ROWS.length);
    await store.backup(fromDatabase ?? '');

    await restoreBackup(fromDatabase ?? '', join(folder.path, 'again'), { clock: systemClock });
    const again = await openStore({ dataDir: join(folder.path, 'again'), clock: systemClock });
    expect(await contentOf(again)).toEqual(content);
    await again.close();
    expect((await readFile(fromDatabase ?? '', 'utf8')).split('\n').length).toBeGreaterThan(ROWS.length);
  });

  it('brings entries that are found by their indexes at once, changed before or after', async () => {
    const disk = await openStore({ dataDir: join(folder.path, 'disk'), clock: systemClock });
    await put(await disk.partition('list-1'), ROWS);
    const file = join(folder.path, 'disk.backup');
    await disk.backup(file);
    await disk.close();
    const storage = await storageOf(await lease());
    await storage.restore(file, { keeps: () => false, tryOut: () => Promise.resolve() });
    const part = await (await open(storage)).partition('list-1');
    await part.transaction((tx) => tx.put(CUSTOMERS, '3', { name: 'Neu', city: 'Øystese' }));
    const city = ROWS[40]?.city ?? '';
    const expected = ROWS.flatMap((row, at) => (row.city === city && at !== 3 ? [String(at)] : []));
    expect((await part.find(CUSTOMERS, 'city', city)).map(({ key }) => key)).toEqual(expected);
    expect((await part.findMany(CUSTOMERS, 'city', ['Øystese', 'nowhere']))[0]?.key).toBe('3');
  });

  it(
    'that is put in place leaves what is only added to, and takes the numbers on behind all that were given out',
    { tags: 'nightly-orders' },
    async () => {
      const storage = await storageOf(await lease());
      const store = await open(storage);
      await put(await store.partition('list-1'), ROWS.slice(0, 9));
      await put(await store.partition('ledger-1'), ROWS.slice(0, 2));
      await (
        await store.partition('system')
      ).transaction((tx) => tx.put({ name: 'installation' }, 'it', { id: '7' }));
      const file = join(folder.path, 'one.backup');
      await store.backup(file);
      await put(await store.partition('list-1'), ROWS.slice(9, 20));
      await put(await store.partition('ledger-1'), ROWS.slice(2, 5));
      const reached = await (await store.partition('list-1')).lastSeq();
      await store.close();

      await storage.restore(file, {
        keeps: (name) => name.startsWith('ledger'),
        tryOut: () => Promise.resolve(),
      });
      const after = await open(storage);
      const list = await after.partition('list-1');
      expect(await list.getMany(CUSTOMERS, ['0', '8', '10'])).toEqual([ROWS[0], ROWS[8], undefined]);
      expect(await list.lastSeq()).toBeGreaterThan(reached);
      expect(await (await after.partition('ledger-1')).get(CUSTOMERS, '0')).toEqual(ROWS[2]);
      expect(await after.partitions()).toEqual(['ledger-1', 'list-1', 'system']);
    },
  );

  it('that is damaged changes nothing', async () => {
    const storage = await storageOf(await lease());
    const store = await open(storage);
    await put(await store.partition('list-1'), ROWS);
    const file = join(folder.path, 'one.backup');
    await store.backup(file);
    const bytes = await readFile(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    await writeFile(file, bytes);
    await put(await store.partition('list-1'), ROWS.slice(0, 3).reverse());
    const content = await contentOf(store);
    await store.close();
    const restored = storage.restore(file, { keeps: () => false, tryOut: () => Promise.resolve() });
    await expect(restored).rejects.toMatchObject({ code: 'damaged' });
    expect(await contentOf(await open(storage))).toEqual(content);
  });
});
