import { createMutex } from '../../base/concurrency/mutex.ts';
import type { FootbridgeCalls, SyncReport } from '../../peer/dialects/footbridge.ts';

/** Reports our progress with its lists to another Footbridge, until it has received it. */
export interface ProgressReporter {
  /** Sends a changed report; without `calls` does nothing. */
  send(calls: Pick<FootbridgeCalls, 'reportProgress'> | undefined): Promise<void>;
  /** The partner may have forgotten earlier reports. */
  forget(): void;
}

/** Creates a reporter that sends our progress report to a partner only if it differs from the last one that arrived. */
export function createProgressReporter(report: () => Promise<SyncReport>): ProgressReporter {
  /** The last report that the partner acknowledged. */
  let heard: string | undefined;
  /** Counts {@link forget}: a report sent before doesn't count as heard. */
  let lives = 0;
  const inTurn = createMutex();

  /** Sends the present report if it differs. A report that was lost is sent again by the next call. */
  async function send(calls: Pick<FootbridgeCalls, 'reportProgress'>): Promise<void> {
    const news = await report();
    const text = JSON.stringify(news);
    if (text === heard) return;
    heard = undefined;
    const life = lives;
    await calls.reportProgress(news).then(
      () => {
        if (life === lives) heard = text;
      },
      () => undefined,
    );
  }

  return {
    /** Sends the present report if it is news, after a running one. Rejects only if it can't be made. */
    send(calls) {
      if (!calls) return Promise.resolve();
      // An older report that arrives later would replace the newer one.
      return inTurn(() => send(calls));
    },
    /** Makes the next report count as news, even if one is being sent now. */
    forget() {
      lives++;
      heard = undefined;
    },
  };
}
