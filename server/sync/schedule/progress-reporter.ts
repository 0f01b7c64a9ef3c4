import { createMutex } from '../../base/concurrency/mutex.ts';
import type { FootbridgeCalls, SyncReport } from '../../peer/dialects/footbridge.ts';

export interface ProgressReporter {
  /**
   * Sends the present report, after a running one, if it differs from the last that arrived. A no-op without
   * `calls`; ignores failed calls, and rejects only if no report can be made.
   */
  send(calls: Pick<FootbridgeCalls, 'reportProgress'> | undefined): Promise<void>;
  /** Makes the next report news: the partner may have forgotten earlier ones. */
  forgetReported(): void;
}

/**
 * Creates the sender of reports that `report` makes: one at a time, only if it differs from the last that arrived.
 * Failed calls are ignored; a failing `report` rejects.
 */
export function createProgressReporter(report: () => Promise<SyncReport>): ProgressReporter {
  /** Last acknowledged report. */
  let heard: string | undefined;
  /** Counts `forgetReported` calls: reports sent before don't count as heard. */
  let generation = 0;
  const inTurn = createMutex();

  /**
   * Makes a report and sends it unless it equals the last that arrived. Ignores a failed call, after which the next
   * report is sent in any case.
   */
  async function sendIfChanged(calls: Pick<FootbridgeCalls, 'reportProgress'>): Promise<void> {
    const news = await report();
    const text = JSON.stringify(news);
    if (text === heard) return;
    heard = undefined;
    const life = generation;
    await calls.reportProgress(news).then(
      () => {
        if (life === generation) heard = text;
      },
      () => undefined,
    );
  }

  return {
    /** Sends a changed report after an earlier sending; a no-op for other software. */
    send(calls) {
      if (!calls) return Promise.resolve();
      // A late older report would replace the newer one.
      return inTurn(() => sendIfChanged(calls));
    },
    /** Makes the next report news; an earlier one still under way doesn't count as heard. */
    forgetReported() {
      generation++;
      heard = undefined;
    },
  };
}
