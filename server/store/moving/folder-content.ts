import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS } from '../engine/migrations.ts';
import { listedPartitions, writeManifest } from '../engine/manifest.ts';
import { STORE_FOLDER } from '../engine/partition-folders.ts';
import { createSnapshot } from '../engine/snapshot.ts';
import type { DiskPlace } from '../files/disk.ts';
import { listIfExists, renameDurably } from '../files/disk-steps.ts';
import type { HighWaterMark } from '../recovery/high-water-mark.ts';
import { readMarks, writeMarks } from '../recovery/high-water-marks-file.ts';
import { readIntactState } from '../recovery/newest-chain.ts';
import { makePartitionIn } from '../recovery/unpack-backup.ts';
import type { Noted } from '../recovery/withdrawals/log-position.ts';
import { StoreError } from '../store.ts';
import { EMPTY, type PartitionContent } from './content.ts';

/** Where an arriving store is prepared. */
const STORE_ARRIVING = 'store.arriving';

/** A data folder's store, at rest or arriving, locked by this process. */
export class FolderContent {
  readonly #place: DiskPlace;
  readonly #dataDir: string;
  readonly #arriving: string;
  readonly #store: string;

  constructor(place: DiskPlace, dataDir: string) {
    this.#place = place;
    this.#dataDir = dataDir;
    this.#arriving = join(dataDir, STORE_ARRIVING);
    this.#store = join(dataDir, STORE_FOLDER);
  }

  /** Returns the names of the partitions in the folder, sorted. */
  async names(): Promise<readonly string[]> {
    const [{ disk }, folder] = [this.#place, await this.#folder()];
    return (await listedPartitions(disk, folder, await readMarks(disk, folder))).names;
  }

  /**
   * Reads a partition of the arriving store, without one of the data folder's, into memory; empty if missing. Throws
   * StoreError `damaged` if part is unreadable.
   */
  async read(partition: string): Promise<PartitionContent> {
    const [{ disk }, store] = [this.#place, await this.#folder()];
    const { marks } = await readMarks(disk, store);
    const folder = join(store, partition);
    if (!(await listIfExists(disk, store)).includes(partition)) return EMPTY;
    const mark = marks.get(partition);
    const state = await readIntactState({ disk, folder, partition, migrations: MIGRATIONS, mark });
    if (!state)
      throw new StoreError(
        'damaged',
        `Not all of ${folder} can be read. "footbridge doctor" says more; restore a good backup, or delete that list, before the office moves.`,
      );
    const tables = [...state.tables()]
      .map(([name, { byKey }]) => [name, byKey.size()] as const)
      .filter(([, entries]) => entries > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      last: state.lastSeq(),
      tables: new Map(tables),
      /** Yields the table's entries in key order, in blocks, without the first `skipped`. */
      async *entries(table, skipped = 0) {
        let left = skipped;
        for (const block of state.table(table).byKey.view()) {
          if (block.length > left) yield block.slice(left);
          left = Math.max(0, left - block.length);
          await Promise.resolve();
        }
      },
    };
  }

  /** Returns the noted position of the revocation log; undefined without one. */
  async revocationPosition(): Promise<Noted | undefined> {
    return (await readMarks(this.#place.disk, await this.#folder())).withdrawn;
  }

  /** Writes a partition and its mark into the arriving store that a move builds, unless there as of the same change. */
  async fillPartition(partition: string, content: PartitionContent): Promise<void> {
    await this.#renameBack();
    const { marks } = await readMarks(this.#place.disk, this.#arriving);
    if (marks.get(partition)?.last === content.last) return;
    await this.discard(partition);
    await this.#place.disk.makeFolder(this.#arriving);
    const { folder, mark } = await makePartitionIn(this.#arriving, this.#place, partition, content.last);
    const snapshot = await createSnapshot(this.#place, folder, 1, { name: partition, last: content.last });
    let entries = 0;
    try {
      for (const table of content.tables.keys())
        for await (const slots of content.entries(table)) {
          await snapshot.writer.appendGroup(slots, content.last);
          entries += slots.length;
        }
    } catch (error) {
      await snapshot.abandon();
      throw error;
    }
    await snapshot.finish(entries);
    await this.#changeMarks((marked) => marked.set(partition, mark));
  }

  /** Deletes a partition and its mark from the arriving store, if there. */
  async discard(partition: string): Promise<void> {
    await this.#renameBack();
    await this.#changeMarks((marks) => marks.delete(partition));
    await rm(join(this.#arriving, partition), { recursive: true, force: true });
  }

  /** Notes the revocation log's position in the arriving store; undefined removes the note. */
  async setRevocationPosition(revocationPosition: Noted | undefined): Promise<void> {
    await this.#renameBack();
    await this.#changeMarks(() => undefined, { revocationPosition });
  }

  /**
   * Renames the arriving store, if any, to the data folder's store, which must not exist, with a manifest of its
   * partitions. Throws StoreError `newer-version`.
   */
  async renameArrived(): Promise<void> {
    const { disk, clock } = this.#place;
    if (!(await this.#isArriving())) return;
    const { marks } = await readMarks(disk, this.#arriving);
    await writeManifest({ disk, clock, folder: this.#arriving }, [...marks.keys()].sort());
    await renameDurably(disk, clock, this.#arriving, this.#store);
    await disk.syncFolder(this.#dataDir);
  }

  /** Deletes the arriving store. If there is none, takes the store in place for an arrived one, and deletes that. */
  async removeArriving(): Promise<void> {
    await this.#renameBack();
    await rm(this.#arriving, { recursive: true, force: true });
  }

  /** Undoes {@link renameArrived}: without an arriving store, makes the store in place the arriving one. */
  async #renameBack(): Promise<void> {
    const { disk, clock } = this.#place;
    const names = await listIfExists(disk, this.#dataDir);
    if (names.includes(STORE_FOLDER) && !names.includes(STORE_ARRIVING))
      await renameDurably(disk, clock, this.#store, this.#arriving);
  }

  /** Returns the folder of the arriving store if there is one, otherwise of the data folder's store. */
  async #folder(): Promise<string> {
    return (await this.#isArriving()) ? this.#arriving : this.#store;
  }

  async #isArriving(): Promise<boolean> {
    return (await listIfExists(this.#place.disk, this.#dataDir)).includes(STORE_ARRIVING);
  }

  /**
   * Applies `change` to the arriving store's marks and writes them; `replacing` replaces the revocation log's position
   * too.
   */
  async #changeMarks(
    change: (marks: Map<string, HighWaterMark>) => unknown,
    replacing?: { readonly revocationPosition: Noted | undefined },
  ): Promise<void> {
    const { disk, clock } = this.#place;
    const { marks: known, withdrawn } = await readMarks(disk, this.#arriving);
    const marks = new Map(known);
    change(marks);
    await disk.makeFolder(this.#arriving);
    await writeMarks(
      { disk, clock, folder: this.#arriving },
      0,
      marks,
      replacing ? replacing.revocationPosition : withdrawn,
    );
  }
}
