import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ledger } from '../../../server/federation/sharing/ledger.ts';
import { startRetention } from '../../../server/node/retention.ts';
import { openSettings, type SettingsStore } from '../../../server/app/settings.ts';
import { openLists, type Lists } from '../../../server/lists/lists.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { openSlewedClock, type SlewedClock } from '../../../server/store/engine/slewed-clock.ts';
import { createIds } from '../../../server/base/ids.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { openHistory, type History } from '../../../server/sync/status/history.ts';
import { said } from '../../../server/words/said.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let folder: Awaited<ReturnType<typeof temporaryFolderInMemory>>;
let clock: ManualClock;
let store: DiskStore;
let settings: SettingsStore;
let believed: SlewedClock;
/** How often it was seen to what is owed to the rows of partners that ended. */
let caughtUp = 0;
let ledger: Ledger;
let history: History;
let lists: Lists;
let stop: () => Promise<void>;

/** The parts of a node that keep things, and what removes them. */
async function start(): Promise<void> {
  store = await openStore({ dataDir: folder.path, clock });
  const system = await store.partition('system');
  settings = await openSettings(system, {}, () => undefined);
  believed = await openSlewedClock(system, clock);
  ledger = new Ledger({ store, clock, slewedNow: () => believed.now() });
  history = await openHistory({ system, clock, ids: createIds(clock, 1), onActivity: () => undefined });
  const log = pino({ level: 'silent' });
  lists = await openLists({ store, clock, ids: createIds(clock, 2) });
  const federation = {
    rowHandover: { runPending: () => Promise.resolve().then(() => void (caughtUp += 1)) },
    invites: { removeUnusedInvites: () => Promise.resolve(0) },
  };
  stop = startRetention({ settings, slewedClock: believed, ledger, history, lists, federation, clock, log });
}
async function end(): Promise<void> {
  await stop();
  await store.close();
}

beforeEach(async () => {
  folder = await temporaryFolderInMemory();
  clock = manualClock('2026-01-05T08:00:00Z');
  await start();
});
afterEach(async () => {
  await end();
  await folder.remove();
});

/** Something leaves and something happens, then so much time passes, in which it is looked again and again. */
async function live(days: number, step = 10): Promise<void> {
  for (let passed = 0; passed < days; passed += step) {
    await ledger.record({
      nodeID: '700',
      moduleID: '40',
      listName: 'Orders',
      fields: ['Number'],
      recordIDs: [String(clock.now())],
      address: '192.0.2.7',
      state: '1',
    });
    const about = { nodeID: '700', partner: 'Bergen', kind: 'pull', outcome: 'ok' } as const;
    await history.add({ ...about, message: said('history.new', { count: passed }) });
    await pass(step * DAY);
  }
}

/** Lets time pass, and notes how far it has come. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await believed.advance();
}

const lines = async (): Promise<number> => (await ledger.countLines()).lines;
const entries = async (): Promise<number> => (await history.measureEntries()).entries;

describe('of a list whose own time stands, as a clock that was a year ahead was put right', () => {
  const YEAR = 365 * DAY;
  async function madeWhileAhead(): Promise<{ rows: Rows; ids: string[] }> {
    const { namespaceID } = await lists.defaultNamespace();
    const fields = [{ kind: 'String' as const, name: 'Town' }];
    const { moduleID } = await lists.createModule(namespaceID, { name: 'Towns', fields });
    const rows = await lists.rows(moduleID);
    const towns = ['Narvik', 'Bodø', 'Hamar', 'Voss'].map((Town) => ({ Town: [Town] }));
    clock.set(clock.now() + YEAR);
    const ids = (await rows.createMany(towns, '1')).map(({ recordID }) => recordID);
    clock.set(clock.now() - YEAR);
    return { rows, ids };
  }
  /** Day by day, each looked at while nothing else happens. */
  async function days(count: number): Promise<void> {
    for (let day = 0; day < count; day++) {
      await pass(DAY);
      await lists.caughtUp();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  it('the bin is emptied and pasts are forgotten a week late at most, and never early', async () => {
    await settings.change({ keepBinDays: 30, keepHistoryDays: 30 });
    const { rows, ids } = await madeWhileAhead();
    const [first = '', second = '', third = '', fourth = ''] = ids;
    await rows.remove(first, '1');
    await rows.patch(third, { Town: ['Odda'] }, '1');
    await days(20);
    await rows.remove(second, '1');
    await rows.patch(fourth, { Town: ['Moss'] }, '1');
    await days(9);
    expect((await rows.counts()).inBin).toBe(2);
    expect((await rows.history(third)).changes).toHaveLength(1);
    await days(9);
    await expect.poll(async () => (await rows.counts()).inBin).toBe(1);
    await expect.poll(async () => (await rows.history(third)).changes).toEqual([]);
    expect((await rows.history(fourth)).changes).toHaveLength(1);
    await days(20);
    await expect.poll(async () => (await rows.counts()).inBin).toBe(0);
    await expect.poll(async () => (await rows.history(fourth)).changes).toEqual([]);
  });

  it('nothing goes where a clock is behind for weeks: only what was seen to pass counts', async () => {
    await settings.change({ keepBinDays: 30, keepHistoryDays: 30 });
    const { rows, ids } = await madeWhileAhead();
    const right = clock.now();
    clock.set(right - YEAR);
    await rows.remove(ids[0] ?? '', '1');
    await days(20);
    clock.set(right + 20 * DAY);
    await days(9);
    expect((await rows.counts()).inBin).toBe(1);
  });
});

