import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { databaseEnd } from '../../../../server/node/moving/database-end.ts';
import type { MoveEnd } from '../../../../server/node/moving/end.ts';
import { folderEnd, openLeavingFolder } from '../../../../server/node/moving/folder-end.ts';
import { giveUpMove, moveOffice, type Moved } from '../../../../server/node/moving/move.ts';
import { openDatabaseStorage } from '../../../../server/node/storage/database-storage.ts';
import { createFolderStorage } from '../../../../server/node/storage/folder-storage.ts';
import type { NodeStorage } from '../../../../server/node/storage/storage.ts';
import { openOnce } from '../../../../server/node/trial-open.ts';
import { openStore } from '../../../../server/store/engine/open-store.ts';
import { DatabaseAway, type Ask, type Database } from '../../../../server/store/sql/database.ts';
import { openPgDatabase } from '../../../../server/store/sql/pg-database.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import type { Store, Table } from '../../../../server/store/store.ts';
import { temporaryFolder } from '../../../support/harness/temporary-folder.ts';
import { atNight, IS_NIGHTLY } from '../../../support/data/luck.ts';
import { customers } from '../../../support/data/office-lists.ts';
import { pgliteDatabase } from '../../../support/harness/pglite-database.ts';
import { NO_POSTGRES, sharedServer } from '../../../support/harness/postgres-server.ts';

const SECRET = 'twelve words and two more of them';
const ROWS: Table<object> = { name: 'customer' };
const MORE: Table<object> = { name: 'a "supplier"' };
const BULK = customers({ rows: 2_600, seed: 3 }).rows;
const FENCE = { check: () => Promise.resolve() };

interface Place {
  open(): Database;
  readonly ask: Ask;
  end(): Promise<void>;
}

const server = await sharedServer();
const lite = IS_NIGHTLY || !server ? await pgliteDatabase() : undefined;

/** Nothing is in it. */
const PLACES: Record<string, () => Promise<Place | undefined>> = {
  async PGlite() {
    if (!lite) return undefined;
    await lite.ask('DROP SCHEMA IF EXISTS public CASCADE');
    await lite.ask('CREATE SCHEMA public');
    return { ...lite, end: () => Promise.resolve() };
  },
  async PostgreSQL() {
    const address = await server?.newDatabase();
    if (address === undefined) return undefined;
    const opened = new Map<Database, Promise<void> | undefined>();
    const open = (): Database => {
      const database = openPgDatabase(address);
      const closed = {
        ...database,
        close: () => opened.get(closed) ?? opened.set(closed, database.close()).get(closed)!,
      };
      opened.set(closed, undefined);
      return closed;
    };
    const end = async (): Promise<void> => {
      for (const database of opened.keys()) await database.close();
    };
    return { open, ask: open().read, end };
  },
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const inFolder = (dataDir: string): NodeStorage => createFolderStorage({ dataDir, clock: systemClock });
async function inDatabase(place: Place): Promise<NodeStorage> {
  const database = place.open();
  return openDatabaseStorage({
    ...{ connect: () => place.open(), database, fence: FENCE, secret: SECRET, clock: systemClock },
    dataDir: join(folder.path, 'process'),
    isOver: () => true,
  });
}
async function endIn(
  place: Place,
  change: (database: Database) => Database = (same) => same,
): Promise<MoveEnd> {
  const database = change(place.open());
  await makeTables(database);
  return databaseEnd({
    ...{ database, fence: FENCE, secret: SECRET, name: 'postgres://there/office' },
    close: () => database.close(),
  });
}

/** An office with rows, some of them deleted, with keys, tokens of users and something that was taken back. */
async function officeIn(dataDir: string): Promise<void> {
  await openOnce(inFolder(dataDir), systemClock);
  const store = await openStore({ dataDir, clock: systemClock });
  const bulk = await store.partition('bulk-1');
  await bulk.transaction((tx) => BULK.forEach((row, at) => tx.put(ROWS, String(at), row)));
  await bulk.transaction((tx) => {
    tx.put(MORE, 'ü\u0000\ud800', { text: '\u0000 "Łódź" \u2028', of: null });
    for (let at = 0; at < 50; at++) tx.delete(ROWS, String(7 * at));
  });
  await (await store.partition('bulk-2')).transaction((tx) => tx.put(ROWS, '1', { n: 1.5e300 }));
  await store.partition('bulk-3');
  await store.close();
  const storage = inFolder(dataDir);
  const tokens = await storage.userTokens();
  await storage.certificate();
  const made = (await storage.userKey(tokens)).make('viewer', 3_600_000);
  await tokens.add(made);
  await tokens.revoke(made.jti, '2026-11-26T12:00:00.000Z');
  const notes = storage.openNotes(() => true);
  await notes.read();
  await notes.add([{ at: '2026-11-26T12:00:00.000Z', table: 'node', key: '7', note: { ended: true } }]);
}

const open = (storage: NodeStorage): Promise<Store> =>
  storage.openStore({
    log: pino({ level: 'silent' }),
    goesOnWithout: () => false,
    onWritability: () => undefined,
  });

/** All that the store says, with the numbers of changes, as one backup of it has it. */
async function contentOf(storage: NodeStorage): Promise<unknown> {
  const store = await open(storage);
  const file = join(folder.path, 'content.backup');
  try {
    await store.backup(file);
  } finally {
    await store.close();
  }
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines
    .filter((line) => line.startsWith('[') || line.includes('"partition":"bulk'))
    .map((line) => line.replace(/,"crc":.*/, ''))
    .sort();
}

async function belongingsOf(
  storage: NodeStorage,
): Promise<{ readonly own: string; readonly others: object }> {
  const tokens = await storage.userTokens();
  const sealed = await (await storage.secrets()).seal('a partner’s token');
  const notes = { ...(await storage.openNotes(() => true).read()), end: undefined };
  const others = { tokens: tokens.list(), certificate: await storage.certificate(), notes };
  return { own: sealed, others };
}

const isServed = (storage: () => Promise<NodeStorage> | NodeStorage): Promise<boolean> =>
  (async () => open(await storage()))().then(
    async (store) => {
      await store.close();
      return true;
    },
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'locked' });
      return false;
    },
  );

