import { english, type Said, type Words } from '../words/said.ts';

/** The node's view of storage (docs/store.md); `test/unit/store` tests every implementation. */

/** A kind of entry. The constant's type has the value type. */
export interface Table<T> {
  readonly name: string;
  /** Equality indexes: pure functions return an index text, or undefined to leave the entry out. */
  readonly indexes?: Readonly<Record<string, (value: T) => string | undefined>>;
  /** Returns the last change in milliseconds, non-decreasing in a partition; for `changesSince`. */
  readonly stamp?: (value: T) => number;
  readonly form?: Codec<T>;
}

export type IndexTexts = Readonly<Record<string, string | undefined>>;

/** Damage within a line may cost all of its entries. */
export const MAX_LINE_ENTRIES = 64;

/** New entries whose JSON differs only in some texts. */
export interface TemplateEntries {
  readonly keys: readonly string[];
  /** JSON around the texts, which are within its strings. */
  readonly template: readonly string[];
  /** Per entry, its key first, as JSON joined by `","`. */
  readonly texts: readonly string[];
  readonly indexes: readonly IndexTexts[];
}

/** Compact and exact: `decode` returns what `encode` was given. */
export interface Codec<T> {
  encode(value: T): object;
  /** Takes what `encode` returned, or an unencoded value. */
  decode(stored: unknown): unknown;
}

export interface SharedTemplate {
  readonly textCount: number;
  /** Returns the stored form with a text in each gap between pieces. */
  fill(texts: readonly string[]): unknown;
}

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  /** As JSON, or nearly. */
  readonly bytes: number;
  /** Number of its last change: rises with every put in a partition, across tables; never reused. */
  readonly seq: number;
  readonly template?: SharedTemplate | undefined;
  /** Returns a template entry's texts, key first. */
  texts?(): readonly string[];
}

/** Entries as stored, valid until the next block is requested. */
export interface StoredBlock {
  readonly keys: readonly string[];
  /** JSON values in UTF-8 without line breaks, and other bytes between them. */
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** By place: if given, `bytes` has only texts, joined by `","`; see {@link TemplateEntries}. */
  readonly templates?: readonly (readonly string[] | undefined)[];
  json(at: number): string;
}

export type ChangePoint = { readonly afterSeq: number } | { readonly sinceTime: number };

export interface Ranked {
  readonly key: string;
  /** Unique sort key, at most 2,000 bytes. */
  readonly rank: Buffer;
}

/**
 * A materialised order of entries as of one change, updated by its users. Beyond the limit, least recently
 * used ones are removed.
 */
export interface Ranking {
  /** Returns change number and length; undefined if none is complete. */
  state(): Promise<{ readonly seq: number; readonly length: number } | undefined>;
  /**
   * Rebuilds it as of change `seq`, unless as new, from batches of thousands. Throws StoreError `closed` if
   * removed.
   */
  build(seq: number, entries: AsyncIterable<readonly Ranked[]>): Promise<void>;
  /** Updates a complete one to change `seq` atomically: removes `gone`, adds `come`. */
  update(seq: number, gone: readonly string[], come: readonly Ranked[]): Promise<void>;
  /** Returns positions from 0, `end` excluded; undefined if none is complete. */
  slice(start: number, end: number): Promise<Ranked[] | undefined>;
  /** Returns up to `count` entries after this rank; undefined if none is complete. */
  entriesAfter(rank: Buffer, count: number): Promise<Ranked[] | undefined>;
}

export interface Tx {
  /** Returns this transaction's value; undefined if missing. */
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  /** Ordered like `keys`; undefined if missing. */
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Returns this transaction's entries of an index text in key order. */
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  /** Returns each text's first entry by key, ordered like `texts`; undefined if missing. */
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  /** Throws TypeError for `undefined`, and an index function's errors. */
  put<T>(table: Table<T>, key: string, value: T): void;
  /** Puts at most {@link MAX_LINE_ENTRIES} new entries that share a template. */
  putFromTemplate<T>(table: Table<T>, entries: TemplateEntries): void;
  /** Rewrites an existing entry with its number, position and stamp, so followers aren't notified. */
  amend<T>(table: Table<T>, key: string, value: T): void;
  /** Does nothing without an entry. */
  delete<T>(table: Table<T>, key: string): void;
}

