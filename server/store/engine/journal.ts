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

/** The file that committed transactions are appended to. */
export interface Journal {
  readonly number: number;
  /** Bytes known to be on the disk. */
  bytes(): number;
  /** What can be noted as being on the disk: all up to change `last`, which was the last one appended. */
  mark(last: number): Mark;
  /** Nothing has been appended since the file was made. */
  empty(): boolean;
  /** Resolves when all groups are on the disk. After an error the journal must be given up: {@link cut}. */
  append(groups: readonly Group[]): Promise<void>;
  /** Notes at its end that it was closed properly, takes the open mark away, and closes the file. */
  seal(last: number): Promise<void>;
  /** Removes what a failed append may have left, as far as the disk lets us, and closes the file. */
  cut(): Promise<void>;
  close(): Promise<void>;
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
    return continueJournal(place, { number, validLength: header.line.length, crc: header.crc, empty: true });
  };
}

async function setOpenMark(disk: Disk, folder: string): Promise<void> {
  await (await disk.open(join(folder, OPEN_MARK), 'create')).close();
  await disk.syncFolder(folder);
}

/** Continues a journal whose bytes behind `validLength` do not count. The file is opened at the first append. */
export function continueJournal({ disk, folder, round }: JournalPlace, tail: Tail): Journal {
  let file: DiskFile | undefined;
  let { validLength, crc, empty } = tail;

  const opened = async (): Promise<DiskFile> => {
    if (file) return file;
    await setOpenMark(disk, folder);
    return (file = await disk.open(join(folder, journalName(tail.number)), 'change'));
  };
  /** Writes in pieces, so that very large transactions do not hold up the rest of the program. */
  const write = async (groups: readonly Group[], closed?: true): Promise<void> => {
    const target = await opened();
    const written = { closed, round: await round?.() };
    let position = validLength;
    let next = crc;
    let waiting: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      await writeAll(target, waiting, position);
      position += size;
      waiting = [];
      size = 0;
    };
    const add = (bytes: Buffer): Promise<void> | undefined => {
      waiting.push(bytes);
      size += bytes.length;
      return size >= PIECE ? flush() : undefined;
    };
    for (const { chunks, ops, last } of groups) {
      for (const chunk of chunks) {
        next = crc32(chunk, next);
        await add(chunk);
      }
      const control = controlLine({ ops, last, durable: validLength, ...written }, next);
      next = control.crc;
      await add(control.line);
    }
    await flush();
    await target.sync();
    validLength = position;
    crc = next;
  };
  const close = async (): Promise<void> => {
    const closing = file;
    file = undefined;
    await closing?.close();
  };
  return {
    number: tail.number,
    bytes: () => validLength,
    mark: (last) => ({ journal: tail.number, bytes: validLength, crc, last }),
    empty: () => empty,
    async append(groups) {
      await write(groups);
      empty = false;
    },
    async seal(last) {
      await write([{ chunks: [], ops: 0, last }], true);
      await close();
      await removeIfThere(disk, join(folder, OPEN_MARK));
      await disk.syncFolder(folder);
    },
    async cut() {
      const target = file;
      file = undefined;
      try {
        await target?.truncate(validLength);
        await target?.sync();
      } finally {
        await target?.close();
      }
    },
    close,
  };
}
