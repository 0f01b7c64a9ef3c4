import { readFile } from 'node:fs/promises';
import { MIN_SECRET_LENGTH } from '../store/sql/hub-keys.ts';
import { CommandFailure } from './failure.ts';

/**
 * Returns the secret that encrypts an office's keys in a database: from `FOOTBRIDGE_SECRET`, which it moves from the
 * environment to memory, or the file in `FOOTBRIDGE_SECRET_FILE`. Throws `CommandFailure` if it is missing or short.
 */
export async function hubSecret(): Promise<string> {
  const { FOOTBRIDGE_SECRET: given = taken, FOOTBRIDGE_SECRET_FILE: file } = process.env;
  // Child processes and reports must not get it.
  delete process.env.FOOTBRIDGE_SECRET;
  taken = given;
  const secret = (given ?? (file === undefined ? '' : await readSecret(file))).trim();
  if (secret.length < MIN_SECRET_LENGTH)
    throw new CommandFailure(
      `An office in a database needs a secret of ${MIN_SECRET_LENGTH} characters or more that seals its keys: give it as ` +
        'FOOTBRIDGE_SECRET, or in a file that FOOTBRIDGE_SECRET_FILE names. "openssl rand -base64 32" makes one.',
      2,
    );
  return secret;
}

let taken: string | undefined;

/** Returns the file's text. Throws CommandFailure if it can't be read. */
async function readSecret(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(
      `The secret in ${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`,
      2,
    );
  }
}