/** Loads, compacts and fails on its own. Reads see durable data; values are frozen. */
export interface Partition {
  readonly name: string;
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Ordered like `keys`, undefined if missing; parsed on first read. */
  entries<T>(table: Table<T>, keys: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  /**
   * Returns up to `limit` entries in key order (shorter keys first, then by code unit) after key `after`;
   * with `reverse` backwards before it.
   */
  page<T>(
    table: Table<T>,
    options: { after?: string; limit: number; reverse?: boolean },
  ): Promise<Entry<T>[]>;
  /** Yields all entries in key order as of the first step. Blocks are valid until the next request. */
  stored<T>(table: Table<T>): AsyncIterable<StoredBlock>;
  /** Returns up to `limit` entries changed after a number or since a time, by last change; O(log n + answer). */
  changesSince<T>(table: Table<T>, point: ChangePoint, limit: number): Promise<Entry<T>[]>;
  /** Counts all, or those changed after a number; cheap. */
  count<T>(table: Table<T>, afterSeq?: number): Promise<number>;
  /** Returns the key at a position in key order, from 0, without its value; undefined after the last. */
  keyAt(table: Pick<Table<never>, 'name'>, place: number): Promise<string | undefined>;
  /** Returns the last durable change number; 0 if new. */
  lastSeq(): Promise<number>;
  /** Returns this name's ranking; one per owner as in `owner.rest`. Absent if entries are in memory. */
  readonly ranking?: (name: string) => Ranking;
  /**
   * Runs `body` alone in this partition and makes its changes durable (fsynced), all or none: not if it, or a
   * write it could see, fails ({@link StoreError}). With `alone` it starts once all is durable, and others
   * wait until it is: its body may read the whole partition.
   */
  transaction<R>(body: (tx: Tx) => R | Promise<R>, alone?: 'alone'): Promise<R>;
}

/** Tells the user what happened to the data folder and what was done. */
export interface StoreNotice {
  readonly at: string;
  readonly code:
    | 'torn-tail'
    | 'damaged-put-aside'
    | 'restored-from-backup'
    | 'mixed-ages'
    | 'migrated'
    | 'stale-lock'
    | 'unreadable'
    | 'left-alone';
  readonly said: Said;
  /** In English, for logs and support. */
  readonly message: string;
  /** Undefined: all partitions. */
  readonly partition?: string;
  readonly file: string;
}

export interface Unwritable {
  /** ISO 8601 time of the first of these failures. */
  readonly at: string;
  readonly code: 'full' | 'io' | 'permission';
}

/** Readable parts of damaged files. Without checksums, values are unproven. */
export interface Salvage {
  readonly values: ReadonlyMap<string, unknown>;
  /** In all tables. */
  readonly damagedLines: number;
  /** Saved changes after the last readable one, in all tables; undefined if unknown. */
  readonly missing: number | undefined;
}

export type IsNewer = (found: unknown, held: unknown) => boolean;

export interface Store {
  readonly dataDir: string;
  /** Makes a missing partition and loads it on first use. Names: letters, digits, `-`, `_`. */
  partition(name: string): Promise<Partition>;
  /** Returns whether an existing one is unreadable: seems empty, refuses writes. */
  isUnreadable(name: string): Promise<boolean>;
  /**
   * Returns values that only damaged files have, or have newer; undefined without any.
   * @param isNewer compares a damaged file's value with a held one that was written again since
   */
  salvage(name: string, table: string, isNewer: IsNewer): Promise<Salvage | undefined>;
  partitions(): Promise<string[]>;
  /** Unloads until the next use. Present holders get StoreError `closed`. */
  release(name: string): Promise<void>;
  drop(name: string): Promise<void>;
  /** Returns findings and repairs since opening, oldest first. */
  notices(): readonly StoreNotice[];
  /** Returns why the last change failed; undefined once one succeeds. */
  unwritable(): Unwritable | undefined;
  /** Writes each partition as of one moment into one file. `number` orders automatic backups. */
  backup(file: string, number?: number): Promise<{ bytes: number; entries: number }>;
  /** Idempotent; afterwards methods reject with StoreError `closed`. */
  close(): Promise<void>;
}

export class StoreError extends Error {
  readonly code: 'full' | 'io' | 'damaged' | 'locked' | 'newer-version' | 'closed' | 'permission' | 'foreign';
  readonly words: Words;
  constructor(code: StoreError['code'], words: Words, options?: ErrorOptions) {
    super(english(words), options);
    this.name = 'StoreError';
    this.code = code;
    this.words = words;
  }
}
