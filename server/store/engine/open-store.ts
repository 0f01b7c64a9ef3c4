import { join } from 'node:path';
import { readNewestBackup, findNewestBackup } from '../recovery/backups.ts';
import type { Clock } from '../../base/clock.ts';
import { systemDisk, type Disk } from '../files/disk.ts';
import { withStoreErrors, makeDataFolder, removeIfExists } from '../files/disk-steps.ts';
import { createDiskStore, type DiskStore } from './disk-store.ts';
import { takeLock } from '../files/lock.ts';
import { throwIfMovedAway } from '../moving/folder-mark.ts';
import { checkAllPartitions } from '../recovery/quick-check-all.ts';
import { openManifest, type Manifest } from './manifest.ts';
import { readMarks } from '../recovery/high-water-marks-file.ts';
import { MIGRATIONS, type Migrations } from './migrations.ts';
import { makeStoreFolder, RESTORED, STORE_FOLDER } from './partition-folders.ts';
import type { Surroundings } from '../files/store-location.ts';
import { replaceStoreByBackup } from '../recovery/restore-backup.ts';
import { hasMarkers } from '../files/data-folder.ts';
import { StoreError, type StoreNotice } from '../store.ts';
import { createDiskHealth } from '../files/disk-health.ts';
import { english, said } from '../../words/said.ts';

export type { DiskStore };

export interface StoreLog {
  warn(details: object, message: string): void;
}

export interface StoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log?: StoreLog;
  readonly disk?: Disk;
  readonly limits?: StoreLimits;
  /** Returns whether the partition is dispensable at opening. Default: no. */
  readonly goesOnWithout?: (partition: string) => boolean;
  readonly migrations?: Migrations;
  /** Called when writes start or stop being refused. */
  readonly onWritability?: () => void;
}

export interface StoreLimits {
  /** Bytes below which journals aren't compacted. Default 4 MiB. */
  readonly compactFloor?: number;
}

export const DEFAULT_COMPACT_FLOOR_BYTES = 4 * 1024 * 1024;

/**
 * Locks a data folder and opens its store. Creates a missing store, restores a lost one from the newest good backup,
 * and repairs damage, with notices. Throws StoreError: `locked`, `damaged`, `newer-version`, `foreign`, `permission`,
 * `full` or `io`.
 */
export async function openStore(options: StoreOptions): Promise<DiskStore> {
  const { dataDir, clock, log, disk = systemDisk, limits = {}, migrations = MIGRATIONS } = options;
  const folder = join(dataDir, STORE_FOLDER);
  const notices: StoreNotice[] = [];
  const place: Surroundings = {
    disk,
    clock,
    folder,
    migrations,
    compactFloor: limits.compactFloor ?? DEFAULT_COMPACT_FLOOR_BYTES,
    /** Adds a notice with the present time, its message in English, and logs it as a warning. */
    notice(code, file, words, partition) {
      const message = english(words);
      const at = new Date(clock.now()).toISOString();
      const about = partition === undefined ? {} : { partition };
      notices.push({ at, code, message, said: words, file, ...about });
      log?.warn({ code, file }, message);
    },
    failed: (error, doing) => log?.warn({ err: error }, `The store could not ${doing}.`),
    fromBackups: (name) => readNewestBackup(dataDir, disk, name),
  };
  await makeDataFolder(disk, dataDir);
  const lock = await withStoreErrors(() => takeLock(dataDir));
  try {
    return await withStoreErrors(async () => {
      await throwIfMovedAway(dataDir);
      if (lock.wasStale) {
        place.notice('stale-lock', dataDir, said('store.not-closed'));
      }
      await createOrRestoreFolder(place, dataDir);
      const noted = await readMarks(disk, folder);
      const manifest = await openManifest(place, noted, (file) =>
        place.notice('damaged-put-aside', file, said('store.parts-made-anew')),
      );
      const { marks, pressing } = await checkAllPartitions(place, manifest.names(), noted);
      const writability = createDiskHealth(place, options.onWritability ?? (() => undefined));
      const store = createDiskStore({
        ...{ ...place, marks, writability, dataDir, lock, manifest, notices },
        goesOnWithout: options.goesOnWithout ?? (() => false),
      });
      try {
        for (const name of pressing) await store.partition(name);
        await reportStrayFiles(place, store, manifest);
        await removeIfExists(disk, join(folder, RESTORED));
      } catch (error) {
        await store.close();
        throw error;
      }
      return store;
    });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Adds a notice for each folder that is no partition, unless it belongs to an unreadable one. */
async function reportStrayFiles(
  { folder, notice }: Surroundings,
  store: DiskStore,
  manifest: Manifest,
): Promise<void> {
  for (const { name, of } of manifest.strays) {
    if (of !== undefined && manifest.has(of) && (await store.isUnreadable(of))) continue;
    notice('left-alone', join(folder, name), said('store.stray', { folder: name }));
  }
}

/**
 * Creates the store's folder or completes a restore. Fills a new or emptied store with the newest good backup, if any;
 * throws StoreError `damaged` without one if markers of a lost store remain. Adds a notice after either restore.
 */
async function createOrRestoreFolder(place: Surroundings, dataDir: string): Promise<void> {
  const { isNew, isRestored } = await makeStoreFolder(place, dataDir);
  if (isRestored) place.notice('restored-from-backup', place.folder, said('store.restore-finished'));
  if (!isNew) return;
  const backup = await findNewestBackup(dataDir, place.disk);
  if (!backup) {
    if (hasMarkers(dataDir)) throw new StoreError('damaged', said('store.missing', { folder: dataDir }));
    return;
  }
  await replaceStoreByBackup(place, dataDir, backup);
  place.notice('restored-from-backup', place.folder, said('store.data-vanished'));
}
