import type { Logger } from 'pino';
import { backUpWhenDue } from '../store/recovery/backups.ts';
import type { Clock } from '../base/clock.ts';
import { clockAlone, type KnownTime } from '../base/known-time.ts';
import type { Store, Table } from '../store/store.ts';

/** Whether one is due is looked at this often; after waking from sleep the timer runs late, not never. */
const LOOK_MS = 15 * 60_000;
/** The first look waits until the start is over. */
const FIRST_LOOK_MS = 60_000;

/** What had been seen to pass when the last one was made. */
const MADE: Table<{ readonly seen: number }> = { name: 'daily-backup' };
const KEY = 'last';
/**
 * So much has to be seen to pass as well, nights included: where each start has a clock in the past that is put right
 * later, seven backups would else be of one day. Less than from one working day to the next, however short they are.
 */
const SEEN_BETWEEN = 12 * 3_600_000;

/** Backs the store up once a day while the node runs. Returns the way to stop, which waits for one under way. */
export function keepDailyBackups(deps: {
  readonly store: Store;
  readonly clock: Clock;
  /** The clock alone unless given. */
  readonly time?: Pick<KnownTime, 'seen'>;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): () => Promise<void> {
  const { store, clock, log, time = clockAlone(clock) } = deps;
  let working: Promise<void> | undefined;
  let cancel = clock.after(FIRST_LOOK_MS, look);

  function look(): void {
    // A large store on a slow disk may take longer than that: one at a time.
    working ??= backUp()
      .catch((error: unknown) => log.error({ err: error }, 'the daily backup could not be written'))
      .finally(() => (working = undefined));
    cancel = clock.after(LOOK_MS, look);
  }

  async function backUp(): Promise<void> {
    const system = await store.partition('system');
    const made = await system.get(MADE, KEY);
    const passed = time.seen() - (made?.seen ?? -Infinity);
    // Less than nothing: what is noted is of another history.
    if (passed >= 0 && passed < SEEN_BETWEEN) return;
    if ((await backUpWhenDue(store, clock)) === undefined) return;
    log.info('the daily backup was written');
    await system.transaction((tx) => tx.put(MADE, KEY, { seen: time.seen() }));
  }

  return async () => {
    cancel();
    await working;
  };
}
