import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { asStoreTerms, DatabaseAway, type Ask, type Database } from './database.ts';
import { StoreError, type Unwritable } from '../store.ts';

export interface Reachability {
  /** Runs `work` and records whether the database answered. Throws errors as callers of the store expect them. */
  runTracked<R>(work: () => Promise<R>): Promise<R>;
  unwritable(): Unwritable | undefined;
  close(): void;
}

/** Nobody may have anything to save once it is back. */
const TRIED_EVERY_MS = 5_000;
/** About the size of a usual change; what is compressed would say nothing. */
const TRIED_WITH_BYTES = 64 * 1024;

/**
 * Creates the record of whether the database answers and has room. While it doesn't, tries it every 5 seconds. @param
 * onChange called when it goes away, or is back, or has another reason
 */
export function createReachability(
  clock: Clock,
  database: Pick<Database, 'read' | 'transaction'>,
  onChange: () => void = () => undefined,
): Reachability {
  let away: Unwritable | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  /** Records that the database took a change; cancels the probe, and calls `onChange` if it didn't before. */
  function recordBack(): void {
    cancel?.();
    cancel = undefined;
    if (!away) return;
    away = undefined;
    onChange();
  }
  /** Records why the database takes no change, schedules a probe, and calls `onChange` if that is news. */
  function recordAway(code: Unwritable['code']): void {
    if (isClosed) return;
    const probe = (): Promise<unknown> =>
      code === 'full' ? database.transaction(tryRoom) : database.read('SELECT 1 AS there');
    cancel?.();
    cancel = clock.after(TRIED_EVERY_MS, () => {
      cancel = undefined;
      probe().then(recordBack, (error: unknown) => recordAway(isFull(error) ? 'full' : 'io'));
    });
    if (away?.code === code) return;
    away = { at: away?.at ?? new Date(clock.now()).toISOString(), code };
    onChange();
  }

  return {
    /** Runs `work` and records whether the database answered. Throws errors as callers of the store expect them. */
    async runTracked(work) {
      try {
        const result = await work();
        recordBack();
        return result;
      } catch (error) {
        if (error instanceof DatabaseAway) recordAway('io');
        else if (isFull(error)) recordAway('full');
        throw asStoreTerms(error);
      }
    },
    unwritable: () => away,
    close() {
      isClosed = true;
      cancel?.();
    },
  };
}

const isFull = (error: unknown): boolean => error instanceof StoreError && error.code === 'full';

/** Takes room in the database and gives it back. Throws StoreError `full` if there is none. */
async function tryRoom(ask: Ask): Promise<void> {
  await ask('CREATE TEMPORARY TABLE footbridge_room (tried bytea) ON COMMIT DROP');
  await ask('INSERT INTO footbridge_room VALUES ($1)', [randomBytes(TRIED_WITH_BYTES)]);
}
