import { join } from 'node:path';
import type { DiskFile, FolderPlace } from '../files/disk.ts';
import { asStoreError, writeAll } from '../files/disk-steps.ts';
import type { Mark } from './mark.ts';
import { MARKS_FILE, markLines, writeMarks, type MarksEnd } from './marks-file.ts';
import type { StoreError } from '../store.ts';
import type { NotedReach } from './withdrawals/withdrawals.ts';
import type { Noted, Reach } from './withdrawals/reach.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

interface MarksPlace extends FolderPlace {
  readonly failed: (error: StoreError, doing: string) => void;
}

/** A new round begins, and the file is written anew, with the first mark after so long or behind so many bytes. */
const ROUND_MS = 60_000;
const ROUND_BYTES = 1024 * 1024;

interface MarksStart {
  round: number;
  marks: ReadonlyMap<string, Mark>;
  withdrawn: Noted | undefined;
}

/**
 * How far each partition has come, kept outside of them, so that a file, a folder or a tail that went back is
 * missed. The marks themselves are numbered in rounds, and what is written to a partition names the round: so it
 * shows as well when it is the marks that went back.
 */
export class Marks implements NotedReach {
  readonly #place: MarksPlace;
  readonly #marks: Map<string, Mark>;
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
  readonly #inLane = createMutex();

  /** @param start the marks to go on from, and the number of the highest round that was found anywhere */
  constructor(place: MarksPlace, start: MarksStart) {
    this.#place = place;
    this.#withdrawn = start.withdrawn;
    this.#marks = new Map(start.marks);
    this.#round = start.round;
  }

  of(partition: string): Mark | undefined {
    return this.#marks.get(partition);
  }

  /**
   * Number of the present round, which is on the disk; to be asked for before anything is written. A round lasts
   * a minute or longer, and has a higher number than all before it.
   */
  async round(): Promise<number> {
    const beginning = (this.#begun ??= this.#inLane(async () => {
      if (!this.#file) await this.#nextRound();
    }));
    beginning.catch(() => (this.#begun = undefined));
    await beginning;
    return this.#round;
  }

  /**
   * Notes what is on the disk already. Written at once but without an fsync of its own, and nobody waits: a
   * power cut may take the newest marks with it, which then promise less than there is and never more.
   */
  reached(partition: string, mark: Mark): void {
    this.#marks.set(partition, mark);
    this.#changed.add(partition);
    this.#addSoon();
  }

  withdrawnReach(): Noted | undefined {
    return this.#withdrawn;
  }

  withdrawnReached({ book, no }: Reach): void {
    const before = this.#withdrawn;
    if (before?.book === book && before.no === no && before.restored !== true) return;
    this.#withdrawn = { book, no };
    this.#hasWithdrawn = true;
    this.#addSoon();
  }

  /** Resolves when the partition is forgotten on the disk as well. */
  forget(partition: string): Promise<void> {
    return this.#inLane(async () => {
      if (this.#marks.delete(partition)) await this.#nextRound();
    });
  }

  /** Resolves when all marks are on the disk, or when it is known that they cannot be. */
  close(): Promise<void> {
    return this.#inLane(async () => {
      if (!this.#begun && !this.#hasNews) return;
      try {
        if (this.#isBehind() || !this.#file) await this.#add();
        await this.#file?.sync();
      } finally {
        await this.#shut();
      }
    }).catch((error: unknown) => this.#tell(error));
  }

  #tell(error: unknown): void {
    this.#place.failed(asStoreError(error), 'note how far its parts have come');
  }

  async #shut(): Promise<void> {
    const open = this.#file;
    this.#file = undefined;
    await open?.close();
  }

  async #nextRound(): Promise<void> {
    await this.#shut();
    this.#changed.clear();
    this.#hasWithdrawn = false;
    this.#end = await writeMarks(this.#place, this.#round + 1, this.#marks, this.#withdrawn);
    this.#round += 1;
    this.#added = 0;
    this.#until = this.#place.clock.monotonic() + ROUND_MS;
    this.#file = await this.#place.disk.open(join(this.#place.folder, MARKS_FILE), 'change');
  }

  /** Behind what was added last: a line of which only a part got to the disk is written over. */
  async #add(): Promise<void> {
    if (!this.#file || this.#added > ROUND_BYTES || this.#place.clock.monotonic() > this.#until)
      return this.#nextRound();
    const entries = [...this.#changed].flatMap((name) => {
      const mark = this.#marks.get(name);
      return mark ? [[name, mark] as const] : [];
    });
    const withReach = this.#hasWithdrawn;
    const { lines, crc } = markLines(entries, withReach ? this.#withdrawn : undefined, this.#end.crc);
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

  #addSoon(): void {
    this.#hasNews = true;
    if (this.#adding) return;
    this.#adding = true;
    this.#inLane(async () => {
      this.#adding = false;
      if (this.#isBehind()) await this.#add();
    }).catch((error: unknown) => this.#tell(error));
  }
}
