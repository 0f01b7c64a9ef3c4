import type { Clock } from '../../base/clock.ts';
import { textIn, type Ask, type Database } from './database.ts';
import { takeLease, type Lease } from './lease.ts';

interface WhileWaiting {
  readonly onWaiting: () => void;
  /** How long a process that ends by itself is waited for. */
  readonly patienceMs: number;
}

/**
 * Takes the lease (`lease.ts`) for a command that must be alone. Waits for a killed process to lose it, not for a
 * running one: returns undefined if one serves. `onWaiting` is called when the wait begins. Throws
 * {@link DatabaseAway}.
 */
export async function acquireLease(
  database: Database,
  clock: Clock,
  { onWaiting, patienceMs }: WhileWaiting,
): Promise<Lease | undefined> {
  let waitsUntil = Infinity;
  let seen: string | undefined;
  let isServed = false;
  /**
   * Reads the lease's end and records that another process serves if it was renewed since the last look: a killed
   * process doesn't renew.
   */
  const checkRenewal = async (): Promise<void> => {
    const until = await heldUntil(database.read);
    isServed ||= seen !== undefined && until !== seen;
    seen ??= until;
  };
  return takeLease(database, clock, {
    /** Returns true, after the patience, once another process has renewed the lease; starts another look until then. */
    isOver() {
      if (clock.monotonic() < waitsUntil) return false;
      // If the lease can't be read, taking it fails as well.
      if (!isServed) checkRenewal().catch(() => undefined);
      return isServed;
    },
    /** Reports that the wait begins. From `patienceMs` later on, a renewed lease ends it. */
    onWaiting() {
      onWaiting();
      waitsUntil = clock.monotonic() + patienceMs;
    },
    onAway(error) {
      throw error;
    },
  });
}

/** Returns until when the lease is held, as the database's text. */
async function heldUntil(ask: Ask): Promise<string> {
  const [lease] = await ask('SELECT CAST(held_until AS text) AS until FROM footbridge_lease WHERE id = 1');
  return textIn(lease, 'until');
}
