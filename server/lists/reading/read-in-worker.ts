import { MAX_FILE_BYTES } from '../../base/vocabulary.ts';
import {
  WorkerFailure,
  WorkerPool,
  type CallWorker,
  type WorkerHeaps,
  type WorkerLimits,
  type WorkSize,
} from '../../base/concurrency/worker-pool.ts';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import { said, type Words } from '../../words/said.ts';
import type { TableOptions } from '../csv/read.ts';
import { isArchive, isSmallArchive } from '../sheets/archive.ts';
import type { KindOfColumn, ReadingTasks, SettledFormats } from './reading-tasks.ts';
import type { FileLine, ReadableTable, Targets } from './table-facts.ts';
import { workerScript } from './worker-script.ts';

export interface ForeignTable extends ReadableTable {
  /** Returns key candidates as indexes into `columns`. */
  keys(columns: readonly KindOfColumn[]): Promise<readonly (readonly number[])[]>;
  /** Returns the formats proven for these columns. */
  formats(targets: Targets): Promise<SettledFormats>;
}

/** For busy computers: 500,000 lines took 47 s at a load of 16, over 5 minutes at 22. */
const LIMITS: WorkerLimits = { stallMs: 20_000, callMs: 900_000 };
/** Megabytes; under 500 with buffers and the node. */
const HEAPS: WorkerHeaps = { small: 96, first: 96, large: 160 };
const timeLimitMs = (bytes: number, most: number): number =>
  Math.min(most, 120_000 + (12_000 * bytes) / 2 ** 20);
const SMALL_TEXT_BYTES = 1024 * 1024;

/** Gives small texts (up to 1 MiB) and workbooks a worker of their own, so that they never wait. */
export const isSmallFile = (bytes: Uint8Array): boolean =>
  isArchive(bytes) ? isSmallArchive(bytes) : bytes.length <= SMALL_TEXT_BYTES;

/** Counts a first look at a large file as a small part of the work. */
export const sizeOfWork = (bytes: Uint8Array, isFirstLook: boolean): WorkSize =>
  isSmallFile(bytes) ? 'small' : isFirstLook ? 'first' : 'large';

const WHY: Readonly<Record<WorkerFailure['reason'], Words>> = {
  memory: said('reading.memory'),
  time: said('reading.time'),
  crash: said('reading.crash'),
};

/** Creates a pool of workers that read foreign files; tests use other limits. */
export const createReaders = ({
  heaps = HEAPS,
  ...limits
}: Partial<WorkerLimits> & { readonly heaps?: WorkerHeaps }): WorkerPool<ReadingTasks> =>
  new WorkerPool<ReadingTasks>(workerScript, heaps, { ...LIMITS, ...limits });

const workers = createReaders({});

/**
 * Opens a foreign file in a worker thread, calls `work` with it, and closes it. Large buffers are transferred: the
 * caller can't use them any more. Throws `csv.size` beyond {@link MAX_FILE_BYTES}, a refusal of the file, or
 * `reading.…` if the worker exceeds memory or time, or crashes.
 */
export async function withTable<R>(
  bytes: Uint8Array,
  options: TableOptions,
  work: (table: ForeignTable) => Promise<R>,
  pool: WorkerPool<ReadingTasks> = workers,
): Promise<R> {
  if (bytes.length > MAX_FILE_BYTES) throw new Refusal('too-large', 'csv.size', said('csv.too-large'));
  const size = sizeOfWork(bytes, options.maxLines !== undefined);
  return runInWorker(bytes, { signal: options.signal, size }, pool, async (call) => {
    const facts = await call('open', { bytes, options: cloneableOptions(options) }, wholeBuffer(bytes));
    const result = await work({
      ...facts,
      keys: (columns) => call('keys', columns),
      formats: (targets) => call('formats', targets),
      read: (targets) => readBatches(call, targets),
    });
    await call('close', undefined);
    return result;
  });
}

/**
 * Parses a JSON object in a worker thread, calls `take` with batches of its array `member`, and returns the others; the
 * whole value if `member` is no array, undefined for invalid JSON. Transfers large buffers, and throws `reading.…` if
 * the worker exceeds memory or time, or crashes.
 */
export async function readJsonLines(
  bytes: Uint8Array,
  member: string,
  signal: AbortSignal,
  take: (lines: readonly unknown[]) => void,
): Promise<unknown> {
  return runInWorker(bytes, { signal, size: sizeOfWork(bytes, false) }, workers, async (call) => {
    const others = await call('openJson', { bytes, member }, wholeBuffer(bytes));
    const pause = createYielder();
    for (;;) {
      const batch = await call('nextJson', undefined);
      if (batch.length === 0) return others;
      take(batch);
      await pause();
    }
  });
}

/** Calls `work` with a worker of the pool. Throws `reading.…` if the worker ended. */
async function runInWorker<R>(
  bytes: Uint8Array,
  { signal, size }: { readonly signal: AbortSignal | undefined; readonly size: WorkSize },
  pool: WorkerPool<ReadingTasks>,
  work: (call: CallWorker<ReadingTasks>) => Promise<R>,
): Promise<R> {
  const callMs = timeLimitMs(bytes.length, pool.limits.callMs);
  try {
    return await pool.withWorker(work, { signal, callMs, size });
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    throw new Refusal('impossible', `reading.${error.reason}`, WHY[error.reason], {
      cause: error,
    });
  }
}

/** Named, as functions can't be cloned for the worker. */
const NEEDED: Readonly<Record<keyof Omit<TableOptions, 'signal'>, true>> = {
  encoding: true,
  delimiter: true,
  isFollowed: true,
  encodingGuess: true,
  guessBeforeAnswer: true,
  readsTextMarks: true,
  decimal: true,
  dateOrder: true,
  headerLine: true,
  sheet: true,
  sums: true,
  asRows: true,
  language: true,
  isGrowing: true,
  expectsLineEnd: true,
  maxLines: true,
};

/** Returns the options that the worker needs, without undefined ones, as structured cloning takes no signal. */
const cloneableOptions = (options: TableOptions): Omit<TableOptions, 'signal'> =>
  Object.fromEntries(
    Object.entries(options).filter(([name, value]) => Object.hasOwn(NEEDED, name) && value !== undefined),
  );

/** Returns the buffer to transfer; empty for small files and parts of a buffer, which are copied instead. */
const wholeBuffer = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > Buffer.poolSize
    ? [buffer]
    : [];

/** Reads lines for these columns from the start of the file, one batch ahead. */
async function* readBatches(
  call: CallWorker<ReadingTasks>,
  targets: Targets,
): AsyncGenerator<readonly FileLine[]> {
  const pause = createYielder();
  await call('start', targets);
  let next = call('next', undefined);
  for (;;) {
    const batch = await next;
    if (batch.length === 0) return;
    next = call('next', undefined);
    // Delivered when awaited.
    next.catch(() => undefined);
    yield batch;
    await pause();
  }
}
