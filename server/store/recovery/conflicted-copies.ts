import { join } from 'node:path';
import { UNFINISHED } from '../engine/generations.ts';
import { errorCode, listIfExists } from '../files/disk-steps.ts';
import type { Disk } from '../files/disk.ts';
import { readHeader, readStoreFile } from '../files/reader.ts';
import { StoreError } from '../store.ts';

/** A partition's file or folder with a foreign name. Paths are within the store. */
export interface ConflictedCopy {
  readonly found: string;
  readonly name: string;
}

/** A partition's newest state has another name. Nothing was changed. */
export class ConflictedCopyError extends StoreError {
  readonly renamed: ConflictedCopy;
  constructor(partition: string, renamed: ConflictedCopy) {
    super(
      'damaged',
      `The newest of the part "${partition}" of the data folder is not there under its name. In the folder "store" lies "${renamed.found}", which must have been renamed, as cloud drives do: give it its name back, "${renamed.name}"; if something has that name, move that elsewhere first. ` +
        `Nothing was changed. To go on without it, move "${renamed.found}" elsewhere.`,
    );
    this.renamed = renamed;
  }
}

/** A partition file's name within a longer one. */
const OWN_NAME = /(snapshot|journal)-\d{6,}/;

interface DatedCopy extends ConflictedCopy {
  readonly last: number;
}

/**
 * Returns a partition's renamed files and folders, as cloud drives make them, with changes after number `beyond`,
 * newest first. Only the user can decide which is right.
 */
export async function findConflictedCopies(
  disk: Disk,
  store: string,
  partition: string,
  beyond: number,
): Promise<ConflictedCopy[]> {
  const files = (await filesOfPartition(disk, store, partition, partition)).filter(
    ({ found, name }) => found !== name,
  );
  const folders: DatedCopy[] = [];
  for (const folder of await listIfExists(disk, store)) {
    // Dotted: being made or removed.
    if (folder === partition || folder.startsWith('.')) continue;
    const there = await filesOfPartition(disk, store, folder, partition);
    const last = Math.max(-1, ...there.map((file) => file.last));
    folders.push({ found: folder, name: partition, last });
  }
  return [...files, ...folders].filter(({ last }) => last > beyond).sort((a, b) => b.last - a.last);
}

/**
 * Returns a folder's files that are the partition's by name and header, with their proper names and last changes; not
 * unfinished ones or those put aside.
 */
async function filesOfPartition(
  disk: Disk,
  store: string,
  folder: string,
  partition: string,
): Promise<DatedCopy[]> {
  const own: DatedCopy[] = [];
  for (const file of await namesIn(disk, join(store, folder))) {
    const name = OWN_NAME.exec(file)?.[0];
    if (name === undefined || file.includes('.damaged-') || file.endsWith(UNFINISHED)) continue;
    const last = await lastChangeIn(disk, join(store, folder, file), partition);
    if (last !== undefined)
      own.push({ found: join(folder, file), name: join(folder, `${name}.jsonl`), last });
  }
  return own;
}

/**
 * Returns a file's last readable change; undefined for an incomplete snapshot, an unreadable file or another
 * partition's.
 */
async function lastChangeIn(disk: Disk, path: string, partition: string): Promise<number | undefined> {
  try {
    if ((await readHeader(disk, path))?.partition !== partition) return undefined;
    const { header, last, closed } = await readStoreFile(disk, path, { receiveGroup: () => true });
    return header?.footbridge === 'snapshot' && !closed ? undefined : last;
  } catch {
    return undefined;
  }
}

/** Returns a folder's names; none for a missing folder or a file. */
async function namesIn(disk: Disk, folder: string): Promise<string[]> {
  try {
    return await listIfExists(disk, folder);
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
