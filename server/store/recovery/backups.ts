import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { systemDisk, type Disk } from '../files/disk.ts';
import { withStoreErrors, listIfExists, removeIfExists } from '../files/disk-steps.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { readHeader } from '../files/reader.ts';
import { checkBackup, readPartitionFromBackup, type CheckedBackup } from './read-backup.ts';
import { StoreError, type Store } from '../store.ts';
import { said } from '../../words/said.ts';

const FOLDER = 'backups';
const FILE_NAME = /^footbridge-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
/** A backup must leave so much free. */
const SPARE_BYTES = 256 * 1024 * 1024;

export interface BackupRules {
  /** Between backups. Default: a day. */
  readonly everyMs?: number;
  /** Default: 7. */
  readonly keep?: number;
  /** Number of a separate backup: neither counted nor delaying the next. */
  readonly apart?: number;
  /** Replaces only the separate one. */
  readonly replacesApart?: boolean;
}

export interface AutomaticBackup {
  readonly file: string;
  /** Milliseconds, by the clock of that time. */
  readonly at: number;
  /** Above all earlier ones; 0 if unreadable or from before numbering. */
  readonly number: number;
}

/** Returns a folder's automatic backups, newest first by number, as the clock may have been ahead. */
export async function listBackups(dataDir: string, disk: Disk = systemDisk): Promise<AutomaticBackup[]> {
  const found: AutomaticBackup[] = [];
  for (const name of await listIfExists(disk, join(dataDir, FOLDER))) {
    const [, day, hours, minutes, seconds] = FILE_NAME.exec(name) ?? [];
    const at = Date.parse(`${day ?? ''}T${hours ?? ''}:${minutes ?? ''}:${seconds ?? ''}Z`);
    const file = join(dataDir, FOLDER, name);
    if (!Number.isNaN(at)) found.push({ file, at, number: await readNumber(disk, file) });
  }
  return found.sort((a, b) => b.number - a.number || b.at - a.at);
}

/** Returns a backup's number by its header; 0 if unreadable. */
async function readNumber(disk: Disk, file: string): Promise<number> {
  try {
    return (await readHeader(disk, file))?.after ?? 0;
  } catch {
    return 0;
  }
}

/**
 * Writes an automatic backup unless the newest but `apart` is younger than `everyMs` and not from the future; deletes
 * the oldest beyond `keep` (retention), or the one it replaces. Returns the new path, if one was due. Throws
 * StoreError, `full` if too little space would be left for the store.
 */
export async function backUpWhenDue(
  store: Store,
  clock: Clock,
  { everyMs = 24 * 3600 * 1000, keep = 7, apart, replacesApart = false }: BackupRules = {},
  disk: Disk = systemDisk,
): Promise<string | undefined> {
  return withStoreErrors(async () => {
    const folder = join(store.dataDir, FOLDER);
    const all = await listBackups(store.dataDir, disk);
    const before = all.filter(({ number }) => number !== apart);
    const now = clock.now();
    const newest = before[0];
    // Backups from the future had a wrong clock and don't count.
    if (newest && newest.at <= now && now - newest.at < everyMs) return undefined;
    await disk.makeFolder(folder);
    if ((await disk.free(folder)) < SPARE_BYTES + (all[0] ? await readSize(disk, all[0].file) : 0)) {
      throw new StoreError('full', said('disk.no-room-for-backup'));
    }
    const file = join(
      folder,
      `footbridge-${new Date(now).toISOString().replaceAll(':', '').slice(0, 17)}Z.backup`,
    );
    await store.backup(file, (all[0]?.number ?? 0) + 1);
    const old = replacesApart
      ? all.filter(({ number }) => number === apart)
      : before.slice(Math.max(keep - 1, 0));
    for (const { file: each } of old) await removeIfExists(disk, each);
    return file;
  });
}

/** Returns the newest intact automatic backup, if any. */
export async function findNewestBackup(dataDir: string, disk: Disk): Promise<CheckedBackup | undefined> {
  return readNewest(dataDir, disk, (file) => checkBackup(disk, file, MIGRATIONS));
}

/** Returns a partition's state from the newest intact backup that has it; undefined without one. */
export async function readNewestBackup(
  dataDir: string,
  disk: Disk,
  partition: string,
): Promise<PartitionState | undefined> {
  return readNewest(dataDir, disk, (file) => readPartitionFromBackup(disk, file, MIGRATIONS, partition));
}

/**
 * Returns what `read` finds in the newest backup that has it; undefined without one. Skips damaged backups; other
 * errors reject.
 */
async function readNewest<T>(
  dataDir: string,
  disk: Disk,
  read: (file: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const { file } of await listBackups(dataDir, disk)) {
    try {
      const found = await read(file);
      if (found !== undefined) return found;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'damaged')) throw error;
    }
  }
  return undefined;
}

/** Returns a file's size in bytes; throws if it can't be opened. */
async function readSize(disk: Disk, path: string): Promise<number> {
  const file = await disk.open(path, 'read');
  try {
    return await file.size();
  } finally {
    await file.close();
  }
}
