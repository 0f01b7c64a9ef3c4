import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import type { Row } from '../../../../server/lists/definitions/model.ts';
import { parseSort } from '../../../../server/lists/query/sort.ts';
import { rowReaderOf } from '../../../../server/lists/rows/row-reader.ts';
import { putRow } from '../../../../server/lists/rows/row-table.ts';
import { createViews } from '../../../../server/lists/rows/row-views.ts';
import type { ViewDefinition } from '../../../../server/lists/rows/view-rows.ts';
import type { Database } from '../../../../server/store/sql/database.ts';
import { openPgDatabase } from '../../../../server/store/sql/pg-database.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import { openSqlStore } from '../../../../server/store/sql/sql-store.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';
import { NO_POSTGRES, postgresServer } from '../../../support/harness/postgres-server.ts';

const ROWS = 12_000;
/** Rows that are ranked together, and written so. */
const PORTION = 4000;
const FIELDS = [{ name: 'Name', kind: 'String' }] as const;
const server = await postgresServer();
afterAll(() => server?.stop());

const byName: ViewDefinition = {
  key: 'by name',
  order: parseSort('Name', FIELDS),
  fits: ({ deletedAt }) => deletedAt === undefined,
};
const nameOf = (at: number): string => `N${String((at * 7919) % ROWS).padStart(6, '0')}`;
const rowOf = (at: number, name = nameOf(at)): Row => ({
  ...{ recordID: String(100_000 + at), createdBy: '1', updatedBy: '1', values: { Name: [name] } },
  ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
});

it(
  'an order is right, or made anew, wherever the database ended while it was made or changed, and nothing else remains',
  { tags: 'nightly-kills', timeout: 240_000 },
  async ({ skip }) => {
    if (!server?.kill || !server.restart) return skip(NO_POSTGRES);
    const { kill, restart } = server;
    const address = await server.newDatabase();
    const real = openPgDatabase(address);
    /** It ends with this change of an order, before that or behind it. */
    let left = { changes: Infinity, isBehind: false };
    const ending: Database = {
      ...real,
      async transaction(work, isolation) {
        const seen = { isIt: false };
        const watched: typeof work = (ask) =>
          work(async (statement, values) => {
            const isIt = !seen.isIt && statement.includes('INTO footbridge_rank');
            seen.isIt ||= isIt;
            if (isIt && --left.changes === 0 && !left.isBehind) await kill();
            return ask(statement, values);
          });
        const result = await real.transaction(watched, isolation);
        if (seen.isIt && left.changes === 0 && left.isBehind) {
          left.changes = Infinity;
          await kill();
        }
        return result;
      },
    };
    await makeTables(real);
    const fence = { check: () => Promise.resolve() };
    const store = await openSqlStore({ database: ending, fence, clock: systemClock, dataDir: '' });
    const partition = await store.partition('list-1');
    const names = new Map(Array.from({ length: ROWS }, (_, at) => [at, nameOf(at)]));
    await partition.transaction((tx) => {
      for (const at of names.keys()) putRow(tx, undefined, rowOf(at));
    });
    const views = createViews(manualClock(), PORTION);
    const look = async (): Promise<string[]> => (await views.view(rowReaderOf(partition), byName)).ids(0);
    const inOrder = (): string[] =>
      [...names].sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([at]) => String(100_000 + at));
    const rankings = async (): Promise<unknown> =>
      (
        await real.read(`SELECT (SELECT count(*)::int FROM footbridge_ranking) AS orders,
        (SELECT count(*)::int FROM footbridge_ranked) AS places`)
      )[0];

    /** Answers whether there were so many changes, so that the database ended. */
    async function round(changes: number, isBehind: boolean): Promise<boolean> {
      left = { changes, isBehind };
      const seen = await look().catch(() => undefined);
      const isEnded = left.changes <= 0 || left.changes === Infinity;
      left = { changes: Infinity, isBehind };
      if (isEnded) await restart();
      expect(seen ?? inOrder()).toEqual(inOrder());
      expect(await look().catch(look)).toEqual(inOrder());
      await expect.poll(rankings).toEqual({ orders: 1, places: ROWS });
      const at = (changes * 17 + 1) % ROWS;
      const name = `A${String(names.size)}${String(changes)}${String(isBehind)}`;
      await partition.transaction((tx) => putRow(tx, rowOf(at, names.get(at)), rowOf(at, name)));
      names.set(at, name);
      return isEnded;
    }

    let ends = 0;
    for (const isBehind of [false, true]) {
      for (let changes = 1, isEnded = true; isEnded; changes++) {
        // As whoever makes more of them than are kept does.
        await real.transaction((ask) =>
          ask("UPDATE footbridge_ranking SET name = id || '/left', is_whole = false"),
        );
        isEnded = await round(changes, isBehind);
        ends += isEnded ? 1 : 0;
      }
      // Of one that has to be changed only.
      expect(await round(1, isBehind)).toBe(true);
    }
    expect(ends).toBe(2 * (1 + ROWS / PORTION));
    await store.close();
  },
);
