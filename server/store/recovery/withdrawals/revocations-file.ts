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
const MAX_SUPERSEDED_LINES = 1000;

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

/** In a file beside the store, untouched by restores. */
class NotesFile implements Revocations {
  readonly #deps: NotesFileDeps;
  readonly #disk: Disk;
  readonly #path: string;
  /** End and checksum of complete lines; undefined if the file can't be continued. */
  #end: { bytes: number; crc: number } | undefined;
  #beginning: Beginning = { book: newLogName(), isAll: true };
  #lastNumber = 0;
  #lastNotes = new Map<string, Revocation>();
  #supersededLines = 0;
  /** Size before the last addition, if undoable. */
  #undoBytes: number | undefined;
  readonly #oneByOne = createMutex();

  constructor(deps: NotesFileDeps) {
    this.#deps = deps;
    this.#disk = deps.disk ?? systemDisk;
    this.#path = join(deps.dataDir, NOTES_FILE);
  }

  read(): Promise<ReadRevocations> {
    return withStoreErrors(() => this.#readLastNotes());
  }

  /**
   * Appends notes durably, with the next numbers; rewrites a file that can't be continued, or has over 1,000 superseded
   * notes. Returns the new position.
   */
  add(unnumbered: Parameters<Revocations['add']>[0]): Promise<LogPosition> {
    return this.#inTurn(async () => {
      const notes = unnumbered.map((note, at) => ({ ...note, no: this.#lastNumber + at + 1 }));
      const at = this.#end;
      this.#undoBytes = undefined;
      if (at === undefined) await this.#rewriteFile(notes);
      else
        await withFile(await this.#disk.open(this.#path, 'change'), (file) =>
          this.#appendNotes(file, notes, at),
        );
      this.#lastNumber += notes.length;
      for (const note of notes) {
        if (this.#lastNotes.delete(entryOf(note))) this.#supersededLines++;
        this.#lastNotes.set(entryOf(note), note);
      }
      this.#undoBytes = at?.bytes;
      // The notes are durable, so failures can wait.
      if (this.#supersededLines > MAX_SUPERSEDED_LINES) await this.#rewriteFile().catch(() => undefined);
      return this.#reach();
    });
  }

  /**
   * Removes the notes of the last `add`, which returned this position; nothing if that rewrote the file or isn't the
   * last one.
   */
  undo(reached: LogPosition): Promise<void> {
    return this.#inTurn(async () => {
      const bytes = this.#undoBytes;
      if (bytes === undefined || reached.no !== this.#lastNumber) return;
      await withFile(await this.#disk.open(this.#path, 'change'), async (file) => {
        await file.truncate(bytes);
        await file.sync();
      });
      await this.#readLastNotes();
    });
  }

  /**
   * Replaces the file by a new log, under a new random name, of these notes, numbered from 1: all there are, or those
   * since `how.from`. Returns its position.
   */
  startLog(notes: readonly Revocation[], how: Parameters<Revocations['startLog']>[1]): Promise<LogPosition> {
    return withStoreErrors(async () => {
      const isAll = how === 'all';
      this.#beginning = { book: newLogName(), isAll, ...(isAll ? {} : { from: how.from }) };
      this.#end = undefined;
      this.#lastNumber = notes.length;
      this.#lastNotes = new Map(notes.map((note, at) => [entryOf(note), { ...note, no: at + 1 }]));
      await this.#rewriteFile();
      return this.#reach();
    });
  }

  /** Runs `work` after earlier calls; system errors become StoreError. */
  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    return withStoreErrors(() => this.#oneByOne(work));
  }

  /**
   * Reads the file, keeping each entry's last note that `counts` in memory; compacts a sound file with over 1,000
   * others.
   */
  async #readLastNotes(): Promise<ReadRevocations> {
    this.#undoBytes = undefined;
    const found = await readRevocations(this.#disk, this.#deps.dataDir);
    this.#lastNotes = new Map();
    const counting = found.notes.filter(this.#deps.counts);
    for (const note of counting) {
      this.#lastNotes.delete(entryOf(note));
      this.#lastNotes.set(entryOf(note), note);
    }
    this.#supersededLines = found.notes.length - this.#lastNotes.size;
    this.#lastNumber = found.reach.no;
    this.#end = found.state === 'sound' ? found.end : undefined;
    if (found.state === 'sound') {
      this.#beginning = { book: found.reach.book, isAll: found.isAll, from: found.from };
      // Without space, the file stays good.
      if (this.#supersededLines > MAX_SUPERSEDED_LINES) await this.#rewriteFile().catch(() => undefined);
    }
    return { ...found, notes: [...this.#lastNotes.values()] };
  }

  /** Returns the position of the last note. */
  #reach(): LogPosition {
    return { book: this.#beginning.book, no: this.#lastNumber };
  }

  /** Writes durably after the last complete line, which ends at `at`, then advances the known end. */
  async #appendNotes(
    file: DiskFile,
    notes: readonly Revocation[],
    at: { bytes: number; crc: number },
  ): Promise<void> {
    const { bytes, crc } = checkedLines(notes, at.crc);
    // Remains of a failed write must go.
    await file.truncate(at.bytes);
    await writeAll(file, [bytes], at.bytes);
    await file.sync();
    this.#end = { bytes: at.bytes + bytes.length, crc };
  }

  /**
   * Compacts the file atomically to each entry's last note and `added`; what was written before can't be undone any
   * more.
   */
  async #rewriteFile(added: readonly Revocation[] = []): Promise<void> {
    const header = createHeader(this.#beginning, this.#lastNumber);
    const { bytes, crc } = checkedLines([header, ...this.#lastNotes.values(), ...added], 0);
    await writeFileAtomic({ disk: this.#disk, clock: this.#deps.clock }, this.#path, bytes);
    this.#undoBytes = undefined;
    this.#end = { bytes: bytes.length, crc };
    this.#supersededLines = 0;
  }
}

/**
 * Returns a closed data folder's notes, for a move; undefined without a log. Throws StoreError `damaged`, also for the
 * early format.
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

/** Replaces a data folder's notes atomically, for a move. */
export async function replaceAllNotes(
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

/** Returns the first line of the file: name and beginning of the log, and the last number given. */
const createHeader = ({ book, isAll, from }: Beginning, lastNumber: number): object => ({
  footbridge: 'withdrawn',
  version: VERSION,
  book,
  no: lastNumber,
  all: isAll,
  ...(from && { from }),
});

const newLogName = (): string => randomBytes(9).toString('base64url');

/** Returns lines with checksums and the last of these; `crcBefore` covers the lines before. */
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

/** Calls `work` with the file, and closes it in any case. */
async function withFile<R>(file: DiskFile, work: (file: DiskFile) => Promise<R>): Promise<R> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

export const notesFileIn =
  (place: Omit<NotesFileDeps, 'counts'>): OpenRevocations =>
  (counts) =>
    new NotesFile({ ...place, counts });
