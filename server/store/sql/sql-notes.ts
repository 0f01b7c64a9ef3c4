import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createMutex } from '../../base/concurrency/mutex.ts';
import { parseJson } from '../files/format.ts';
import type { AllNotes, Notes, OpenNotes } from '../recovery/withdrawals/notes.ts';
import { reachSchema, type Reach } from '../recovery/withdrawals/reach.ts';
import { noteSchema, type Note, type NotesFound } from '../recovery/withdrawals/read-notes.ts';
import type { Fence } from './commit.ts';
import { inStoreTerms, textIn, type Ask, type Database } from './database.ts';
import { readOwn, removeOwn, writeOwn } from './own-values.ts';

const BOOK = 'notes';
const bookSchema = z.object({
  book: z.string(),
  no: z.int().nonnegative(),
  isAll: z.boolean(),
  from: reachSchema.optional(),
});
type Book = z.infer<typeof bookSchema>;

/** The revocation log in tables that no restore touches. */
export const sqlNotes =
  (database: Database, fence: Fence): OpenNotes =>
  (counts) =>
    new SqlNotes(database, fence, counts);

class SqlNotes implements Notes {
  readonly #database: Database;
  readonly #fence: Fence;
  readonly #counts: (note: Note) => boolean;
  readonly #oneByOne = createMutex();

  constructor(database: Database, fence: Fence, counts: (note: Note) => boolean) {
    this.#database = database;
    this.#fence = fence;
    this.#counts = counts;
  }

  read(): Promise<NotesFound> {
    return this.#write(async (ask) => {
      const book = await bookIn(ask);
      if (!book) return { state: 'none', reach: { book: '', no: 0 }, isAll: false, notes: [] };
      const notes = lastOfEach((await notesIn(ask)).filter(this.#counts));
      await keepOnly(ask, notes);
      const { no, isAll, from } = book;
      return { state: 'sound', reach: { book: book.book, no }, isAll, from, notes };
    });
  }

  add(unnumbered: Parameters<Notes['add']>[0]): Promise<Reach> {
    return this.#write(async (ask) => {
      const book = (await bookIn(ask)) ?? { book: newBook(), no: 0, isAll: true };
      const no = book.no + unnumbered.length;
      for (const [at, note] of unnumbered.entries()) await insert(ask, { ...note, no: book.no + at + 1 });
      await writeOwn(ask, BOOK, JSON.stringify({ ...book, no }));
      return { book: book.book, no };
    });
  }

  undo(reached: Reach): Promise<void> {
    return this.#write(async (ask) => {
      const book = await bookIn(ask);
      if (book?.book !== reached.book || book.no !== reached.no) return;
      await ask('DELETE FROM footbridge_note WHERE no = $1', [reached.no]);
    });
  }

  begin(notes: readonly Note[], how: Parameters<Notes['begin']>[1]): Promise<Reach> {
    return this.#write(async (ask) => {
      const isAll = how === 'all';
      const book: Book = {
        book: newBook(),
        no: notes.length,
        isAll,
        ...(isAll || !how.from ? {} : { from: how.from }),
      };
      await ask('DELETE FROM footbridge_note');
      for (const [at, note] of notes.entries()) await insert(ask, { ...note, no: at + 1 });
      await writeOwn(ask, BOOK, JSON.stringify(book));
      return { book: book.book, no: book.no };
    });
  }

  #write<R>(work: (ask: Ask) => Promise<R>): Promise<R> {
    return this.#oneByOne(() =>
      this.#database.transaction(async (ask) => {
        await this.#fence.check(ask);
        return work(ask);
      }),
    ).catch((error: unknown) => {
      throw inStoreTerms(error);
    });
  }
}

/** Returns all notes; undefined if there never were any. */
export async function readAllNotes(ask: Ask): Promise<AllNotes | undefined> {
  const book = await bookIn(ask);
  if (!book) return undefined;
  const { no, isAll, from } = book;
  return { reach: { book: book.book, no }, isAll, ...(from ? { from } : {}), notes: await notesIn(ask) };
}

/** Replaces all notes. */
export async function putAllNotes(ask: Ask, all: AllNotes | undefined): Promise<void> {
  await ask('DELETE FROM footbridge_note');
  await removeOwn(ask, BOOK);
  if (!all) return;
  const { reach, isAll, from, notes } = all;
  for (const note of notes) await insert(ask, note);
  await writeOwn(ask, BOOK, JSON.stringify({ ...reach, isAll, ...(from ? { from } : {}) }));
}

const newBook = (): string => randomBytes(9).toString('base64url');

async function bookIn(ask: Ask): Promise<Book | undefined> {
  const text = await readOwn(ask, BOOK);
  return text === undefined ? undefined : bookSchema.parse(JSON.parse(text));
}

async function notesIn(ask: Ask): Promise<Note[]> {
  const rows = await ask('SELECT note FROM footbridge_note ORDER BY no');
  return rows.map((row) => noteSchema.parse(parseJson(textIn(row, 'note'))));
}

const insert = (ask: Ask, note: Note): Promise<unknown> =>
  ask('INSERT INTO footbridge_note (no, note) VALUES ($1, $2)', [note.no, JSON.stringify(note)]);

/** Returns the last note of each entry, oldest first. */
function lastOfEach(notes: readonly Note[]): Note[] {
  const last = new Map<string, Note>();
  for (const note of notes) {
    const entry = JSON.stringify([note.table, note.key]);
    last.delete(entry);
    last.set(entry, note);
  }
  return [...last.values()];
}

async function keepOnly(ask: Ask, notes: readonly Note[]): Promise<void> {
  await ask('DELETE FROM footbridge_note WHERE NOT (no = ANY($1::bigint[]))', [notes.map(({ no }) => no)]);
}
