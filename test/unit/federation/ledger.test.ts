import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ledgerCSV } from '../../../server/federation/sharing/ledger-csv.ts';
import { Ledger, type Disclosure, type LedgerLine } from '../../../server/federation/sharing/ledger.ts';
import { servedEntries } from '../../../server/app/sharing-log.ts';
import { omit } from '../../../server/base/omit.ts';
import { english } from '../../../server/words/said.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: DiskStore;
let ledger: Ledger;
let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };

beforeEach(async () => {
  folder = await temporaryFolder();
  store = await openStore({ dataDir: folder.path, clock: systemClock });
  ledger = new Ledger({ store, clock });
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const NODE = '700';
const served = (recordIDs: string[], change: Partial<Disclosure> = {}): Disclosure => ({
  nodeID: NODE,
  moduleID: '40',
  listName: 'Customers',
  fields: ['Name', 'City'],
  recordIDs,
  address: '192.0.2.7',
  state: '1',
  ...change,
});

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

describe('the ledger', () => {
  it('keeps a line for each page that left: partner, list, columns, rows, time, address', async () => {
    await ledger.record(served(['1', '2']));
    expect(await ledger.page(NODE, { page: 1, perPage: 20 })).toEqual({
      total: 1,
      lines: [{ ...omit(served(['1', '2']), 'state'), at: new Date(now).toISOString() }],
    });
  });

  it('has nothing to say of a page without rows, and of a partner that got none', async () => {
    await ledger.record(served([]));
    expect(await ledger.page(NODE, { page: 1, perPage: 20 })).toEqual({ total: 0, lines: [] });
    expect(await ledger.totals(NODE)).toEqual(new Map());
  });

  it('pages through the lines of one partner, the latest first', async () => {
    for (let at = 1; at <= 25; at++) await ledger.record(served([String(at)]));
    await ledger.record(served(['99'], { nodeID: '70' }));
    const rows = async (page: number): Promise<string[]> =>
      (await ledger.page(NODE, { page, perPage: 10 })).lines.map((line) => line.recordIDs[0]!);
    expect(await rows(1)).toEqual(['25', '24', '23', '22', '21', '20', '19', '18', '17', '16']);
    expect(await rows(3)).toEqual(['5', '4', '3', '2', '1']);
    expect(await rows(4)).toEqual([]);
  });

  it('is on disk when the page may be served, and survives a restart', async () => {
    await ledger.record(served(['1']));
    await store.close();
    store = await openStore({ dataDir: folder.path, clock: systemClock });
    ledger = new Ledger({ store, clock });
    expect((await ledger.page(NODE, { page: 1, perPage: 20 })).total).toBe(1);
    expect((await ledger.totals(NODE)).get('40')?.rows).toBe(1);
  });

  it('fails to note a page whose line cannot be written', async () => {
    await store.close();
    await expect(ledger.record(served(['1']))).rejects.toThrow();
    store = await openStore({ dataDir: folder.path, clock: systemClock });
  });

  it('keeps every line when many pages leave at once', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => ledger.record(served([String(at)]))));
    const { total, lines } = await ledger.page(NODE, { page: 1, perPage: 100 });
    expect(total).toBe(40);
    expect(new Set(lines.map((line) => line.recordIDs[0])).size).toBe(40);
  });

  it('lists the rows of a page that leaves again, without storing them again', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => String(10n ** 17n + BigInt(at)));
    await ledger.record(served(ids));
    const stored = async (): Promise<number> => (await store.backup(`${folder.path}/backup-${now++}`)).bytes;
    const once = await stored();
    for (let again = 0; again < 20; again++) await ledger.record(served(ids, { state: String(again + 2) }));
    expect((await stored()) - once).toBeLessThan(once);
    const { lines } = await ledger.page(NODE, { page: 1, perPage: 30 });
    expect(lines).toHaveLength(21);
    for (const line of lines) expect(line.recordIDs).toEqual(ids);
  });

  it('counts each row that left once, for each list, before and after it was asked', async () => {
    await ledger.record(served(['1', '2', '3']));
    await ledger.record(served(['2', '3', '4']));
    now += 1000;
    await ledger.record(served(['1'], { moduleID: '41' }));
    expect(await ledger.totals(NODE)).toEqual(
      new Map([
        ['40', { rows: 4, lastServedAt: new Date(now - 1000).toISOString() }],
        ['41', { rows: 1, lastServedAt: new Date(now).toISOString() }],
      ]),
    );
    await ledger.record(served(['1', '9'], { moduleID: '41' }));
    expect((await ledger.totals(NODE)).get('41')?.rows).toBe(2);
  });
});

