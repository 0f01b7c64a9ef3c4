import type { Clock } from '../../base/clock.ts';
import { textIn, type Ask, type Database } from './database.ts';
import { takeLease, type Lease } from './lease.ts';

interface WhileWaiting {
  readonly onWaiting: () => void;
  /** A process that has the lease is waited for this long, in case it was killed. */
  readonly patienceMs: number;
}

/**
 * Takes the database's lease for a command that must be the only process. Waits until the lease of a killed process
 * expires; undefined if after `patienceMs` another process still renews it. `onWaiting` is called when the wait begins.
 */
export async function acquireLease(
  database: Database,
  clock: Clock,
  { onWaiting, patienceMs }: WhileWaiting,
): Promise<Lease | undefined> {
  let waitsUntil = Infinity;
  let seen: string | undefined;
  let isServed = false;
  const checkRenewal = async (): Promise<void> => {
    const until = await readLeaseExpiry(database.read);
    isServed ||= seen !== undefined && until !== seen;
    seen ??= until;
  };
  return takeLease(database, clock, {
    isOver() {
      if (clock.monotonic() < waitsUntil) return false;
      if (!isServed) checkRenewal().catch(() => undefined);
      return isServed;
    },
    onWaiting() {
      onWaiting();
      waitsUntil = clock.monotonic() + patienceMs;
    },
    onAway(error) {
      throw error;
    },
  });
}

async function readLeaseExpiry(ask: Ask): Promise<string> {
  const [lease] = await ask('SELECT CAST(held_until AS text) AS until FROM footbridge_lease WHERE id = 1');
  return textIn(lease, 'until');
}
