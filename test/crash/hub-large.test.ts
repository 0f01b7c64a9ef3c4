import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { keyBytes } from '../../server/store/sql/key-bytes.ts';
import { HubProcesses } from '../support/harness/hub.ts';
import { pairNodes, rowsOf, startNode } from '../support/harness/node.ts';
import { NO_POSTGRES, postgresServer } from '../support/harness/postgres-server.ts';

/** Set to 10,000,000 for the figures of docs/hub.md, which are written out then. */
const ROWS = Number(process.env.FOOTBRIDGE_HUB_ROWS ?? 150_000);
/** MiB of a process that serves them, whatever is asked of it. */
const MAX_MEMORY = 300;
const COLUMNS = [
  { name: 'Customer', kind: 'String' },
  { name: 'City', kind: 'String' },
  { name: 'Amount', kind: 'Number' },
  { name: 'Day', kind: 'DateTime' },
  { name: 'Note', kind: 'String' },
] as const;
const CITIES = ['Bergen', 'Köln', 'Málaga', 'Kraków', 'Évry', 'Ulm', 'Graz', 'Ghent', 'Faro', 'Brno'];
const TEMPLATE = 'TEMPLATE';
/** Rows that have the word which the others do not. */
const RARE = Math.floor((ROWS - 8) / 100_000) + 1;
const pageSchema = z.object({
  total: z.number(),
  rows: z.array(z.object({ recordID: z.string(), values: z.record(z.string(), z.array(z.string())) })),
});
type Page = z.infer<typeof pageSchema>;

const server = await postgresServer();
afterAll(() => server?.stop());

it(
  `a list of ${ROWS} rows in a database is paged, sorted, searched, filtered and shared in part, with few of them in memory`,
  { timeout: 7_200_000, tags: 'nightly-sizes' },
  async ({ skip, onTestFinished }) => {
    if (!server) return skip(NO_POSTGRES);
    const address = await server.newDatabase();
    const hub = await HubProcesses.over(address, randomBytes(24).toString('hex'), 1);
    onTestFinished(() => hub.end());
    const { app } = hub.office;
    hub.start(0);
    const { moduleID } = await app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Orders',
      fields: COLUMNS.map(({ name, kind }) => ({ label: name, name, kind, isMulti: false })),
    });
    const grid = `/app/lists/${moduleID}/rows`;
    const values = { Customer: [TEMPLATE], City: ['Ulm'], Amount: ['1'], Day: ['2026-01-01'], Note: ['x'] };
    await app('POST', grid, { values });
    await hub.kill(0);
    await fill(address, moduleID);
    hub.start(0);

    const timed = async <R>(what: string, body: () => Promise<R>): Promise<R> => {
      const began = performance.now();
      const answer = await body();
      const took = (performance.now() - began) / 1000;
      const memory = await hub.mostMemory(0);
      console.log(`${what.padEnd(46)} ${took.toFixed(2).padStart(8)} s   ${memory.toFixed(0)} MiB at most`);
      if (Number.isFinite(memory)) expect(memory).toBeLessThan(MAX_MEMORY);
      return answer;
    };
    const look = async (query: string): Promise<Page> =>
      pageSchema.parse(await app('GET', `${grid}?limit=100${query}`));
    const amounts = ({ rows }: Page): number[] => rows.map(({ values: { Amount } }) => Number(Amount?.[0]));

    await timed('start, and the lists', () => app('GET', '/app/lists'));
    const first = await timed('first page', () => look('&offset=0'));
    expect(first.total).toBe(ROWS);
    const middle = await timed('page in the middle', () => look(`&offset=${ROWS / 2}`));
    expect(BigInt(middle.rows[0]?.recordID ?? 0) - BigInt(first.rows[0]?.recordID ?? 0)).toBe(
      BigInt(ROWS / 2),
    );
    expect((await timed('last page', () => look(`&offset=${ROWS - 50}`))).rows).toHaveLength(50);

    const sorted = await timed('sort by text, for the first time', () => look('&offset=0&sort=Customer'));
    expect(sorted.total).toBe(ROWS);
    expect(await timed('the same, once more', () => look('&offset=0&sort=Customer'))).toEqual(sorted);
    await timed('the middle of it', () => look(`&offset=${ROWS / 2}&sort=Customer`));
    await timed('the middle of it, once more', () => look(`&offset=${ROWS / 2 + 500}&sort=Customer`));
    await timed('a change, and the sorted page', async () => {
      await app('PATCH', `${grid}/${sorted.rows[0]?.recordID ?? ''}`, {
        values: { Customer: ['zzz & last'] },
      });
      const [now, end] = [
        await look('&offset=0&sort=Customer'),
        await look(`&offset=${ROWS - 1}&sort=Customer`),
      ];
      expect(now.rows[0]).toEqual(sorted.rows[1]);
      expect(end.rows[0]?.recordID).toBe(sorted.rows[0]?.recordID);
    });
    // Of very many rows one order says enough, as each takes some minutes to make.
    if (ROWS <= 1_000_000) {
      const largest = amounts(await timed('sort by number', () => look('&offset=0&sort=Amount DESC')));
      const smallest = amounts(await look(`&offset=${ROWS - 100}&sort=Amount DESC`));
      expect(largest).toEqual(largest.toSorted((a, b) => b - a));
      expect(smallest.at(-1)).toBeLessThan(largest[0] ?? 0);
    }

    const found = await timed('search of a word that few rows have', () => look('&offset=0&search=rarely'));
    expect(found.total).toBe(RARE);
    const query = encodeURIComponent("City = 'Graz'");
    const tenth = await timed('a filter that a tenth of the rows meet', () =>
      look(`&offset=0&query=${query}`),
    );
    expect(tenth.total).toBe(Math.floor((ROWS - 7) / 10) + 1);

    const office = await startNode('Branch', { syncIntervalMs: 2_000 });
    onTestFinished(() => office.stop());
    await timed('a partner has those rows that meet a condition', async () => {
      const pair = await pairNodes(hub.office, office);
      const condition = { join: 'all', parts: [{ column: 'Note', test: 'contains', value: 'rarely' }] };
      await app('PUT', `/app/partners/${pair.atInviter}/shares/${moduleID}`, {
        fields: ['Customer', 'City'],
        condition,
      });
      const sync = (): Promise<unknown> => office.app('POST', `/app/partners/${pair.atInvited}/sync`);
      await sync();
      const [offer] = await office.app<{ sharedModuleID: string }[]>(
        'GET',
        `/app/partners/${pair.atInvited}/offers`,
      );
      const { moduleID: list } = await office.app<{ moduleID: string }>(
        'POST',
        `/app/partners/${pair.atInvited}/offers/${offer?.sharedModuleID ?? ''}/list`,
        {},
      );
      await expect
        .poll(() => sync().then(() => rowsOf(office, list)), { timeout: 3_000_000, interval: 1000 })
        .toHaveLength(RARE);
    });
  },
);

