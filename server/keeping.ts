import type { Logger } from 'pino';
import type { Ledger } from './federation/ledger.ts';
import type { SettingsStore } from './http/settings.ts';
import type { BelievedTime } from './store/believed-time.ts';
import type { Clock } from './store/clock.ts';
import type { History } from './sync/history.ts';

/** It is looked this often; the first time when the start is long over. */
const LOOK_MS = 3_600_000;
const FIRST_LOOK_MS = 300_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Removes what is older than the user wants to keep, while the node runs, by the believed time: a clock that is wrong
 * for a moment removes nothing. Returns the way to stop, which waits for a removal under way.
 */
export function keepWithinTime(deps: {
  readonly settings: Pick<SettingsStore, 'current'>;
  readonly believed: BelievedTime;
  readonly ledger: Pick<Ledger, 'forget'>;
  readonly history: Pick<History, 'forget'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): () => Promise<void> {
  const { settings, believed, ledger, history, clock, log } = deps;
  let working: Promise<void> = Promise.resolve();
  let cancel = clock.after(FIRST_LOOK_MS, look);

  async function remove(): Promise<void> {
    await believed.look();
    const { keepLedgerDays, keepHistoryDays } = settings.current();
    const before = (days: number): number => believed.now() - days * DAY_MS;
    const parts = await ledger.forget(before(keepLedgerDays));
    const entries = await history.forget(before(keepHistoryDays));
    if (parts + entries > 0) log.info({ parts, entries }, 'what was old enough was removed');
  }

  function look(): void {
    working = remove().catch((error: unknown) =>
      log.error({ err: error }, 'what is old could not be removed'),
    );
    cancel = clock.after(LOOK_MS, look);
  }

  return async () => {
    cancel();
    await working;
  };
}
