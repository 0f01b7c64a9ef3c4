import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { StoreError } from '../store.ts';
import { DatabaseAway, numberIn, textIn, type Ask, type Database } from './database.ts';
import { readOwn, writeOwn } from './own-values.ts';
import type { Changes } from './transaction.ts';
import { writeChanges } from './write-changes.ts';

export interface Fence {
  /** Throws StoreError `closed` after a takeover; excludes one until the transaction ends. */
  check(ask: Ask): Promise<void>;
}

/** Then a change fails for an unreachable database. */
const TIMEOUT_MS = 8_000;
const RETRY_INTERVAL_MS = 250;

/**
 * Writes a transaction's changes, which follow change `after`, to partition `id` exactly once; returns the last change
 * number. Retries for 8 seconds while the database is away. Throws StoreError `closed` if another process writes
 * (fencing, against split brain) or the partition was dropped, and {@link DatabaseAway}.
 */
export async function commitChanges(
  { database, fence, clock }: { database: Database; fence: Fence; clock: Clock },
  { id, after, changes }: { id: number; after: number; changes: Changes },
): Promise<number> {
  const number = randomUUID();
  /** Writes the changes and returns the last change number; writes nothing if they are the partition's last commit. */
  const writeOnce = (): Promise<number> =>
    database.transaction(async (ask) => {
      await fence.check(ask);
      const [partition] = await ask('SELECT last_seq, last_commit FROM footbridge_partition WHERE id = $1', [
        id,
      ]);
      if (!partition) throw new StoreError('closed', 'The partition was dropped.');
      if (textIn(partition, 'last_commit') === number) return numberIn(partition, 'last_seq');
      if (numberIn(partition, 'last_seq') !== after) throw takenOverError();
      if (!(await writeChanges(ask, id, changes))) return after;
      await ask('UPDATE footbridge_partition SET last_seq = $2, last_commit = $3 WHERE id = $1', [
        ...[id, changes.last],
        number,
      ]);
      return changes.last;
    });
  return withRetries(clock, writeOnce);
}

/**
 * Runs `work` in a transaction exactly once, even if the commit's answer is lost, by a random number stored under
 * `name`. Retries and throws like {@link commitChanges}.
 */
export async function applyOnce(
  { database, fence, clock }: { database: Database; fence: Fence; clock: Clock },
  name: string,
  work: (ask: Ask) => Promise<void>,
): Promise<void> {
  const number = randomUUID();
  await withRetries(clock, () =>
    database.transaction(async (ask) => {
      // Already done, even if another process took over.
      if ((await readOwn(ask, name)) === number) return;
      await fence.check(ask);
      await work(ask);
      await writeOwn(ask, name, number);
    }),
  );
}

/**
 * Repeats `write` for up to 8 seconds while the database is away; `write` must check whether an attempt was committed
 * unnoticed.
 */
async function withRetries<R>(clock: Clock, write: () => Promise<R>): Promise<R> {
  const began = clock.monotonic();
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof DatabaseAway) || clock.monotonic() - began > TIMEOUT_MS) throw error;
    }
    await new Promise<void>((resolve) => clock.after(RETRY_INTERVAL_MS, resolve));
  }
}

export const takenOverError = (): StoreError =>
  new StoreError('closed', 'Another process has taken over this office. This one changes nothing any more.');
