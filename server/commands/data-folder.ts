import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandFailure } from './failure.ts';

/**
 * The data folder that a command is to read. @throws CommandFailure where there is none, so that a mistyped
 * path does not make a new one
 */
export function existingDataFolder(data: string): string {
  const dataDir = resolve(data);
  if (!existsSync(join(dataDir, 'store'))) {
    throw new CommandFailure(
      `There is no Footbridge data in ${dataDir}. Check the path given with --data; footbridge serve makes a new folder.`,
    );
  }
  return dataDir;
}
