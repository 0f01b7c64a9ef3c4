import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ledger, type Disclosure } from '../../../server/federation/sharing/ledger.ts';
import { LINES } from '../../../server/federation/sharing/ledger-tables.ts';
import { isOfLedger } from '../../../server/federation/sharing/ledger-parts.ts';
import { omit } from '../../../server/base/omit.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { StoreError, type Store } from '../../../server/store/store.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';

const DAY = 24 * 3_600_000;
const MONTH = 31 * DAY;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let disk: DiskStore;
let ledger: Ledger;
let now = 0;
/** Partitions that are in memory. */
let inMemory: Set<string>;

/** The store, that says which of its partitions are in memory. */
function watched(store: DiskStore): Store {
  inMemory = new Set();
  return {
    ...store,
    partition(name) {
      inMemory.add(name);
      return store.partition(name);
    },
    release(name) {
      inMemory.delete(name);
      return store.release(name);
    },
  };
}

async function open(options: { largestPart?: number; bytesADay?: number } = {}): Promise<void> {
  disk = await openStore({ dataDir: folder.path, clock: systemClock, goesOnWithout: isOfLedger });
  ledger = new Ledger({ store: watched(disk), clock: { now: () => now }, ...options });
}

async function reopen(options: { largestPart?: number; bytesADay?: number } = {}): Promise<void> {
  await disk.close();
  await open(options);
}

beforeEach(async () => {
  now = Date.UTC(2026, 0, 5, 9);
  folder = await temporaryFolder();
  await open();
});
afterEach(async () => {
  await disk.close();
  await folder.remove();
});

const served = (recordIDs: readonly string[], nodeID = '700'): Disclosure => ({
  nodeID,
  moduleID: '40',
  listName: 'Customers',
  fields: ['Name', 'City'],
  recordIDs,
  address: '192.0.2.7',
  state: String(now),
});

/** The rows of all lines as the window pages through them, latest first. */
async function shown(nodeID = '700', perPage = 4): Promise<string[]> {
  const rows: string[] = [];
  for (let page = 1; ; page++) {
    const { total, lines } = await ledger.page(nodeID, { page, perPage });
    rows.push(...lines.flatMap(({ recordIDs }) => recordIDs));
    if (lines.length === 0) {
      expect(rows).toHaveLength(total);
      return rows;
    }
  }
}

async function scanned(nodeID = '700'): Promise<string[]> {
  const rows: string[] = [];
  for await (const lines of ledger.scan(nodeID)) rows.push(...lines.flatMap(({ recordIDs }) => recordIDs));
  return rows;
}

/** A line every ten days for so many months. Answers the rows, the oldest first. */
async function months(count: number): Promise<string[]> {
  const rows = Array.from({ length: count * 3 }, (_, index) => `r${index}`);
  for (const row of rows) {
    await ledger.record(served([row]));
    now += 10 * DAY;
  }
  return rows;
}

