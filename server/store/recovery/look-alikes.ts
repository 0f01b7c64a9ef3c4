import { join } from 'node:path';
import { errorCode, listIfThere } from '../files/disk-steps.ts';
import type { Disk } from '../files/disk.ts';
import { readHeader } from '../files/reader.ts';

/** A file or folder of a partition that lies in the store under another name than its own. */
export interface LookAlike {
  /** Both as paths inside the store's folder. */
  readonly found: string;
  readonly name: string;
}

/** How each file of a partition is called, whatever stands before or behind it. */
const OWN_NAME = /(?:snapshot|journal)-\d{6,}/;

/**
 * What a cloud drive, or somebody, gave another name, such as “journal-000001 (1).jsonl” or “list-7 - Kopie”: known by
 * what its first line says, not by the name, which each drive makes up in its own way. Only where nothing has the right
 * name, and only to be named to the user: which of several is the right one, nobody but they can know.
 */
export async function lookAlikes(disk: Disk, store: string, partition: string): Promise<LookAlike[]> {
  const there = await ownFiles(disk, store, partition, partition);
  const renamed = there.filter(
    ({ found, name }) => found !== name && !there.some((one) => one.found === name),
  );
  if (renamed.length > 0 || there.length > 0) return renamed;
  const folders: LookAlike[] = [];
  for (const folder of await listIfThere(disk, store)) {
    // A dot begins what is being made or removed.
    if (folder === partition || folder.startsWith('.')) continue;
    if ((await ownFiles(disk, store, folder, partition)).length > 0)
      folders.push({ found: folder, name: partition });
  }
  return folders;
}

/** The files in a folder of the store that say that they are of a partition. */
async function ownFiles(disk: Disk, store: string, folder: string, partition: string): Promise<LookAlike[]> {
  const own: LookAlike[] = [];
  for (const file of await filesIn(disk, join(store, folder))) {
    const name = OWN_NAME.exec(file)?.[0];
    if (name === undefined || file.includes('.damaged-')) continue;
    // Of a newer version: it is none of what is missed here.
    const header = await readHeader(disk, join(store, folder, file)).catch(() => undefined);
    if (header?.partition === partition)
      own.push({ found: join(folder, file), name: join(folder, `${name}.jsonl`) });
  }
  return own;
}

async function filesIn(disk: Disk, folder: string): Promise<string[]> {
  try {
    return await listIfThere(disk, folder);
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