describe('what a partner asks again and again', () => {
  const lines = async (): Promise<readonly LedgerLine[]> =>
    (await ledger.page(NODE, { page: 1, perPage: 30 })).lines;

  it('is counted in one line a day as long as it stays the same, with the last time, also after a restart', async () => {
    for (let again = 0; again < 50; again++) {
      await ledger.record(served(['1', '2']));
      now += 60_000;
    }
    await store.close();
    store = await openStore({ dataDir: folder.path, clock: systemClock });
    ledger = new Ledger({ store, clock });
    await ledger.record(served(['1', '2']));
    expect(await lines()).toMatchObject([
      {
        recordIDs: ['1', '2'],
        at: new Date(now - 3_000_000).toISOString(),
        times: 51,
        lastAt: new Date(now).toISOString(),
      },
    ]);
    now += 24 * 3_600_000;
    await ledger.record(served(['1', '2']));
    expect((await lines()).map(({ times = 1 }) => times)).toEqual([1, 51]);
  });

  it.each<[string, string[], Partial<Disclosure>]>([
    ['rows in another state', ['1'], { state: '2' }],
    ['other rows', ['2'], {}],
    ['other columns', ['1'], { fields: ['Name'] }],
    ['another address', ['1'], { address: '192.0.2.8' }],
    ['another question', ['1'], { query: "Name = 'x'" }],
    ['another order', ['1'], { sort: 'Name ASC' }],
    ['fingerprints', ['1'], { digests: true }],
  ])('has a line of its own for %s', async (_what, recordIDs, more) => {
    await ledger.record(served(['1']));
    await ledger.record(served(recordIDs, more));
    expect((await lines()).map(({ times = 1 }) => times)).toEqual([1, 1]);
  });

  it('is counted by its rows once, however many questions it was', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => String(at));
    for (let asked = 0; asked < 100; asked++)
      await ledger.record(served(ids, { query: `Name != 'q${asked}'` }));
    const anew = new Ledger({ store, clock });
    const add = vi.spyOn(Set.prototype, 'add');
    const told = await servedEntries(anew, { nodeID: NODE, name: 'Berlin office' });
    expect(told.map(({ message }) => english(message))).toEqual(['1,000 rows sent']);
    expect((await anew.totals(NODE)).get('40')?.rows).toBe(1000);
    expect((await anew.sentToday(NODE)).get('40')?.rows).toBe(1000);
    const added = add.mock.calls.length;
    add.mockRestore();
    expect(added).toBeLessThan(10_000);
    const pieces = await collect(ledgerCSV(anew, [{ nodeID: NODE, name: 'Berlin office' }]));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(10_000);
  });

  it('has a line with the question also where no row came back', async () => {
    await ledger.record(served([], { query: "City LIKE 'a%'" }));
    await ledger.record(served([], { sort: 'City ASC' }));
    expect(await lines()).toMatchObject([
      { recordIDs: [], sort: 'City ASC' },
      { recordIDs: [], query: "City LIKE 'a%'" },
    ]);
  });

  it('takes a sixteenth of a day’s room for questions, however they differ, and rows go on', async () => {
    const small = new Ledger({ store, clock, bytesADay: 160_000 });
    const asked = Array.from({ length: 100 }, (_, n) => served([], { query: `City = 'Bergen ${n}'` }));
    const answers = await Promise.allSettled(asked.map((each) => small.record(each)));
    const taken = answers.filter(({ status }) => status === 'fulfilled').length;
    expect(taken).toBeGreaterThan(10);
    expect(taken).toBeLessThan(30);
    await small.record(served(['1', '2']));
    await small.record(asked[0] ?? served([]));
  });

  it.each([
    ['rows of many columns', 1, (): Partial<Disclosure> => ({})],
    ['comparisons of many columns, in any order', 1 / 16, (): Partial<Disclosure> => ({ digests: true })],
  ])('takes no more room a day than it says, by %s', async (_what, part, change) => {
    const bytesADay = 1_600_000;
    const small = new Ledger({ store, clock, bytesADay });
    const columns = Array.from({ length: 500 }, (_, n) => `Column ${n} `.padEnd(60, 'x'));
    const ask = (n: number): Disclosure =>
      served([String(n)], { fields: [...columns.slice(n), ...columns.slice(0, n)], ...change() });
    for (let n = 0; (await small.record(ask(n)).catch(() => 'full')) !== 'full';)
      expect(++n).toBeLessThan(200);
    const { lines } = await small.page(NODE, { page: 1, perPage: 200 });
    expect(lines).not.toEqual([]);
    expect(JSON.stringify(lines).length).toBeLessThan(bytesADay * part);
  });

  it('is refused once more is new than may be written down in a day, and goes on the next day', async () => {
    const small = new Ledger({ store, clock, bytesADay: 10_000 });
    const page = (n: number): Disclosure => served(Array.from({ length: 40 }, (_, at) => `${n}${at}`));
    const pages = async (): Promise<number> => {
      for (let n = 0; n < 100; n++) {
        const refusal = await small.record(page(n)).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (refusal === undefined) continue;
        expect(refusal).toMatchObject({ kind: 'too-many', code: 'ledger.full-today' });
        return n;
      }
      return Infinity;
    };
    const taken = await pages();
    expect(taken).toBeGreaterThan(5);
    expect(taken).toBeLessThan(30);
    // What it had before costs next to nothing, and other partners have their own measure.
    await small.record(page(0));
    await small.record({ ...page(99), nodeID: '701' });
    now += 24 * 3_600_000;
    await small.record(page(99));
  });
});