/** Rows beside the one that is there, made by the database itself: no two are the same. */
async function fill(address: string, moduleID: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const name = `list-${moduleID}`;
    const { rows: found } = await client.query<{ id: string; last_seq: string; value: string; key: Buffer }>(
      `SELECT p.id, p.last_seq, e.value, e.key FROM footbridge_partition p JOIN footbridge_entry e
        ON e.partition_id = p.id AND e.tbl = 'row' WHERE p.name = $1`,
      [name],
    );
    const [made] = found;
    if (!made) throw new Error('The first row is not there.');
    const { recordID } = z.object({ recordID: z.string() }).parse(JSON.parse(made.value));
    if (!keyBytes(recordID).equals(made.key)) throw new Error('Keys are written otherwise.');
    const [first, seq] = [BigInt(recordID), Number(made.last_seq)];
    for (let from = 1; from < ROWS; from += 500_000) {
      const to = Math.min(ROWS - 1, from + 499_999);
      await client.query(
        `INSERT INTO footbridge_entry (partition_id, tbl, key, seq, value)
          SELECT $1, 'row', decode('000000' || lpad(to_hex(length(id)), 2, '0') ||
            regexp_replace(encode(CAST(id AS bytea), 'hex'), '(..)', '00\\1', 'g'), 'hex'), $2 + n,
            replace(replace(replace(replace(replace($3, $4, id), '"${TEMPLATE}"', '"' || initcap(substr(md5(id), 1, 9)) || ' & Söhne"'),
              '"Ulm"', '"' || $6::text[][1 + n % 10] || '"'), '"1"', '"' || (n * 7919 % 1000000)::text || '.5"'),
              '"x"', '"' || md5(id || 'a') || CASE WHEN n % 100000 = 7 THEN ' rarely ' ELSE ' ' END || md5(id || 'b') || '"')
          FROM (SELECT n, (CAST($5 AS numeric) + n)::text AS id FROM generate_series($7::bigint, $8::bigint) AS n) AS made`.replace(
          '$6::text[][1 + n % 10]',
          '($6::text[])[1 + n % 10]',
        ),
        [made.id, seq, made.value, recordID, first.toString(), CITIES, from, to],
      );
    }
    await client.query('UPDATE footbridge_partition SET last_seq = $2 WHERE id = $1', [made.id, seq + ROWS]);
    await client.query("UPDATE footbridge_table SET entries = $2 WHERE partition_id = $1 AND tbl = 'row'", [
      made.id,
      ROWS,
    ]);
    await client.query(
      `UPDATE footbridge_entry SET value = replace(value, '"total":1,', '"total":${ROWS},')
        WHERE partition_id = $1 AND tbl = 'tally'`,
      [made.id],
    );
    await client.query('VACUUM ANALYZE footbridge_entry');
    const { rows: size } = await client.query<{ bytes: string }>(
      "SELECT pg_total_relation_size('footbridge_entry') AS bytes",
    );
    console.log(`${(Number(size[0]?.bytes) / ROWS).toFixed(0)} bytes of disk a row, with its indexes`);
  } finally {
    await client.end();
  }
}
