import { join } from 'node:path';
import type { DiskPlace } from '../files/disk.ts';
import { removeIfExists, renameDurably } from '../files/disk-steps.ts';
import { FORMAT_VERSION } from '../files/format.ts';
import { snapshotName, UNFINISHED } from './generations.ts';
import { createStoreWriter, type ConsistentView, type StoreWriter } from './store-writer.ts';

/**
 * Writes a view of a partition as snapshot `number`, whole or not at all, and returns its size in bytes. Throws once
 * `stopped` returns true.
 */
export async function writeSnapshot(
  place: DiskPlace,
  folder: string,
  number: number,
  view: ConsistentView,
  stopped: () => boolean = () => false,
): Promise<number> {
  const snapshot = await beginSnapshot(place, folder, number, view, stopped);
  try {
    await snapshot.writer.entries(view);
  } catch (error) {
    await snapshot.abandon();
    throw error;
  }
  return snapshot.finish(view.entries);
}

/** A snapshot that is being written. */
export interface SnapshotBegun {
  readonly writer: StoreWriter;
  /** Makes it visible, durably; returns its bytes. */
  finish(entries: number): Promise<number>;
  /** Removes it. */
  abandon(): Promise<void>;
}

/**
 * Begins snapshot `number` under a temporary name; it has the state as of change `last`. Returns its writer, with
 * `finish` and `abandon`. Throws once `stopped` returns true.
 */
export async function beginSnapshot(
  { disk, clock }: DiskPlace,
  folder: string,
  number: number,
  { name, last }: Pick<ConsistentView, 'name' | 'last'>,
  stopped: () => boolean = () => false,
): Promise<SnapshotBegun> {
  const path = join(folder, snapshotName(number));
  const unfinished = path + UNFINISHED;
  const remove = (): Promise<void> => removeIfExists(disk, unfinished).catch(() => undefined);
  const header = { footbridge: 'snapshot' as const, version: FORMAT_VERSION, partition: name, after: last };
  const writer = await createStoreWriter(disk, unfinished, header, stopped).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  /** Closes and removes the temporary file; ignores errors. */
  const abandon = async (): Promise<void> => {
    await writer.abandon().catch(() => undefined);
    await remove();
  };
  return {
    writer,
    abandon,
    /**
     * Writes the closing line and gives the file its final name, durably. Returns its size in bytes. After an error
     * removes the file.
     */
    async finish(entries) {
      try {
        const bytes = await writer.finish(entries);
        await renameDurably(disk, clock, unfinished, path);
        return bytes;
      } catch (error) {
        await abandon();
        throw error;
      }
    },
  };
}
