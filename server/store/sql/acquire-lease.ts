import type { Clock } from '../../base/clock.ts';
import { textIn, type Ask, type Database } from './database.ts';
import { takeLease, type Lease } from './lease.ts';

interface WhileWaiting {
  readonly onWaiting: () => void;
  /** Waiting for a lease's holder, which may have been killed. */
  readonly patienceMs: number;
}

/**
 * Takes the database's lease for a command that must be the only process, waiting for a killed process's lease to
 * expire; undefined if another process still renews it after `patienceMs`. Calls `onWaiting` when it must wait. Throws
 * `DatabaseAway`.
 */
export async function acquireLease(
  database: Database,
  clock: Clock,
  { onWaiting, patienceMs }: WhileWaiting,
): Promise<Lease | undefined> {
  let waitsUntil = Infinity;
  let seen: string | undefined;
  let isServed = false;
  /** Notes whether another process has renewed its lease since the first call. */
  const checkRenewal = async (): Promise<void> => {
    const until = await readLeaseExpiry(database.read);
    isServed ||= seen !== undefined && until !== seen;
    seen ??= until;
  };
  return takeLease(database, clock, {
    /**
     * Returns whether to give up: the time is over and earlier calls saw another process renew its lease. Each call
     * after the time starts a read of the lease, so the first never gives up.
     */
    isOver() {
      if (clock.monotonic() < waitsUntil) return false;
      if (!isServed) checkRenewal().catch(() => undefined);
      return isServed;
    },
    /** Passes the call on; the time to wait begins. */
    onWaiting() {
      onWaiting();
      waitsUntil = clock.monotonic() + patienceMs;
    },
    /** Throws: an unreachable database ends the attempt. */
    onAway(error) {
      throw error;
    },
  });
}

/** Returns until when the lease is held, for comparison only. */
async function readLeaseExpiry(ask: Ask): Promise<string> {
  const [lease] = await ask('SELECT CAST(held_until AS text) AS until FROM footbridge_lease WHERE id = 1');
  return textIn(lease, 'until');
}
