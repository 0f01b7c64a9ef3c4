import type { LogPosition } from './log-position.ts';
import type { Revocation, ReadRevocations } from './read-revocations.ts';

export interface Revocations {
  /** Returns the last note of each entry, oldest first, and the log's state. It is called before the others. */
  read(): Promise<ReadRevocations>;
  /** Numbers and appends notes, durably. Returns the new position. Throws StoreError. */
  add(unnumbered: readonly Pick<Revocation, 'at' | 'table' | 'key' | 'note'>[]): Promise<LogPosition>;
  /** Removes the addition that reached `reached`, as its change failed, unless more was added since. */
  undo(reached: LogPosition): Promise<void>;
  /** Starts a new log with these notes: all there are, or those since the position `from`, if known. */
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

/** Opens a log. Notes that no longer matter by `counts` are dropped. */
export type OpenRevocations = (counts: (note: Revocation) => boolean) => Revocations;
