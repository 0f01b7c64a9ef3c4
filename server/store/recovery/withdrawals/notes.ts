import type { Reach } from './reach.ts';
import type { Note, NotesFound } from './read-notes.ts';

/** Notes of what was taken back, kept where no restore of the data touches them. */
export interface Notes {
  /** The last note about each entry, oldest first, and what is to be thought of them. To be called first. */
  read(): Promise<NotesFound>;
  /** Resolves when they are durable, with how far the notes reach then. @throws StoreError */
  add(unnumbered: readonly Pick<Note, 'at' | 'table' | 'key' | 'note'>[]): Promise<Reach>;
  /**
   * Takes off what was added last, as the change that it was about could not be made; not where more was added since.
   * @param reached as {@link add} answered it. @throws StoreError
   */
  undo(reached: Reach): Promise<void>;
  /**
   * Begins anew, with notes of before that still count.
   * @param how whether these are all that was ever taken back; else how far notes had come, as far as is known
   * @throws StoreError
   */
  begin(notes: readonly Note[], how: 'all' | { readonly from: Reach | undefined }): Promise<Reach>;
}

/** All that is noted, as it moves with its office. */
export interface AllNotes {
  readonly reach: Reach;
  readonly isAll: boolean;
  readonly from?: Reach;
  readonly notes: readonly Note[];
}

/** @param counts whether a note tells anything still; of others nothing is kept */
export type OpenNotes = (counts: (note: Note) => boolean) => Notes;