describe('the ledger of years', () => {
  it('has a part a month, of which only the present one is in memory, also after a restart', async () => {
    await months(14);
    expect((await disk.partitions()).filter((name) => name.startsWith('ledger')).length).toBe(14);
    expect([...inMemory]).toEqual(['ledger-000014-2027-02']);
    await reopen();
    await ledger.record(served(['again']));
    expect(inMemory.size).toBe(1);
  });

  it('is paged through and saved as a whole, whatever parts it lies in, and gives them back afterwards', async () => {
    const rows = await months(9);
    for (const again of [false, true]) {
      if (again) await reopen();
      expect(await shown()).toEqual(rows.toReversed());
      expect(await scanned()).toEqual(rows);
      expect((await ledger.totals('700')).get('40')?.rows).toBe(rows.length);
      expect(inMemory.size).toBe(1);
    }
    expect(await shown('nobody')).toEqual([]);
  });

  it('goes on in the next part when one has grown large, and loses no line of those that come at once', async () => {
    await reopen({ largestPart: 20_000 });
    const rows = Array.from({ length: 300 }, (_, index) => `r${index}`);
    for (let at = 0; at < rows.length; at += 30)
      await Promise.all(rows.slice(at, at + 30).map((row) => ledger.record(served([row]))));
    expect((await disk.partitions()).length).toBeGreaterThan(3);
    expect(new Set(await shown('700', 50))).toEqual(new Set(rows));
    expect(inMemory.size).toBe(1);
  });

  it('has its measure for a day, however many parts that day takes', async () => {
    await reopen({ largestPart: 2_000, bytesADay: 20_000 });
    const note = async (count: number): Promise<number> => {
      for (let at = 0; at < count; at++) {
        const refused = await ledger.record(served([`${now}-${at}`])).catch((error: unknown) => error);
        if (refused instanceof Error) return at;
      }
      return count;
    };
    const inDay = await note(200);
    expect(inDay).toBeLessThan(60);
    await reopen({ largestPart: 2_000, bytesADay: 20_000 });
    expect(await note(1)).toBe(0);
    now += DAY;
    expect(await note(10)).toBe(10);
  });

  it('takes over the one part that there was before', async () => {
    const old = await disk.partition('ledger');
    await old.transaction((tx) => {
      const line = omit(served(['old']), 'state');
      tx.put(LINES, '700-1', { ...line, at: '2025-03-01T08:00:00.000Z', digest: 'd' });
      tx.put({ name: 'count' }, '700', { lines: 1 });
    });
    await reopen();
    await ledger.record(served(['new']));
    expect(await shown()).toEqual(['new', 'old']);
    expect([...inMemory]).toEqual(['ledger-000001-2026-01']);
  });

  it('knows its parts again when it was killed between the beginning of one and the first line in it', async () => {
    const rows = await months(2);
    await disk.partition('ledger-000003-2026-03');
    await reopen();
    expect(await shown()).toEqual(rows.toReversed());
    await ledger.record(served(['next']));
    expect(await shown()).toEqual(['next', ...rows.toReversed()]);
  });
});

describe('what is older than the user wants to keep', () => {
  it('takes up the part that a full disk left empty, and makes no other with each try', async () => {
    await months(1);
    let isFull = false;
    const full: Store = {
      ...disk,
      async partition(name) {
        const part = await disk.partition(name);
        const refused = (): Promise<never> => Promise.reject(new StoreError('full', 'The disk is full.'));
        return isFull ? { ...part, transaction: refused } : part;
      },
    };
    ledger = new Ledger({ store: full, clock: { now: () => now } });
    await ledger.record(served(['in February']));
    now += MONTH;
    isFull = true;
    for (let tries = 0; tries < 3; tries++)
      await expect(ledger.record(served(['refused']))).rejects.toThrow(/full/);
    isFull = false;
    await ledger.record(served(['once there is room']));
    expect((await disk.partitions()).filter(isOfLedger)).toHaveLength(3);
    expect(await shown()).toHaveLength(5);
    await reopen();
    expect(await shown()).toHaveLength(5);
  });

  it('goes a part at a time, when nothing was written to it since then', async () => {
    const rows = await months(12);
    expect(await ledger.deleteBefore(now - 20 * MONTH)).toBe(0);
    expect(await ledger.deleteBefore(now - 6 * MONTH)).toBeGreaterThan(3);
    const left = await shown();
    expect(left.length).toBeGreaterThanOrEqual(18);
    expect(left.length).toBeLessThanOrEqual(24);
    expect(rows.toReversed().slice(0, left.length)).toEqual(left);
    await reopen();
    expect(await shown()).toEqual(left);
    expect(await scanned()).toEqual(left.toReversed());
  });

  it('is not what a clock that was behind for a while makes look old', async () => {
    await ledger.record(served(['1']));
    const right = now;
    now -= 36 * MONTH;
    await ledger.record(served(['2']));
    now = right + DAY;
    await reopen();
    await ledger.record(served(['3']));
    expect(await ledger.deleteBefore(now - 2 * MONTH)).toBe(0);
    expect(await shown()).toEqual(['3', '2', '1']);
    now += 3 * MONTH;
    await ledger.record(served(['4']));
    expect(await ledger.deleteBefore(now - 2 * MONTH)).toBe(2);
  });

  it('is not what clocks that were behind in several months make look old', async () => {
    await ledger.record(served(['1']));
    const right = now;
    for (const [index, behind] of [36, 34, 35].entries()) {
      now = right - behind * MONTH;
      await ledger.record(served([`${2 + index}`]));
    }
    now = right + DAY;
    expect(await ledger.deleteBefore(now - 2 * MONTH)).toBe(0);
    await reopen();
    now = right + 12 * MONTH;
    await ledger.record(served(['5']));
    // What was written before it goes first, and takes along what tells that those months were wrong.
    expect(await ledger.deleteBefore(now - 2 * MONTH)).toBe(1);
    await reopen();
    expect(await ledger.deleteBefore(now - 2 * MONTH)).toBe(0);
    expect(await shown()).toEqual(['5', '4', '3', '2']);
    now += 3 * MONTH;
    await ledger.record(served(['6']));
    expect(await ledger.deleteBefore(now - 2 * MONTH)).toBe(3);
    expect(await shown()).toEqual(['6', '5']);
  });

  it('is never the present part', async () => {
    await ledger.record(served(['1']));
    expect(await ledger.deleteBefore(Number.MAX_SAFE_INTEGER)).toBe(0);
    expect(await shown()).toEqual(['1']);
  });
});

