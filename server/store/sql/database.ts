import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { StoreError } from '../store.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Runs a statement with values for `$1` …. */
export type Ask = (statement: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** These lock what must not change, so long ones cause no conflicts. */
export type Isolation = 'read committed';

/** PostgreSQL-speaking, as the store needs it (docs/hub.md). */
export interface Database {
  /** Read-only; repeated after a lost connection. Throws {@link DatabaseAway}. */
  readonly read: Ask;
  /**
   * Repeats `work` after conflicts: it may only run statements. Throws {@link DatabaseAway} if the commit's
   * outcome is unknown.
   */
  transaction<R>(work: (ask: Ask) => Promise<R>, isolation?: Isolation): Promise<R>;
  /** Opens a connection that sees the present state until ended. */
  snapshot(): Promise<Snapshot>;
  close(): Promise<void>;
}

export interface Snapshot {
  readonly read: Ask;
  end(): Promise<void>;
}

export class DatabaseAway extends Error {
  constructor(options?: ErrorOptions, problem?: string) {
    const reason = options?.cause instanceof Error ? ` (${options.cause.message})` : '';
    super(
      problem ??
        `The database does not answer${reason}. Look whether its server runs and can be reached from here.`,
      options,
    );
    this.name = 'DatabaseAway';
  }
}

/** Returns an error as the store's callers expect it: {@link DatabaseAway} becomes StoreError `io`. */
export function asStoreTerms(error: unknown): Error {
  if (error instanceof StoreError || error instanceof Refusal || error instanceof TypeError) return error;
  if (error instanceof DatabaseAway)
    return new StoreError('io', said('store.database-away'), { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

/** Returns a column's number, 0 for null. Throws StoreError `damaged` for anything but a safe integer. */
export function numberIn(row: Row | undefined, column: string): number {
  const value = Number(row?.[column]);
  if (!Number.isSafeInteger(value)) throw unexpected(column);
  return value;
}

/** Returns a column's text. Throws StoreError `damaged` for anything else. */
export function textIn(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw unexpected(column);
  return value;
}

/** Returns a column's bytes. Throws StoreError `damaged` for anything else. */
export function bytesIn(row: Row | undefined, column: string): Buffer {
  const value = row?.[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column);
  return Buffer.isBuffer(value) ? value : Buffer.from(value);
}

const unexpected = (column: string): StoreError =>
  new StoreError('damaged', `The database holds something unexpected as ${column}.`);
