import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerCSV } from '../../../server/federation/ledger-csv.ts';
import { createLedger, type Disclosure, type Ledger } from '../../../server/federation/ledger.ts';
import { openStore, type DiskStore } from '../../../server/store/open-store.ts';
import { systemClock } from '../../../server/store/clock.ts';
import { temporaryFolder } from '../../support/disk-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: DiskStore;
let ledger: Ledger;
let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };

beforeEach(async () => {
  folder = await temporaryFolder();
  store = await openStore({ dataDir: folder.path, clock: systemClock });
  ledger = createLedger({ store, clock });
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
  ...change,
});

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

describe('the ledger', () => {
  it('keeps a line for each page that left: partner, list, columns, rows, time, address', async () => {
    await ledger.note(served(['1', '2']));
    expect(await ledger.page(NODE, { page: 1, perPage: 20 })).toEqual({
      total: 1,
      lines: [{ ...served(['1', '2']), at: new Date(now).toISOString() }],
    });
  });

  it('has nothing to say of a page without rows, and of a partner that got none', async () => {
    await ledger.note(served([]));
    expect(await ledger.page(NODE, { page: 1, perPage: 20 })).toEqual({ total: 0, lines: [] });
    expect(await ledger.totals(NODE)).toEqual(new Map());
  });

  it('pages through the lines of one partner, the latest first', async () => {
    for (let at = 1; at <= 25; at++) await ledger.note(served([String(at)]));
    await ledger.note(served(['99'], { nodeID: '70' }));
    const rows = async (page: number): Promise<string[]> =>
      (await ledger.page(NODE, { page, perPage: 10 })).lines.map((line) => line.recordIDs[0]!);
    expect(await rows(1)).toEqual(['25', '24', '23', '22', '21', '20', '19', '18', '17', '16']);
    expect(await rows(3)).toEqual(['5', '4', '3', '2', '1']);
    expect(await rows(4)).toEqual([]);
  });

  it('is on disk when the page may be served, and survives a restart', async () => {
    await ledger.note(served(['1']));
    await store.close();
    store = await openStore({ dataDir: folder.path, clock: systemClock });
    ledger = createLedger({ store, clock });
    expect((await ledger.page(NODE, { page: 1, perPage: 20 })).total).toBe(1);
    expect((await ledger.totals(NODE)).get('40')?.rows).toBe(1);
  });

  it('lets no page be served whose line cannot be written', async () => {
    await store.close();
    await expect(ledger.note(served(['1']))).rejects.toThrow();
    store = await openStore({ dataDir: folder.path, clock: systemClock });
  });

  it('keeps every line when many pages leave at once', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => ledger.note(served([String(at)]))));
    const { total, lines } = await ledger.page(NODE, { page: 1, perPage: 100 });
    expect(total).toBe(40);
    expect(new Set(lines.map((line) => line.recordIDs[0])).size).toBe(40);
  });

  it('lists the rows of a page that leaves again, without storing them again', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => String(10n ** 17n + BigInt(at)));
    await ledger.note(served(ids));
    const stored = async (): Promise<number> => (await store.backup(`${folder.path}/backup-${now++}`)).bytes;
    const once = await stored();
    for (let again = 0; again < 20; again++) await ledger.note(served(ids));
    expect((await stored()) - once).toBeLessThan(once);
    const { lines } = await ledger.page(NODE, { page: 1, perPage: 30 });
    expect(lines).toHaveLength(21);
    for (const line of lines) expect(line.recordIDs).toEqual(ids);
  });

  it('counts each row that left once, for each list, before and after it was asked', async () => {
    await ledger.note(served(['1', '2', '3']));
    await ledger.note(served(['2', '3', '4']));
    now += 1000;
    await ledger.note(served(['1'], { moduleID: '41' }));
    expect(await ledger.totals(NODE)).toEqual(
      new Map([
        ['40', { rows: 4, lastServedAt: new Date(now - 1000).toISOString() }],
        ['41', { rows: 1, lastServedAt: new Date(now).toISOString() }],
      ]),
    );
    await ledger.note(served(['1', '9'], { moduleID: '41' }));
    expect((await ledger.totals(NODE)).get('41')?.rows).toBe(2);
  });
});

describe('fingerprints that left for comparing', () => {
  it('have lines of their own, and are not counted with the rows that left', async () => {
    await ledger.note(served(['1', '2']));
    now += 1000;
    await ledger.note(served(['1', '2', '3'], { fields: ['City'], digests: true }));
    const { lines } = await ledger.page(NODE, { page: 1, perPage: 20 });
    expect(lines.map(({ digests, fields }) => [digests, fields])).toEqual([
      [true, ['City']],
      [undefined, ['Name', 'City']],
    ]);
    const before = new Date(now - 1000).toISOString();
    expect(await ledger.totals(NODE)).toEqual(new Map([['40', { rows: 2, lastServedAt: before }]]));
    await ledger.note(served(['4'], { digests: true }));
    expect((await ledger.totals(NODE)).get('40')?.rows).toBe(2);
    const text = (await collect(ledgerCSV(ledger, [{ nodeID: NODE, name: 'Berlin office' }]))).join('');
    expect(text).toContain('fingerprints');
  });
});

describe('the ledger as a file', () => {
  it('says all of it, oldest first', async () => {
    await ledger.note(served(['1', '2']));
    await ledger.note(served(['3'], { listName: 'Prices; "net"' }));
    const text = (await collect(ledgerCSV(ledger, [{ nodeID: NODE, name: 'Berlin office' }]))).join('');
    const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true });
    expect(data).toEqual([
      ['time', 'partner', 'list', 'columns', 'rows', 'row ids', 'address', 'what'],
      [
        new Date(now).toISOString(),
        'Berlin office',
        'Customers',
        'Name City',
        '2',
        '1 2',
        '192.0.2.7',
        'values',
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
      ],
    ]);
  });

  it('H9: runs no formula in a spreadsheet, whatever a list or partner is called', async () => {
    for (const evil of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\0=1'])
      await ledger.note(served(['1'], { listName: evil, fields: [evil] }));
    const text = (await collect(ledgerCSV(ledger, [{ nodeID: NODE, name: '=cmd()' }]))).join('');
    for (const row of Papa.parse<string[]>(text, { skipEmptyLines: true }).data)
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\0]/);
  });
});
