import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runScript, startServer, type Figures, type Server } from './children.ts';
import { middle, notMeasured, readable, withSpread, type Measured } from './measured.ts';
import { makeList, openDestination, openOrigin, pullAll, receive } from './offices.ts';
import { ORIGIN_CORE, PULLER_CORE } from './pinning.ts';
import { PULL_PAGE, type Letters } from './rows.ts';

const FLOOR = 'the same bytes fetched with undici, parsed, appended with one fsync a page';
const POUCH = 'PouchDB replicating as many documents over HTTP into LevelDB, without fsync';
/** Rows that everybody pulls before time is taken: a program that has just started is slower, each by another measure. */
const WARM_ROWS = 10_000;

/** What is pulled, and how often by whom. PouchDB takes minutes for what takes the others seconds. */
export interface PullPlan {
  readonly rows: number;
  readonly letters?: Letters;
  readonly rounds: number;
  readonly pouchRounds: number;
  /** The least ratio that is asked for, to the floor; to PouchDB it is ten. */
  readonly toReach: number;
}

interface Pulled {
  readonly milliseconds: number;
  readonly cpuMs: number;
}
interface OurPull extends Pulled {
  readonly puller: Figures;
  readonly origin: Figures;
}
interface Rounds {
  readonly ours: OurPull[];
  readonly floor: Pulled[];
  readonly pouch: number[];
  /** Why there is none of PouchDB. */
  pouchMissing?: string;
}

const floorAnswer = z.object({ milliseconds: z.number(), cpuMs: z.number() });

/**
 * Pulls of whole lists, node to node over loopback, each side a process of its own on a core of its own: from the user's
 * word until every row is durable. Ours, the least that is possible, and PouchDB in turn, each warm.
 */
export async function measurePull(plans: readonly PullPlan[]): Promise<Measured[]> {
  const lines: Measured[] = [];
  for (const plan of plans) lines.push(...compare(plan, await allRounds(plan)));
  return lines;
}

async function allRounds({ rows, letters = 'any', rounds, pouchRounds }: PullPlan): Promise<Rounds> {
  const done: Rounds = { ours: [], floor: [], pouch: [] };
  const { origin, list } = await openOrigin(rows, letters);
  const warm = await makeList(origin, 'Warm', Math.min(rows, WARM_ROWS), letters);
  const floor = await serverOf('floor-run.ts', rows, letters);
  const pouch = pouchRounds === 0 ? undefined : await serverOf('pouch-run.ts', rows).catch(String);
  try {
    for (let round = 0; round < Math.max(rounds, pouchRounds); round++) {
      const [pages, warmPages] = [rows, Math.min(rows, WARM_ROWS)].map((each) => Math.ceil(each / PULL_PAGE));
      if (round < rounds) {
        const pulled = await floor.pull(String(pages), String(warmPages));
        done.floor.push(floorAnswer.parse(pulled));
        // What was sent in the round before would be sent as it is, were nothing changed.
        const [first] = await origin.firstRows(list, 1);
        if (first) await origin.patch(list, first.recordID, { City: `Bergen ${round}` });
        done.ours.push(await ourPull());
      }
      if (round < pouchRounds && pouch !== undefined) {
        const pulled = typeof pouch === 'string' ? pouch : await pouch.pull(String(rows)).catch(String);
        if (typeof pulled === 'string') done.pouchMissing = pulled;
        else done.pouch.push(z.number().parse(pulled));
      }
    }
  } finally {
    await Promise.all([
      origin.remove(),
      floor.remove(),
      typeof pouch === 'object' ? pouch.remove() : undefined,
    ]);
  }
  return done;

  async function ourPull(): Promise<OurPull> {
    const { destination, here } = await openDestination(origin, [list, warm]);
    try {
      await receive(destination, here, warm);
      await pullAll(destination, here, warm.rows);
      await receive(destination, here, list);
      await origin.begin();
      await destination.watch();
      const milliseconds = await pullAll(destination, here, rows);
      const [puller, theirs] = [await destination.end(), await origin.end()];
      return { milliseconds, cpuMs: puller.cpuMs, puller, origin: theirs };
    } finally {
      await destination.remove();
    }
  }
}

