import type { DiskPlace } from './disk.ts';
import { removeIfThere, renameDurably, writeAll } from './disk-steps.ts';
import { UNFINISHED } from '../engine/generations.ts';

/** Writes a file anew, beside the one that there is: `path` is then the new one, on the disk, or the one before. */
export async function writeAnew({ disk, clock }: DiskPlace, path: string, bytes: Buffer): Promise<void> {
  const unfinished = path + UNFINISHED;
  try {
    const file = await disk.open(unfinished, 'create');
    try {
      await writeAll(file, [bytes], 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameDurably(disk, clock, unfinished, path);
  } catch (error) {
    await removeIfThere(disk, unfinished).catch(() => undefined);
    throw error;
  }
}
