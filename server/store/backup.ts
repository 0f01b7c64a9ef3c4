import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import { asStoreError, removeIfThere, renameDurably } from './disk-steps.ts';
import { FORMAT_VERSION } from './format.ts';
import { UNFINISHED } from './generations.ts';
import { createStoreWriter, type Picture } from './store-writer.ts';

/**
 * Writes partitions into one file, each as of one moment; those without a picture are left out. The file appears whole or not at all; its
 * folder must exist. Throws StoreError; `closed` when `stopped` holds before the end.
 */
export async function writeBackup(
  { disk, clock }: { disk: Disk; clock: Clock },
  file: string,
  names: readonly string[],
  pictureOf: (name: string) => Promise<Picture | undefined>,
  stopped: () => boolean,
): Promise<{ bytes: number; entries: number }> {
  const unfinished = file + UNFINISHED;
  try {
    const header = { footbridge: 'backup' as const, version: FORMAT_VERSION, partition: '', after: 0 };
    const writer = await createStoreWriter(disk, unfinished, header, stopped);
    let entries = 0;
    let bytes: number;
    try {
      for (const name of names) {
        const picture = await pictureOf(name);
        if (!picture) continue;
        await writer.control({ partition: name, last: picture.last });
        await writer.entries(picture);
        entries += picture.entries;
      }
      bytes = await writer.finish(entries);
    } catch (error) {
      await writer.abandon();
      throw error;
    }
    await renameDurably(disk, clock, unfinished, file);
    return { bytes, entries };
  } catch (error) {
    await removeIfThere(disk, unfinished).catch(() => undefined);
    throw asStoreError(error);
  }
}
