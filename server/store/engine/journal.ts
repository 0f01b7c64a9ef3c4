import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Disk, DiskFile, FolderPlace } from '../files/disk.ts';
import { removeIfThere, renameDurably, writeAll } from '../files/disk-steps.ts';
import { controlLine, FORMAT_VERSION } from '../files/format.ts';
import { journalName, OPEN_MARK, UNFINISHED } from './generations.ts';
import type { Mark } from '../recovery/mark.ts';

const PIECE = 1024 * 1024;

/** One transaction's lines, ready to be written. */
export interface Group {
  readonly chunks: readonly Buffer[];
  readonly ops: number;
  /** Number of its last change. */
  readonly last: number;
}

/** Where a journal that exists already is to be continued. */
export interface Tail {
  readonly number: number;
  readonly validLength: number;
  readonly crc: number;
  readonly empty: boolean;
}

interface JournalPlace extends FolderPlace {
  readonly partition: string;
  /** See `Marks.round`; undefined where a store is made that is not in use yet. */
  readonly round?: () => Promise<number>;
}

/** Makes journal `number`, which goes on behind change `after`. It exists with its beginning or not at all. */
export async function createJournal(place: JournalPlace, number: number, after: number): Promise<Journal> {
  return (await prepareJournal(place, number, after))();
}

/**
 * The first half of {@link createJournal}; the function that it gives does the second. Once that has been
 * called, the journal may exist even if it failed, so that nothing may be appended to the one before.
 */
export async function prepareJournal(
  place: JournalPlace,
  number: number,
  after: number,
): Promise<() => Promise<Journal>> {
  const { disk, clock, folder, partition } = place;
  const path = join(folder, journalName(number));
  const said = { footbridge: 'journal' as const, version: FORMAT_VERSION, partition, after };
  const header = controlLine({ ...said, round: await place.round?.() }, 0);
  try {
    // It says nowhere yet that it was closed properly, and would be taken for one that was cut.
    await setOpenMark(disk, folder);
    const file = await disk.open(path + UNFINISHED, 'create');
    try {
      await writeAll(file, [header.line], 0);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await removeIfThere(disk, path + UNFINISHED).catch(() => undefined);
    throw error;
  }
  return async () => {
    await renameDurably(disk, clock, path + UNFINISHED, path);
    return new Journal(place, { number, validLength: header.line.length, crc: header.crc, empty: true });
  };
}

async function setOpenMark(disk: Disk, folder: string): Promise<void> {
  await (await disk.open(join(folder, OPEN_MARK), 'create')).close();
  await disk.syncFolder(folder);
}

/** The file that committed transactions are appended to. */
export class Journal {
  readonly number: number;
  readonly #place: JournalPlace;
  #file: DiskFile | undefined;
  /** Bytes known to be on the disk, and their checksum. */
  #validLength: number;
  #crc: number;
  #isEmpty: boolean;

  /** Continues one whose bytes behind `validLength` do not count. The file is opened at the first append. */
  constructor(place: JournalPlace, { number, validLength, crc, empty }: Tail) {
    this.#place = place;
    this.number = number;
    this.#validLength = validLength;
    this.#crc = crc;
    this.#isEmpty = empty;
  }

  /** Bytes known to be on the disk. */
  bytes(): number {
    return this.#validLength;
  }

  /** What can be noted as being on the disk: all up to change `last`, which was the last one appended. */
  mark(last: number): Mark {
    return { journal: this.number, bytes: this.#validLength, crc: this.#crc, last };
  }

  /** Nothing has been appended since the file was made. */
  empty(): boolean {
    return this.#isEmpty;
  }

  /** Resolves when all groups are on the disk. After an error the journal must be given up: {@link cut}. */
  async append(groups: readonly Group[]): Promise<void> {
    await this.#write(groups);
    this.#isEmpty = false;
  }

  /** Notes at its end that it was closed properly, takes the open mark away, and closes the file. */
  async seal(last: number): Promise<void> {
    const { disk, folder } = this.#place;
    await this.#write([{ chunks: [], ops: 0, last }], true);
    await this.close();
    await removeIfThere(disk, join(folder, OPEN_MARK));
    await disk.syncFolder(folder);
  }

  /** Removes what a failed append may have left, as far as the disk lets us, and closes the file. */
  async cut(): Promise<void> {
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

  async #opened(): Promise<DiskFile> {
    if (this.#file) return this.#file;
    const { disk, folder } = this.#place;
    await setOpenMark(disk, folder);
    return (this.#file = await disk.open(join(folder, journalName(this.number)), 'change'));
  }

  async #write(groups: readonly Group[], closed?: true): Promise<void> {
    const target = await this.#opened();
    const written = { durable: this.#validLength, closed, round: await this.#place.round?.() };
    const pieces = new Pieces(target, this.#validLength);
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

/** Writes in pieces, so that very large transactions do not hold up the rest of the program. */
class Pieces {
  readonly #file: DiskFile;
  #position: number;
  #waiting: Buffer[] = [];
  #size = 0;

  constructor(file: DiskFile, position: number) {
    this.#file = file;
    this.#position = position;
  }

  add(bytes: Buffer): Promise<void> | undefined {
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    return this.#size >= PIECE ? this.flush() : undefined;
  }

  async flush(): Promise<void> {
    await writeAll(this.#file, this.#waiting, this.#position);
    this.#position += this.#size;
    this.#waiting = [];
    this.#size = 0;
  }

  /** Where what was written ends. */
  end(): number {
    return this.#position;
  }
}