async function closing<R>(end: MoveEnd, work: (end: MoveEnd) => Promise<R>): Promise<R> {
  try {
    return await work(end);
  } finally {
    await end.close();
  }
}

type Ended = (step: string) => void;
/** As often as it is called it begins with the ends anew, as another process does. */
const moveIn = (dataDir: string, place: Place, onStep: Ended = () => undefined): Promise<Moved> =>
  openLeavingFolder(dataDir, systemClock).then((from) =>
    closing(from, async () => moveOffice({ from, to: await endIn(place), clock: systemClock, onStep })),
  );
const moveOut = (place: Place, dataDir: string, onStep: Ended = () => undefined): Promise<Moved> =>
  folderEnd(dataDir, systemClock).then((to) =>
    closing(to, async () => moveOffice({ from: await endIn(place), to, clock: systemClock, onStep })),
  );

class PowerCut extends Error {}

/** On a server where there is one; in both in the nightly run. */
const KINDS = atNight(Object.keys(PLACES), [server ? 'PostgreSQL' : 'PGlite']);
describe.each(KINDS)('an office that moves (%s)', (kind) => {
  let place: Place | undefined;
  let [first, second] = ['', ''];
  beforeEach(async () => {
    place = await PLACES[kind]?.();
    [first, second] = [join(folder.path, 'first'), join(folder.path, 'second')];
    await officeIn(first);
  });
  afterEach(() => place?.end());

  it('from a folder into a database and back has every value, number, key, token and note, and is served nowhere else', async ({
    skip,
  }) => {
    if (!place) return skip(NO_POSTGRES);
    await openOnce(inFolder(first), systemClock);
    const content = await contentOf(inFolder(first));
    const { own, others } = await belongingsOf(inFolder(first));
    const moved = await moveIn(first, place);
    expect(moved).toMatchObject({ keys: 3, tokens: 1, wasThere: false });
    expect(moved.entries).toBeGreaterThan(2_500);
    expect(await contentOf(await inDatabase(place))).toEqual(content);
    const there = await inDatabase(place);
    expect(await belongingsOf(there)).toMatchObject({ others });
    expect(await (await there.secrets()).open(own)).toBe('a partner’s token');
    await expect(open(inFolder(first))).rejects.toThrow('This office has moved to postgres://there/office');
    expect(await moveIn(first, place).catch(String)).toMatchObject({ ...moved, wasThere: true });

    // Whoever counted wrong, or put their hands on it, keeps no row from moving.
    await place.ask('UPDATE footbridge_table SET entries = 0');
    expect(await moveOut(place, second)).toEqual(moved);
    expect(await contentOf(inFolder(second))).toEqual(content);
    const back = inFolder(second);
    expect(await belongingsOf(back)).toMatchObject({ others });
    expect(await (await back.secrets()).open(own)).toBe('a partner’s token');
    await expect(inDatabase(place)).rejects.toThrow(`This office has moved to ${second}`);
    await expect(moveIn(second, place)).rejects.toThrow('There is something in');
    await expect(moveOut(place, first)).rejects.toThrow('and not to where you said now');
  });

  it('goes on where it was ended, before each of its steps, and is never served at both ends', async ({
    skip,
  }) => {
    if (!place) return skip(NO_POSTGRES);
    const there = place;
    await openOnce(inFolder(first), systemClock);
    const content = await contentOf(inFolder(first));
    const both = async (from: string): Promise<[boolean, boolean]> => [
      await isServed(() => inFolder(from)),
      await isServed(() => inDatabase(there)),
    ];
    /** Each call comes one step further than the one before. */
    const run = async (
      call: (onStep: Ended) => Promise<Moved>,
      served: () => Promise<[boolean, boolean]>,
    ): Promise<Record<string, [boolean, boolean]>> => {
      const seen: Record<string, [boolean, boolean]> = {};
      for (;;) {
        const ended = await call((step) => {
          if (step in seen || step === 'begin') return;
          seen[step] = [false, false];
          throw new PowerCut(step);
        }).catch((error: unknown) => error);
        if (!(ended instanceof PowerCut)) {
          expect(ended).toMatchObject({ partitions: 4 });
          return seen;
        }
        seen[ended.message] = await served();
      }
    };
    const into = await run(
      (onStep) => moveIn(first, there, onStep),
      () => both(first),
    );
    const before = [
      'fill bulk-1',
      'fill bulk-2',
      'fill bulk-3',
      'fill system',
      'belongings',
      'compare',
      'leave',
    ];
    expect(into).toEqual({
      ...Object.fromEntries(before.map((step) => [step, [true, false]])),
      arrive: [false, false],
      end: [false, true],
    });
    expect(await contentOf(await inDatabase(there))).toEqual(content);
    const out = await run(
      (onStep) => moveOut(there, second, onStep),
      () => both(second),
    );
    expect(out).toEqual({
      ...Object.fromEntries(before.map((step) => [step, [false, true]])),
      arrive: [false, false],
      end: [true, false],
    });
    expect(await contentOf(inFolder(second))).toEqual(content);
  });

  it('writes nothing twice where the database goes away in the middle of a part', async ({ skip }) => {
    if (!place) return skip(NO_POSTGRES);
    const there = place;
    let left = 0;
    const lossy = (database: Database): Database => ({
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        if (--left === 0) throw new DatabaseAway();
        return result;
      },
    });
    const call = async (): Promise<Moved> => {
      const from = await openLeavingFolder(first, systemClock);
      return closing(from, async () =>
        moveOffice({ from, to: await endIn(there, lossy), clock: systemClock }),
      );
    };
    // Counted from the opening of the keys on; each place is one in the parts, the keys, or at the end.
    for (left of [4, 5, 6, 7, 9, 11, 13])
      await call().catch((error: unknown) => expect(error).toBeInstanceOf(DatabaseAway));
    left = 0;
    await call();
    const counted = await there.ask(
      `SELECT t.entries, count(e.key) AS found FROM footbridge_table AS t JOIN footbridge_entry AS e
        ON e.partition_id = t.partition_id AND e.tbl = t.tbl GROUP BY t.partition_id, t.tbl, t.entries`,
    );
    for (const { entries, found } of counted) expect(Number(found)).toBe(Number(entries));
  });

  it('stays where it is while anything differs; the next call brings that anew', async ({ skip }) => {
    if (!place) return skip(NO_POSTGRES);
    const there = place;
    const planted = async (change: () => Promise<unknown>): Promise<unknown> => {
      const from = await openLeavingFolder(first, systemClock);
      return closing(from, async () =>
        moveOffice({
          ...{ from, to: await endIn(there), clock: systemClock },
          onStep: async (step) => {
            if (step === 'compare') await change();
          },
        }),
      ).catch(String);
    };
    const one = `partition_id = (SELECT id FROM footbridge_partition WHERE name = 'bulk-1/arriving')`;
    expect(
      await planted(() =>
        there.ask(`UPDATE footbridge_entry SET value = '{}' WHERE ${one} AND seq IN (20, 21)`),
      ),
    ).toContain('bulk-1: 2 of 2551');
    expect(
      await planted(() => there.ask(`DELETE FROM footbridge_entry WHERE ${one} AND seq = 30`)),
    ).toContain('bulk-1: 1 of 2551');
    expect(await planted(() => there.ask('DELETE FROM footbridge_note'))).toContain('(notes)');
    const pem = join(first, 'keys', 'tls.pem');
    expect(await planted(() => rename(pem, `${pem}.away`))).toContain('(certificate)');
    await rename(`${pem}.away`, pem);
    expect(await isServed(() => inFolder(first))).toBe(true);
    await moveIn(first, there);
    expect(await isServed(() => inFolder(first))).toBe(false);
  });

  it('can be kept where it is until it has arrived', async ({ skip }) => {
    if (!place) return skip(NO_POSTGRES);
    const there = place;
    const stopAt = (wanted: string) => (step: string) => {
      if (step === wanted) throw new PowerCut();
    };
    const giveUp = async (): Promise<void> => {
      const from = await openLeavingFolder(first, systemClock);
      await closing(from, async () => giveUpMove({ from, to: await endIn(there) }));
    };
    for (const step of ['fill system', 'arrive']) {
      await expect(moveIn(first, there, stopAt(step))).rejects.toThrow(PowerCut);
      await giveUp();
      expect(await isServed(() => inFolder(first))).toBe(true);
      expect(await (await endIn(there)).isEmpty()).toBe(true);
    }
    await expect(moveIn(first, there, stopAt('end'))).rejects.toThrow(PowerCut);
    await expect(giveUp()).rejects.toThrow('Move it back');
    await moveIn(first, there);

    await expect(moveOut(there, second, stopAt('arrive'))).rejects.toThrow(PowerCut);
    await closing(await folderEnd(second, systemClock), async (to) =>
      giveUpMove({ from: await endIn(there), to }),
    );
    expect(await isServed(() => inDatabase(there))).toBe(true);
    await moveOut(there, second);
  });

  it('leaves no key readable in the database, and takes no place in which something is', async ({ skip }) => {
    if (!place) return skip(NO_POSTGRES);
    const end = await folderEnd(first, systemClock);
    const {
      secretsKey = '',
      userKey = '',
      certificate = '',
    } = await closing(end, () => end.readBelongings());
    const other = join(folder.path, 'other');
    await officeIn(other);
    await moveIn(first, place);
    const [row] = await place.ask(
      `SELECT string_agg(t, ' ') AS text FROM (
        SELECT footbridge_own::text AS t FROM footbridge_own UNION ALL SELECT footbridge_entry::text FROM footbridge_entry
        UNION ALL SELECT footbridge_note::text FROM footbridge_note
        UNION ALL SELECT footbridge_user_token::text FROM footbridge_user_token) AS everything`,
    );
    const text = String(row?.text);
    const pem = certificate.split('\n')[1] ?? '';
    const forms = [secretsKey, userKey].flatMap((hex) => {
      const bytes = Buffer.from(hex, 'hex');
      return [
        hex,
        bytes.toString('base64'),
        bytes.toString('base64url'),
        createHash('sha256').update(bytes).digest('hex'),
      ];
    });
    for (const secret of [...forms, pem, SECRET, 'PRIVATE KEY']) {
      expect(secret.length).toBeGreaterThan(8);
      expect(text).not.toContain(secret);
    }
    await expect(moveIn(other, place)).rejects.toThrow('There is something in');
    await expect(moveOut(place, other)).rejects.toThrow('There is something in');
    expect(await isServed(() => inFolder(other))).toBe(true);
  });
});
