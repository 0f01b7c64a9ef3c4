import { join } from 'node:path';
import { UNFINISHED } from '../engine/generations.ts';
import { errorCode, listIfThere } from '../files/disk-steps.ts';
import type { Disk } from '../files/disk.ts';
import { readHeader, readStoreFile } from '../files/reader.ts';
import { StoreError } from '../store.ts';

/** A file or folder of a partition that lies in the store under another name than its own. */
export interface LookAlike {
  /** Both as paths inside the store's folder. */
  readonly found: string;
  readonly name: string;
}

/** The newest of a partition lies in the store under another name: nothing is written over before it has its own. */
export class RenamedError extends StoreError {
  readonly renamed: LookAlike;
  constructor(partition: string, renamed: LookAlike) {
    super(
      'damaged',
      `The newest of the part "${partition}" of the data folder is not there under its name. In the folder "store" lies "${renamed.found}", which must have been renamed, as cloud drives do: give it its name back, "${renamed.name}"; if something has that name, move that elsewhere first. ` +
        `Nothing was changed. To go on without it, move "${renamed.found}" elsewhere.`,
    );
    this.renamed = renamed;
  }
}

/** How each file of a partition is called, whatever stands before or behind it. */
const OWN_NAME = /(snapshot|journal)-\d{6,}/;

interface Reaching extends LookAlike {
  /** Number of the last change in it. */
  readonly last: number;
}

/**
 * What a cloud drive, or somebody, gave another name, such as “journal-000001 (1).jsonl” or “list-7 - Kopie”, and that
 * reaches behind change `beyond`, the last that is there under its name (-1: nothing is); the furthest first. Known by what it
 * holds, not by the name, which each drive makes up in its own way. Only to be named to the user: which is the right one, nobody but
 * they can know.
 */
export async function lookAlikes(
  disk: Disk,
  store: string,
  partition: string,
  beyond: number,
): Promise<LookAlike[]> {
  const files = (await ownFiles(disk, store, partition, partition)).filter(
    ({ found, name }) => found !== name,
  );
  const folders: Reaching[] = [];
  for (const folder of await listIfThere(disk, store)) {
    // A dot begins what is being made or removed.
    if (folder === partition || folder.startsWith('.')) continue;
    const there = await ownFiles(disk, store, folder, partition);
    const last = Math.max(-1, ...there.map((file) => file.last));
    folders.push({ found: folder, name: partition, last });
  }
  return [...files, ...folders].filter(({ last }) => last > beyond).sort((a, b) => b.last - a.last);
}

/** The files in a folder of the store that say that they are of a partition. */
async function ownFiles(disk: Disk, store: string, folder: string, partition: string): Promise<Reaching[]> {
  const own: Reaching[] = [];
  for (const file of await filesIn(disk, join(store, folder))) {
    const name = OWN_NAME.exec(file)?.[0];
    if (name === undefined || file.includes('.damaged-') || file.endsWith(UNFINISHED)) continue;
    const last = await reachOf(disk, join(store, folder, file), partition);
    if (last !== undefined)
      own.push({ found: join(folder, file), name: join(folder, `${name}.jsonl`), last });
  }
  return own;
}

/** Number of the last change that can be read in a file; undefined where it is not of this partition, or of no use. */
async function reachOf(disk: Disk, path: string, partition: string): Promise<number | undefined> {
  try {
    if ((await readHeader(disk, path))?.partition !== partition) return undefined;
    const { header, last, closed } = await readStoreFile(disk, path, { group: () => true });
    return header?.footbridge === 'snapshot' && !closed ? undefined : last;
  } catch {
    // Of a newer version, or not to be read: it is none of what is missed here.
    return undefined;
  }
}

async function filesIn(disk: Disk, folder: string): Promise<string[]> {
  try {
    return await listIfThere(disk, folder);
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
