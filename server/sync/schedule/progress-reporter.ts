import { createMutex } from '../../base/concurrency/mutex.ts';
import type { FootbridgeCalls, SyncReport } from '../../peer/dialects/footbridge.ts';

/** Tells another Footbridge how far we have come with what it shares, until it has heard it. */
export interface ProgressReporter {
  /** Tells it what is news to it, one report after the other; what does not arrive is owed. */
  send(calls: Pick<FootbridgeCalls, 'standing'> | undefined): Promise<void>;
  /** The partner may have forgotten what it was told. */
  forget(): void;
}

export function createProgressReporter(report: () => Promise<SyncReport>): ProgressReporter {
  /** What the partner is known to have heard last. */
  let heard: string | undefined;
  /** How often it may have forgotten: what was on its way then counts as not heard. */
  let lives = 0;
  const inTurn = createMutex();

  async function told(calls: Pick<FootbridgeCalls, 'standing'>): Promise<void> {
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
      // An older report that comes later would stand for the newer one.
      return inTurn(() => told(calls));
    },
    forget() {
      lives++;
      heard = undefined;
    },
  };
}