describe('fingerprints that left for comparing', () => {
  it('have lines of their own, and are not counted with the rows that left', async () => {
    await ledger.record(served(['1', '2']));
    now += 1000;
    await ledger.record(served(['1', '2', '3'], { fields: ['City'], digests: true }));
    const { lines } = await ledger.page(NODE, { page: 1, perPage: 20 });
    expect(lines.map(({ digests, fields }) => [digests, fields])).toEqual([
      [true, ['City']],
      [undefined, ['Name', 'City']],
    ]);
    const before = new Date(now - 1000).toISOString();
    expect(await ledger.totals(NODE)).toEqual(new Map([['40', { rows: 2, lastServedAt: before }]]));
    await ledger.record(served(['4'], { digests: true }));
    expect((await ledger.totals(NODE)).get('40')?.rows).toBe(2);
    const text = (await collect(ledgerCSV(ledger, [{ nodeID: NODE, name: 'Berlin office' }]))).join('');
    expect(text).toContain('fingerprints');
  });
});

describe('the ledger as a file', () => {
  it('says all of it, oldest first', async () => {
    await ledger.record(served(['1', '2']));
    const asked = { query: "Name LIKE 'B%'", sort: 'City ASC' };
    await ledger.record(served(['3'], { listName: 'Prices; "net"', ...asked }));
    const text = (await collect(ledgerCSV(ledger, [{ nodeID: NODE, name: 'Berlin office' }]))).join('');
    const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true });
    expect(data).toEqual([
      [
        'time',
        'partner',
        'list',
        'columns',
        'rows',
        'row ids',
        'address',
        'what',
        'asked',
        'times',
        'last time',
        'which rows',
        'taken back',
      ],
      [
        new Date(now).toISOString(),
        'Berlin office',
        'Customers',
        'Name City',
        '2',
        '1 2',
        '192.0.2.7',
        'values',
        '',
        '1',
        new Date(now).toISOString(),
        'all',
        '0',
      ],
      [
        new Date(now).toISOString(),
        'Berlin office',
        'Prices; "net"',
        'Name City',
        '1',
        '3',
        '192.0.2.7',
        'values',
        "query: Name LIKE 'B%'; sort: City ASC",
        '1',
        new Date(now).toISOString(),
        'all',
        '0',
      ],
    ]);
  });

  it('tells what left today: different rows of each list, not those of yesterday, nor fingerprints', async () => {
    now = new Date(2026, 2, 3, 15).getTime();
    await ledger.record(served(['1', '2', '3']));
    now = new Date(2026, 2, 4, 0, 5).getTime();
    await ledger.record(served(['3', '4']));
    await ledger.record(served(['9'], { digests: true, query: 'City' }));
    const [early, late] = [0, 40].map((minutes) => new Date(now + minutes * 60_000).toISOString());
    expect([...(await ledger.sentToday(NODE))]).toEqual([
      ['40', { listName: 'Customers', rows: 2, at: early }],
    ]);
    now += 40 * 60_000;
    await ledger.record(served(['4', '5'], { listName: 'Clients' }));
    await ledger.record(served(['7'], { moduleID: '41', listName: 'Orders' }));
    const told = [
      ['40', { listName: 'Clients', rows: 3, at: late }],
      ['41', { listName: 'Orders', rows: 1, at: late }],
    ];
    expect([...(await ledger.sentToday(NODE))]).toEqual(told);
    expect([...(await new Ledger({ store, clock }).sentToday(NODE))].sort()).toEqual(told);
    expect([...(await ledger.sentToday('701'))]).toEqual([]);
    now += 86_400_000;
    expect([...(await ledger.sentToday(NODE))]).toEqual([]);
  });

  it('finds what left today behind pages of lines', async () => {
    now = new Date(2026, 2, 4, 9).getTime();
    for (let row = 0; row < 450; row++) await ledger.record(served([String(row)]));
    expect((await new Ledger({ store, clock }).sentToday(NODE)).get('40')?.rows).toBe(450);
  });

  it('H9: runs no formula in a spreadsheet, whatever a list or partner is called', async () => {
    for (const evil of [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\0=1',
      ' =1',
      '＝1',
      'Meier;=1+1',
      'Huber|@SUM(A1)',
    ])
      await ledger.record(served(['1'], { listName: evil, fields: [evil] }));
    const text = (await collect(ledgerCSV(ledger, [{ nodeID: NODE, name: '=cmd()' }]))).join('');
    for (const row of Papa.parse<string[]>(text, { skipEmptyLines: true }).data)
      for (const cell of row) expect(cell).not.toMatch(/(?:^|[;|\t])[\s\0]*[=+\-@＝]/);
  });
});

it('a page does not wait until what left before was counted, and does not fail where that does', async () => {
  await ledger.record(served(['1', '2', '3']));
  let fail: (error: Error) => void = () => undefined;
  const slow = new Ledger({
    clock,
    store: {
      ...store,
      async partition(name) {
        const part = await store.partition(name);
        const find: typeof part.find = (table, index, text) =>
          index === 'node' ? new Promise((_, reject) => (fail = reject)) : part.find(table, index, text);
        return { ...part, find };
      },
    },
  });
  const totals = slow.totals(NODE);
  const failed = expect(totals).rejects.toThrow('EIO');
  await slow.record(served(['4']));
  expect(await slow.page(NODE, { page: 1, perPage: 20 })).toMatchObject({ total: 2 });
  fail(new Error('EIO'));
  await failed;
  await slow.record(served(['5']));
  expect(await ledger.totals(NODE)).toMatchObject(new Map([['40', { rows: 5 }]]));
});
