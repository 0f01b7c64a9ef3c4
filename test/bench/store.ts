import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { middle, notMeasured, readable, type Measured } from './measured.ts';
import type { Grown, Opened } from './store-run.ts';

const run = promisify(execFile);
const REFERENCE = 'better-sqlite3 (WAL, synchronous=FULL)';
const ROW_BYTES = 296;

interface Run {
  readonly grown: Grown;
  readonly opened: Opened;
}
type Subject = 'footbridge' | 'sqlite';

/**
 * The store against better-sqlite3: pages of 500 rows of 296 bytes, each page and its checkpoint durable as
 * one. Both are measured `rounds` times in turn, each in a process of its own; the middle value counts.
 */
export async function measureStore(sizes = [100_000, 1_000_000], rounds = 3): Promise<Measured[]> {
  const lines: Measured[] = [];
  for (const rows of sizes) {
    const runs: Record<Subject, Run[]> = { footbridge: [], sqlite: [] };
    let missing: string | undefined;
    for (let round = 0; round < rounds; round++) {
      for (const subject of ['sqlite', 'footbridge'] as const) {
        if (subject === 'sqlite' && missing !== undefined) continue;
        try {
          runs[subject].push(await measure(subject, rows));
        } catch (error) {
          if (subject === 'footbridge') throw error;
          missing = String(error).includes('better-sqlite3') ? 'it could not be built here' : String(error);
        }
      }
    }
    lines.push(...compare(rows, runs, missing));
  }
  return lines;
}

async function measure(subject: Subject, rows: number): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-bench-'));
  const child = async (mode: 'grow' | 'open'): Promise<unknown> => {
    const script = join(import.meta.dirname, 'store-run.ts');
    const args = ['--expose-gc', '--max-old-space-size=4096', '--import', 'tsx', script];
    const { stdout } = await run(process.execPath, [...args, subject, mode, String(rows), folder]);
    return JSON.parse(stdout);
  };
  try {
    return { grown: (await child('grow')) as Grown, opened: (await child('open')) as Opened };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function compare(rows: number, runs: Record<Subject, Run[]>, missing: string | undefined): Measured[] {
  const size = rows.toLocaleString('en');
  const perSecond = (ms: number): string => `${Math.round((rows / ms) * 1000).toLocaleString('en')} rows/s`;
  const line = (
    what: string,
    of: (run: Run) => number,
    show: (value: number) => string,
    least?: number,
  ): Measured => {
    const toReach = least === undefined ? 'stated' : `at least ${least.toFixed(1)}×`;
    const ours = middle(runs.footbridge, of);
    if (missing !== undefined) return notMeasured(what, REFERENCE, show(ours), missing, toReach);
    const theirs = middle(runs.sqlite, of);
    const ratio = theirs / ours;
    const shown = { what, reference: REFERENCE, ours: show(ours), theirs: show(theirs), ratio, toReach };
    return least === undefined ? shown : { ...shown, reached: ratio >= least };
  };
  const stall = middle(runs.footbridge, ({ grown }) => grown.stallMs);
  const p99 = middle(runs.footbridge, ({ grown }) => grown.stallP99Ms);
  const held = middle(runs.footbridge, ({ opened }) => opened.bytesPerRow);
  return [
    line(
      `growing to ${size} rows, durable`,
      ({ grown }) => grown.growthMs,
      perSecond,
      rows > 500_000 ? 0.9 : 1,
    ),
    line(`random page of 500 among ${size}`, ({ grown }) => grown.randomPageMs, readable, 1),
    line(`open ${size} rows, all at hand`, ({ opened }) => opened.openMs, readable),
    {
      what: `memory per row held, ${size}`,
      reference: 'the row itself',
      ours: `${held.toFixed(0)} bytes`,
      theirs: `${ROW_BYTES} bytes`,
      ratio: ROW_BYTES / held,
      toReach: 'stated',
    },
    {
      what: `longest stall while growing to ${size}`,
      reference: '–',
      ours: `${readable(stall)}, 99 % below ${readable(p99)}`,
      theirs: '–',
      toReach: '15 ms at most',
      reached: stall <= 15,
    },
  ];
}
