import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createMutex } from '../../base/concurrency/mutex.ts';
import { parseJson } from '../files/format.ts';
import type { RevocationEntries, Revocations, OpenRevocations } from '../recovery/withdrawals/revocations.ts';
import { logPositionSchema, type LogPosition } from '../recovery/withdrawals/log-position.ts';
import {
  noteSchema,
  type Revocation,
  type ReadRevocations,
} from '../recovery/withdrawals/read-revocations.ts';
import type { Fence } from './commit.ts';
import { asStoreTerms, textIn, type Ask, type Database } from './database.ts';
import { readOwn, removeOwn, writeOwn } from './own-values.ts';

const BOOK = 'notes';
const bookSchema = z.object({
  book: z.string(),
  no: z.int().nonnegative(),
  isAll: z.boolean(),
  from: logPositionSchema.optional(),
});
type Book = z.infer<typeof bookSchema>;

export const sqlRevocations =
  (database: Database, fence: Fence): OpenRevocations =>
  (counts) =>
    new SqlNotes(database, fence, counts);

class SqlNotes implements Revocations {
  readonly #database: Database;
  readonly #fence: Fence;
  readonly #counts: (note: Revocation) => boolean;
  readonly #oneByOne = createMutex();
  #numberBeforeAdd: number | undefined;

  constructor(database: Database, fence: Fence, counts: (note: Revocation) => boolean) {
    this.#database = database;
    this.#fence = fence;
    this.#counts = counts;
  }

  /**
   * Returns each entry's last note, oldest first, and the log's state; deletes notes that are superseded or no longer
   * matter.
   */
  read(): Promise<ReadRevocations> {
    return this.#runFenced(async (ask) => {
      const book = await readLog(ask);
      if (!book) return { state: 'none', reach: { book: '', no: 0 }, isAll: false, notes: [] };
      const notes = lastNoteOfEach((await readNotes(ask)).filter(this.#counts));
      await deleteOtherNotes(ask, notes);
      const { no, isAll, from } = book;
      return { state: 'sound', reach: { book: book.book, no }, isAll, from, notes };
    });
  }

  /** Stores notes with the next numbers, in a log that is begun if missing; returns the new position. */
  add(unnumbered: Parameters<Revocations['add']>[0]): Promise<LogPosition> {
    return this.#runFenced(async (ask) => {
      const book = (await readLog(ask)) ?? { book: newLogName(), no: 0, isAll: true };
      const no = book.no + unnumbered.length;
      for (const [at, note] of unnumbered.entries()) await insertNote(ask, { ...note, no: book.no + at + 1 });
      await writeOwn(ask, BOOK, JSON.stringify({ ...book, no }));
      this.#numberBeforeAdd = book.no;
      return { book: book.book, no };
    });
  }

  /**
   * Deletes the notes of the addition that reached `reached`, as its change failed, unless more was added. Their
   * numbers aren't reused.
   */
  undo(reached: LogPosition): Promise<void> {
    return this.#runFenced(async (ask) => {
      const book = await readLog(ask);
      if (book?.book !== reached.book || book.no !== reached.no || this.#numberBeforeAdd === undefined)
        return;
      await ask('DELETE FROM footbridge_note WHERE no > $1', [this.#numberBeforeAdd]);
    });
  }

  /**
   * Replaces all notes by a new log, under a new random name, of these notes, numbered from 1: all there are, or those
   * since `how.from`. Returns its position. Throws StoreError.
   */
  startLog(notes: readonly Revocation[], how: Parameters<Revocations['startLog']>[1]): Promise<LogPosition> {
    return this.#runFenced(async (ask) => {
      const isAll = how === 'all';
      const book: Book = {
        book: newLogName(),
        no: notes.length,
        isAll,
        ...(isAll || !how.from ? {} : { from: how.from }),
      };
      await ask('DELETE FROM footbridge_note');
      for (const [at, note] of notes.entries()) await insertNote(ask, { ...note, no: at + 1 });
      await writeOwn(ask, BOOK, JSON.stringify(book));
      return { book: book.book, no: book.no };
    });
  }

  /** Runs `work` in a transaction, after earlier ones, if this process has the lease. Throws StoreError. */
  #runFenced<R>(work: (ask: Ask) => Promise<R>): Promise<R> {
    return this.#oneByOne(() =>
      this.#database.transaction(async (ask) => {
        await this.#fence.check(ask);
        return work(ask);
      }),
    ).catch((error: unknown) => {
      throw asStoreTerms(error);
    });
  }
}

/** Returns all notes with the log's position, for a move; undefined if there never were any. */
export async function readAllNotes(ask: Ask): Promise<RevocationEntries | undefined> {
  const book = await readLog(ask);
  if (!book) return undefined;
  const { no, isAll, from } = book;
  return { reach: { book: book.book, no }, isAll, ...(from ? { from } : {}), notes: await readNotes(ask) };
}

/** Replaces all notes and the log's position, for a move; undefined removes them. */
export async function replaceAllNotes(ask: Ask, all: RevocationEntries | undefined): Promise<void> {
  await ask('DELETE FROM footbridge_note');
  await removeOwn(ask, BOOK);
  if (!all) return;
  const { reach, isAll, from, notes } = all;
  for (const note of notes) await insertNote(ask, note);
  await writeOwn(ask, BOOK, JSON.stringify({ ...reach, isAll, ...(from ? { from } : {}) }));
}

const newLogName = (): string => randomBytes(9).toString('base64url');

/** Returns the log's position and beginning; undefined without a log. */
async function readLog(ask: Ask): Promise<Book | undefined> {
  const text = await readOwn(ask, BOOK);
  return text === undefined ? undefined : bookSchema.parse(JSON.parse(text));
}

/** Returns all notes in order. Throws ZodError for a malformed one. */
async function readNotes(ask: Ask): Promise<Revocation[]> {
  const rows = await ask('SELECT note FROM footbridge_note ORDER BY no');
  return rows.map((row) => noteSchema.parse(parseJson(textIn(row, 'note'))));
}

const insertNote = (ask: Ask, note: Revocation): Promise<unknown> =>
  ask('INSERT INTO footbridge_note (no, note) VALUES ($1, $2)', [note.no, JSON.stringify(note)]);

/** Returns each entry's last note, in order. */
function lastNoteOfEach(notes: readonly Revocation[]): Revocation[] {
  const last = new Map<string, Revocation>();
  for (const note of notes) {
    const entry = JSON.stringify([note.table, note.key]);
    last.delete(entry);
    last.set(entry, note);
  }
  return [...last.values()];
}

/** Deletes all notes but these. */
async function deleteOtherNotes(ask: Ask, notes: readonly Revocation[]): Promise<void> {
  await ask('DELETE FROM footbridge_note WHERE NOT (no = ANY($1::bigint[]))', [notes.map(({ no }) => no)]);
}
