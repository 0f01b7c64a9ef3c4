import { randomBytes } from 'node:crypto';
import type { Entry, Partition, Table, Tx } from '../../store/store.ts';

/**
 * Program runs with their first sequence number. Restored copies reuse sequence numbers; the run's id
 * distinguishes them. Key: number from 1.
 */
const RUNS: Table<Run> = { name: 'run', indexes: { id: ({ id }) => id } };

interface Run {
  readonly id: string;
}

/** A reader from a dropped run counts as one of another state. */
const MAX_RUNS = 1000;

export type NoteRun = (tx: Tx) => Promise<() => void>;

/**
 * Creates a function to call when a write begins; call its result before the first change: it records this run of the
 * node, unless recorded, and keeps 1,000 runs.
 */
export function createRunNotes(partition: Partition): NoteRun {
  const id = randomBytes(9).toString('base64url');
  let number: Promise<number> | undefined;
  return async (tx) => {
    number ??= nextNumber(partition);
    const key = await number.catch((error: unknown) => {
      // A failed read may succeed next time.
      number = undefined;
      throw error;
    });
    // A failed write recorded nothing.
    if ((await tx.get(RUNS, String(key))) !== undefined) return () => undefined;
    return () => {
      tx.put(RUNS, String(key), { id });
      tx.delete(RUNS, String(key - MAX_RUNS));
    };
  };
}

/** Returns the id of the run that wrote this sequence number; an empty text if no run was recorded by then. */
export async function findRunAt(partition: Partition, seq: number): Promise<string> {
  let after: string | undefined;
  for (;;) {
    const [run] = await partition.page(RUNS, { limit: 1, reverse: true, ...(after ? { after } : {}) });
    if (!run || run.seq <= seq) return run?.value.id ?? '';
    after = run.key;
  }
}

/**
 * Returns whether a reader that reached `seq` in `run` is current; false if the run is unknown or ended before. An
 * empty `run` is the time before the first.
 */
export async function isReachedInRun(partition: Partition, run: string, seq: number): Promise<boolean> {
  const began = run === '' ? 0 : (await partition.find(RUNS, 'id', run))[0]?.seq;
  if (began === undefined) return false;
  const [next] = await partition.changesSince(RUNS, { afterSeq: began }, 1);
  return seq <= (next ? next.seq - 1 : await partition.lastSeq());
}

/** Returns the next run's number, from 1. */
async function nextNumber(partition: Partition): Promise<number> {
  return Number((await latestRun(partition))?.key ?? 0) + 1;
}

async function latestRun(partition: Partition): Promise<Entry<Run> | undefined> {
  return (await partition.page(RUNS, { limit: 1, reverse: true }))[0];
}
