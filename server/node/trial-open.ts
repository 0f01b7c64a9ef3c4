import { pino } from 'pino';
import type { Clock } from '../base/clock.ts';
import { CountsUpdate } from '../lists/rows/row-counts.ts';
import { countRows, listPartition } from '../lists/rows/row-table.ts';
import { openParts, type Parts } from './parts.ts';
import type { NodeStorage } from './storage/storage.ts';

/** Such a timestamp sorts before all others. */
const isAfterYear9999 = (time: string): boolean => time.startsWith('+');

/**
 * Reads views and all rows, deleted ones too, as the window does, and advances the logical clock. Throws if the list is
 * unusable.
 */
async function tryOpenList(
  { lists, views, store }: Pick<Parts, 'lists' | 'views' | 'store'>,
  moduleID: string,
): Promise<void> {
  const rows = await lists.rows(moduleID);
  const update = new CountsUpdate(await rows.counts());
  update.counts();
  // A later time may fail.
  if (isAfterYear9999(await rows.advanceClock())) throw new Error('The time of a list is behind all times.');
  await views.get(moduleID);
  let left = await countRows(await store.partition(listPartition(moduleID)), 0);
  for await (const page of rows.scan({ deleted: 1 }))
    for (const row of page) {
      // Another id than its key would make readers repeat endlessly.
      if (--left < 0) throw new Error('Rows of a list are not who they say that they are.');
      Object.entries(row.values);
      update.countChange(undefined, row);
    }
}

/**
 * Opens all partitions like a start, without listeners and calls to partners, reads all lists, and closes everything.
 * Throws if a start, or the use of a list, would fail.
 */
export async function tryOpenStore(storage: NodeStorage, clock: Clock): Promise<void> {
  await withOpenParts(storage, clock, async ({ lists, views, store }) => {
    for (const { moduleID } of await lists.modules()) await tryOpenList({ lists, views, store }, moduleID);
  });
}

/** Does what a start does, such as migrations, and closes the store. Throws like a start. */
export const openOnce = (storage: NodeStorage, clock: Clock): Promise<void> =>
  withOpenParts(storage, clock, () => Promise.resolve());

/** Opens all services without network, runs `use`, then opens each partition once; closes all in any case. */
async function withOpenParts(
  storage: NodeStorage,
  clock: Clock,
  use: (parts: Parts) => Promise<void>,
): Promise<void> {
  const nothing = (): void => undefined;
  const parts = await openParts({
    storage,
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
  const { store, system, timers } = parts;
  try {
    await use(parts);
    for (const name of await store.partitions()) {
      await store.partition(name);
      if (name !== system.name) await store.release(name);
    }
  } finally {
    timers.end();
    await store.close();
  }
}
