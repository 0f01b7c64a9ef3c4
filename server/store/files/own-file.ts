import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { systemDisk } from './disk.ts';
import { errorCode, removeIfExists, writeAll } from './disk-steps.ts';
import { writeFileAtomic } from './atomic-write.ts';

/** Returns a small file beside the store, such as a key, if it exists. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces a file atomically, fsynced and owner-only; creates a missing folder. */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic({ disk: systemDisk, clock: systemClock }, path, Buffer.from(content));
}

/** Creates a file and its folder atomically, unless it exists. Of two processes the first one's content stays. */
export async function createIfMissing(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const own = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await systemDisk.open(own, 'create');
    try {
      await writeAll(file, [Buffer.from(content)], 0);
      await file.sync();
    } finally {
      await file.close();
    }
    // A rename would replace another's file.
    await link(own, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await systemDisk.syncFolder(dirname(path));
  } finally {
    await removeIfExists(systemDisk, own);
  }
}
