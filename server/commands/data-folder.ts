import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkFolderServed } from '../store/moving/folder-mark.ts';
import { CommandFailure } from './failure.ts';

/** Without its store a folder that was in use is one still, of which there is much to say. */
const TRACES = ['store', 'user.key', 'withdrawn.jsonl'];

/**
 * The data folder that a command is to read. @throws CommandFailure where there is none, so that a mistyped
 * path does not make a new one
 */
export function existingDataFolder(data: string): string {
  const dataDir = resolve(data);
  if (!TRACES.some((name) => existsSync(join(dataDir, name)))) {
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
