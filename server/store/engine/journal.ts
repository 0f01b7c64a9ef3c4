import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile, FolderPlace } from '../files/disk.ts';
import { removeIfExists, renameDurably, writeAll } from '../files/disk-steps.ts';
import { controlLine, FORMAT_VERSION } from '../files/format.ts';
import { journalName, OPEN_MARK, UNFINISHED } from './generations.ts';
import type { HighWaterMark } from '../recovery/high-water-mark.ts';

const PIECE_BYTES = 1024 * 1024;

/** A transaction's lines. */
export interface Group {
  readonly chunks: readonly Buffer[];
  readonly ops: number;
  readonly last: number;
}

export interface Tail {
  readonly number: number;
  readonly validLength: number;
  readonly crc: number;
  readonly empty: boolean;
}

interface JournalPlace extends FolderPlace {
  readonly partition: string;
  /** Returns the marks' epoch; absent in a store not in use yet. */
  readonly epoch?: () => Promise<number>;
}

/** Creates journal (write-ahead log) `number` atomically; its changes follow change `after`. */
export async function createJournal(place: JournalPlace, number: number, after: number): Promise<Journal> {
  return (await prepareJournal(place, number, after))();
}

/**
 * Marks the folder as open, and writes journal `number`, which follows change `after`, under a temporary name. The
 * returned function renames it: once called, even if it fails, the previous journal mustn't be appended to.
 */
export async function prepareJournal(
  place: JournalPlace,
  number: number,
  after: number,
): Promise<() => Promise<Journal>> {
  const { disk, clock, folder, partition } = place;
  const path = join(folder, journalName(number));
  const fields = { footbridge: 'journal' as const, version: FORMAT_VERSION, partition, after };
  const header = controlLine({ ...fields, round: await place.epoch?.() }, 0);
  try {
    // Otherwise a missing closing line looks like truncation.
    await setOpenMark(disk, folder);
    const file = await disk.open(path + UNFINISHED, 'create');
    try {
      await writeAll(file, [header.line], 0);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await removeIfExists(disk, path + UNFINISHED).catch(() => undefined);
    throw error;
  }
  return async () => {
    await renameDurably(disk, clock, path + UNFINISHED, path);
    return new Journal(place, { number, validLength: header.line.length, crc: header.crc, empty: true });
  };
}

/** Creates and fsyncs the mark of an open partition. */
async function setOpenMark(disk: Disk, folder: string): Promise<void> {
  await (await disk.open(join(folder, OPEN_MARK), 'create')).close();
  await disk.syncFolder(folder);
}

/** Append-only file of a partition's transactions. */
export class Journal {
  readonly number: number;
  readonly #place: JournalPlace;
  #file: DiskFile | undefined;
  #validLength: number;
  #crc: number;
  #isEmpty: boolean;

  /** Continues a journal whose first `validLength` bytes count. The first append opens the file. */
  constructor(place: JournalPlace, { number, validLength, crc, empty }: Tail) {
    this.#place = place;
    this.number = number;
    this.#validLength = validLength;
    this.#crc = crc;
    this.#isEmpty = empty;
  }

  /** Returns the journal's durable length. */
  bytes(): number {
    return this.#validLength;
  }

  /** Returns the mark of what is written so far; `last`: number of the last change in it. */
  highWaterMark(last: number): HighWaterMark {
    return { journal: this.number, bytes: this.#validLength, crc: this.#crc, last };
  }

  /** Returns whether nothing was appended. */
  empty(): boolean {
    return this.#isEmpty;
  }

  /** Appends and fsyncs groups. After an error, call {@link discardTail}. */
  async append(groups: readonly Group[]): Promise<void> {
    await this.#writeGroups(groups);
    this.#isEmpty = false;
  }

  /**
   * Writes the closing line, closes the file and removes the open mark; a later write reopens it. `last` is the last
   * change's number.
   */
  async seal(last: number): Promise<void> {
    const { disk, folder } = this.#place;
    await this.#writeGroups([{ chunks: [], ops: 0, last }], true);
    await this.close();
    await removeIfExists(disk, join(folder, OPEN_MARK));
    await disk.syncFolder(folder);
  }

  /** Truncates to the durable length after a failed append, and closes. */
  async discardTail(): Promise<void> {
    const target = this.#file;
    this.#file = undefined;
    try {
      await target?.truncate(this.#validLength);
      await target?.sync();
    } finally {
      await target?.close();
    }
  }

  /** Closes the file, if open; the next write reopens it. */
  async close(): Promise<void> {
    const closing = this.#file;
    this.#file = undefined;
    await closing?.close();
  }

  /** Returns the open file; opens it and marks the partition open if needed. */
  async #openFile(): Promise<DiskFile> {
    if (this.#file) return this.#file;
    const { disk, folder } = this.#place;
    await setOpenMark(disk, folder);
    return (this.#file = await disk.open(join(folder, journalName(this.number)), 'change'));
  }

  /** Writes groups, advances the durable length after the fsync. `closed` writes the closing line too. */
  async #writeGroups(groups: readonly Group[], closed?: true): Promise<void> {
    const target = await this.#openFile();
    const written = { durable: this.#validLength, closed, round: await this.#place.epoch?.() };
    const pieces = new ChunkedWriter(target, this.#validLength);
    let crc = this.#crc;
    for (const { chunks, ops, last } of groups) {
      for (const chunk of chunks) {
        crc = crc32(chunk, crc);
        await pieces.add(chunk);
      }
      const control = controlLine({ ops, last, ...written }, crc);
      crc = control.crc;
      await pieces.add(control.line);
    }
    await pieces.flush();
    await target.sync();
    this.#validLength = pieces.end();
    this.#crc = crc;
  }
}

/** Writes pieces of 1 MiB: large transactions must not block the event loop. */
class ChunkedWriter {
  readonly #file: DiskFile;
  #position: number;
  #waiting: Buffer[] = [];
  #size = 0;

  constructor(file: DiskFile, position: number) {
    this.#file = file;
    this.#position = position;
  }

  /** Queues bytes. Once 1 MiB is queued, writes it and returns a promise to await. */
  add(bytes: Buffer): Promise<void> | undefined {
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    return this.#size >= PIECE_BYTES ? this.flush() : undefined;
  }

  /** Writes what is queued, without fsync. */
  async flush(): Promise<void> {
    await writeAll(this.#file, this.#waiting, this.#position);
    this.#position += this.#size;
    this.#waiting = [];
    this.#size = 0;
  }

  /** Returns the offset behind what was written. */
  end(): number {
    return this.#position;
  }
}
