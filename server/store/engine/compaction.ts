import { asStoreError, removeIfExists } from '../files/disk-steps.ts';
import { listGenerations, outdatedPaths } from './generations.ts';
import type { PartitionState } from './partition-state.ts';
import type { PartitionLocation } from '../files/store-location.ts';
import { writeSnapshot } from './snapshot.ts';
import { takeConsistentView, type ConsistentView } from './store-writer.ts';

interface Start {
  readonly base: number;
  readonly snapshotBytes: number;
  readonly journalBytes: number;
}

interface Partition {
  state(): PartitionState;
  /** Starts a new journal, calling `prepare` just before its first change; returns its number. */
  rotate(prepare: () => void): Promise<number>;
}

/** Per snapshot byte: an entry is written 1.5 times on average. */
const MAX_JOURNALS_PER_SNAPSHOT = 2;

/** Compacts journals in the background; after a failure they simply remain. */
export class Compaction {
  readonly #place: PartitionLocation;
  readonly #partition: Partition;
  /** Snapshot that the journals continue. */
  #base: number;
  #snapshotBytes: number;
  #earlierJournalBytes = 0;
  #currentJournalBytes: number;
  #retryFromBytes = 0;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(place: PartitionLocation, { base, snapshotBytes, journalBytes }: Start, partition: Partition) {
    this.#place = place;
    this.#partition = partition;
    this.#base = base;
    this.#snapshotBytes = snapshotBytes;
    this.#currentJournalBytes = journalBytes;
  }

  /**
   * Notes the present journal's size, and compacts in the background if all journals together are too large, unless it
   * runs. Logs errors, after which they must be half as large again.
   */
  startIfOutgrown(journalBytes: number): void {
    this.#currentJournalBytes = journalBytes;
    const size = this.#earlierJournalBytes + this.#currentJournalBytes;
    const limit = Math.max(
      this.#place.compactFloor,
      MAX_JOURNALS_PER_SNAPSHOT * this.#snapshotBytes,
      this.#retryFromBytes,
    );
    if (this.#isStopped || this.#running || size < limit) return;
    this.run().catch((error: unknown) => {
      if (this.#isStopped) return;
      // Full disks stay full for a while.
      this.#retryFromBytes = size * 1.5;
      this.#place.failed(asStoreError(error), 'compact');
    });
  }

  /** Counts the present journal among the earlier ones, as a new one replaces it. */
  countReplacedJournal(): void {
    this.#earlierJournalBytes += this.#currentJournalBytes;
    this.#currentJournalBytes = 0;
  }

  /** Compacts now, or joins the running compaction; a no-op after `stop`. Rejects with the disk's error. */
  run(): Promise<void> {
    return (this.#running ??= this.#place
      .oneAtATime(() => this.#writeSnapshot())
      .finally(() => {
        this.#running = undefined;
      }));
  }

  /** Interrupts a running compaction, waits for its end, and prevents later ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.catch(() => undefined);
  }

  /** Snapshots the state before a new journal, and deletes files older than the previous snapshot. */
  async #writeSnapshot(): Promise<void> {
    if (this.#isStopped) return;
    const { disk, folder, partition } = this.#place;
    let view: ConsistentView | undefined;
    const number = await this.#partition.rotate(() => {
      view = takeConsistentView(partition, this.#partition.state());
    });
    if (!view || number === this.#base) return;
    const covered = this.#earlierJournalBytes;
    this.#snapshotBytes = await writeSnapshot(this.#place, folder, number, view, () => this.#isStopped);
    this.#earlierJournalBytes -= covered;
    const previous = this.#base;
    this.#base = number;
    for (const path of outdatedPaths(folder, await listGenerations(disk, folder), previous)) {
      await removeIfExists(disk, path);
    }
  }
}
