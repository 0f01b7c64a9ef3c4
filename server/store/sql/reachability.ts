import type { Clock } from '../../base/clock.ts';
import { toStoreTerms, DatabaseAway, type Database } from './database.ts';
import type { Unwritable } from '../store.ts';

/** Whether the database accepts writes, from the outcome of what is asked of it. */
export interface Reachability {
  /** @throws what `work` throws, in the store's terms */
  track<R>(work: () => Promise<R>): Promise<R>;
  unwritable(): Unwritable | undefined;
  close(): void;
}

/** Nobody may have anything to save once it is back. */
const TRIED_EVERY_MS = 5_000;

/**
 * Creates the record of whether the database answers. While it doesn't, asks it every 5 seconds. @param onChange
 * called when it goes away, or is back
 */
export function createReachability(
  clock: Clock,
  database: Pick<Database, 'read'>,
  onChange: () => void = () => undefined,
): Reachability {
  let away: Unwritable | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  /** Records that the database answers; cancels the probe, and calls `onChange` if it was away. */
  function recordBack(): void {
    cancel?.();
    cancel = undefined;
    if (!away) return;
    away = undefined;
    onChange();
  }
  /** Records that the database is away, schedules a probe, and calls `onChange` if it wasn't before. */
  function recordAway(): void {
    if (isClosed) return;
    cancel ??= clock.after(TRIED_EVERY_MS, () => {
      cancel = undefined;
      database.read('SELECT 1 AS there').then(recordBack, recordAway);
    });
    if (away) return;
    away = { at: new Date(clock.now()).toISOString(), code: 'io' };
    onChange();
  }

  return {
    /** Runs `work` and records whether the database answered. Throws errors as callers of the store expect them. */
    async track(work) {
      try {
        const result = await work();
        recordBack();
        return result;
      } catch (error) {
        if (error instanceof DatabaseAway) recordAway();
        throw toStoreTerms(error);
      }
    },
    unwritable: () => away,
    /** Cancels the probe, for good. */
    close() {
      isClosed = true;
      cancel?.();
    },
  };
}
