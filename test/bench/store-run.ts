import { monitorEventLoopDelay } from 'node:perf_hooks';
import { benchRow, seededRandom, type BenchRow } from './rows.ts';
import { openFootbridge, openSqlite, type Subject } from './store-subjects.ts';

/**
 * One measurement in a process of its own, so that none pays for the garbage of another:
 * `node --expose-gc --import tsx store-run.ts <footbridge|sqlite> <grow|open> <rows> <folder>`.
 * Prints one line of JSON: {@link Grown} or {@link Opened}.
 */
const PAGE = 500;
const RANDOM_PAGES = 60;

/** Milliseconds throughout; the time that making up rows takes is not in them. */
export interface Grown {
  readonly growthMs: number;
  readonly growthCpuMs: number;
  readonly randomPageMs: number;
  readonly stallMs: number;
  readonly stallP99Ms: number;
}
export interface Opened {
  /** Until every row is at hand: ours loads them, better-sqlite3 is made to read them all. */
  readonly openMs: number;
  readonly stallMs: number;
  readonly bytesPerRow: number;
}

const [name = '', mode = '', rowsText = '', folder = ''] = process.argv.slice(2);
const rows = Number(rowsText);
const open = (): Promise<Subject> => (name === 'sqlite' ? openSqlite(folder) : openFootbridge(folder));
const now = (): number => performance.now();
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function grow(): Promise<Grown> {
  const subject = await open();
  let making = 0;
  const page = (numbers: readonly number[], version: number): BenchRow[] => {
    const start = now();
    const made = numbers.map((number) => benchRow(number, version));
    making += now() - start;
    return made;
  };
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const cpu = process.cpuUsage();
  const start = now();
  for (let at = 0; at < rows; at += PAGE) {
    const made = page(
      Array.from({ length: PAGE }, (_, i) => at + i),
      at,
    );
    await breathe();
    await subject.upsert(made, at);
  }
  const growthMs = now() - start - making;
  const { user, system } = process.cpuUsage(cpu);
  stalls.disable();
  const growthCpuMs = (user + system) / 1000 - making;

  const random = seededRandom(1);
  let randomMs = 0;
  for (let i = 0; i < RANDOM_PAGES; i++) {
    const made = page(
      Array.from({ length: PAGE }, () => Math.floor(random() * rows)),
      rows + i,
    );
    const before = now();
    await subject.upsert(made, i);
    randomMs += now() - before;
  }
  await subject.close();
  return {
    growthMs,
    growthCpuMs,
    randomPageMs: randomMs / RANDOM_PAGES,
    stallMs: stalls.max / 1e6,
    stallP99Ms: stalls.percentile(99) / 1e6,
  };
}

async function openAgain(): Promise<Opened> {
  const gc = (globalThis as { gc?: () => void }).gc;
  gc?.();
  const before = process.memoryUsage();
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const start = now();
  const subject = await open();
  const count = await subject.loadAll();
  const openMs = now() - start;
  stalls.disable();
  if (count !== rows) throw new Error(`${count} rows instead of ${rows}.`);
  gc?.();
  const after = process.memoryUsage();
  const held = after.heapUsed + after.external - before.heapUsed - before.external;
  await subject.close();
  return { openMs, stallMs: stalls.max / 1e6, bytesPerRow: held / rows };
}

process.stdout.write(`${JSON.stringify(mode === 'grow' ? await grow() : await openAgain())}\n`);
