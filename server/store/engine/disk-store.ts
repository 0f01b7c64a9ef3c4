import { Low } from 'lowdb';
import { join } from 'node:path';
import { writeBackup } from '../recovery/backup.ts';
import { asStoreError, inStoreTerms } from '../files/disk-steps.ts';
import { PARTITION_NAME } from '../files/format.ts';
import { createJournalAdapter, createPartitionData, type JournalAdapter } from './journal-adapter.ts';
import type { Announcement, Lock } from '../files/lock.ts';
import type { Manifest } from './manifest.ts';
import { createPartition, type OpenPartition } from './partition.ts';
import { createUnreadablePartition } from './unreadable-partition.ts';
import { dropPartition, makePartition } from './partition-folders.ts';
import { readUnused } from '../recovery/newest-chain.ts';
import type { PartitionState } from './partition-state.ts';
import type { StorePlace } from '../files/place.ts';
import type { NotedReach } from '../recovery/withdrawals/withdrawals.ts';
import { takeConsistentView, type ConsistentView } from './store-writer.ts';
import { StoreError, type Partition, type Store, type StoreNotice } from '../store.ts';
import { said } from '../../words/said.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

/** The store on this computer's disk. */
export interface DiskStore extends Store, NotedReach {
  /** Tells other commands on this computer how to reach the running node; they read it with `readLock`. */
  announce(info: Announcement): Promise<void>;
  /** Turns a partition's journal into a snapshot now instead of when it has grown. */
  compact(partition: string): Promise<void>;
}

interface Loaded {
  readonly adapter: JournalAdapter;
  readonly partition: OpenPartition;
  /** What is durable, at a moment at which no transaction is half taken over. */
  view(): Promise<ConsistentView>;
}

/** What the store needs beside its place. */
export interface DiskStorePlace extends StorePlace {
  readonly dataDir: string;
  readonly lock: Lock;
  readonly manifest: Manifest;
  readonly notices: readonly StoreNotice[];
  /** Whether the rest goes on where nothing of this partition can be read. */
  readonly goesOnWithout: (partition: string) => boolean;
}

