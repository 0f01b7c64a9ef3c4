import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disk, DiskFile } from './disk.ts';
import { isForeignFolder } from './data-folder.ts';
import { StoreError } from '../store.ts';
import { said } from '../../words/said.ts';

/** Before retrying a rename: virus scanners let go within a second or two. */
const RENAME_WAITS_MS = [10, 20, 50, 100, 200, 400, 800];
const HELD_BY_OTHERS = new Set(['EPERM', 'EBUSY', 'EACCES']);

/** Returns the `code` of a system error; undefined for others. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns any error as StoreError `full`, `permission` or `io`; a StoreError unchanged. */
export function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = errorCode(error);
  const options = { cause: error };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StoreError('full', said('disk.full'), options);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StoreError('permission', said('disk.not-writable'), options);
  }
  return new StoreError('io', `The disk reported an error (${code ?? String(error)}).`, options);
}

/** Runs work on the disk. Throws Node's system errors as StoreError, others unchanged. */
export async function withStoreErrors<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw /^E[A-Z0-9]+$/.test(errorCode(error) ?? '') ? asStoreError(error) : error;
  }
}

const IMPOSSIBLE_FOLDER = new Set(['EEXIST', 'ENOENT', 'ENOTDIR', 'EINVAL', 'ENAMETOOLONG']);

/**
 * Creates the data folder, or removes others' access. Throws StoreError `foreign` for another program's folder,
 * `permission` if none can exist.
 */
export async function makeDataFolder(disk: Disk, dataDir: string): Promise<void> {
  if (isForeignFolder(dataDir))
    throw new StoreError(
      'foreign',
      said('folder.foreign', { folder: dataDir, own: join(dataDir, 'footbridge') }),
    );
  try {
    await disk.makeFolder(dataDir);
  } catch (error) {
    if (!IMPOSSIBLE_FOLDER.has(errorCode(error) ?? '')) throw asStoreError(error);
    const message = `There can be no data folder at ${dataDir}. Choose another place for it.`;
    throw new StoreError('permission', message, { cause: error });
  }
}

/** Writes all pieces from `position` on, without fsync. Throws StoreError `io` if no byte is accepted. */
export async function writeAll(file: DiskFile, pieces: readonly Buffer[], position: number): Promise<void> {
  let left = pieces;
  let size = pieces.reduce((sum, { length }) => sum + length, 0);
  for (let at = position; size > 0;) {
    const wrote = await file.write(left, at);
    if (wrote === 0) throw new StoreError('io', 'The disk took none of the bytes that were to be written.');
    at += wrote;
    size -= wrote;
    if (size > 0) left = [Buffer.concat(left).subarray(wrote)];
  }
}

/** Renames a file or folder durably; retries for 1.6 seconds while another program holds it, as on Windows. */
export async function renameDurably(disk: Disk, clock: Clock, from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await disk.rename(from, to);
      break;
    } catch (error) {
      const wait = RENAME_WAITS_MS[attempt];
      if (wait === undefined || !HELD_BY_OTHERS.has(errorCode(error) ?? '')) throw error;
      await new Promise<void>((resolve) => void clock.after(wait, resolve));
    }
  }
  await disk.syncFolder(dirname(to));
}

/** Deletes a file; nothing if it doesn't exist. */
export async function removeIfExists(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Returns sorted names; none without the folder. */
export async function listIfExists(disk: Disk, folder: string): Promise<string[]> {
  try {
    return (await disk.list(folder)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
