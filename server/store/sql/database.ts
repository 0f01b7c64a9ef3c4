import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { StoreError } from '../store.ts';

/** A row of an answer, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** One statement, with `$1` and so on for its values. */
export type Ask = (statement: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * Of a transaction that locks what it must find unchanged, and sees all else as it becomes: whatever long ones do, the
 * database refuses nobody else's changes for it.
 */
export type Isolation = 'read committed';

/** What the store needs of a database that speaks as PostgreSQL does (docs/hub.md). */
export interface Database {
  /** A statement of its own that only reads: it is asked once more where the connection is lost. @throws DatabaseAway */
  readonly read: Ask;
  /**
   * All or nothing, and as if nobody else were there, unless it says that it need not be so: {@link Isolation}. `work` runs again where the database wants that, so it does nothing
   * but ask. @throws DatabaseAway where it may, and may not, have been done
   */
  transaction<R>(work: (ask: Ask) => Promise<R>, isolation?: Isolation): Promise<R>;
  /** A connection of its own, which sees everything as it is now until it is ended. */
  snapshot(): Promise<Snapshot>;
  close(): Promise<void>;
}

export interface Snapshot {
  readonly read: Ask;
  end(): Promise<void>;
}

/** The database cannot be reached now, or the connection was lost. */
export class DatabaseAway extends Error {
  /** @param problem where it is known better than by the error that it is away for */
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

/** What the store's users are told of an error of the database. */
export function inStoreTerms(error: unknown): Error {
  if (error instanceof StoreError || error instanceof Refusal || error instanceof TypeError) return error;
  if (error instanceof DatabaseAway)
    return new StoreError('io', said('store.database-away'), { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

/** A column's value as a number. Databases give 64 bits as texts; those here stay below 2^53. */
export function numberIn(row: Row | undefined, column: string): number {
  const value = Number(row?.[column]);
  if (!Number.isSafeInteger(value)) throw unexpected(column);
  return value;
}

export function textIn(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw unexpected(column);
  return value;
}

export function bytesIn(row: Row | undefined, column: string): Buffer {
  const value = row?.[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column);
  return Buffer.isBuffer(value) ? value : Buffer.from(value);
}

const unexpected = (column: string): StoreError =>
  new StoreError('damaged', `The database holds something unexpected as ${column}.`);
