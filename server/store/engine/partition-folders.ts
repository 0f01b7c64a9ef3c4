import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk, FolderPlace } from '../files/disk.ts';
import { errorCode, listIfThere, removeIfThere, renameDurably } from '../files/disk-steps.ts';
import { createJournal } from './journal.ts';
import { MANIFEST, type Manifest } from './manifest.ts';

/** The store's folder, inside the data folder. */
export const STORE_FOLDER = 'store';
/** Where a restored store is made ready. */
export const STORE_RESTORING = 'store.restoring';

/** A data folder inside of the data folder, in which a backup is opened before it takes the place of anything. */
export const RESTORE_TRIAL = 'restore.trial';

/** Lies in a store that came out of a backup until somebody was told that it did. */
export const RESTORED = 'restored.json';

/** Beginnings of the names of folders that are not partitions (any more). */
const NEW = '.new-';
const DROPPED = '.dropped-';

/**
 * Makes a partition's folder with an empty journal in it, unless it is known. The folder appears whole: one
 * without files is therefore a damaged one, never a new one. One that is gone stays so, that it can be put back.
 */
export async function makePartition(place: FolderPlace, manifest: Manifest, name: string): Promise<void> {
  const { disk, clock, folder } = place;
  const there = (await listIfThere(disk, folder)).includes(name);
  if (!there && !manifest.has(name)) {
    const made = join(folder, NEW + name);
    await removeFolderWhole(disk, made);
    await disk.makeFolder(made);
    await createJournal({ disk, clock, folder: made, partition: name }, 1, 0);
    await renameDurably(disk, clock, made, join(folder, name));
  }
  await manifest.add(name);
}

/** Removes a partition for good: at once as far as anyone can see, its files as soon as possible. */
export async function dropPartition(place: FolderPlace, manifest: Manifest, name: string): Promise<void> {
  const { disk, clock, folder } = place;
  if (!manifest.has(name)) return;
  await manifest.remove(name);
  if (!(await listIfThere(disk, folder)).includes(name)) return;
  const dropped = join(folder, `${DROPPED}${name}-${clock.now()}`);
  await renameDurably(disk, clock, join(folder, name), dropped);
  await removeFolderWhole(disk, dropped);
}

/**
 * Makes the store's folder, and ends what a stop in the middle of a restore, or of making or dropping a
 * partition, has left. Says whether there was no store before: an empty folder is none, but what a stop left before
 * anything was put into it; and whether a restore that had been stopped has come to its end, of which nobody was told.
 */
export async function makeStoreFolder(
  { disk, clock, folder }: FolderPlace,
  dataDir: string,
): Promise<{ readonly isNew: boolean; readonly isRestored: boolean }> {
  const names = await listIfThere(disk, dataDir);
  const isThere = names.includes(STORE_FOLDER);
  if (names.includes(RESTORE_TRIAL)) await removeTrial(dataDir);
  if (names.includes(STORE_RESTORING)) {
    const restoring = join(dataDir, STORE_RESTORING);
    // The list of its partitions is written last, and then the old store is moved away, where there was one.
    const isWhole = !isThere && (await listIfThere(disk, restoring)).includes(MANIFEST);
    if (isWhole) await renameDurably(disk, clock, restoring, folder);
    else await removeTree(disk, restoring);
  }
  await disk.makeFolder(folder);
  for (const name of await listIfThere(disk, folder)) {
    if (name.startsWith(NEW) || name.startsWith(DROPPED)) await removeFolderWhole(disk, join(folder, name));
  }
  const left = await listIfThere(disk, folder);
  return { isNew: left.length === 0, isRestored: left.includes(RESTORED) };
}

/** Removes what a trial of a backup left. */
export const removeTrial = (dataDir: string): Promise<void> =>
  rm(join(dataDir, RESTORE_TRIAL), { recursive: true, force: true });

/** Removes a store's folder with all partitions, if it is there. */
export async function removeTree(disk: Disk, store: string): Promise<void> {
  for (const name of await listIfThere(disk, store)) {
    const path = join(store, name);
    if (name.endsWith('.json') || name.endsWith('.tmp')) await removeIfThere(disk, path);
    else await removeFolderWhole(disk, path);
  }
  await removeFolderWhole(disk, store);
}

async function removeFolderWhole(disk: Disk, folder: string): Promise<void> {
  for (const name of await listIfThere(disk, folder)) await removeIfThere(disk, join(folder, name));
  try {
    await disk.removeFolder(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
