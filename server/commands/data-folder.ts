import { accessSync, constants, type Stats } from 'node:fs';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDataFolder } from '../store/files/data-folder.ts';
import { throwIfMovedAway } from '../store/moving/folder-mark.ts';
import { CommandFailure } from './failure.ts';

/** Returns the folder's absolute path. Throws `CommandFailure` if it is unreadable or no data folder. */
export function existingDataFolder(data: string): string {
  const dataDir = resolve(data);
  if (isUnreadable(dataDir)) {
    throw new CommandFailure(`You may not read ${dataDir}. Run the command as the user who owns it.`);
  }
  if (!isDataFolder(dataDir)) {
    throw new CommandFailure(
      `There is no Footbridge data in ${dataDir}. Check the path given with --data; footbridge serve makes a new folder.`,
    );
  }
  return dataDir;
}

/** Returns whether the system refuses to read the folder; false for a missing one. */
function isUnreadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES';
  }
}

/**
 * Returns the folder's absolute path. Throws `CommandFailure` if it is unreadable or no data folder, `StoreError`
 * `locked` if its office moved to a database.
 */
export async function servedDataFolder(data: string): Promise<string> {
  const dataDir = existingDataFolder(data);
  await throwIfMovedAway(dataDir);
  return dataDir;
}

/**
 * Gives what root wrote into another user's folder, such as a service's, to that user, who could not write there any
 * more. Links stay root's, as they may lead to other files.
 */
export async function giveToOwner(dataDir: string, owner: Pick<Stats, 'uid' | 'gid'>): Promise<void> {
  if (owner.uid === 0) return;
  for (const name of ['', ...(await readdir(dataDir, { recursive: true }))]) {
    const path = join(dataDir, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.uid === 0 && (found.isDirectory() || (found.isFile() && found.nlink === 1)))
      await lchown(path, owner.uid, owner.gid);
  }
}
