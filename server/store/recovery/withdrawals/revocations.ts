import type { LogPosition } from './log-position.ts';
import type { Revocation, ReadRevocations } from './read-revocations.ts';

/** A log of revocations, kept where no restore of the data touches it. */
export interface Revocations {
  /** Returns the last note of each entry, oldest first, and the log's state. Call it first. */
  read(): Promise<ReadRevocations>;
  /** Returns the new position once the notes are durable. @throws StoreError */
  add(unnumbered: readonly Pick<Revocation, 'at' | 'table' | 'key' | 'note'>[]): Promise<LogPosition>;
  /** Removes the addition that reached `reached`, as its change failed, unless more was added since. */
  undo(reached: LogPosition): Promise<void>;
  /** Starts a new log. @param how whether these are all notes; else how far they had come, if known */
  startLog(
    notes: readonly Revocation[],
    how: 'all' | { readonly from: LogPosition | undefined },
  ): Promise<LogPosition>;
}

/** All notes, as they move with their office. */
export interface RevocationEntries {
  readonly reach: LogPosition;
  readonly isAll: boolean;
  readonly from?: LogPosition;
  readonly notes: readonly Revocation[];
}

/** @param counts whether a note still matters; others are dropped */
export type OpenRevocations = (counts: (note: Revocation) => boolean) => Revocations;