it('a part that goes while its lines are read does not come into being again, empty', async () => {
  for (let month = 0; month < 3; month++) {
    await ledger.record(served([`${month}1`, `${month}2`]));
    now += MONTH;
  }
  await ledger.record(served(['31']));
  const before = (await disk.partitions()).length;
  const stretches = ledger.scan('700')[Symbol.asyncIterator]();
  await stretches.next();
  const gone = await ledger.deleteBefore(now + DAY);
  expect(gone).toBeGreaterThan(1);
  const left: string[] = [];
  for (let next = await stretches.next(); next.done !== true; next = await stretches.next())
    left.push(...next.value.flatMap(({ recordIDs }) => recordIDs));
  expect(left).toEqual(['31']);
  expect(await disk.partitions()).toHaveLength(before - gone);
});

describe('a part that nothing can be read of', () => {
  const lose = async (name: string): Promise<void> => {
    await disk.close();
    await rm(join(folder.path, 'store', name, 'journal-000001.jsonl'));
    await open();
  };

  it('keeps nothing from leaving: the next line begins another one, and that stays so', async () => {
    await months(2);
    const [first = '', second = '', ...others] = (await disk.partitions()).filter(isOfLedger);
    expect(others).toEqual([]);
    await lose(second);
    expect(disk.notices().map(({ code, partition }) => [code, partition])).toEqual([['unreadable', second]]);

    await ledger.record(served(['after']));
    expect(await shown()).toContain('after');
    await reopen();
    await ledger.record(served(['later']));
    const rows = await scanned();
    expect(rows.slice(-2)).toEqual(['after', 'later']);
    // What the part before it knows is there.
    expect(rows).toContain('r0');
    const parts = (await disk.partitions()).filter(isOfLedger);
    expect(parts.slice(0, 2)).toEqual([first, second]);
    expect(parts).toHaveLength(3);
  });

  it('goes with the others when it is old enough', async () => {
    await months(2);
    const [, second = ''] = (await disk.partitions()).filter(isOfLedger);
    await lose(second);
    await ledger.record(served(['after']));
    now += 24 * MONTH;
    await ledger.record(served(['new']));
    await ledger.deleteBefore(now - 6 * MONTH);
    expect(await disk.partitions()).not.toContain(second);
  });
});
