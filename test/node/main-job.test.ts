import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import customersCsv from '../../samples/customers.csv?raw';
import ordersCsv from '../../samples/orders.csv?raw';
import { compareLists } from '../../server/commands/demo.ts';
import type { DemoList, Office } from '../../server/commands/demo-office.ts';
import { sampleOf } from '../support/data/luck.ts';
import { articles, csvOf, customers, languages, reports, signatures } from '../support/data/office-lists.ts';
import { demoOffice, pair } from '../support/harness/demo-office.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';

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
  const nodes: NodeOffice[] = [];
  const folders: TemporaryFolder[] = [];
  let origin: Office;
  let destination: Office;
  let ids: { there: string; here: string };

  beforeAll(async () => {
    for (const name of ['North Trading', 'Harbour Office']) {
      const folder = await temporaryFolder();
      folders.push(folder);
      nodes.push(await startNode(name, { dataDir: folder.path }));
    }
    [origin, destination] = nodes.map(demoOffice) as [Office, Office];
    ids = await pair(origin, destination);
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    for (const { remove } of folders) await remove();
  });

  /** Shares all columns but the last and matches them onto a new list whose columns have other names. */
  async function shareAllButLast(
    list: DemoList,
  ): Promise<{ local: DemoList; columns: Record<string, string> }> {
    const chosen = list.fields.slice(0, -1);
    const columns = Object.fromEntries(chosen.map(({ name }, i) => [name, `Col${i + 1}_${name}`]));
    await origin.expose(ids.there, list, Object.keys(columns));
    await destination.syncNow(ids.here);
    const local = await destination.createList(
      `From ${list.name}`,
      chosen.map((field) => ({ ...field, name: columns[field.name] ?? '', label: field.label })),
    );
    await destination.mapOffer(ids.here, list.name, local, columns);
    return { local, columns };
  }

  it.each(
    sampleOf(
      [
        { name: 'customers', csv: customersCsv },
        { name: 'orders', csv: ordersCsv },
        ...generated.map((list) => ({ name: `made ${list.name}`, csv: csvOf(list) })),
        ...northwind,
      ],
      3,
    ),
  )('moves $name completely, value by value, and only the chosen columns', async ({ name, csv }) => {
    const list = await origin.importCsv(name, csv);
    const { local, columns } = await shareAllButLast(list);
    expect(await destination.syncNow(ids.here)).toMatchObject({ failed: 0 });
    expect(await destination.allRows(local)).toHaveLength(list.rows);
    expect(await compareLists(origin, list, destination, local, columns)).toBeUndefined();
    if (name === 'northwind_orders') expect(list.rows).toBe(2155);

    const again = await destination.syncNow(ids.here);
    expect(again).toMatchObject({ created: 0, updated: 0, deleted: 0 });
  });

  it('brings a change, a deletion and a new row, and nothing else', async () => {
    const list = await origin.importCsv('clients', customersCsv);
    const { local, columns } = await shareAllButLast(list);
    await destination.syncNow(ids.here);
    const [first, second] = await origin.firstRows(list, 2);
    const column = list.fields[1]?.name ?? '';
    await origin.patch(list, first!.recordID, { [column]: 'Changed <b>name</b> Ω' });
    await origin.remove(list, second!.recordID);
    await origin.add(list, { [column]: 'A new one' });

    await destination.syncNow(ids.here);
    expect(await destination.allRows(local)).toHaveLength(list.rows);
    expect(await compareLists(origin, list, destination, local, columns)).toBeUndefined();
  });

  it('goes on by itself after either node was stopped and started again', async () => {
    const list = await origin.importCsv('suppliers', customersCsv);
    const { local, columns } = await shareAllButLast(list);
    await destination.syncNow(ids.here);
    for (const [at, node] of nodes.entries()) {
      await node.stop();
      const { name, dataDir, port } = node;
      nodes[at] = await startNode(name, { dataDir, port, syncIntervalMs: 500 });
    }
    [origin, destination] = nodes.map(demoOffice) as [Office, Office];
    const [first] = await origin.firstRows(list, 1);
    await origin.remove(list, first!.recordID);
    await expect
      .poll(() => compareLists(origin, list, destination, local, columns), { timeout: 15_000 })
      .toBeUndefined();
  });
});
