import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { systemDisk } from './disk.ts';
import { errorCode, removeIfThere, writeAll } from './disk-steps.ts';
import { writeAnew } from './write-anew.ts';

/** Small files of Footbridge's own that lie beside the store, such as keys: only their owner can read them. */

/** Undefined where there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** `path` is then the new file, on the disk, or the one before. */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAnew({ disk: systemDisk, clock: systemClock }, path, Buffer.from(content));
}

/** Makes the file, whole and on the disk, unless there is one: of two processes that start at once the first one's stays. */
export async function makeOnce(path: string, content: string): Promise<void> {
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
    // Linked, not renamed, which would take the place of the other's.
    await link(own, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await systemDisk.syncFolder(dirname(path));
  } finally {
    await removeIfThere(systemDisk, own);
  }
}
