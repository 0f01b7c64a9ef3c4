import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { asStoreTerms, DatabaseAway, type Ask, type Database } from './database.ts';
import { StoreError, type Unwritable } from '../store.ts';

export interface Reachability {
  /** Records whether the database answered. Throws errors as the store's callers expect them. */
  runTracked<R>(work: () => Promise<R>): Promise<R>;
  unwritable(): Unwritable | undefined;
  /** Ends probing; later failures are ignored. */
  close(): void;
}

/** Nobody may have anything to save once it is back. */
const TRIED_EVERY_MS = 5_000;
/** A usual change's size; random, as compressible bytes prove nothing. */
const TRIED_WITH_BYTES = 64 * 1024;

/**
 * Records whether the database answers and has room; while it doesn't, tries every 5 seconds. Calls `onChange` when it
 * goes away, is back, or changes the reason.
 */
export function createReachability(
  clock: Clock,
  database: Pick<Database, 'read' | 'transaction'>,
  onChange: () => void = () => undefined,
): Reachability {
  let away: Unwritable | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  /** Cancels the probe, and calls `onChange` if the database was away. */
  function recordBack(): void {
    cancel?.();
    cancel = undefined;
    if (!away) return;
    away = undefined;
    onChange();
  }
  /** Schedules a probe, and calls `onChange` if the reason is new. */
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
    /**
     * Runs `work` and records whether the database answered and had room. Throws its error as the store's callers
     * expect it.
     */
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
    /** Stops probing; later failures are ignored. */
    close() {
      isClosed = true;
      cancel?.();
    },
  };
}

const isFull = (error: unknown): boolean => error instanceof StoreError && error.code === 'full';

/** Writes some bytes to a temporary table. Throws StoreError `full` without room. */
async function tryRoom(ask: Ask): Promise<void> {
  await ask('CREATE TEMPORARY TABLE footbridge_room (tried bytea) ON COMMIT DROP');
  await ask('INSERT INTO footbridge_room VALUES ($1)', [randomBytes(TRIED_WITH_BYTES)]);
}
