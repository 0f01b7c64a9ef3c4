import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { createMutex } from '../../../base/concurrency/mutex.ts';
import { systemDisk, type Disk, type DiskFile, type DiskPlace } from '../../files/disk.ts';
import { StoreError } from '../../store.ts';
import { withStoreErrors, writeAll } from '../../files/disk-steps.ts';
import { checkedLine } from '../../files/format.ts';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import type { LogPosition } from './log-position.ts';
import type { RevocationEntries, Revocations, OpenRevocations } from './revocations.ts';
import { NOTES_FILE, readRevocations, type Revocation, type ReadRevocations } from './read-revocations.ts';

const VERSION = 1;
/** Superseded lines that stay in the file. */
const MAX_OUTDATED = 1000;

interface Beginning {
  readonly book: string;
  readonly isAll: boolean;
  readonly from?: LogPosition | undefined;
}

interface NotesFileDeps {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly disk?: Disk | undefined;
  readonly counts: (note: Revocation) => boolean;
}

/** The revocation log: notes in a file beside the store that no restore touches. */
class NotesFile implements Revocations {
  readonly #deps: NotesFileDeps;
  readonly #disk: Disk;
  readonly #path: string;
  /** Where the next note goes, with the checksum up to there; undefined if the file can't be continued. */
  #end: { bytes: number; crc: number } | undefined;
  #beginning: Beginning = { book: newBook(), isAll: true };
  #no = 0;
  /** The last note of each entry, and the number of superseded lines. */
  #last = new Map<string, Revocation>();
  #outdated = 0;
  /** The file's end before the last addition, if that can be undone. */
  #before: number | undefined;
  readonly #oneByOne = createMutex();

  constructor(deps: NotesFileDeps) {
    this.#deps = deps;
    this.#disk = deps.disk ?? systemDisk;
    this.#path = join(deps.dataDir, NOTES_FILE);
  }

