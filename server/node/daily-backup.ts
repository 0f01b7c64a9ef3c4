import type { Logger } from 'pino';
import { backUpWhenDue } from '../store/recovery/backups.ts';
import type { Clock } from '../base/clock.ts';
import { clockAlone, type KnownTime } from '../base/known-time.ts';
import type { Store, Table } from '../store/store.ts';

/** Whether one is due is looked at this often; after waking from sleep the timer runs late, not never. */
const LOOK_MS = 15 * 60_000;
/** The first look waits until the start is over. */
const FIRST_LOOK_MS = 60_000;

/** The first rows of an office, and a restored office, are backed up at once, and not a day later. */
const CALM_MS = 5_000;
/** An import is waited for, but not rows that keep coming. */
const MOST_WAIT_MS = 120_000;

/** What had been seen to pass when the last one was made, and whether the office had rows by then. */
const MADE: Table<{ readonly seen: number; readonly hasRows?: true }> = { name: 'daily-backup' };
const KEY = 'last';
/**
 * So much has to be seen to pass as well, nights included: where each start has a clock in the past that is put right
 * later, seven backups would else be of one day. Less than from one working day to the next, however short they are.
 */
const SEEN_BETWEEN = 12 * 3_600_000;

/** The automatic backups of a running node. */
export interface DailyBackups {
  /** Rows were written: the first ones of an office are backed up once they have come to rest. */
  noteRows(): void;
  /** Stops, after one that is being written. */
  readonly stop: () => Promise<void>;
}

/** Backs the store up once a day while the node runs, after the first rows, and after a restore. */
export function keepDailyBackups(deps: {
  readonly store: Store;
  readonly clock: Clock;
  /** The clock alone unless given. */
  readonly time?: Pick<KnownTime, 'seen'>;
  readonly isRestored?: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): DailyBackups {
  const { store, clock, log, isRestored = false, time = clockAlone(clock) } = deps;
  let working: Promise<void> | undefined;
  let cancel = isRestored ? clock.after(CALM_MS, () => look(true)) : clock.after(FIRST_LOOK_MS, () => look());
  /** When the first rows came, until they are backed up. */
  let rowsSince: number | undefined;
  let hasRows = isRestored;
  let cancelRows = (): void => undefined;
  let isStopped = false;

  function start(isDue: boolean): void {
    // A large store on a slow disk may take longer than until the next look: one at a time.
    working ??= backUp(isDue)
      .catch((error: unknown) => log.error({ err: error }, 'the daily backup could not be written'))
      .finally(() => (working = undefined));
  }

  function look(isDue = false): void {
    start(isDue);
    cancel = clock.after(LOOK_MS, () => look());
  }

  /** @param isDue however new the last one is */
  async function backUp(isDue: boolean): Promise<void> {
    const system = await store.partition('system');
    const made = await system.get(MADE, KEY);
    const passed = time.seen() - (made?.seen ?? -Infinity);
    // Less than nothing: what is noted is of another history.
    if (!isDue && passed >= 0 && passed < SEEN_BETWEEN) return;
    if ((await backUpWhenDue(store, clock, isDue ? { every: 0 } : {})) === undefined) return;
    log.info('the daily backup was written');
    const withRows = isDue || made?.hasRows === true;
    await system.transaction((tx) =>
      tx.put(MADE, KEY, { seen: time.seen(), ...(withRows ? { hasRows: true } : {}) }),
    );
  }

  async function backUpFirstRows(): Promise<void> {
    hasRows = true;
    await working;
    if (isStopped) return;
    const made = await (await store.partition('system')).get(MADE, KEY);
    if (made?.hasRows !== true) start(true);
  }

  return {
    noteRows() {
      if (hasRows) return;
      rowsSince ??= clock.monotonic();
      const waited = clock.monotonic() - rowsSince;
      cancelRows();
      cancelRows = clock.after(Math.max(0, Math.min(CALM_MS, MOST_WAIT_MS - waited)), () => {
        backUpFirstRows().catch((error: unknown) =>
          log.error({ err: error }, 'the first backup could not be written'),
        );
      });
    },
    async stop() {
      isStopped = true;
      cancel();
      cancelRows();
      await working;
    },
  };
}
