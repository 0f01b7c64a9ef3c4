import type { Reach } from './reach.ts';
import type { Note, NotesFound } from './read-notes.ts';

/** A log of revocations, kept where no restore of the data touches it. */
export interface Notes {
  /** Returns the last note of each entry, oldest first, and the file's state. Call it first. */
  read(): Promise<NotesFound>;
  /** Resolves with the new position once they are durable. @throws StoreError */
  add(unnumbered: readonly Pick<Note, 'at' | 'table' | 'key' | 'note'>[]): Promise<Reach>;
  /**
   * Removes the last addition because its change failed; not if more was added since. @param reached as
   * returned by {@link add}. @throws StoreError
   */
  undo(reached: Reach): Promise<void>;
  /**
   * Starts a new log with previous notes that still count. @param how whether these are all that ever
   * existed; otherwise how far notes had come, if known @throws StoreError
   */
  begin(notes: readonly Note[], how: 'all' | { readonly from: Reach | undefined }): Promise<Reach>;
}

/** All notes, as they move with their office. */
export interface AllNotes {
  readonly reach: Reach;
  readonly isAll: boolean;
  readonly from?: Reach;
  readonly notes: readonly Note[];
}

/** @param counts whether a note still matters; others are dropped */
export type OpenNotes = (counts: (note: Note) => boolean) => Notes;
