import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareLists } from '../../server/commands/demo.ts';
import type { DemoList, DemoRecord, Office } from '../../server/commands/demo-office.ts';
import { sampleOf } from '../support/data/luck.ts';
import {
  articles,
  csvOf,
  customers,
  languages,
  payments,
  reports,
  signatures,
} from '../support/data/office-lists.ts';
import { demoOffice, pair } from '../support/harness/demo-office.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';

const SHARED = new URL('../../../shared/data/northwind/', import.meta.url);
const northwind = existsSync(SHARED) ? readdirSync(SHARED).filter((name) => name.endsWith('.csv')) : [];
if (northwind.length === 0)
  console.log('Northwind data is not beside this clone: the lists of an office are made-up ones only.');

describe('lists of the sizes and kinds that offices have', { timeout: 240_000 }, () => {
  let nodes: NodeOffice[] = [];
  let origin: Office;
  let destination: Office;
  let ids: { there: string; here: string };

  beforeAll(async () => {
    nodes = [await startNode('North Trading'), await startNode('Harbour Office')];
    [origin, destination] = nodes.map(demoOffice) as [Office, Office];
    ids = await pair(origin, destination);
  });
  afterAll(() => Promise.all(nodes.map((node) => node.stop())));

  /** Imports a file at the one, shares all of its columns, and receives them at the other in a list of its own. */
  async function carried(name: string, csv: string): Promise<{ list: DemoList; local: DemoList }> {
    const list = await origin.importCsv(name, csv);
    const columns = Object.fromEntries(list.fields.map((field) => [field.name, field.name]));
    await origin.expose(ids.there, list, Object.keys(columns));
    await destination.syncNow(ids.here);
    const local = await destination.createList(`From ${name}`, list.fields);
    await destination.mapOffer(ids.here, name, local, columns);
    expect(await destination.syncNow(ids.here)).toMatchObject({ failed: 0 });
    expect(await compareLists(origin, list, destination, local, columns)).toBeUndefined();
    const again = await destination.syncNow(ids.here);
    expect(again).toMatchObject({ created: 0, updated: 0, deleted: 0, failed: 0 });
    return { list, local };
  }

  const texts = (records: readonly DemoRecord[], columns: readonly string[]): string[] =>
    records
      .map(({ values }) =>
        JSON.stringify(columns.map((name) => values.find((each) => each.name === name)?.value ?? '')),
      )
      .sort();

  it.each(sampleOf([customers(), articles(), signatures(), payments(), reports(), languages()], 3))(
    'carries all of $name over, value by value',
    async (made) => {
      const { list, local } = await carried(made.name, csvOf(made));
      expect(list.rows).toBe(made.rows.length);
      // What is kept as text came through the file and over the line without a change.
      const kept = list.fields.filter(({ kind }) => kind === 'String').map(({ name }) => name);
      expect(kept.length).toBeGreaterThan(0);
      const wanted = made.rows.map((row) => JSON.stringify(kept.map((name) => row[name] ?? ''))).sort();
      expect(texts(await destination.allRows(local), kept)).toEqual(wanted);
    },
  );

  it.each(sampleOf(northwind, 3))(
    'carries all of Northwind’s %s over, value by value',
    { tags: 'nightly-sizes' },
    async (file) => {
      const { list } = await carried(
        `northwind_${file.replace(/\.csv$/, '')}`,
        readFileSync(new URL(file, SHARED), 'utf8'),
      );
      expect(list.rows).toBeGreaterThan(5);
    },
  );
});
