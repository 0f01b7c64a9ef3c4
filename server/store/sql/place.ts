import type { Clock } from '../../base/clock.ts';
import { textIn, type Ask, type Database } from './database.ts';
import { takeLease, type Lease } from './lease.ts';

interface WhileWaiting {
  readonly onWaiting: () => void;
  /** A process that ends by itself is waited for so long. */
  readonly patienceMs: number;
}

/**
 * Takes the place of the process that serves (`lease.ts`), for a command that is to be alone: waits for one that was killed, whenever
 * that was, and not for one that goes on. @returns undefined where one serves @throws DatabaseAway
 */
export async function takePlace(
  database: Database,
  clock: Clock,
  { onWaiting, patienceMs }: WhileWaiting,
): Promise<Lease | undefined> {
  let waitsUntil = Infinity;
  let seen: string | undefined;
  let isServed = false;
  // Whoever lives says so again before its time is over; who was killed does not.
  const look = async (): Promise<void> => {
    const until = await heldUntil(database.read);
    isServed ||= seen !== undefined && until !== seen;
    seen ??= until;
  };
  return takeLease(database, clock, {
    isOver() {
      if (clock.monotonic() < waitsUntil) return false;
      // Where it cannot be asked, taking the place fails as well.
      if (!isServed) look().catch(() => undefined);
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

async function heldUntil(ask: Ask): Promise<string> {
  const [lease] = await ask('SELECT CAST(held_until AS text) AS until FROM footbridge_lease WHERE id = 1');
  return textIn(lease, 'until');
}