/** The store over a data folder that is locked and tidied. */
export function createDiskStore(place: DiskStorePlace): DiskStore {
  const { disk, clock, folder, dataDir, lock, manifest, notices } = place;
  const loaded = new Map<string, Promise<Loaded>>();
  const beingRead = new Map<string, Promise<PartitionState | undefined>>();
  /** Whoever wants one of these waits: its files are for one at a time. */
  const beingShut = new Map<string, Promise<void>>();
  const beingDropped = new Set<string>();
  let closing: Promise<void> | undefined;
  const compacting = createMutex();
  /** Partitions of which nothing can be read, as their files are at this start. */
  const unreadable = new Map<string, Partition>();

  const check = (): void => {
    if (closing) throw new StoreError('closed', 'The store has been closed.');
  };

  const load = async (name: string): Promise<Loaded> => {
    check();
    await beingRead.get(name)?.catch(() => undefined);
    await beingShut.get(name)?.catch(() => undefined);
    await makePartition(place, manifest, name).catch((error: unknown) => {
      place.writability.failed(asStoreError(error));
      throw error;
    });
    const adapter = createJournalAdapter({
      ...place,
      folder: join(folder, name),
      partition: name,
      mark: place.marks.of(name),
      round: () => place.marks.round(),
      reached: (mark) => place.marks.reached(name, mark),
      notice: (code, file, message) => place.notice(code, file, message, name),
      fromBackups: () => place.fromBackups(name),
      oneAtATime: compacting,
    });
    const low = new Low(adapter, createPartitionData());
    await low.read();
    const view = async (): Promise<ConsistentView> => {
      while (low.data.applying) await low.data.applying;
      return takeConsistentView(name, low.data.state);
    };
    return { adapter, view, partition: createPartition(name, low) };
  };
  const goOnWithout = (name: string, error: unknown): Partition => {
    const isDamaged = error instanceof StoreError && error.code === 'damaged';
    if (!isDamaged || !place.goesOnWithout(name)) throw error;
    const known = unreadable.get(name);
    if (known) return known;
    const last = place.marks.of(name)?.last;
    const words = last ? said('store.unreadable-of', { n: last }) : said('store.unreadable');
    place.notice('unreadable', join(folder, name), words, name);
    const standIn = createUnreadablePartition(name, error);
    unreadable.set(name, standIn);
    return standIn;
  };
  const partitionOf = async (name: string): Promise<Partition> => {
    const standIn = unreadable.get(name);
    if (standIn) return standIn;
    try {
      return (await use(name)).partition;
    } catch (error) {
      return goOnWithout(name, error);
    }
  };
  const use = (name: string): Promise<Loaded> => {
    if (!PARTITION_NAME.test(name)) throw new TypeError(`"${name}" cannot be the name of a partition.`);
    const known = loaded.get(name);
    if (known) return known;
    // Half of its files are gone already: to whoever reads it now it would look damaged.
    if (beingDropped.has(name)) throw new StoreError('closed', 'This part of the store is being removed.');
    const loading = inStoreTerms(() => load(name));
    loaded.set(name, loading);
    loading.catch(() => loaded.delete(name));
    return loading;
  };
  /** A partition that nobody uses is read for the moment only, so that a backup does not load the whole store. */
  const viewForBackup = async (name: string): Promise<ConsistentView | undefined> => {
    await beingShut.get(name)?.catch(() => undefined);
    if (!manifest.has(name)) return undefined;
    const known = loaded.get(name);
    if (known) return (await known).view();
    const reading =
      beingRead.get(name) ??
      readUnused({ ...place, folder: join(folder, name), partition: name, mark: place.marks.of(name) });
    beingRead.set(name, reading);
    const state = await reading.finally(() => beingRead.delete(name));
    if (state) return takeConsistentView(name, state);
    try {
      return await (await use(name)).view();
    } catch (error) {
      goOnWithout(name, error);
      return undefined;
    }
  };
  const shut = async ({ partition, adapter }: Loaded): Promise<void> => {
    await partition.finish();
    await adapter.close();
  };
  const release = async (name: string): Promise<void> => {
    const known = loaded.get(name);
    if (!known) return beingShut.get(name);
    loaded.delete(name);
    const shutting = known.then(shut).finally(() => beingShut.delete(name));
    beingShut.set(name, shutting);
    await shutting;
  };
  const whileOpen = async <R>(work: () => R | Promise<R>): Promise<R> => {
    check();
    return work();
  };

  return {
    dataDir,
    announce: (info) => whileOpen(() => lock.announce(info)),
    compact: (name) => whileOpen(() => inStoreTerms(async () => (await use(name)).adapter.compact())),
    partition: (name) => whileOpen(() => partitionOf(name)),
    isUnreadable: async (name) =>
      manifest.has(name) ? (await whileOpen(() => partitionOf(name))) === unreadable.get(name) : false,
    partitions: () => whileOpen(() => manifest.names()),
    release: (name) => whileOpen(() => inStoreTerms(() => release(name))),
    drop: (name) =>
      whileOpen(async () => {
        const known = loaded.get(name);
        beingDropped.add(name);
        loaded.delete(name);
        try {
          const open = await known?.catch(() => undefined);
          await beingRead.get(name)?.catch(() => undefined);
          await beingShut.get(name)?.catch(() => undefined);
          await inStoreTerms(async () => {
            if (open) await shut(open);
            await place.marks.forget(name);
            await dropPartition(place, manifest, name);
            unreadable.delete(name);
          });
        } finally {
          beingDropped.delete(name);
        }
      }),
    withdrawnReach: () => place.marks.withdrawnReach(),
    withdrawnReached: (reach) => place.marks.withdrawnReached(reach),
    notices: () => notices,
    unwritable: () => place.writability.now(),
    backup: (file, number = 0) =>
      whileOpen(() =>
        writeBackup(
          { disk, clock },
          { file, number },
          manifest.names(),
          viewForBackup,
          () => closing !== undefined,
        ),
      ),
    close() {
      closing ??= inStoreTerms(async () => {
        await place.writability.close();
        await Promise.allSettled(beingShut.values());
        const all = await Promise.allSettled(loaded.values());
        const shutDown = await Promise.allSettled(
          all.flatMap((one) => (one.status === 'fulfilled' ? [shut(one.value)] : [])),
        );
        await place.marks.close();
        await lock.release();
        for (const one of shutDown) if (one.status === 'rejected') throw one.reason;
      });
      return closing;
    },
  };
}
