import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile, FolderPlace } from '../files/disk.ts';
import { removeIfExists, renameDurably, writeAll } from '../files/disk-steps.ts';
import { controlLine, FORMAT_VERSION } from '../files/format.ts';
import { journalName, OPEN_MARK, UNFINISHED } from './generations.ts';
import type { HighWaterMark } from '../recovery/high-water-mark.ts';

const PIECE_BYTES = 1024 * 1024;

/** One transaction's lines, ready to be written. */
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
  /** Returns the present epoch of the high-water marks; absent in a store that isn't in use yet. */
  readonly epoch?: () => Promise<number>;
}

/** Creates journal `number` atomically; its changes come after change `after`. */
export async function createJournal(place: JournalPlace, number: number, after: number): Promise<Journal> {
  return (await prepareJournal(place, number, after))();
}

/**
 * Writes journal `number`, which begins after change `after`, under a temporary name. Returns a function that gives it
 * its final name: from that call on, the previous journal mustn't be appended to, even if the call fails.
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
    // Without the mark, the missing closing line would look like a truncation.
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

/** Creates the file that marks a partition as open, durably, if it isn't there. */
async function setOpenMark(disk: Disk, folder: string): Promise<void> {
  await (await disk.open(join(folder, OPEN_MARK), 'create')).close();
  await disk.syncFolder(folder);
}

/** The file to which a partition's transactions are appended. */
export class Journal {
  readonly number: number;
  readonly #place: JournalPlace;
  #file: DiskFile | undefined;
  #validLength: number;
  #crc: number;
  #isEmpty: boolean;

  /** Continues a journal of which the first `validLength` bytes count. The first append opens the file. */
  constructor(place: JournalPlace, { number, validLength, crc, empty }: Tail) {
    this.#place = place;
    this.number = number;
    this.#validLength = validLength;
    this.#crc = crc;
    this.#isEmpty = empty;
  }

  bytes(): number {
    return this.#validLength;
  }

  /** Returns the high-water mark that names `last`, the number of the last appended change. */
  highWaterMark(last: number): HighWaterMark {
    return { journal: this.number, bytes: this.#validLength, crc: this.#crc, last };
  }

  empty(): boolean {
    return this.#isEmpty;
  }

  /** Appends the transactions' lines and fsyncs them. After an error, {@link discardTail} must be called. */
  async append(groups: readonly Group[]): Promise<void> {
    await this.#writeGroups(groups);
    this.#isEmpty = false;
  }

  /** Writes the closing line with the last change's number, closes the file and removes the partition's open mark. */
  async seal(last: number): Promise<void> {
    const { disk, folder } = this.#place;
    await this.#writeGroups([{ chunks: [], ops: 0, last }], true);
    await this.close();
    await removeIfExists(disk, join(folder, OPEN_MARK));
    await disk.syncFolder(folder);
  }

  /** Truncates the file to its durable length after a failed append, and closes it. */
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

  async close(): Promise<void> {
    const closing = this.#file;
    this.#file = undefined;
    await closing?.close();
  }

  /** Returns the journal's file; the first call opens it and marks the partition as open. */
  async #openFile(): Promise<DiskFile> {
    if (this.#file) return this.#file;
    const { disk, folder } = this.#place;
    await setOpenMark(disk, folder);
    return (this.#file = await disk.open(join(folder, journalName(this.number)), 'change'));
  }

  /** Writes groups of lines, as the closing line with `closed`, fsyncs them and advances the durable length. */
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

/** Writes to a file in pieces of 1 MiB, so that large transactions don't block the event loop. */
class ChunkedWriter {
  readonly #file: DiskFile;
  #position: number;
  #waiting: Buffer[] = [];
  #size = 0;

  constructor(file: DiskFile, position: number) {
    this.#file = file;
    this.#position = position;
  }

  /** Queues bytes. Once 1 MiB is queued, writes it and returns a promise to await; else returns undefined. */
  add(bytes: Buffer): Promise<void> | undefined {
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    return this.#size >= PIECE_BYTES ? this.flush() : undefined;
  }

  /** Writes the queued bytes without an fsync, and advances the position. */
  async flush(): Promise<void> {
    await writeAll(this.#file, this.#waiting, this.#position);
    this.#position += this.#size;
    this.#waiting = [];
    this.#size = 0;
  }

  end(): number {
    return this.#position;
  }
}
