import { asStoreError, removeIfThere } from '../files/disk-steps.ts';
import { listGenerations, outdated } from './generations.ts';
import type { PartitionState } from './partition-state.ts';
import type { PartitionPlace } from '../files/place.ts';
import { writeSnapshot } from './snapshot.ts';
import { takeConsistentView, type ConsistentView } from './store-writer.ts';

/** Turns a grown journal into a snapshot in the background, and removes what is no longer needed. */
export interface Compaction {
  /** To be called after every append, with the size of the current journal. */
  grown(journalBytes: number): void;
  /** To be called when a new journal takes the place of the current one. */
  rotated(): void;
  /** Compacts now; resolves when done. Rejects with the disk's error. */
  run(): Promise<void>;
  /** Interrupts a compaction that runs and starts no more; resolves when none runs. */
  stop(): Promise<void>;
}

/** Where a partition stands when it has been loaded. */
interface Start {
  readonly base: number;
  readonly snapshotBytes: number;
  readonly journalBytes: number;
}

interface Partition {
  state(): PartitionState;
  /** Makes the journal a fresh one, with `prepare` called at the moment between; gives its number. */
  rotate(prepare: () => void): Promise<number>;
}

/**
 * Journals may grow to so many times the snapshot. At two, a store that grows writes each entry one and a half
 * times, and opening one reads at most three times what it holds.
 */
const WORTH_IT = 2;

/** Compaction for one partition. A failure harms nothing: the journals still hold everything. */
export function createCompaction(place: PartitionPlace, start: Start, partition: Partition): Compaction {
  let { base, snapshotBytes } = start;
  /** Bytes in journals behind the snapshot, without the current one. */
  let earlier = 0;
  let current = start.journalBytes;
  let notBefore = 0;
  let running: Promise<void> | undefined;
  let stopped = false;

  const compact = async (): Promise<void> => {
    if (stopped) return;
    let view: ConsistentView | undefined;
    const number = await partition.rotate(() => {
      view = takeConsistentView(place.partition, partition.state());
    });
    if (!view || number === base) return;
    const covered = earlier;
    snapshotBytes = await writeSnapshot(place, place.folder, number, view, () => stopped);
    earlier -= covered;
    const previous = base;
    base = number;
    for (const path of outdated(place.folder, await listGenerations(place.disk, place.folder), previous)) {
      await removeIfThere(place.disk, path);
    }
  };
  const run = (): Promise<void> =>
    (running ??= place.oneAtATime(compact).finally(() => {
      running = undefined;
    }));

  return {
    grown(journalBytes) {
      current = journalBytes;
      const size = earlier + current;
      if (stopped || running || size < Math.max(place.compactFloor, WORTH_IT * snapshotBytes, notBefore))
        return;
      run().catch((error: unknown) => {
        if (stopped) return;
        // Not again with every write: a disk that is full stays full for a while.
        notBefore = size * 1.5;
        place.failed(asStoreError(error), 'compact');
      });
    },
    rotated() {
      earlier += current;
      current = 0;
    },
    run,
    async stop() {
      stopped = true;
      await running?.catch(() => undefined);
    },
  };
}
