import type { Logger } from 'pino';
import { backUpWhenDue } from '../store/recovery/backups.ts';
import type { Clock } from '../base/clock.ts';
import { systemClockOnly, type TrustedClock } from '../base/trusted-clock.ts';
import type { Store, Table } from '../store/store.ts';

/** After sleep the timer is late, never lost. */
const INTERVAL_MS = 15 * 60_000;
const FIRST_RUN_MS = 60_000;

/** An office's first rows, and a restored office, are backed up this soon. */
const QUIET_MS = 5_000;
/** An import is waited for, but not a constant stream of rows. */
const MAX_WAIT_MS = 120_000;

/** Elapsed time at the last backup, and whether the office had rows by then. */
const MADE: Table<{ readonly seen: number; readonly hasRows?: true }> = { name: 'daily-backup' };
const KEY = 'last';
/** Must have elapsed too: with a wrong clock at each start, seven backups could be of one day. */
const MIN_ELAPSED_MS = 12 * 3_600_000;

/** The automatic backups of a running node. */
export interface DailyBackups {
  /** Rows were written: the first ones are backed up once they have settled. */
  scheduleFirstRows(): void;
  /** Stops, after a running backup. */
  readonly stop: () => Promise<void>;
}

/**
 * Backs up the store daily while the node runs. Also backs up shortly after its first rows came, and after a restore.
 */
export function startDailyBackups(deps: {
  readonly store: Store;
  readonly clock: Clock;
  /** Default: the system clock. */
  readonly time?: Pick<TrustedClock, 'elapsed'>;
  readonly isRestored?: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): DailyBackups {
  const { store, clock, log, isRestored = false, time = systemClockOnly(clock) } = deps;
  let working: Promise<void> | undefined;
  let cancel = isRestored
    ? clock.after(QUIET_MS, () => checkAndReschedule(true))
    : clock.after(FIRST_RUN_MS, () => checkAndReschedule());
  /** When the first rows came, until they are backed up. */
  let rowsSince: number | undefined;
  let hasRows = isRestored;
  let cancelRows = (): void => undefined;
  let isStopped = false;

  /** Starts a backup in the background, unless one is running. Logs a failure. */
  function startBackup(isDue: boolean): void {
    working ??= backUp(isDue)
      .catch((error: unknown) => log.error({ err: error }, 'the daily backup could not be written'))
      .finally(() => (working = undefined));
  }

  /** Starts a backup if it is due, and schedules the next check. */
  function checkAndReschedule(isDue = false): void {
    startBackup(isDue);
    cancel = clock.after(INTERVAL_MS, () => checkAndReschedule());
  }

  /** Writes a backup and stores its time if the last one is a day old, or if `isDue` is set. */
  async function backUp(isDue: boolean): Promise<void> {
    const system = await store.partition('system');
    const made = await system.get(MADE, KEY);
    const passed = time.elapsed() - (made?.seen ?? -Infinity);
    // Negative: the note is of another history.
    if (!isDue && passed >= 0 && passed < MIN_ELAPSED_MS) return;
    if ((await backUpWhenDue(store, clock, isDue ? { every: 0 } : {})) === undefined) return;
    log.info('the daily backup was written');
    const withRows = isDue || made?.hasRows === true;
    await system.transaction((tx) =>
      tx.put(MADE, KEY, { seen: time.elapsed(), ...(withRows ? { hasRows: true } : {}) }),
    );
  }

  /** Backs up the first rows, after a running backup; does nothing if a backup has had rows before. */
  async function backUpFirstRows(): Promise<void> {
    hasRows = true;
    await working;
    if (isStopped) return;
    const made = await (await store.partition('system')).get(MADE, KEY);
    if (made?.hasRows !== true) startBackup(true);
  }

  return {
    /**
     * Schedules the backup of the first rows: 5 seconds after the latest change of rows, at most 2 minutes
     * after the first.
     */
    scheduleFirstRows() {
      if (hasRows) return;
      rowsSince ??= clock.monotonic();
      const waited = clock.monotonic() - rowsSince;
      cancelRows();
      cancelRows = clock.after(Math.max(0, Math.min(QUIET_MS, MAX_WAIT_MS - waited)), () => {
        backUpFirstRows().catch((error: unknown) =>
          log.error({ err: error }, 'the first backup could not be written'),
        );
      });
    },
    /** Stops for good; resolves once a running backup has ended. */
    async stop() {
      isStopped = true;
      cancel();
      cancelRows();
      await working;
    },
  };
}
