import type { Logger } from 'pino';
import type { Federation } from '../federation/federation.ts';
import type { Ledger } from '../federation/sharing/ledger.ts';
import type { Lists } from '../lists/lists.ts';
import type { Age } from '../lists/rows/list-clock.ts';
import type { SettingsStore } from '../app/settings.ts';
import type { SlewedClock } from '../store/engine/slewed-clock.ts';
import type { Clock } from '../base/clock.ts';
import type { History } from '../sync/status/history.ts';

const INTERVAL_MS = 3_600_000;
const FIRST_RUN_MS = 300_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Starts an hourly task: it advances the slewed clock, deletes data older by it than the settings say and unused
 * invites, and completes pending row handovers. Returns a function that stops it and waits for a running deletion.
 */
export function startRetention(deps: {
  readonly settings: Pick<SettingsStore, 'current'>;
  readonly slewedClock: SlewedClock;
  readonly ledger: Pick<Ledger, 'deleteBefore'>;
  readonly history: Pick<History, 'deleteBefore'>;
  readonly lists: Pick<Lists, 'recordListClocks' | 'emptyBins' | 'forgetHistories' | 'purgeModules'>;
  readonly federation: {
    readonly rowHandover: Pick<Federation['rowHandover'], 'runPending'>;
    readonly invites: Pick<Federation['invites'], 'removeUnusedInvites'>;
  };
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): () => Promise<void> {
  const { settings, slewedClock, ledger, history, lists, federation, clock, log } = deps;
  let runs = 0;
  let working: Promise<void> = Promise.resolve();
  let cancel = clock.after(FIRST_RUN_MS, runAndReschedule);

  /**
   * Runs a retention rule; returns how many entries were removed (0 if it doesn't say); logs a failure and returns 0.
   */
  async function runRule(name: string, work: () => Promise<unknown>): Promise<number> {
    try {
      const removed = await work();
      return typeof removed === 'number' ? removed : 0;
    } catch (error) {
      log.error({ err: error, rule: name }, 'what is old could not be removed');
      return 0;
    }
  }

  /**
   * Runs all retention rules, advances the slewed clock and ends handovers and unused invites, each despite the others'
   * failures. Deletes from bins and row histories only in every 24th call, from the first on, as that scans lists.
   */
  async function applyRetention(): Promise<void> {
    await runRule('believed time', () => slewedClock.advance());
    await runRule('partings', () => federation.rowHandover.runPending());
    await runRule('invites', () => federation.invites.removeUnusedInvites());
    const { keepLedgerDays, keepHistoryDays, keepBinDays } = settings.current();
    const before = (days: number): number => slewedClock.now() - days * DAY_MS;
    /** Returns the age limit for so many days, by slewed clock and elapsed time. */
    const ageLimit = (days: number): Age => ({
      before: before(days),
      seenBefore: slewedClock.elapsed() - days * DAY_MS,
    });
    const parts = await runRule('ledger', () => ledger.deleteBefore(before(keepLedgerDays)));
    const entries = await runRule('history', () => history.deleteBefore(before(keepHistoryDays)));
    const isDaily = runs++ % 24 === 0;
    if (isDaily) await runRule('times of lists', () => lists.recordListClocks(slewedClock.elapsed()));
    const rows = isDaily ? await runRule('bins', () => lists.emptyBins(ageLimit(keepBinDays))) : 0;
    const binned = await runRule('deleted lists', () => lists.purgeModules(before(keepBinDays)));
    const pasts = isDaily
      ? await runRule('pasts', () => lists.forgetHistories(ageLimit(keepHistoryDays)))
      : 0;
    if (parts + entries + rows + binned + pasts > 0)
      log.info({ parts, entries, rows, binned, pasts }, 'what was old enough was removed');
  }

  /** Applies the retention now, and every hour. */
  function runAndReschedule(): void {
    working = applyRetention();
    cancel = clock.after(INTERVAL_MS, runAndReschedule);
  }

  return async () => {
    cancel();
    await working;
    // Also for an office that is on for minutes a day.
    await slewedClock
      .advance()
      .catch((error: unknown) => log.error({ err: error }, 'how far time has passed could not be noted'));
  };
}
