import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { systemDisk, type Disk, type DiskFile } from '../../files/disk.ts';
import { inStoreTerms, writeAll } from '../../files/disk-steps.ts';
import { checkedLine } from '../../files/format.ts';
import { writeAnew } from '../../files/write-anew.ts';
import type { Reach } from './reach.ts';
import { NOTES_FILE, readNotes, type Note, type NotesFound } from './read-notes.ts';

export type { Note };

/** A file beside the store, to which notes are added and which no restore touches. */
export interface NotesFile {
  /** The last note about each entry, oldest first, and what is to be thought of the file. To be called first. */
  read(): Promise<NotesFound>;
  /** Resolves when they are on the disk, with how far the file reaches then. @throws StoreError */
  add(notes: readonly Pick<Note, 'at' | 'table' | 'key' | 'note'>[]): Promise<Reach>;
  /**
   * Begins another file in the place of this one, with notes of this one that still count.
   * @param beginning whether it holds all that was ever taken back; else how far notes had come, as far as is known
   * @throws StoreError
   */
  begin(notes: readonly Note[], beginning: 'all' | { readonly from: Reach | undefined }): Promise<Reach>;
}

const VERSION = 1;
/** So many lines that tell nothing any more are left in the file, unless there is no room to write it anew. */
const MOST_OUTDATED = 1000;

interface Beginning {
  readonly book: string;
  readonly isAll: boolean;
  readonly from?: Reach | undefined;
}

/**
 * The file of a data folder, made with the first note. A torn end is overwritten, a line that cannot be read is
 * passed over and the file called damaged. It is rewritten when much of it is outdated.
 * @param counts whether a note still means anything
 */
export function createNotesFile(deps: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly disk?: Disk | undefined;
  readonly counts: (note: Note) => boolean;
}): NotesFile {
  const { dataDir, clock, disk = systemDisk } = deps;
  const path = join(dataDir, NOTES_FILE);
  /** Where the next note goes, behind the last whole line, and the checksum up to there; undefined where it cannot. */
  let end: { bytes: number; crc: number } | undefined;
  let beginning: Beginning = { book: newBook(), isAll: true };
  let no = 0;
  /** The last note about each entry, and lines that later ones have taken the place of. */
  let last = new Map<string, Note>();
  let outdated = 0;

  async function read(): Promise<NotesFound> {
    const found = await readNotes(disk, dataDir);
    last = new Map();
    const counting = found.notes.filter(deps.counts);
    for (const note of counting) {
      last.delete(entryOf(note));
      last.set(entryOf(note), note);
    }
    outdated = found.notes.length - last.size;
    no = found.reach.no;
    end = found.state === 'sound' ? found.end : undefined;
    if (found.state === 'sound') {
      beginning = { book: found.reach.book, isAll: found.isAll, from: found.from };
      // Without room for it the file says the same as it is, and a start must not fail.
      if (outdated > MOST_OUTDATED) await rewrite().catch(() => undefined);
    }
    return { ...found, notes: [...last.values()] };
  }

  const reach = (): Reach => ({ book: beginning.book, no });

  async function write(
    file: DiskFile,
    notes: readonly Note[],
    at: { bytes: number; crc: number },
  ): Promise<void> {
    const { bytes, crc } = asLines(notes, at.crc);
    // What a write that failed has left behind is not to follow this one.
    await file.truncate(at.bytes);
    await writeAll(file, [bytes], at.bytes);
    await file.sync();
    end = { bytes: at.bytes + bytes.length, crc };
  }

  async function rewrite(added: readonly Note[] = []): Promise<void> {
    const from = beginning.from && { from: beginning.from };
    const header = {
      footbridge: 'withdrawn',
      version: VERSION,
      book: beginning.book,
      no,
      all: beginning.isAll,
      ...from,
    };
    const { bytes, crc } = asLines([header, ...last.values(), ...added], 0);
    await writeAnew({ disk, clock }, path, bytes);
    end = { bytes: bytes.length, crc };
    outdated = 0;
  }

  return {
    read: () => inStoreTerms(read),
    add: (unnumbered) =>
      inStoreTerms(async () => {
        const notes = unnumbered.map((note, at) => ({ ...note, no: no + at + 1 }));
        const at = end;
        if (at === undefined) await rewrite(notes);
        else await withFile(await disk.open(path, 'change'), (file) => write(file, notes, at));
        no += notes.length;
        for (const note of notes) {
          if (last.delete(entryOf(note))) outdated++;
          last.set(entryOf(note), note);
        }
        // What was noted is on the disk already, so that a failure here is for the next time.
        if (outdated > MOST_OUTDATED) await rewrite().catch(() => undefined);
        return reach();
      }),
    begin: (notes, how) =>
      inStoreTerms(async () => {
        const isAll = how === 'all';
        beginning = { book: newBook(), isAll, ...(isAll ? {} : { from: how.from }) };
        end = undefined;
        no = notes.length;
        last = new Map(notes.map((note, at) => [entryOf(note), { ...note, no: at + 1 }]));
        await rewrite();
        return reach();
      }),
  };
}

const newBook = (): string => randomBytes(9).toString('base64url');

function asLines(values: readonly object[], crcBefore: number): { bytes: Buffer; crc: number } {
  let crc = crcBefore;
  const lines = values.map((value) => {
    const made = checkedLine(value, crc);
    crc = made.crc;
    return made.line;
  });
  return { bytes: Buffer.concat(lines), crc };
}

const entryOf = ({ table, key }: Pick<Note, 'table' | 'key'>): string => JSON.stringify([table, key]);

async function withFile<R>(file: DiskFile, work: (file: DiskFile) => Promise<R>): Promise<R> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