/** A server of another kind, and what pulls from it; each in a folder and on a core of its own. */
interface Rival {
  /** @param args beside the server's address */
  pull(...args: string[]): Promise<unknown>;
  remove(): Promise<void>;
}

async function serverOf(script: string, ...serveArgs: (number | string)[]): Promise<Rival> {
  const there = await mkdtemp(join(tmpdir(), 'footbridge-bench-'));
  let server: Server;
  try {
    server = await startServer(script, ['serve', ...serveArgs.map(String)], {
      cwd: there,
      core: ORIGIN_CORE,
    });
  } catch (error) {
    await rm(there, { recursive: true, force: true });
    throw error;
  }
  return {
    async pull(...args) {
      const here = await mkdtemp(join(tmpdir(), 'footbridge-bench-'));
      try {
        return await runScript(script, ['pull', server.address, ...args], { cwd: here, core: PULLER_CORE });
      } finally {
        await rm(here, { recursive: true, force: true });
      }
    },
    async remove() {
      await server.stop();
      await rm(there, { recursive: true, force: true });
    },
  };
}

function compare(plan: PullPlan, { ours, floor, pouch, pouchMissing }: Rounds): Measured[] {
  const { rows, letters = 'any', toReach } = plan;
  const size = `${rows.toLocaleString('en')}${letters === 'ascii' ? ', ASCII alone' : ''}`;
  const perSecond = (ms: number): string => Math.round((rows / ms) * 1000).toLocaleString('en');
  const micros = (ms: number): number => (ms / rows) * 1000;
  const took = ({ milliseconds }: Pulled): number => milliseconds;
  const own = middle(ours, took);
  const shown = `${withSpread(ours, took, perSecond)} rows/s`;
  const line = (reference: string, theirs: number, spread: string, least: number): Measured => ({
    what,
    reference,
    ours: shown,
    theirs: `${spread} rows/s`,
    ratio: theirs / own,
    toReach: `at least ${least}×`,
    reached: theirs / own >= least,
  });
  const what = `pull of ${size} rows of 575 bytes, durable`;
  const lines = [line(FLOOR, middle(floor, took), withSpread(floor, took, perSecond), toReach)];
  const same = (ms: number): number => ms;
  if (pouch.length > 0) lines.push(line(POUCH, middle(pouch, same), withSpread(pouch, same, perSecond), 10));
  else if (pouchMissing !== undefined)
    lines.push(notMeasured(what, POUCH, shown, missing(pouchMissing), 'at least 10×'));
  const [origin, puller, least] = [
    micros(middle(ours, (run) => run.origin.cpuMs)),
    micros(middle(ours, (run) => run.puller.cpuMs)),
    micros(middle(floor, (run) => run.cpuMs)),
  ];
  const stall = middle(ours, (run) => run.puller.stallMs);
  const p99 = middle(ours, (run) => run.puller.stallP99Ms);
  return [
    ...lines,
    {
      what: `CPU a row of that pull, origin and puller, ${size} rows`,
      reference: 'the puller that does the least',
      ours: `${origin.toFixed(1)} and ${puller.toFixed(1)} µs`,
      theirs: `${least.toFixed(1)} µs`,
      toReach: '7 and 14 µs at most',
      reached: origin <= 7 && puller <= 14,
    },
    {
      what: `longest event-loop stall of the puller meanwhile, ${size} rows`,
      reference: '–',
      ours: `${readable(stall)}, 99 % below ${readable(p99)}`,
      theirs: '–',
      toReach: '15 ms at most, 99 % below 8 ms',
      reached: stall <= 15 && p99 <= 8,
    },
  ];
}

function missing(error: string): string {
  return /Cannot find module|could not be loaded|No native build/.test(error)
    ? 'PouchDB is not installed here'
    : error.slice(0, 200);
}
