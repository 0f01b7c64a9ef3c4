import { randomBytes } from 'node:crypto';
import type { Entry, Partition, Table, Tx } from '../../store/store.ts';

/**
 * The runs of this program that wrote rows, each noted with its first write: so its entry's change number is the
 * first one of the run. After an older copy of a list was put back, other rows get numbers that were used already;
 * the name of the run tells these from those. Key: the number of the run, from 1.
 */
const RUNS: Table<Run> = { name: 'run', indexes: { id: ({ id }) => id } };

interface Run {
  readonly id: string;
}

/** Older runs are forgotten; who has heard nothing since counts as one who knows another state. */
const MAX_RUNS = 1000;

/** To be asked for at the beginning of a write; what it gives is called before the first row is put, if one is. */
export type NoteRun = (tx: Tx) => Promise<() => void>;

/** Notes the present run with the first row that it writes; for one opening of a list. */
export function createRunNotes(partition: Partition): NoteRun {
  const id = randomBytes(9).toString('base64url');
  let number: Promise<number> | undefined;
  return async (tx) => {
    number ??= nextNumber(partition);
    const key = await number.catch((error: unknown) => {
      // A read that fails now may go well for the next write.
      number = undefined;
      throw error;
    });
    // Asked of the transaction: a write that failed has noted nothing.
    if ((await tx.get(RUNS, String(key))) !== undefined) return () => undefined;
    return () => {
      tx.put(RUNS, String(key), { id });
      tx.delete(RUNS, String(key - MAX_RUNS));
    };
  };
}

/** The run that wrote this change, or the last one before it; `` where none was noted yet. */
export async function runAt(partition: Partition, seq: number): Promise<string> {
  let after: string | undefined;
  for (;;) {
    const [run] = await partition.page(RUNS, { limit: 1, reverse: true, ...(after ? { after } : {}) });
    if (!run || run.seq <= seq) return run?.value.id ?? '';
    after = run.key;
  }
}

/**
 * Whether a reader that came to this change number while `run` was the latest one has read what this list says now:
 * false where the run is unknown here, or ended before that number.
 */
export async function isOfRun(partition: Partition, run: string, seq: number): Promise<boolean> {
  const began = run === '' ? 0 : (await partition.find(RUNS, 'id', run))[0]?.seq;
  if (began === undefined) return false;
  const [next] = await partition.changesSince(RUNS, { afterSeq: began }, 1);
  return seq <= (next ? next.seq - 1 : await partition.lastSeq());
}

async function nextNumber(partition: Partition): Promise<number> {
  return Number((await latestRun(partition))?.key ?? 0) + 1;
}

async function latestRun(partition: Partition): Promise<Entry<Run> | undefined> {
  return (await partition.page(RUNS, { limit: 1, reverse: true }))[0];
}
