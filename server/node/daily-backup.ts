import type { Logger } from 'pino';
import { backUpWhenDue, listBackups } from '../store/recovery/backups.ts';
import type { Clock } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { systemClockOnly, type TrustedClock } from '../base/trusted-clock.ts';
import type { Store, Table } from '../store/store.ts';

const CHECK_INTERVAL_MS = 15 * 60_000;
const FIRST_RUN_MS = 60_000;

/** After a restore. */
const RESTORED_MS = 5_000;
/** Outwaits an import, but no constant stream of rows. */
const FIRST_ROWS = { quietMs: 5_000, maxWaitMs: 120_000 };
/** New lists often come together. */
const NEW_LISTS = { quietMs: 3 * 60_000, maxWaitMs: 30 * 60_000 };
/** Bounds programs that make many lists. */
const NEW_LISTS_GAP_MS = 3_600_000;

interface Made {
  /** Elapsed time at the last backup that wasn't for new lists. */
  readonly seen: number;
  /** The office had rows then. */
  readonly hasRows?: true;
  /** Number of the backup for new lists; the next one replaces it. */
  readonly newLists?: number;
}
const MADE: Table<Made> = { name: 'daily-backup' };
const KEY = 'last';
type Reason = 'daily' | 'first' | 'new-lists';
/** Must have elapsed too: with wrong clocks, seven backups could be of one day. */
const MIN_ELAPSED_MS = 12 * 3_600_000;

export interface DailyBackups {
  /** Backs up first rows 5 seconds after the latest change, at most 2 minutes after the first. */
  scheduleFirstRows(): void;
  /** Backs up new lists once no more came for some minutes, at most hourly. */
  scheduleNewLists(): void;
  /** Stops after a running backup. */
  readonly stop: () => Promise<void>;
}

/**
 * Returns a trigger that runs `task` once quiet for `quietMs`, at most `maxWaitMs` after the first. Logs a failure.
 * `cancel` drops a waiting run.
 */
function debounce(
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Logger, 'error'> },
  { quietMs, maxWaitMs }: { readonly quietMs: number; readonly maxWaitMs: number },
  task: () => Promise<void>,
): { trigger(after?: number): void; cancel(): void } {
  let since: number | undefined;
  let cancelTimer = (): void => undefined;
  return {
    /** Schedules the task in `after` milliseconds; calls delay it, up to `maxWaitMs` or a longer `after` in all. */
    trigger(after = quietMs) {
      since ??= clock.monotonic();
      const left = since + Math.max(maxWaitMs, after) - clock.monotonic();
      cancelTimer();
      cancelTimer = clock.after(Math.max(0, Math.min(after, left)), () => {
        since = undefined;
        task().catch((error: unknown) => log.error({ err: error }, 'a backup could not be written'));
      });
    },
    cancel: () => cancelTimer(),
  };
}

/**
 * Starts backups of the store: daily, soon after its first rows, after new lists, and after a restore. Only one runs at
 * a time; failures are logged.
 */
export function startDailyBackups(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly time?: Pick<TrustedClock, 'elapsed'>;
  readonly isRestored?: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): DailyBackups {
  const { store, clock, log, isRestored = false, time = systemClockOnly(clock) } = deps;
  let working: Promise<void> | undefined;
  let cancel = isRestored
    ? clock.after(RESTORED_MS, () => checkAndReschedule('first'))
    : clock.after(FIRST_RUN_MS, () => checkAndReschedule());
  let hasRows = isRestored;
  let isStopped = false;
  /** Monotonic; a backup's time is its beginning. */
  let [newestListAt, backedUpAt, newListsBackupAt] = [-Infinity, -Infinity, -Infinity];
  const firstRows = debounce(deps, FIRST_ROWS, backUpFirstRows);
  const newLists = debounce(deps, NEW_LISTS, backUpNewLists);

  /** Starts a backup in the background; a no-op while one runs. Logs a failure. */
  function startBackup(why: Reason): void {
    working ??= backUp(why)
      .catch((error: unknown) => log.error({ err: error }, 'the daily backup could not be written'))
      .finally(() => (working = undefined));
  }

  /** Starts a backup, and the next check in an interval. */
  function checkAndReschedule(why: Reason = 'daily'): void {
    startBackup(why);
    cancel = clock.after(CHECK_INTERVAL_MS, () => checkAndReschedule());
  }

  /**
   * Writes an automatic backup, a `daily` one only if the last is a day old by the clock and half a day by elapsed
   * time, a `new-lists` one in place of the earlier one of that kind; then stores and logs that.
   */
  async function backUp(why: Reason): Promise<void> {
    const system = await store.partition('system');
    const made = await system.get(MADE, KEY);
    const passed = time.elapsed() - (made?.seen ?? -Infinity);
    // Negative: another history's note.
    if (why === 'daily' && passed >= 0 && passed < MIN_ELAPSED_MS) return;
    const isOfLists = why === 'new-lists' && made !== undefined;
    const apart = omitUndefined({ apart: made?.newLists });
    const rules = { ...(why === 'daily' ? {} : { everyMs: 0 }), ...apart, replacesApart: isOfLists };
    const began = clock.monotonic();
    if ((await backUpWhenDue(store, clock, rules)) === undefined) return;
    backedUpAt = began;
    log.info({ why }, 'an automatic backup was written');
    const [newest] = isOfLists ? await listBackups(store.dataDir) : [];
    const noted = isOfLists
      ? { ...made, ...omitUndefined({ newLists: newest?.number }) }
      : { ...made, seen: time.elapsed(), ...(why === 'first' ? { hasRows: true as const } : {}) };
    await system.transaction((tx) => tx.put(MADE, KEY, noted));
  }

  /**
   * Starts a backup of the first rows in the background, after a running one; not if a backup had rows before or it is
   * stopped.
   */
  async function backUpFirstRows(): Promise<void> {
    hasRows = true;
    await working;
    if (isStopped) return;
    const made = await (await store.partition('system')).get(MADE, KEY);
    if (made?.hasRows !== true) startBackup('first');
  }

  /**
   * Starts a backup of new lists after a running one. Within an hour of the last such backup only schedules the next
   * try. A no-op if another backup has them by now.
   */
  async function backUpNewLists(): Promise<void> {
    await working;
    if (isStopped || backedUpAt > newestListAt) return;
    const wait = newListsBackupAt + NEW_LISTS_GAP_MS - clock.monotonic();
    if (wait > 0) {
      newLists.trigger(wait);
      return;
    }
    newListsBackupAt = clock.monotonic();
    startBackup('new-lists');
  }

  return {
    /** Backs up first rows once changes pause for 5 seconds, at most 2 minutes after the first; does so only once. */
    scheduleFirstRows() {
      if (!hasRows) firstRows.trigger();
    },
    /** Backs up a created list once no more came for some minutes, at most hourly. */
    scheduleNewLists() {
      newestListAt = clock.monotonic();
      newLists.trigger();
    },
    /** Cancels all scheduled backups; resolves once a running one has ended. */
    async stop() {
      isStopped = true;
      cancel();
      firstRows.cancel();
      newLists.cancel();
      await working;
    },
  };
}
