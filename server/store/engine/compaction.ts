import { asStoreError, removeIfExists } from '../files/disk-steps.ts';
import { listGenerations, outdatedPaths } from './generations.ts';
import type { PartitionState } from './partition-state.ts';
import type { PartitionLocation } from '../files/store-location.ts';
import { writeSnapshot } from './snapshot.ts';
import { takeConsistentView, type ConsistentView } from './store-writer.ts';

/** A partition's position after loading. */
interface Start {
  readonly base: number;
  readonly snapshotBytes: number;
  readonly journalBytes: number;
}

interface Partition {
  state(): PartitionState;
  /** Switches to a new journal, calling `prepare` just before the next change; returns its number. */
  rotate(prepare: () => void): Promise<number>;
}

/** Journals may grow to this multiple of the snapshot: an entry is written 1.5 times on average. */
const WORTH_IT = 2;

/** Compacts a partition's journal in the background; after a failure the journals still have everything. */
export class Compaction {
  readonly #place: PartitionLocation;
  readonly #partition: Partition;
  /** The snapshot that the journals continue. */
  #base: number;
  #snapshotBytes: number;
  /** Bytes in journals since the snapshot, without the current one. */
  #earlier = 0;
  #current: number;
  #notBefore = 0;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(place: PartitionLocation, { base, snapshotBytes, journalBytes }: Start, partition: Partition) {
    this.#place = place;
    this.#partition = partition;
    this.#base = base;
    this.#snapshotBytes = snapshotBytes;
    this.#current = journalBytes;
  }

  /**
   * Starts a compaction in the background if the journals outgrew their limit. Called after every append. @param
   * journalBytes the size of the present journal
   */
  startIfOutgrown(journalBytes: number): void {
    this.#current = journalBytes;
    const size = this.#earlier + this.#current;
    const worth = Math.max(this.#place.compactFloor, WORTH_IT * this.#snapshotBytes, this.#notBefore);
    if (this.#isStopped || this.#running || size < worth) return;
    this.run().catch((error: unknown) => {
      if (this.#isStopped) return;
      // A full disk stays full for a while.
      this.#notBefore = size * 1.5;
      this.#place.failed(asStoreError(error), 'compact');
    });
  }

  /** Counts the current journal among the earlier ones. Call it when a new one replaces it. */
  rotated(): void {
    this.#earlier += this.#current;
    this.#current = 0;
  }

  /** Compacts now, or joins the running compaction; resolves when that ends. Rejects with the disk's error. */
  run(): Promise<void> {
    return (this.#running ??= this.#place
      .oneAtATime(() => this.#compact())
      .finally(() => {
        this.#running = undefined;
      }));
  }

  /** Interrupts a running compaction, starts no more, and resolves when none runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.catch(() => undefined);
  }

  /**
   * Switches to a new journal, writes the state as a snapshot, and deletes files that are older than the previous
   * snapshot.
   */
  async #compact(): Promise<void> {
    if (this.#isStopped) return;
    const { disk, folder, partition } = this.#place;
    let view: ConsistentView | undefined;
    const number = await this.#partition.rotate(() => {
      view = takeConsistentView(partition, this.#partition.state());
    });
    if (!view || number === this.#base) return;
    const covered = this.#earlier;
    this.#snapshotBytes = await writeSnapshot(this.#place, folder, number, view, () => this.#isStopped);
    this.#earlier -= covered;
    const previous = this.#base;
    this.#base = number;
    for (const path of outdatedPaths(folder, await listGenerations(disk, folder), previous)) {
      await removeIfExists(disk, path);
    }
  }
}
