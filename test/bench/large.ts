import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { DemoList } from '../../server/commands/demo-office.ts';
import type { AppCall } from '../support/harness/calls.ts';
import { appCalls } from '../support/harness/program.ts';
import { runScript } from './children.ts';
import { bounded, middle, notMeasured, readable, withSpread, type Measured } from './measured.ts';
import {
  openBenchOffice,
  openDestination,
  openOrigin,
  pullAll,
  receive,
  type BenchOffice,
} from './offices.ts';
import { PULLER_CORE } from './pinning.ts';

const SQLITE = 'better-sqlite3, the same query without an index';
/** What a user types to search for; some rows have it. */
const SEARCHED = 'harbour 12';
const WARM = 10;

/** A list that was received whole, at an office that was started again since. */
interface Held {
  readonly office: BenchOffice;
  readonly list: DemoList;
  readonly app: AppCall;
  /** Milliseconds from the start of its process until it answers, and from then of two first looks. */
  readonly start: { readonly ready: number; readonly lists: number; readonly page: number };
  /** Milliseconds from the user's word to the answer that nothing is new. */
  again(): Promise<number>;
  remove(): Promise<void>;
}

const page = z.object({ total: z.number(), rows: z.array(z.object({ recordID: z.string() })) });
const asked = z.object({ text: z.number(), number: z.number(), search: z.number() });
type Asked = z.infer<typeof asked>;

/** What a list of many rows costs whoever received it, beside one of few: memory, the first looks, sort, search, nothing new. */
export async function measureLarge(few: number, many: number, times: number): Promise<Measured[]> {
  const small = await hold(few);
  const large = await hold(many).catch(async (error: unknown) => {
    await small.remove();
    throw error;
  });
  try {
    // Before the views of the grid are in memory; those that nobody looks at are given up after some minutes.
    await large.office.begin();
    const { residentMiB } = await large.office.end();
    const size = many.toLocaleString('en');
    return [
      bounded(`memory of ${size} received rows after a restart, the whole process`, residentMiB, 300, 'MiB'),
      bounded(`ready with ${size} rows`, large.start.ready, 500),
      bounded(`first look at the lists, ${size} rows`, large.start.lists, 200),
      bounded(`first page of the grid, ${size} rows`, large.start.page, 300),
      ...(await looksOf(large, many)),
      await refreshes(small, large, few, many),
      await nothingNew(small, large, few, many, times),
    ];
  } finally {
    await small.remove();
    await large.remove();
  }
}

async function hold(rows: number): Promise<Held> {
  const { origin, list: theirs } = await openOrigin(rows);
  const { destination, here } = await openDestination(origin, [theirs]);
  const list = await receive(destination, here, theirs);
  await pullAll(destination, here, rows);
  await destination.served.stop();
  const office = await openBenchOffice('Destination', PULLER_CORE, destination.dataDir);
  const start = { ready: office.readyAfter, lists: 0, page: 0 };
  const app = appCalls(office.served);
  start.lists = await timed(() => app('GET', '/app/lists'));
  start.page = await timed(() => app('GET', `/app/lists/${list.moduleID}/rows?limit=100`));
  return {
    office,
    list,
    app,
    start,
    again: () => pullAll(office, here, 0),
    async remove() {
      await office.remove();
      await origin.remove();
    },
  };
}

async function timed(body: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await body();
  return performance.now() - start;
}

/** Sorts and a search that were not asked for before, each beside the same of SQLite. */
async function looksOf({ office, list, app }: Held, rows: number): Promise<Measured[]> {
  const theirs = await sqliteAsked(rows).catch(String);
  const lines: Measured[] = [];
  const queries: readonly [what: string, key: keyof Asked, query: string][] = [
    ['sort by text', 'text', 'sort=Customer'],
    ['sort by number', 'number', 'sort=Amount'],
    ['search', 'search', `search=${encodeURIComponent(SEARCHED)}`],
  ];
  for (const [name, key, query] of queries) {
    const what = `${name} in ${rows.toLocaleString('en')} rows, for the first time`;
    await office.watch();
    const took = await timed(async () => {
      const { rows: shown } = page.parse(
        await app('GET', `/app/lists/${list.moduleID}/rows?limit=100&${query}`),
      );
      if (shown.length === 0) throw new Error(`There is nothing to see for ${query}.`);
    });
    const { stallMs, stallP99Ms } = await office.end();
    const ours = `${readable(took)}; stall ${readable(stallMs)}, 99 % below ${readable(stallP99Ms)}`;
    const toReach = '1.5× its time at most, no stall above 25 ms';
    if (typeof theirs === 'string') {
      lines.push(notMeasured(what, SQLITE, ours, missing(theirs), toReach));
      continue;
    }
    const ratio = theirs[key] / took;
    const reached = ratio >= 1 / 1.5 && stallMs <= 25;
    lines.push({ what, reference: SQLITE, ours, theirs: readable(theirs[key]), ratio, toReach, reached });
  }
  return lines;
}

async function sqliteAsked(rows: number): Promise<Asked> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-bench-'));
  try {
    const place = { cwd: folder, core: PULLER_CORE };
    return asked.parse(await runScript('sqlite-query-run.ts', [String(rows), SEARCHED], place));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function missing(error: string): string {
  return error.includes('better-sqlite3') ? 'it could not be built here' : error.slice(0, 200);
}

/** One row changes while a sorted grid is open, which then looks again. */
async function refreshes(small: Held, large: Held, few: number, many: number): Promise<Measured> {
  const [theirs, ours] = [await refreshOf(small), await refreshOf(large)];
  const same = (ms: number): number => ms;
  const ratio = middle(theirs, same) / middle(ours, same);
  return {
    what: `an open, sorted grid of ${many.toLocaleString('en')} rows after one changed`,
    reference: `the same, ${few.toLocaleString('en')} rows`,
    ours: withSpread(ours, same, readable),
    theirs: withSpread(theirs, same, readable),
    ratio,
    toReach: 'within 1.5×',
    reached: ratio >= 1 / 1.5,
  };
}

async function refreshOf({ list, app }: Held): Promise<number[]> {
  const grid = `/app/lists/${list.moduleID}/rows`;
  const look = async (): Promise<z.infer<typeof page>> =>
    page.parse(await app('GET', `${grid}?limit=100&sort=Amount`));
  const { rows } = await look();
  const took: number[] = [];
  for (const [at, { recordID }] of rows.slice(0, 2 * WARM).entries()) {
    await app('PATCH', `${grid}/${recordID}`, { values: { City: [`Bergen ${at}`] } });
    const ms = await timed(look);
    if (at >= WARM || rows.length < 2 * WARM) took.push(ms);
  }
  return took;
}

/** A sync with nothing new must not cost more where many rows are held: both sizes are measured in turn. */
async function nothingNew(
  small: Held,
  large: Held,
  few: number,
  many: number,
  times: number,
): Promise<Measured> {
  const [ofFew, ofMany]: [number[], number[]] = [[], []];
  for (let at = 0; at < WARM + times; at++) {
    const [one, other] = [await small.again(), await large.again()];
    if (at < WARM) continue;
    ofFew.push(one);
    ofMany.push(other);
  }
  const same = (ms: number): number => ms;
  const ratio = middle(ofFew, same) / middle(ofMany, same);
  return {
    what: `sync with nothing new, ${many.toLocaleString('en')} rows held`,
    reference: `the same, ${few.toLocaleString('en')} rows held`,
    ours: withSpread(ofMany, same, readable),
    theirs: withSpread(ofFew, same, readable),
    ratio,
    toReach: 'within 1.5×',
    reached: ratio >= 1 / 1.5,
  };
}
