import type { LogPosition } from './log-position.ts';
import type { Revocation, ReadRevocations } from './read-revocations.ts';

export interface Revocations {
  /** Returns each entry's last note, oldest first, and the log's state. Call before the others. */
  read(): Promise<ReadRevocations>;
  /**
   * Numbers and appends notes durably, starting a log if there is none. Returns the new position. Throws StoreError.
   */
  add(unnumbered: readonly Pick<Revocation, 'at' | 'table' | 'key' | 'note'>[]): Promise<LogPosition>;
  /** Removes the addition that reached `reached`, as its change failed, unless more was added. */
  undo(reached: LogPosition): Promise<void>;
  /**
   * Starts a new log, under a new random name, with these notes: all there are, or those since position `from`, if
   * known. Returns its position.
   */
  startLog(
    notes: readonly Revocation[],
    how: 'all' | { readonly from: LogPosition | undefined },
  ): Promise<LogPosition>;
}

/** All notes, for an office that moves. */
export interface RevocationEntries {
  readonly reach: LogPosition;
  readonly isAll: boolean;
  readonly from?: LogPosition;
  readonly notes: readonly Revocation[];
}

/** Opens a log, dropping notes that no longer matter by `counts`. */
export type OpenRevocations = (counts: (note: Revocation) => boolean) => Revocations;
