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

/** A new round begins with the first mark after this time or this many bytes. */
const ROUND_MS = 60_000;
const ROUND_BYTES = 1024 * 1024;

interface MarksStart {
  round: number;
  marks: ReadonlyMap<string, HighWaterMark>;
  withdrawn: Noted | undefined;
}

/**
 * High-water marks of the partitions, kept outside of them, so that files that went back are noticed. They
 * are numbered in rounds, named by what is written, so that marks that went back are noticed too.
 */
export class HighWaterMarks implements LogPositions {
  readonly #place: MarksPlace;
  readonly #marks: Map<string, HighWaterMark>;
  readonly #changed = new Set<string>();
  #withdrawn: Noted | undefined;
  #hasWithdrawn = false;
  #round: number;
  #begun: Promise<void> | undefined;
  #file: DiskFile | undefined;
  #end: MarksEnd = { size: 0, crc: 0 };
  #added = 0;
  #until = 0;
  #adding = false;
  #hasNews = false;
  readonly #inTurn = createMutex();

  /** @param start the marks to continue from, and the highest round found anywhere */
  constructor(place: MarksPlace, start: MarksStart) {
    this.#place = place;
    this.#withdrawn = start.withdrawn;
    this.#marks = new Map(start.marks);
    this.#round = start.round;
  }

  /** Returns a partition's newest mark; undefined if it has none. */
  of(partition: string): HighWaterMark | undefined {
    return this.#marks.get(partition);
  }

  /**
   * Returns the number of this run's round of marks, which the first call begins in the file. Call it before anything
   * is written to a partition.
   */
  async epoch(): Promise<number> {
    const beginning = (this.#begun ??= this.#inTurn(async () => {
      if (!this.#file) await this.#nextRound();
    }));
    beginning.catch(() => (this.#begun = undefined));
    await beginning;
    return this.#round;
  }

  /** Records a mark for what is on disk, without fsync: after a power cut it promises less, never more. */
  advance(partition: string, mark: HighWaterMark): void {
    this.#marks.set(partition, mark);
    this.#changed.add(partition);
    this.#appendSoon();
  }

  revocationPosition(): Noted | undefined {
    return this.#withdrawn;
  }

  /**
   * Records how far the revocation log has come, so that an older log is noticed. The data then no longer counts as
   * restored from a backup.
   */
  advanceRevocationPosition({ book, no }: LogPosition): void {
    const before = this.#withdrawn;
    if (before?.book === book && before.no === no && before.restored !== true) return;
    this.#withdrawn = { book, no };
    this.#hasWithdrawn = true;
    this.#appendSoon();
  }

  /** Removes a partition's mark, durably. */
  forget(partition: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#marks.delete(partition)) await this.#nextRound();
    });
  }

  /** Writes and fsyncs the marks that aren't written yet, and closes the file. Never rejects: a failure is logged. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#begun && !this.#hasNews) return;
      try {
        if (this.#isBehind() || !this.#file) await this.#append();
        await this.#file?.sync();
      } finally {
        await this.#closeFile();
      }
    }).catch((error: unknown) => this.#logFailure(error));
  }

  #logFailure(error: unknown): void {
    this.#place.failed(asStoreError(error), 'note how far its parts have come');
  }

  /** Closes the file, if open. */
  async #closeFile(): Promise<void> {
    const open = this.#file;
    this.#file = undefined;
    await open?.close();
  }

  /** Begins the next round: replaces the file by all marks and opens it for appending. */
  async #nextRound(): Promise<void> {
    await this.#closeFile();
    this.#changed.clear();
    this.#hasWithdrawn = false;
    this.#end = await writeMarks(this.#place, this.#round + 1, this.#marks, this.#withdrawn);
    this.#round += 1;
    this.#added = 0;
    this.#until = this.#place.clock.monotonic() + ROUND_MS;
    this.#file = await this.#place.disk.open(join(this.#place.folder, MARKS_FILE), 'change');
  }

  /** Appends the changed marks; begins the next round instead after a minute or 1 MiB. */
  async #append(): Promise<void> {
    if (!this.#file || this.#added > ROUND_BYTES || this.#place.clock.monotonic() > this.#until)
      return this.#nextRound();
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
    this.#added += bytes;
  }

  #isBehind(): boolean {
    return this.#changed.size > 0 || this.#hasWithdrawn;
  }

  /** Schedules one write of the changed marks in the background. A failure is logged. */
  #appendSoon(): void {
    this.#hasNews = true;
    if (this.#adding) return;
    this.#adding = true;
    this.#inTurn(async () => {
      this.#adding = false;
      if (this.#isBehind()) await this.#append();
    }).catch((error: unknown) => this.#logFailure(error));
  }
}
