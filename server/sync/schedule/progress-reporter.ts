import { createMutex } from '../../base/concurrency/mutex.ts';
import type { FootbridgeCalls, SyncReport } from '../../peer/dialects/footbridge.ts';

/** Reports our progress with its lists to another Footbridge, until it has received it. */
export interface ProgressReporter {
  /** Sends news, one report after the other; a lost one stays pending. */
  send(calls: Pick<FootbridgeCalls, 'standing'> | undefined): Promise<void>;
  /** The partner may have forgotten earlier reports. */
  forget(): void;
}

export function createProgressReporter(report: () => Promise<SyncReport>): ProgressReporter {
  /** The last report that the partner acknowledged. */
  let heard: string | undefined;
  /** Generation of its memory: a report sent before it may have forgotten doesn't count. */
  let lives = 0;
  const inTurn = createMutex();

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
    send(calls) {
      if (!calls) return Promise.resolve();
      // A later arriving older report would replace the newer one.
      return inTurn(() => send(calls));
    },
    forget() {
      lives++;
      heard = undefined;
    },
  };
}
