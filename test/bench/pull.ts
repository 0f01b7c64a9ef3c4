import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runScript, startServer, type Figures } from './children.ts';
import { middle, notMeasured, readable, type Measured } from './measured.ts';
import { openDestination, openOrigin } from './offices.ts';
import { PULL_PAGE } from './rows.ts';

const FLOOR = 'the same bytes fetched with undici, parsed, appended with one fsync a page';
const POUCH = 'PouchDB replicating as many documents over HTTP into LevelDB, without fsync';

interface Pulled extends Figures {
  readonly milliseconds: number;
}

/**
 * Pulls of whole lists, node to node over loopback, each side a process of its own: from the user's word until
 * every row is durable. Ours, the least that is possible, and PouchDB in turn; the middle of the rounds counts.
 */
export async function measurePull(sizes: readonly number[], rounds: number): Promise<Measured[]> {
  const lines: Measured[] = [];
  for (const rows of sizes) {
    const ours: Pulled[] = [];
    const floor: number[] = [];
    const { origin, list } = await openOrigin(rows);
    try {
      for (let round = 0; round < rounds; round++) {
        floor.push(await pullFrom('floor-run.ts', rows, rows / PULL_PAGE));
        const { destination, here } = await openDestination(origin, list);
        await destination.watch();
        const start = performance.now();
        const { created } = await destination.syncNow(here);
        const milliseconds = performance.now() - start;
        ours.push({ milliseconds, ...(await destination.end()) });
        await destination.remove();
        if (created !== rows) throw new Error(`${created} rows came instead of ${rows}.`);
      }
    } finally {
      await origin.remove();
    }
    // Once is enough of something that takes minutes; it is compared with our middle.
    const pouch = await pullFrom('pouch-run.ts', rows, rows).catch((error: unknown) => String(error));
    lines.push(...compare(rows, ours, floor, pouch));
  }
  return lines;
}

/** Milliseconds that a puller of another kind takes, from a server of its kind. */
async function pullFrom(script: string, rows: number, last: number): Promise<number> {
  const folders = await Promise.all(['a', 'b'].map(() => mkdtemp(join(tmpdir(), 'footbridge-bench-'))));
  const [there, here] = folders;
  try {
    const server = await startServer(script, ['serve', String(rows)], there);
    try {
      return z.number().parse(await runScript(script, ['pull', server.address, String(last)], here));
    } finally {
      await server.stop();
    }
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

function compare(
  rows: number,
  ours: readonly Pulled[],
  floor: readonly number[],
  pouch: number | string,
): Measured[] {
  const size = rows.toLocaleString('en');
  const perSecond = (ms: number): string => `${Math.round((rows / ms) * 1000).toLocaleString('en')} rows/s`;
  const own = middle(ours, ({ milliseconds }) => milliseconds);
  const line = (what: string, reference: string, theirs: number, least: number): Measured => ({
    what,
    reference,
    ours: perSecond(own),
    theirs: perSecond(theirs),
    ratio: theirs / own,
    toReach: `at least ${least}×`,
    reached: theirs / own >= least,
  });
  const what = `pull of ${size} rows of 575 bytes, durable`;
  const stall = middle(ours, ({ stallMs }) => stallMs);
  const p99 = middle(ours, ({ stallP99Ms }) => stallP99Ms);
  return [
    line(
      what,
      FLOOR,
      middle(floor, (ms) => ms),
      0.5,
    ),
    typeof pouch === 'number'
      ? line(what, POUCH, pouch, 10)
      : notMeasured(what, POUCH, perSecond(own), missing(pouch), 'at least 10×'),
    {
      what: `longest event-loop stall of the puller meanwhile, ${size} rows`,
      reference: '–',
      ours: `${readable(stall)}, 99 % below ${readable(p99)}`,
      theirs: '–',
      toReach: '25 ms at most, 99 % below 10 ms',
      reached: stall <= 25 && p99 <= 10,
    },
  ];
}

function missing(error: string): string {
  return /Cannot find module|could not be loaded|No native build/.test(error)
    ? 'PouchDB is not installed here'
    : error.slice(0, 200);
}
