import { join } from 'node:path';
import type { DiskPlace } from '../files/disk.ts';
import { removeIfExists, renameDurably } from '../files/disk-steps.ts';
import { FORMAT_VERSION } from '../files/format.ts';
import { snapshotName, UNFINISHED } from './generations.ts';
import { createStoreWriter, type ConsistentView, type StoreWriter } from './store-writer.ts';

/** Writes snapshot `number` atomically; returns its bytes. Throws StoreError `closed` once `stopped` returns true. */
export async function writeSnapshot(
  place: DiskPlace,
  folder: string,
  number: number,
  view: ConsistentView,
  stopped: () => boolean = () => false,
): Promise<number> {
  const snapshot = await createSnapshot(place, folder, number, view, stopped);
  try {
    await snapshot.writer.appendEntries(view);
  } catch (error) {
    await snapshot.abandon();
    throw error;
  }
  return snapshot.finish(view.entries);
}

export interface UnfinishedSnapshot {
  readonly writer: StoreWriter;
  finish(entries: number): Promise<number>;
  abandon(): Promise<void>;
}

/**
 * Creates snapshot `number`, as of change `last`, under a temporary name. Its writer throws like {@link writeSnapshot}.
 */
export async function createSnapshot(
  { disk, clock }: DiskPlace,
  folder: string,
  number: number,
  { name, last }: Pick<ConsistentView, 'name' | 'last'>,
  stopped: () => boolean = () => false,
): Promise<UnfinishedSnapshot> {
  const path = join(folder, snapshotName(number));
  const unfinished = path + UNFINISHED;
  const remove = (): Promise<void> => removeIfExists(disk, unfinished).catch(() => undefined);
  const header = { footbridge: 'snapshot' as const, version: FORMAT_VERSION, partition: name, after: last };
  const writer = await createStoreWriter(disk, unfinished, header, stopped).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  /** Closes and deletes the unfinished file; ignores errors. */
  const removeUnfinished = async (): Promise<void> => {
    await writer.abandon().catch(() => undefined);
    await remove();
  };
  return {
    writer,
    abandon: removeUnfinished,
    /** Writes the closing line and renames the file durably. Returns its bytes; removes it on error. */
    async finish(entries) {
      try {
        const bytes = await writer.finish(entries);
        await renameDurably(disk, clock, unfinished, path);
        return bytes;
      } catch (error) {
        await removeUnfinished();
        throw error;
      }
    },
  };
}