describe('what is kept of what left and of what happened', () => {
  it('goes when it is older than the user wants, and not before', { tags: 'nightly-sizes' }, async () => {
    await live(720);
    expect([await lines(), await entries()]).toEqual([72, 72]);
    await live(400);
    await expect.poll(entries).toBeLessThanOrEqual(74);
    expect(await entries()).toBeGreaterThanOrEqual(73);
    expect(await lines()).toBeGreaterThanOrEqual(73);
    expect(await lines()).toBeLessThanOrEqual(77);
    await settings.change({ keepLedgerDays: 90, keepHistoryDays: 30 });
    clock.advance(2 * HOUR);
    await expect.poll(entries).toBeLessThanOrEqual(4);
    await expect.poll(lines).toBeLessThanOrEqual(13);
    expect(await lines()).toBeGreaterThanOrEqual(9);
  });

  it('is the bin as well: a deleted row can be restored for as long as the user wants', async () => {
    const { namespaceID } = await lists.defaultNamespace();
    const { moduleID } = await lists.createModule(namespaceID, {
      name: 'Towns',
      fields: [{ kind: 'String', name: 'Town' }],
    });
    const rows = await lists.rows(moduleID);
    const made = await rows.createMany([{ Town: ['Narvik'] }, { Town: ['Bodø'] }], '1');
    const [first = '', second = ''] = made.map(({ recordID }) => recordID);
    await pass(40 * DAY);
    await rows.remove(first, '1');
    await pass(60 * DAY);
    await rows.remove(second, '1');
    await pass(40 * DAY);
    await expect.poll(async () => (await rows.counts()).inBin).toBe(1);
    await rows.restore(second, '1');
    await expect(rows.restore(first, '1')).rejects.toMatchObject({ kind: 'conflict' });
    expect((await rows.get(first)).values).toEqual({});
  });

  it('stays, all of it, where a clock stands years ahead for a while, also while the program starts', async () => {
    await live(300);
    const before = [await lines(), await entries()];
    const right = clock.now();
    clock.set('2031-01-01T00:00:00Z');
    clock.advance(20_000);
    await end();
    await start();
    clock.advance(5 * HOUR);
    await end();
    clock.set(right + 6 * HOUR);
    await start();
    clock.advance(2 * HOUR);
    await stop();
    expect([await lines(), await entries()]).toEqual(before);
  });

  it('stays, also at the next start, when the clock has gone on by years since the last', async () => {
    await live(300);
    await end();
    clock.set('2033-01-01T00:00:00Z');
    await start();
    clock.advance(3 * HOUR);
    await stop();
    expect([await lines(), await entries()]).toEqual([30, 30]);
  });
});

it('sees every hour to what is owed to the rows of partners that ended, as a full disk may have kept it from that', async () => {
  const before = caughtUp;
  clock.advance(300_000);
  await expect.poll(() => caughtUp).toBe(before + 1);
  clock.advance(3_600_000);
  await expect.poll(() => caughtUp).toBe(before + 2);
});

it('goes by each rule, also where another cannot, and tells of that one', async () => {
  await stop();
  const ran: string[] = [];
  const told: unknown[] = [];
  const works = (name: string) => (): Promise<number> => {
    ran.push(name);
    return name === 'history' ? Promise.resolve(0) : Promise.reject(new Error(`no ${name}`));
  };
  stop = startRetention({
    settings,
    slewedClock: believed,
    clock,
    ledger: { deleteBefore: works('ledger') },
    history: { deleteBefore: works('history') },
    lists: {
      recordListClocks: () => works('times of lists')().then(() => undefined),
      emptyBins: works('bins'),
      purgeModules: works('deleted lists'),
      forgetHistories: works('pasts'),
    },
    federation: {
      rowHandover: { runPending: () => works('partings')().then(() => undefined) },
      invites: { removeUnusedInvites: works('invites') },
    },
    log: { info: () => undefined, error: (about: unknown) => void told.push(about) },
  });
  clock.advance(300_000);
  const others = ['times of lists', 'bins', 'deleted lists', 'pasts'];
  await expect.poll(() => ran).toEqual(['partings', 'invites', 'ledger', 'history', ...others]);
  await expect
    .poll(() => told)
    .toMatchObject(['partings', 'invites', 'ledger', ...others].map((rule) => ({ rule })));
});
