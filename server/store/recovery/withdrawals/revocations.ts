import type { LogPosition } from './log-position.ts';
import type { Revocation, ReadRevocations } from './read-revocations.ts';

export interface Revocations {
  /** Returns entries' last notes, oldest first, and the log's state. Call it first. */
  read(): Promise<ReadRevocations>;
  /**
   * Numbers and appends notes durably, if need be to a new log. Returns the new position. Throws StoreError.
   */
  add(unnumbered: readonly Pick<Revocation, 'at' | 'table' | 'key' | 'note'>[]): Promise<LogPosition>;
  /** Removes the addition that reached `reached`, as its change failed, unless more was added. */
  undo(reached: LogPosition): Promise<void>;
  /**
   * Starts a log under a random name with these notes: all, or those since position `from`, if known. Returns
   * its position.
   */
  startLog(
    notes: readonly Revocation[],
    how: 'all' | { readonly from: LogPosition | undefined },
  ): Promise<LogPosition>;
}

/** All notes, for a move. */
export interface RevocationEntries {
  readonly reach: LogPosition;
  readonly isAll: boolean;
  readonly from?: LogPosition;
  readonly notes: readonly Revocation[];
}

/** Drops notes that no longer matter by `counts`. */
export type OpenRevocations = (counts: (note: Revocation) => boolean) => Revocations;
