import { withStoreErrors } from '../files/disk-steps.ts';
import type { Announcement, Lock } from '../files/lock.ts';
import { writeBackup } from '../recovery/backup.ts';
import type { LogPositions } from '../recovery/withdrawals/revocation-log.ts';
import { StoreError, type Store, type StoreNotice } from '../store.ts';
import { OpenPartitions, type PartitionsPlace } from './open-partitions.ts';
import type { StoreWriter } from './store-writer.ts';

export interface DiskStore extends Store, LogPositions {
  /** Publishes the running node's addresses, for local commands, in the lock. */
  announce(info: Announcement): Promise<void>;
  /** Compacts a journal of any size. */
  compact(partition: string): Promise<void>;
}

export interface DiskStorePlace extends PartitionsPlace {
  readonly dataDir: string;
  readonly lock: Lock;
  readonly notices: readonly StoreNotice[];
}

/** Returns a locked data folder's store. After `close`, work on partitions rejects with StoreError `closed`. */
export function createDiskStore(place: DiskStorePlace): DiskStore {
  const { dataDir, lock, manifest, marks, notices, writability } = place;
  let closing: Promise<void> | undefined;
  /** Throws StoreError `closed` after `close`. */
  const throwIfClosed = (): void => {
    if (closing) throw new StoreError('closed', 'The store has been closed.');
  };
  /** Runs `work`; rejects with StoreError `closed` after `close`. */
  const whileOpen = async <R>(work: () => R | Promise<R>): Promise<R> => {
    throwIfClosed();
    return work();
  };
  const partitions = new OpenPartitions(place, throwIfClosed);

  return {
    dataDir,
    announce: (info) => whileOpen(() => lock.announce(info)),
    compact: (name) => whileOpen(() => withStoreErrors(() => partitions.compact(name))),
    partition: (name) => whileOpen(() => partitions.get(name)),
    isUnreadable: async (name) =>
      manifest.has(name) ? whileOpen(() => partitions.isUnreadable(name)) : false,
    salvage: async (name, table, isNewer) =>
      manifest.has(name)
        ? whileOpen(() => withStoreErrors(() => partitions.salvage(name, table, isNewer)))
        : undefined,
    partitions: () => whileOpen(() => manifest.names()),
    release: (name) => whileOpen(() => withStoreErrors(() => partitions.release(name))),
    drop: (name) => whileOpen(() => partitions.drop(name)),
    revocationPosition: () => marks.revocationPosition(),
    advanceRevocationPosition: (reach) => marks.advanceRevocationPosition(reach),
    notices: () => notices,
    unwritable: () => writability.now(),
    /**
     * Writes all partitions but unreadable ones, each as of one moment, into `file`; `number` orders automatic backups.
     * Throws StoreError `closed` if the store is closed meanwhile.
     */
    backup(file, number = 0) {
      /** Writes a partition's entries, and returns their number; 0 for an unreadable or missing partition. */
      const appendPartition = async (name: string, writer: StoreWriter): Promise<number> => {
        const view = await partitions.viewForBackup(name);
        if (!view) return 0;
        await writer.control({ partition: name, last: view.last });
        await writer.appendEntries(view);
        return view.entries;
      };
      const isOver = (): boolean => closing !== undefined;
      return whileOpen(() => writeBackup(place, { file, number }, manifest.names(), appendPartition, isOver));
    },
    /**
     * Closes all partitions, releases the lock, then throws the first partition's error. Further calls get the same
     * result.
     */
    close() {
      closing ??= withStoreErrors(async () => {
        await writability.close();
        const all = await partitions.closeAll();
        await marks.close();
        await lock.release();
        for (const one of all) if (one.status === 'rejected') throw one.reason;
      });
      return closing;
    },
  };
}
