import type { Logger } from 'pino';
import { backUpWhenDue } from '../store/recovery/backups.ts';
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';

/** Whether one is due is looked at this often; after waking from sleep the timer runs late, not never. */
const LOOK_MS = 15 * 60_000;
/** The first look waits until the start is over. */
const FIRST_LOOK_MS = 60_000;

/** Backs the store up once a day while the node runs. Returns the way to stop, which waits for one under way. */
export function keepDailyBackups(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): () => Promise<void> {
  const { store, clock, log } = deps;
  let working: Promise<void> | undefined;
  let cancel = clock.after(FIRST_LOOK_MS, look);

  function look(): void {
    // A large store on a slow disk may take longer than that: one at a time.
    working ??= backUpWhenDue(store, clock)
      .then((file) => {
        if (file !== undefined) log.info('the daily backup was written');
      })
      .catch((error: unknown) => log.error({ err: error }, 'the daily backup could not be written'))
      .finally(() => (working = undefined));
    cancel = clock.after(LOOK_MS, look);
  }

  return async () => {
    cancel();
    await working;
  };
}
