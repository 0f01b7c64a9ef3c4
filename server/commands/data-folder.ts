import { resolve } from 'node:path';
import { isDataFolder } from '../store/files/data-folder.ts';
import { checkFolderServed } from '../store/moving/folder-mark.ts';
import { CommandFailure } from './failure.ts';

/**
 * The data folder that a command is to read. @throws CommandFailure where there is none, so that a mistyped
 * path does not make a new one
 */
export function existingDataFolder(data: string): string {
  const dataDir = resolve(data);
  if (!isDataFolder(dataDir)) {
    throw new CommandFailure(
      `There is no Footbridge data in ${dataDir}. Check the path given with --data; footbridge serve makes a new folder.`,
    );
  }
  return dataDir;
}

/** The same, where its office is not elsewhere. @throws CommandFailure, StoreError `locked` */
export async function servedDataFolder(data: string): Promise<string> {
  const dataDir = existingDataFolder(data);
  await checkFolderServed(dataDir);
  return dataDir;
}
