import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { HubProcesses } from '../support/harness/hub.ts';
import type { Spoken } from '../support/harness/calls.ts';
import { pairNodes } from '../support/harness/pairing.ts';
import { NO_POSTGRES, postgresServer } from '../support/harness/postgres-server.ts';
import { appCalls } from '../support/harness/program.ts';
import { middle, notMeasured, readable, type Measured } from './measured.ts';
import { makeList, openBenchOffice, type BenchOffice } from './offices.ts';
import { ORIGIN_CORE, PULLER_CORE } from './pinning.ts';
import { feedPage, OFFICE_COLUMNS, PULL_PAGE } from './rows.ts';

const PLAIN = 'plain inserts by pg, as many rows a page, each page durable';
const LOOKS = 20;
const LOOK = 100;

/** An office that receives rows, and gives them on. */
interface Place {
  readonly name: string;
  readonly office: Spoken;
  readonly pid: () => number | undefined;
  /** Bytes of the database; undefined where it has none. */
  readonly size: (() => Promise<number>) | undefined;
  end(): Promise<void>;
}

interface Figures {
  /** Of the reference, a moment before. */
  readonly plain: number;
  readonly pull: number;
  readonly feed: number;
  readonly page: number;
  readonly nothingNew: number;
  readonly residentMiB: number;
  readonly bytesPerRow: number | undefined;
}

/**
 * An office in a database, with and without a process on standby, beside one in a data folder: what it costs to pull a list,
 * to give it to a partner, and to read a page of it; each against plain inserts of the same rows into the same server.
 */
export async function measureHub(rows: number, rounds: number): Promise<Measured[]> {
  const server = await postgresServer();
  if (!server) return [notMeasured('an office in a database', PLAIN, '–', NO_POSTGRES, 'stated')];
  try {
    const kinds = [
      () => inFolder(),
      ...[1, 2].map((count) => async () => inDatabase(await server.newDatabase(), count)),
    ].map((open) => ({ open, name: '', runs: [] as Figures[] }));
    // In turn, so that what else the machine does is measured along with each.
    for (let round = 0; round < rounds; round++)
      for (const kind of kinds) {
        const plain = await plainInserts(await server.newDatabase(), rows);
        const place = await kind.open();
        kind.name = place.name;
        try {
          kind.runs.push({ ...(await measure(place, rows)), plain });
        } finally {
          await place.end();
        }
      }
    return kinds.flatMap(({ name, runs }) => linesOf(name, rows, runs));
  } finally {
    await server.stop();
  }
}

function linesOf(name: string, rows: number, runs: readonly Figures[]): Measured[] {
  const plain = middle(runs, (run) => run.plain);
  const size = rows.toLocaleString('en');
  const line = (what: string, of: (run: Figures) => number, theirs: number): Measured => {
    const ours = middle(runs, of);
    const shown = { ours: readable(ours), theirs: readable(theirs), ratio: theirs / ours };
    return { what: `${what}, ${name}`, reference: PLAIN, ...shown, toReach: 'stated' };
  };
  const { residentMiB, bytesPerRow } = runs.at(-1) ?? {};
  const stated = (what: string, ours: string): Measured => ({
    ...{ what: `${what}, ${name}`, reference: '–', ours, theirs: '–', toReach: 'stated' },
  });
  return [
    line(`pull of ${size} rows`, ({ pull }) => pull, plain),
    line(`a partner gets ${size} rows`, ({ feed }) => feed, plain),
    line(`page of ${LOOK} rows`, ({ page }) => page, (plain / rows) * LOOK),
    stated('a partner is asked, and has nothing new', readable(middle(runs, ({ nothingNew }) => nothingNew))),
    stated('memory of the process that serves, behind that', `${(residentMiB ?? 0).toFixed(0)} MiB`),
    ...(bytesPerRow === undefined
      ? []
      : [stated('disk for a row with its history', `${bytesPerRow.toFixed(0)} bytes`)]),
  ];
}

/** As many bytes a row as travel in a feed. */
async function plainInserts(address: string, rows: number): Promise<number> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query('CREATE TABLE plain (id text PRIMARY KEY, data text NOT NULL)');
    let took = 0;
    for (let from = 0; from < rows; from += PULL_PAGE) {
      const { response } = feedPage(from, Math.min(PULL_PAGE, rows - from)) as {
        response: { set: { recordID: string }[] };
      };
      const ids = response.set.map(({ recordID }) => recordID);
      const texts = response.set.map((row) => JSON.stringify(row));
      const start = performance.now();
      await client.query('INSERT INTO plain SELECT * FROM unnest($1::text[], $2::text[])', [ids, texts]);
      took += performance.now() - start;
    }
    return took;
  } finally {
    await client.end();
  }
}

