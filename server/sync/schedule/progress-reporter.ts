import { createMutex } from '../../base/concurrency/mutex.ts';
import type { FootbridgeCalls, SyncReport } from '../../peer/dialects/footbridge.ts';

export interface ProgressReporter {
  /**
   * Sends the present report, after a running one, if it differs from the last that arrived. A no-op without `calls`;
   * ignores a failed call, and rejects only if the report can't be made.
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
  /** The last report the partner acknowledged. */
  let heard: string | undefined;
  /** Counted up by `forgetReported`: a report sent before doesn't count as heard. */
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
      // An older report that arrives later would replace the newer one.
      return inTurn(() => sendIfChanged(calls));
    },
    /** Makes the next report news; an earlier one still under way doesn't count as heard. */
    forgetReported() {
      generation++;
      heard = undefined;
    },
  };
}
