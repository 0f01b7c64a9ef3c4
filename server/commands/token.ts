import type { Role } from '../federation/identity.ts';
import { readUserKey } from '../federation/user-key.ts';
import { existingDataFolder } from './data-folder.ts';

/** `footbridge token`: prints a JWT for the interface; needs no running node and does not disturb one. */
export async function token(options: { data: string; role: Role; expires: number }): Promise<void> {
  const key = await readUserKey(existingDataFolder(options.data));
  process.stdout.write(`${key.issue(options.role, options.expires)}\n`);
}
