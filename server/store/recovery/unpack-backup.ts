import { join } from 'node:path';
import type { DiskPlace } from '../files/disk.ts';
import { createJournal } from '../engine/journal.ts';
import type { HighWaterMark } from './high-water-mark.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import type { Operation } from '../engine/operation.ts';
import { readBackupInto, type CheckedBackup, type PartitionBackedUp } from './read-backup.ts';
import { seqAfterLoss } from './repair.ts';
import { createSnapshot, type UnfinishedSnapshot } from '../engine/snapshot.ts';
import { said } from '../../words/said.ts';
import { StoreError } from '../store.ts';

/** Creates a partition's folder with an empty journal after change `last`; returns its mark. */
export async function makePartitionIn(
  store: string,
  place: DiskPlace,
  partition: string,
  last: number,
): Promise<{ readonly folder: string; readonly mark: HighWaterMark }> {
  const folder = join(store, partition);
  await place.disk.makeFolder(folder);
  const journal = await createJournal({ ...place, folder, partition }, 1, last);
  return { folder, mark: journal.highWaterMark(last) };
}

interface UnpackingPartition {
  readonly snapshot: UnfinishedSnapshot;
  readonly last: number;
  entries: number;
}

/**
 * Writes a backup's partitions, except `without`, into a store's folder, and their marks into `marks`. Returns how many
 * entries it wrote. Throws StoreError `damaged` if the file isn't as it was checked.
 */
export async function unpackBackup(
  place: DiskPlace,
  { file, entries: checked }: CheckedBackup,
  store: string,
  without: ReadonlySet<string>,
  marks: Map<string, HighWaterMark>,
): Promise<number> {
  let waiting: (PartitionBackedUp | readonly Operation[])[] = [];
  let current: UnpackingPartition | undefined;
  let entries = 0;

  /** Completes the present partition's snapshot, if any, and counts its entries. */
  async function completePartition(): Promise<void> {
    const done = current;
    current = undefined;
    await done?.snapshot.finish(done.entries);
    entries += done?.entries ?? 0;
  }
  /**
   * Completes the previous partition and begins this one, unless left out; its change numbers continue after all that
   * were used.
   */
  async function beginPartition({ name, last: before }: PartitionBackedUp): Promise<void> {
    await completePartition();
    if (without.has(name)) return;
    const last = seqAfterLoss(before, place.clock.now());
    const { folder, mark } = await makePartitionIn(store, place, name, last);
    marks.set(name, mark);
    current = { snapshot: await createSnapshot(place, folder, 1, { name, last }), last, entries: 0 };
  }
  /** Appends entries to the present partition; nothing if that is left out. */
  async function writeEntries(operations: readonly Operation[]): Promise<void> {
    if (!current || operations.length === 0) return;
    await current.snapshot.writer.appendGroup(
      operations.map(({ slot }) => slot),
      current.last,
    );
    current.entries += operations.length;
  }
  /** Writes what was read since the last call. */
  async function writeWaiting(): Promise<void> {
    const now = waiting;
    waiting = [];
    for (const each of now) await ('name' in each ? beginPartition(each) : writeEntries(each));
  }

  try {
    const read = await readBackupInto(place.disk, file, MIGRATIONS, {
      partition: (partition) => void waiting.push(partition),
      entries: (operations) => void waiting.push(operations),
      caughtUp: writeWaiting,
    });
    await writeWaiting();
    await completePartition();
    if (read.entries === checked) return entries;
  } catch (error) {
    await current?.snapshot.abandon();
    throw error;
  }
  throw new StoreError('damaged', said('backup.changed'));
}