const spoken = (office: BenchOffice): Spoken => {
  const call = appCalls(office.served);
  return {
    app: async <T>(method: string, path: string, body?: unknown) => (await call(method, path, body)) as T,
  };
};

async function inFolder(): Promise<Place> {
  const office = await openBenchOffice('Head office', PULLER_CORE);
  return {
    name: 'in a data folder',
    office: spoken(office),
    pid: () => office.served.process.pid,
    size: undefined,
    end: () => office.remove(),
  };
}

async function inDatabase(address: string, count: number): Promise<Place> {
  const hub = await HubProcesses.over(address, randomBytes(24).toString('hex'), count);
  hub.start(0);
  await hub.serving();
  for (let which = 1; which < count; which++) {
    hub.start(which);
    await hub.onStandby(which);
  }
  return {
    name: count === 1 ? 'in a database' : 'in a database, with a standby',
    office: hub.office,
    pid: () => hub.pidOf(0),
    size: () => sizeOf(address),
    end: () => hub.end(),
  };
}

async function sizeOf(address: string): Promise<number> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query<{ size: string }>(
      'SELECT pg_database_size(current_database()) AS size',
    );
    return Number(rows[0]?.size);
  } finally {
    await client.end();
  }
}

async function measure(place: Place, rows: number): Promise<Omit<Figures, 'plain'>> {
  const origin = await openBenchOffice('Origin', ORIGIN_CORE);
  const reader = await openBenchOffice('Reader', ORIGIN_CORE);
  try {
    const list = await makeList(origin, 'Customers', rows);
    const before = (await place.size?.()) ?? 0;
    const came = await pulled(spoken(origin), list.moduleID, place.office, rows);
    const after = (await place.size?.()) ?? 0;
    const looks: number[] = [];
    for (let at = 0; at < LOOKS; at++) {
      const start = performance.now();
      await place.office.app('GET', `/app/lists/${came.list}/rows?limit=${LOOK}`);
      looks.push(performance.now() - start);
    }
    const asked: number[] = [];
    for (let at = 0; at < LOOKS; at++) {
      const start = performance.now();
      await place.office.app('POST', `/app/partners/${came.partner}/sync`);
      asked.push(performance.now() - start);
    }
    const gave = await pulled(place.office, came.list, spoken(reader), rows);
    return {
      pull: came.took,
      feed: gave.took,
      page: middle(looks, (ms) => ms),
      nothingNew: middle(asked, (ms) => ms),
      residentMiB: await residentMiB(place.pid()),
      bytesPerRow: place.size ? (after - before) / rows : undefined,
    };
  } finally {
    await Promise.all([origin.remove(), reader.remove()]);
  }
}

/** From the word of who receives the list until all of its rows are durable there. */
async function pulled(
  from: Spoken,
  list: string,
  to: Spoken,
  rows: number,
): Promise<{ readonly took: number; readonly list: string; readonly partner: string }> {
  const { atInviter, atInvited } = await pairNodes(from, to);
  await from.app('PUT', `/app/partners/${atInviter}/shares/${list}`, { fields: OFFICE_COLUMNS });
  await to.app('POST', `/app/partners/${atInvited}/sync`);
  const offers = await to.app<{ sharedModuleID: string; state: string }[]>(
    'GET',
    `/app/partners/${atInvited}/offers`,
  );
  const offered = offers.find(({ state }) => state === 'new')?.sharedModuleID ?? '';
  const start = performance.now();
  const { moduleID } = await to.app<{ moduleID: string }>(
    'POST',
    `/app/partners/${atInvited}/offers/${offered}/list`,
    {},
  );
  for (;;) {
    await to.app('POST', `/app/partners/${atInvited}/sync`);
    const { total } = await to.app<{ total: number }>('GET', `/app/lists/${moduleID}/rows?limit=1`);
    if (total === rows) return { took: performance.now() - start, list: moduleID, partner: atInvited };
    if (performance.now() - start > 600_000) throw new Error(`${total} rows came instead of ${rows}.`);
  }
}

/** Where the system says it; else 0. */
async function residentMiB(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
