import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../files/disk.ts';
import { asStoreError, removeIfExists, renameDurably } from '../files/disk-steps.ts';
import { FORMAT_VERSION } from '../files/format.ts';
import { UNFINISHED } from '../engine/generations.ts';
import { createStoreWriter, type StoreWriter } from '../engine/store-writer.ts';

/**
 * Writes partitions into one backup file atomically. `writePartition` returns its entry count. Throws StoreError:
 * `closed` once `stopped` returns true, or the disk's.
 */
export async function writeBackup(
  { disk, clock }: { disk: Disk; clock: Clock },
  { file, number }: { readonly file: string; readonly number: number },
  names: readonly string[],
  writePartition: (name: string, writer: StoreWriter) => Promise<number>,
  stopped: () => boolean,
): Promise<{ bytes: number; entries: number }> {
  const unfinished = file + UNFINISHED;
  try {
    const header = { footbridge: 'backup' as const, version: FORMAT_VERSION, partition: '', after: number };
    const writer = await createStoreWriter(disk, unfinished, header, stopped);
    let entries = 0;
    let bytes: number;
    try {
      for (const name of names) entries += await writePartition(name, writer);
      bytes = await writer.finish(entries);
    } catch (error) {
      await writer.abandon();
      throw error;
    }
    await renameDurably(disk, clock, unfinished, file);
    return { bytes, entries };
  } catch (error) {
    await removeIfExists(disk, unfinished).catch(() => undefined);
    throw asStoreError(error);
  }
}
