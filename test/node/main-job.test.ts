import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import customersCsv from '../../samples/customers.csv?raw';
import ordersCsv from '../../samples/orders.csv?raw';
import { compareLists } from '../../server/commands/demo-compare.ts';
import type { DemoList } from '../../server/commands/demo-office.ts';
import { articles, csvOf, customers, languages, reports, signatures } from '../support/data/office-lists.ts';
import { clearOffices, pair, startOffice, type TestOffice } from '../support/harness/demo-office.ts';

const SHARED = new URL('../../../shared/data/northwind/', import.meta.url);
const northwind = existsSync(SHARED)
  ? ['customers', 'orders', 'products', 'employees', 'suppliers', 'categories'].map((name) => ({
      name: `northwind_${name}`,
      csv: readFileSync(new URL(`${name}.csv`, SHARED), 'utf8'),
    }))
  : [];
if (northwind.length === 0)
  console.log('Northwind data is not beside this clone: the main job runs on the samples only.');

const generated = [customers(), articles(), signatures(), reports(), languages()];

describe('the main job between two real nodes, shape 1', () => {
  let origin: TestOffice;
  let destination: TestOffice;
  let ids: { there: string; here: string };

  beforeAll(async () => {
    origin = await startOffice('North Trading');
    destination = await startOffice('Harbour Office');
    ids = await pair(origin.office, destination.office);
  });
  afterAll(() => clearOffices(origin, destination));

  /** Shares all columns but the last and matches them onto a new list whose columns have other names. */
  async function shareAllButLast(
    list: DemoList,
  ): Promise<{ local: DemoList; columns: Record<string, string> }> {
    const chosen = list.fields.slice(0, -1);
    const columns = Object.fromEntries(chosen.map(({ name }, i) => [name, `Col${i + 1}_${name}`]));
    await origin.office.expose(ids.there, list, Object.keys(columns));
    await destination.office.syncNow(ids.here);
    const local = await destination.office.createList(
      `From ${list.name}`,
      chosen.map((field) => ({ ...field, name: columns[field.name] ?? '', label: field.label })),
    );
    await destination.office.match(ids.here, list.name, local, columns);
    return { local, columns };
  }

  it.each([
    { name: 'customers', csv: customersCsv },
    { name: 'orders', csv: ordersCsv },
    ...generated.map((list) => ({ name: `made ${list.name}`, csv: csvOf(list) })),
    ...northwind,
  ])('moves $name completely, value by value, and only the chosen columns', async ({ name, csv }) => {
    const list = await origin.office.importCsv(name, csv);
    const { local, columns } = await shareAllButLast(list);
    expect(await destination.office.syncNow(ids.here)).toMatchObject({ failed: 0 });
    expect(await destination.office.allRows(local)).toHaveLength(list.rows);
    expect(await compareLists(origin.office, list, destination.office, local, columns)).toBeUndefined();
    if (name === 'northwind_orders') expect(list.rows).toBe(2155);

    const again = await destination.office.syncNow(ids.here);
    expect(again).toMatchObject({ created: 0, updated: 0, deleted: 0 });
  });

  it('brings a change, a deletion and a new row, and nothing else', async () => {
    const list = await origin.office.importCsv('clients', customersCsv);
    const { local, columns } = await shareAllButLast(list);
    await destination.office.syncNow(ids.here);
    const [first, second] = await origin.office.firstRows(list, 2);
    const column = list.fields[1]?.name ?? '';
    await origin.office.patch(list, first!.recordID, { [column]: 'Changed <b>name</b> Ω' });
    await origin.office.remove(list, second!.recordID);
    await origin.office.add(list, { [column]: 'A new one' });

    await destination.office.syncNow(ids.here);
    expect(await destination.office.allRows(local)).toHaveLength(list.rows);
    expect(await compareLists(origin.office, list, destination.office, local, columns)).toBeUndefined();
  });

  it('goes on by itself after either node was stopped and started again', async () => {
    const list = await origin.office.importCsv('suppliers', customersCsv);
    const { local, columns } = await shareAllButLast(list);
    await destination.office.syncNow(ids.here);
    const port = Number(new URL(origin.office.federation).port);
    await origin.stop();
    origin = await startOffice('North Trading', { dataDir: origin.dataDir, port });
    const portThere = Number(new URL(destination.office.federation).port);
    await destination.stop();
    destination = await startOffice('Harbour Office', {
      dataDir: destination.dataDir,
      port: portThere,
      syncIntervalMs: 500,
    });
    const [first] = await origin.office.firstRows(list, 1);
    await origin.office.remove(list, first!.recordID);
    await expect
      .poll(() => compareLists(origin.office, list, destination.office, local, columns), { timeout: 15_000 })
      .toBeUndefined();
  });
});
