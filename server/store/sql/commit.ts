import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { StoreError } from '../store.ts';
import { DatabaseAway, numberIn, textIn, type Ask, type Database } from './database.ts';
import type { Changes } from './transaction.ts';
import { writeChanges } from './write-changes.ts';

/** Whether this process is still the one that may write; asked within each transaction. */
export interface Fence {
  /** @throws StoreError `closed` where another has taken over */
  check(ask: Ask): Promise<void>;
}

/** A database that went away is waited for so long, at a change, before that fails. */
const PATIENCE_MS = 8_000;
const TRIED_EVERY_MS = 250;

/**
 * Writes changes of a partition as one whole, behind change `after`. Where the connection is lost, it is not known
 * whether they were written: that is found out by the number of the commit, so that they are written once.
 * @returns the number of the last change
 * @throws StoreError `io` where the database stays away, `closed` where another process writes
 */
export async function commitChanges(
  { database, fence, clock }: { database: Database; fence: Fence; clock: Clock },
  { id, after, changes }: { id: number; after: number; changes: Changes },
): Promise<number> {
  const number = randomUUID();
  const write = (): Promise<number> =>
    database.transaction(async (ask) => {
      await fence.check(ask);
      const [partition] = await ask('SELECT last_seq, last_commit FROM footbridge_partition WHERE id = $1', [
        id,
      ]);
      if (!partition) throw new StoreError('closed', 'The partition was dropped.');
      if (textIn(partition, 'last_commit') === number) return numberIn(partition, 'last_seq');
      if (numberIn(partition, 'last_seq') !== after) throw takenOver();
      if (!(await writeChanges(ask, id, changes))) return after;
      await ask('UPDATE footbridge_partition SET last_seq = $2, last_commit = $3 WHERE id = $1', [
        ...[id, changes.last],
        number,
      ]);
      return changes.last;
    });
  const began = clock.monotonic();
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof DatabaseAway) || clock.monotonic() - began > PATIENCE_MS) throw error;
    }
    await new Promise<void>((resolve) => clock.after(TRIED_EVERY_MS, resolve));
  }
}

/** The refusal of whoever writes though another process does. */
export const takenOver = (): StoreError =>
  new StoreError('closed', 'Another process has taken over this office. This one changes nothing any more.');
