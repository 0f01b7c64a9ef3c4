import { toStoreError } from '../files/disk-steps.ts';
import type { Announcement, Lock } from '../files/lock.ts';
import { writeBackup } from '../recovery/backup.ts';
import type { LogPositions } from '../recovery/withdrawals/revocation-log.ts';
import { StoreError, type Store, type StoreNotice } from '../store.ts';
import { OpenPartitions, type PartitionsPlace } from './open-partitions.ts';
import type { StoreWriter } from './store-writer.ts';

/** The store on this computer's disk. */
export interface DiskStore extends Store, LogPositions {
  /** Publishes how other commands on this computer reach the running node; they read it with `readLock`. */
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

/** Returns the store of a data folder that is locked and tidied. */
export function createDiskStore(place: DiskStorePlace): DiskStore {
  const { dataDir, lock, manifest, marks, notices, writability } = place;
  let closing: Promise<void> | undefined;
  const check = (): void => {
    if (closing) throw new StoreError('closed', 'The store has been closed.');
  };
  const whileOpen = async <R>(work: () => R | Promise<R>): Promise<R> => {
    check();
    return work();
  };
  const partitions = new OpenPartitions(place, check);

  return {
    dataDir,
    announce: (info) => whileOpen(() => lock.announce(info)),
    compact: (name) => whileOpen(() => toStoreError(() => partitions.compact(name))),
    partition: (name) => whileOpen(() => partitions.of(name)),
    isUnreadable: async (name) =>
      manifest.has(name) ? whileOpen(() => partitions.isUnreadable(name)) : false,
    salvage: async (name, table) =>
      manifest.has(name) ? whileOpen(() => toStoreError(() => partitions.salvage(name, table))) : undefined,
    partitions: () => whileOpen(() => manifest.names()),
    release: (name) => whileOpen(() => toStoreError(() => partitions.release(name))),
    drop: (name) => whileOpen(() => partitions.drop(name)),
    revocationPosition: () => marks.revocationPosition(),
    advanceRevocationPosition: (reach) => marks.advanceRevocationPosition(reach),
    notices: () => notices,
    unwritable: () => writability.now(),
    backup(file, number = 0) {
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
    close() {
      closing ??= toStoreError(async () => {
        await writability.close();
        const all = await partitions.shutAll();
        await marks.close();
        await lock.release();
        for (const one of all) if (one.status === 'rejected') throw one.reason;
      });
      return closing;
    },
  };
}
