import { pino } from 'pino';
import type { Clock } from '../base/clock.ts';
import { Tally } from '../lists/rows/tally.ts';
import { countRows, listPartition } from '../lists/rows/row-table.ts';
import { openParts, type Parts } from './parts.ts';
import type { NodeStorage } from './storage/storage.ts';

/** Behind the year 9999, which is written with a sign. */
const isBehindAll = (time: string): boolean => time.startsWith('+');

/** Reads what a list holds as the window does, and writes into it. */
async function tryList(
  { lists, views, store }: Pick<Parts, 'lists' | 'views' | 'store'>,
  moduleID: string,
): Promise<void> {
  const rows = await lists.rows(moduleID);
  const tally = new Tally(await rows.counts());
  tally.counts();
  // A line may be drawn still, and one of the next ones not any more.
  if (isBehindAll(await rows.drawLine())) throw new Error('The time of a list is behind all times.');
  await views.of(moduleID);
  let left = await countRows(await store.partition(listPartition(moduleID)), 0);
  for await (const page of rows.scan({ deleted: 1 }))
    for (const row of page) {
      // One that says another id than it is kept under has all behind that read again, without end.
      if (--left < 0) throw new Error('Rows of a list are not who they say that they are.');
      Object.entries(row.values);
      tally.change(undefined, row);
    }
}

/**
 * Opens all that lies there as a start does, but for the listeners and the calls to partners, each part of it, and closes it
 * again. Throws what a start would, or the use of a list.
 */
export async function tryOut(storage: NodeStorage, clock: Clock): Promise<void> {
  await opened(storage, clock, async ({ lists, views, store }) => {
    for (const { moduleID } of await lists.modules()) await tryList({ lists, views, store }, moduleID);
  });
}

/** Sees to all that a start sees to, so that what is there can be taken as it lies. Throws what a start would. */
export const settle = (storage: NodeStorage, clock: Clock): Promise<void> =>
  opened(storage, clock, () => Promise.resolve());

async function opened(
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
