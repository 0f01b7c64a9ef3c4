import type { DiskPlace } from './disk.ts';
import { removeIfExists, renameDurably, writeAll } from './disk-steps.ts';
import { UNFINISHED } from '../engine/generations.ts';

/** Replaces a file atomically, with fsync. */
export async function writeFileAtomic(
  { disk, clock }: DiskPlace,
  path: string,
  bytes: Buffer,
): Promise<void> {
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
    await removeIfExists(disk, unfinished).catch(() => undefined);
    throw error;
  }
}
