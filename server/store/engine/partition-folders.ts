import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk, FolderPlace } from '../files/disk.ts';
import { errorCode, listIfExists, removeIfExists, renameDurably } from '../files/disk-steps.ts';
import { createJournal } from './journal.ts';
import { MANIFEST, type Manifest } from './manifest.ts';

export const STORE_FOLDER = 'store';
/** Where a restored store is prepared. */
export const STORE_RESTORING = 'store.restoring';

/** In the data folder: where a backup is tried before it replaces anything. */
export const RESTORE_TRIAL = 'restore.trial';

/** Marks a restored store until the user is notified. */
export const RESTORED = 'restored.json';

/** Prefixes of folders not yet, or no longer, partitions. */
const NEW = '.new-';
const DROPPED = '.dropped-';

/** Creates and lists a new partition's folder atomically. A listed one without folder was lost: it isn't created. */
export async function makePartition(place: FolderPlace, manifest: Manifest, name: string): Promise<void> {
  const { disk, clock, folder } = place;
  const there = (await listIfExists(disk, folder)).includes(name);
  if (!there && !manifest.has(name)) {
    const made = join(folder, NEW + name);
    await removeFolderWhole(disk, made);
    await disk.makeFolder(made);
    await createJournal({ disk, clock, folder: made, partition: name }, 1, 0);
    await renameDurably(disk, clock, made, join(folder, name));
  }
  await manifest.add(name);
}

/** Unlists a partition, then removes its folder; after a crash the next start does that. */
export async function dropPartition(place: FolderPlace, manifest: Manifest, name: string): Promise<void> {
  const { disk, clock, folder } = place;
  if (!manifest.has(name)) return;
  await manifest.remove(name);
  if (!(await listIfExists(disk, folder)).includes(name)) return;
  const dropped = join(folder, `${DROPPED}${name}-${clock.now()}`);
  await renameDurably(disk, clock, join(folder, name), dropped);
  await removeFolderWhole(disk, dropped);
}

/**
 * Creates a missing store folder, finishes or undoes an interrupted restore, and removes leftovers of trials and of new
 * or dropped partitions. Returns whether the store is empty, and whether it was restored without a notice yet.
 */
export async function makeStoreFolder(
  { disk, clock, folder }: FolderPlace,
  dataDir: string,
): Promise<{ readonly isNew: boolean; readonly isRestored: boolean }> {
  const names = await listIfExists(disk, dataDir);
  const isThere = names.includes(STORE_FOLDER);
  if (names.includes(RESTORE_TRIAL)) await removeTrial(dataDir);
  if (names.includes(STORE_RESTORING)) {
    const restoring = join(dataDir, STORE_RESTORING);
    // A restore writes the list last, then moves the old store.
    const isWhole = !isThere && (await listIfExists(disk, restoring)).includes(MANIFEST);
    if (isWhole) await renameDurably(disk, clock, restoring, folder);
    else await removeTree(disk, restoring);
  }
  await disk.makeFolder(folder);
  for (const name of await listIfExists(disk, folder)) {
    if (name.startsWith(NEW) || name.startsWith(DROPPED)) await removeFolderWhole(disk, join(folder, name));
  }
  const left = await listIfExists(disk, folder);
  return { isNew: left.length === 0, isRestored: left.includes(RESTORED) };
}

export const removeTrial = (dataDir: string): Promise<void> =>
  rm(join(dataDir, RESTORE_TRIAL), { recursive: true, force: true });

/** Deletes a store's folder, if it exists. */
export async function removeTree(disk: Disk, store: string): Promise<void> {
  for (const name of await listIfExists(disk, store)) {
    const path = join(store, name);
    if (name.endsWith('.json') || name.endsWith('.tmp')) await removeIfExists(disk, path);
    else await removeFolderWhole(disk, path);
  }
  await removeFolderWhole(disk, store);
}

/** Deletes a folder with its files, if it exists; it has no folders within. */
async function removeFolderWhole(disk: Disk, folder: string): Promise<void> {
  for (const name of await listIfExists(disk, folder)) await removeIfExists(disk, join(folder, name));
  try {
    await disk.removeFolder(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
