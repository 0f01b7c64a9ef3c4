import { join } from 'node:path';
import type { DiskFile, FolderPlace } from '../files/disk.ts';
import { asStoreError, writeAll } from '../files/disk-steps.ts';
import type { HighWaterMark } from './high-water-mark.ts';
import { MARKS_FILE, formatMarks, writeMarks, type MarksEnd } from './high-water-marks-file.ts';
import type { StoreError } from '../store.ts';
import type { LogPositions } from './withdrawals/revocation-log.ts';
import type { Noted, LogPosition } from './withdrawals/log-position.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

interface MarksPlace extends FolderPlace {
  readonly failed: (error: StoreError, doing: string) => void;
}

/** The first mark after this time or size begins an epoch. */
const EPOCH_MS = 60_000;
const EPOCH_BYTES = 1024 * 1024;

interface MarksStart {
  round: number;
  marks: ReadonlyMap<string, HighWaterMark>;
  withdrawn: Noted | undefined;
}

/**
 * Kept outside the partitions, to expose files that went back. Data names the marks' epoch, which exposes
 * marks that went back.
 */
export class HighWaterMarks implements LogPositions {
  readonly #place: MarksPlace;
  readonly #marks: Map<string, HighWaterMark>;
  readonly #changed = new Set<string>();
  #withdrawn: Noted | undefined;
  #hasWithdrawn = false;
  #epoch: number;
  #beginning: Promise<void> | undefined;
  #file: DiskFile | undefined;
  #end: MarksEnd = { size: 0, crc: 0 };
  #addedBytes = 0;
  #epochEnd = 0;
  #isScheduled = false;
  #hasChanged = false;
  readonly #inTurn = createMutex();

  /** Continues from these marks and the highest epoch found anywhere. */
  constructor(place: MarksPlace, start: MarksStart) {
    this.#place = place;
    this.#withdrawn = start.withdrawn;
    this.#marks = new Map(start.marks);
    this.#epoch = start.round;
  }

  /** Returns the partition's mark; undefined without one. */
  of(partition: string): HighWaterMark | undefined {
    return this.#marks.get(partition);
  }

  /**
   * Returns the marks' epoch, which the first call begins in the file. Await it before writing to a partition; retried
   * by the next call after a failure.
   */
  async beginEpoch(): Promise<number> {
    const beginning = (this.#beginning ??= this.#inTurn(async () => {
      if (!this.#file) await this.#beginNextEpoch();
    }));
    beginning.catch(() => (this.#beginning = undefined));
    await beginning;
    return this.#epoch;
  }

  /** Records a mark for what is on disk and writes it soon, without fsync: a power cut makes it promise less. */
  advance(partition: string, mark: HighWaterMark): void {
    this.#marks.set(partition, mark);
    this.#changed.add(partition);
    this.#appendSoon();
  }

  /** Returns the noted position of the revocation log; undefined without one. */
  revocationPosition(): Noted | undefined {
    return this.#withdrawn;
  }

  /**
   * Records the revocation log's position, written to the file in the background, so that an older log is noticed. Ends
   * the state `restored`.
   */
  advanceRevocationPosition({ book, no }: LogPosition): void {
    const before = this.#withdrawn;
    if (before?.book === book && before.no === no && before.restored !== true) return;
    this.#withdrawn = { book, no };
    this.#hasWithdrawn = true;
    this.#appendSoon();
  }

  /** Removes the partition's mark, and rewrites the file if it had one. */
  forget(partition: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#marks.delete(partition)) await this.#beginNextEpoch();
    });
  }

  /** Writes and fsyncs unwritten marks, and closes the file. Never rejects: logs a failure. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#beginning && !this.#hasChanged) return;
      try {
        if (this.#hasUnwritten() || !this.#file) await this.#appendChanged();
        await this.#file?.sync();
      } finally {
        await this.#closeFile();
      }
    }).catch((error: unknown) => this.#logFailure(error));
  }

  #logFailure(error: unknown): void {
    this.#place.failed(asStoreError(error), 'note how far its parts have come');
  }

  /** Closes the file, if one is open, without fsync. Rejects if that fails. */
  async #closeFile(): Promise<void> {
    const open = this.#file;
    this.#file = undefined;
    await open?.close();
  }

  /** Rewrites the file with all marks, under the next epoch, and opens it for appending. */
  async #beginNextEpoch(): Promise<void> {
    await this.#closeFile();
    this.#changed.clear();
    this.#hasWithdrawn = false;
    this.#end = await writeMarks(this.#place, this.#epoch + 1, this.#marks, this.#withdrawn);
    this.#epoch += 1;
    this.#addedBytes = 0;
    this.#epochEnd = this.#place.clock.monotonic() + EPOCH_MS;
    this.#file = await this.#place.disk.open(join(this.#place.folder, MARKS_FILE), 'change');
  }

  /** Appends changed marks without fsync; begins the next epoch instead after a minute or 1 MiB. */
  async #appendChanged(): Promise<void> {
    if (!this.#file || this.#addedBytes > EPOCH_BYTES || this.#place.clock.monotonic() > this.#epochEnd)
      return this.#beginNextEpoch();
    const entries = [...this.#changed].flatMap((name) => {
      const mark = this.#marks.get(name);
      return mark ? [[name, mark] as const] : [];
    });
    const withReach = this.#hasWithdrawn;
    const { lines, crc } = formatMarks(entries, withReach ? this.#withdrawn : undefined, this.#end.crc);
    this.#changed.clear();
    this.#hasWithdrawn = false;
    try {
      await writeAll(this.#file, lines, this.#end.size);
    } catch (error) {
      for (const [name] of entries) this.#changed.add(name);
      this.#hasWithdrawn ||= withReach;
      throw error;
    }
    const bytes = lines.reduce((sum, { length }) => sum + length, 0);
    this.#end = { size: this.#end.size + bytes, crc };
    this.#addedBytes += bytes;
  }

  /** Returns whether marks or the position changed since they were written. */
  #hasUnwritten(): boolean {
    return this.#changed.size > 0 || this.#hasWithdrawn;
  }

  /** Schedules one background write; logs a failure. */
  #appendSoon(): void {
    this.#hasChanged = true;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#inTurn(async () => {
      this.#isScheduled = false;
      if (this.#hasUnwritten()) await this.#appendChanged();
    }).catch((error: unknown) => this.#logFailure(error));
  }
}
