import { join } from 'node:path';
import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import { removeIfThere, renameDurably } from './disk-steps.ts';
import { FORMAT_VERSION } from './format.ts';
import { snapshotName, UNFINISHED } from './generations.ts';
import { createStoreWriter, type Picture } from './store-writer.ts';

/** Writes a picture as snapshot `number`; it exists whole or not at all. Resolves with its size in bytes. */
export async function writeSnapshot(
  { disk, clock }: { disk: Disk; clock: Clock },
  folder: string,
  number: number,
  picture: Picture,
  stopped: () => boolean = () => false,
): Promise<number> {
  const path = join(folder, snapshotName(number));
  const unfinished = path + UNFINISHED;
  try {
    const header = {
      footbridge: 'snapshot' as const,
      version: FORMAT_VERSION,
      partition: picture.name,
      after: picture.last,
    };
    const writer = await createStoreWriter(disk, unfinished, header, stopped);
    let bytes: number;
    try {
      await writer.entries(picture);
      bytes = await writer.finish(picture.entries);
    } catch (error) {
      await writer.abandon();
      throw error;
    }
    await renameDurably(disk, clock, unfinished, path);
    return bytes;
  } catch (error) {
    await removeIfThere(disk, unfinished).catch(() => undefined);
    throw error;
  }
}
