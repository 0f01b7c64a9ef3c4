import { withStoreErrors } from '../files/disk-steps.ts';
import type { Announcement, Lock } from '../files/lock.ts';
import { writeBackup } from '../recovery/backup.ts';
import type { LogPositions } from '../recovery/withdrawals/revocation-log.ts';
import { StoreError, type Store, type StoreNotice } from '../store.ts';
import { OpenPartitions, type PartitionsPlace } from './open-partitions.ts';
import type { StoreWriter } from './store-writer.ts';

/** The store on this computer's disk. */
export interface DiskStore extends Store, LogPositions {
  /** Publishes how other commands on this computer reach the running node; see `readLock`. */
  announce(info: Announcement): Promise<void>;
  /** Compacts a partition's journal now, whatever its size. */
  compact(partition: string): Promise<void>;
}

/** The surroundings of the store beside its folder. */
export interface DiskStorePlace extends PartitionsPlace {
  readonly dataDir: string;
  readonly lock: Lock;
  readonly notices: readonly StoreNotice[];
}

/** Returns the store of a locked data folder. After `close`, its partitions reject with StoreError `closed`. */
export function createDiskStore(place: DiskStorePlace): DiskStore {
  const { dataDir, lock, manifest, marks, notices, writability } = place;
  let closing: Promise<void> | undefined;
  const check = (): void => {
    if (closing) throw new StoreError('closed', 'The store has been closed.');
  };
  /** Runs `work`; rejects with StoreError `closed` once the store is closing. */
  const whileOpen = async <R>(work: () => R | Promise<R>): Promise<R> => {
    check();
    return work();
  };
  const partitions = new OpenPartitions(place, check);

  return {
    dataDir,
    announce: (info) => whileOpen(() => lock.announce(info)),
    compact: (name) => whileOpen(() => withStoreErrors(() => partitions.compact(name))),
    partition: (name) => whileOpen(() => partitions.get(name)),
    isUnreadable: async (name) =>
      manifest.has(name) ? whileOpen(() => partitions.isUnreadable(name)) : false,
    salvage: async (name, table) =>
      manifest.has(name)
        ? whileOpen(() => withStoreErrors(() => partitions.salvage(name, table)))
        : undefined,
    partitions: () => whileOpen(() => manifest.names()),
    release: (name) => whileOpen(() => withStoreErrors(() => partitions.release(name))),
    drop: (name) => whileOpen(() => partitions.drop(name)),
    revocationPosition: () => marks.revocationPosition(),
    advanceRevocationPosition: (reach) => marks.advanceRevocationPosition(reach),
    notices: () => notices,
    unwritable: () => writability.now(),
    /**
     * Writes all readable partitions into one backup file, each as of one moment. @param number the number in an
     * automatic backup's header, by which backups are ordered
     */
    backup(file, number = 0) {
      /** Appends a partition to the backup. Returns the number of its entries, 0 if it can't be read. */
      const write = async (name: string, writer: StoreWriter): Promise<number> => {
        const view = await partitions.viewForBackup(name);
        if (!view) return 0;
        await writer.control({ partition: name, last: view.last });
        await writer.entries(view);
        return view.entries;
      };
      const isOver = (): boolean => closing !== undefined;
      return whileOpen(() => writeBackup(place, { file, number }, manifest.names(), write, isOver));
    },
    /**
     * Closes all partitions and releases the lock. If a partition fails, the others are closed first, then the first
     * error is thrown.
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
