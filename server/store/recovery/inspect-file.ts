import type { Disk } from '../files/disk.ts';
import { errorCode } from '../files/disk-steps.ts';
import type { Header } from '../files/format.ts';
import { readStoreFile } from '../files/reader.ts';
import { StoreError } from '../store.ts';

export interface FileReport {
  readonly path: string;
  readonly kind: Header['footbridge'] | 'unknown';
  readonly bytes: number;
  readonly version: number | undefined;
  /** A journal's puts and deletes, otherwise entries. */
  readonly operations: number;
  readonly last: number;
  /** `open`: valid up to where a process writes or wrote. `gone`: missing. */
  readonly state: 'whole' | 'open' | 'damaged' | 'newer-version' | 'gone';
  readonly unsound: number;
}

/**
 * Checks every byte of a store file. Reports a missing file as `gone`, one of a newer version as such; throws the
 * disk's other errors.
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
      receiveGroup(group) {
        operations += group.length;
        return true;
      },
    });
    const found = {
      bytes: size,
      version: header?.version,
      operations,
      last,
      unsound: size - validLength,
    };
    const open = header?.footbridge === 'journal' && !lostDurable;
    const state = closed ? 'whole' : open ? 'open' : 'damaged';
    return { ...nothing, ...found, kind: header?.footbridge ?? 'unknown', state };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'newer-version')
      return { ...nothing, state: 'newer-version' };
    // Possibly compacted away by a running node.
    if (errorCode(error) === 'ENOENT') return { ...nothing, state: 'gone' };
    throw error;
  }
}
