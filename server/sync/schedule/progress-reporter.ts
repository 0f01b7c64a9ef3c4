import { createMutex } from '../../base/concurrency/mutex.ts';
import type { FootbridgeCalls, SyncReport } from '../../peer/dialects/footbridge.ts';

/** Reports our progress with its lists to another Footbridge, until it has received it. */
export interface ProgressReporter {
  /** Sends news, one report after the other; a lost one stays pending. */
  send(calls: Pick<FootbridgeCalls, 'standing'> | undefined): Promise<void>;
  /** The partner may have forgotten earlier reports. */
  forget(): void;
}

/** Creates a reporter that sends a report only if it differs from the last acknowledged one. */
export function createProgressReporter(report: () => Promise<SyncReport>): ProgressReporter {
  /** The last report that the partner acknowledged. */
  let heard: string | undefined;
  /** Generation of its memory: a report sent before it may have forgotten doesn't count. */
  let lives = 0;
  const inTurn = createMutex();

  /** Sends the present report if it is news. Never rejects for a lost report: the next call sends it again. */
  async function send(calls: Pick<FootbridgeCalls, 'standing'>): Promise<void> {
    const news = await report();
    const text = JSON.stringify(news);
    if (text === heard) return;
    heard = undefined;
    const life = lives;
    await calls.standing(news).then(
      () => {
        if (life === lives) heard = text;
      },
      () => undefined,
    );
  }

  return {
    /** Sends the present report if it is news, after a running one; does nothing without `calls`. */
    send(calls) {
      if (!calls) return Promise.resolve();
      // A later arriving older report would replace the newer one.
      return inTurn(() => send(calls));
    },
    /**
     * Makes the next report count as news, even if one is being sent now: the partner may have forgotten earlier
     * ones.
     */
    forget() {
      lives++;
      heard = undefined;
    },
  };
}
