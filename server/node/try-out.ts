import { pino } from 'pino';
import type { Clock } from '../base/clock.ts';
import { openParts } from './parts.ts';

/**
 * Opens a data folder as a start does, but for the listeners and the calls to partners, each part of it, and closes it
 * again. Throws what a start would.
 */
export async function tryOut(dataDir: string, clock: Clock): Promise<void> {
  const nothing = (): void => undefined;
  const { store, system, timers } = await openParts({
    dataDir,
    clock,
    log: pino({ level: 'silent' }),
    seed: {},
    allowLoopbackPartners: false,
    interval: () => Infinity,
    ownAddress: () => ({ listener: '' }),
    ownPorts: () => [],
    events: {
      federation: nothing,
      lists: nothing,
      listFile: nothing,
      views: nothing,
      settings: nothing,
      stranger: nothing,
      served: nothing,
      onStatus: nothing,
      onProgress: nothing,
      onActivity: nothing,
    },
  });
  try {
    for (const name of await store.partitions()) {
      await store.partition(name);
      if (name !== system.name) await store.release(name);
    }
  } finally {
    timers.end();
    await store.close();
  }
}
