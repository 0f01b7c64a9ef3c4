import type { Disk } from '../files/disk.ts';
import { errorCode } from '../files/disk-steps.ts';
import type { Header } from '../files/format.ts';
import { readStoreFile } from '../files/reader.ts';
import { StoreError } from '../store.ts';

/** One file of a store or a backup. */
export interface FileReport {
  readonly path: string;
  readonly kind: Header['footbridge'] | 'unknown';
  readonly bytes: number;
  /** Version of the format; undefined if the file has none. */
  readonly version: number | undefined;
  /** Puts and deletes in a journal, entries in a snapshot or backup. */
  readonly operations: number;
  /** Number of the last change in it. */
  readonly last: number;
  /** `open`: valid up to where a process writes, or wrote. */
  readonly state: 'whole' | 'open' | 'damaged' | 'newer-version' | 'gone';
  /** Bytes after the last valid one. */
  readonly unsound: number;
}

/**
 * Checks every byte of a store file. The result's `state` also says if it is missing or of a newer version. Throws
 * the disk's other errors.
 */
export async function inspectFile(disk: Disk, path: string): Promise<FileReport> {
  const nothing: FileReport = {
    path,
    kind: 'unknown',
    bytes: 0,
    version: undefined,
    operations: 0,
    last: 0,
    state: 'damaged',
    unsound: 0,
  };
  let operations = 0;
  try {
    const { header, size, validLength, last, closed, lostDurable } = await readStoreFile(disk, path, {
      group(group) {
        operations += group.length;
        return true;
      },
    });
    const found = { bytes: size, version: header?.version, operations, last, unsound: size - validLength };
    const open = header?.footbridge === 'journal' && !lostDurable;
    const state = closed ? 'whole' : open ? 'open' : 'damaged';
    return { ...nothing, ...found, kind: header?.footbridge ?? 'unknown', state };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'newer-version')
      return { ...nothing, state: 'newer-version' };
    // A running node may have compacted it away.
    if (errorCode(error) === 'ENOENT') return { ...nothing, state: 'gone' };
    throw error;
  }
}