  read(): Promise<ReadRevocations> {
    return withStoreErrors(() => this.#read());
  }

  /**
   * Numbers the notes and appends them, durably. Rewrites the file instead if it must. Returns the log's new position.
   */
  add(unnumbered: Parameters<Revocations['add']>[0]): Promise<LogPosition> {
    return this.#inTurn(async () => {
      const notes = unnumbered.map((note, at) => ({ ...note, no: this.#no + at + 1 }));
      const at = this.#end;
      this.#before = undefined;
      if (at === undefined) await this.#rewrite(notes);
      else
        await withFile(await this.#disk.open(this.#path, 'change'), (file) => this.#write(file, notes, at));
      this.#no += notes.length;
      for (const note of notes) {
        if (this.#last.delete(entryOf(note))) this.#outdated++;
        this.#last.set(entryOf(note), note);
      }
      this.#before = at?.bytes;
      // The notes are on disk already, so a failure here can wait.
      if (this.#outdated > MAX_OUTDATED) await this.#rewrite().catch(() => undefined);
      return this.#reach();
    });
  }

  /** Truncates the addition that ended at this position, unless more was added or the file rewritten since. */
  undo(reached: LogPosition): Promise<void> {
    return this.#inTurn(async () => {
      const bytes = this.#before;
      if (bytes === undefined || reached.no !== this.#no) return;
      await withFile(await this.#disk.open(this.#path, 'change'), async (file) => {
        await file.truncate(bytes);
        await file.sync();
      });
      await this.#read();
    });
  }

  /** Replaces the file by a new log that begins with these notes and has a new random name. Returns its position. */
  startLog(notes: readonly Revocation[], how: Parameters<Revocations['startLog']>[1]): Promise<LogPosition> {
    return withStoreErrors(async () => {
      const isAll = how === 'all';
      this.#beginning = { book: newBook(), isAll, ...(isAll ? {} : { from: how.from }) };
      this.#end = undefined;
      this.#no = notes.length;
      this.#last = new Map(notes.map((note, at) => [entryOf(note), { ...note, no: at + 1 }]));
      await this.#rewrite();
      return this.#reach();
    });
  }

  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    return withStoreErrors(() => this.#oneByOne(work));
  }

  /** Returns the file's content with each entry's last note only. Rewrites the file if many notes are superseded. */
  async #read(): Promise<ReadRevocations> {
    this.#before = undefined;
    const found = await readRevocations(this.#disk, this.#deps.dataDir);
    this.#last = new Map();
    const counting = found.notes.filter(this.#deps.counts);
    for (const note of counting) {
      this.#last.delete(entryOf(note));
      this.#last.set(entryOf(note), note);
    }
    this.#outdated = found.notes.length - this.#last.size;
    this.#no = found.reach.no;
    this.#end = found.state === 'sound' ? found.end : undefined;
    if (found.state === 'sound') {
      this.#beginning = { book: found.reach.book, isAll: found.isAll, from: found.from };
      // Without space for it the file is good as it is.
      if (this.#outdated > MAX_OUTDATED) await this.#rewrite().catch(() => undefined);
    }
    return { ...found, notes: [...this.#last.values()] };
  }

  #reach(): LogPosition {
    return { book: this.#beginning.book, no: this.#no };
  }

  /**
   * Writes notes after the last complete line, durably, and only then advances the known end. @param at the present end
   */
  async #write(
    file: DiskFile,
    notes: readonly Revocation[],
    at: { bytes: number; crc: number },
  ): Promise<void> {
    const { bytes, crc } = checkedLines(notes, at.crc);
    // The remains of a failed write must not follow.
    await file.truncate(at.bytes);
    await writeAll(file, [bytes], at.bytes);
    await file.sync();
    this.#end = { bytes: at.bytes + bytes.length, crc };
  }

  /**
   * Replaces the file by one with each entry's last note and those in `added`. An {@link undo} of earlier additions
   * then does nothing.
   */
  async #rewrite(added: readonly Revocation[] = []): Promise<void> {
    const header = createHeader(this.#beginning, this.#no);
    const { bytes, crc } = checkedLines([header, ...this.#last.values(), ...added], 0);
    await writeFileAtomic({ disk: this.#disk, clock: this.#deps.clock }, this.#path, bytes);
    this.#before = undefined;
    this.#end = { bytes: bytes.length, crc };
    this.#outdated = 0;
  }
}

/**
 * Returns all notes of a data folder that isn't in use, for a move; undefined without a log. Throws StoreError
 * `damaged`.
 */
export async function readAllNotes(disk: Disk, dataDir: string): Promise<RevocationEntries | undefined> {
  const { state, reach, isAll, from, notes } = await readRevocations(disk, dataDir);
  if (state === 'none') return undefined;
  if (state !== 'sound')
    throw new StoreError(
      'damaged',
      `The file ${join(dataDir, NOTES_FILE)} is damaged. Start the office once.`,
    );
  return { reach, isAll, ...(from ? { from } : {}), notes };
}

/** Replaces all notes of a data folder atomically, for a move. */
export async function putAllNotes(
  { disk, clock, dataDir }: DiskPlace & { readonly dataDir: string },
  { reach, isAll, from, notes }: RevocationEntries,
): Promise<void> {
  const header = createHeader({ book: reach.book, isAll, from }, reach.no);
  await writeFileAtomic(
    { disk, clock },
    join(dataDir, NOTES_FILE),
    checkedLines([header, ...notes], 0).bytes,
  );
}

/** Returns the first line of a log file. @param no the number of its last note */
const createHeader = ({ book, isAll, from }: Beginning, no: number): object => ({
  footbridge: 'withdrawn',
  version: VERSION,
  book,
  no,
  all: isAll,
  ...(from && { from }),
});

const newBook = (): string => randomBytes(9).toString('base64url');

/**
 * Returns the values as lines with checksums ({@link checkedLine}), and the checksum for what follows. @param
 * crcBefore the checksum of everything before
 */
function checkedLines(values: readonly object[], crcBefore: number): { bytes: Buffer; crc: number } {
  let crc = crcBefore;
  const lines = values.map((value) => {
    const made = checkedLine(value, crc);
    crc = made.crc;
    return made.line;
  });
  return { bytes: Buffer.concat(lines), crc };
}

const entryOf = ({ table, key }: Pick<Revocation, 'table' | 'key'>): string => JSON.stringify([table, key]);

/** Runs `work` with an open file, and closes it. */
async function withFile<R>(file: DiskFile, work: (file: DiskFile) => Promise<R>): Promise<R> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Returns the opener of a data folder's revocation log. */
export const notesFileIn =
  (place: Omit<NotesFileDeps, 'counts'>): OpenRevocations =>
  (counts) =>
    new NotesFile({ ...place, counts });
