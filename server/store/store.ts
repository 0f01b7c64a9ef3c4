import { english, type Said, type Words } from '../words/said.ts';

/** The storage as the rest of the node sees it (docs/store.md); `test/unit/store` tests every implementation. */

/** A named kind of entry in a partition. Its constant's type has the value type. */
export interface Table<T> {
  readonly name: string;
  /** Equality indexes: each pure function returns an entry's index text, or undefined to leave it out. */
  readonly indexes?: Readonly<Record<string, (value: T) => string | undefined>>;
  /** Returns an entry's last change in milliseconds, non-decreasing in a partition; for `changesSince`. */
  readonly stamp?: (value: T) => number;
  readonly form?: Codec<T>;
}

export type IndexTexts = Readonly<Record<string, string | undefined>>;

/** Maximum entries of a line: damage within it may cost all of them. */
export const MAX_LINE_ENTRIES = 64;

/** New entries of a table whose JSON differs only in some texts. */
export interface TemplateEntries {
  readonly keys: readonly string[];
  /** The JSON before, between and after the texts, which are within its strings. */
  readonly template: readonly string[];
  /** Each entry's texts, its key first, as in JSON and joined by `","`. */
  readonly texts: readonly string[];
  readonly indexes: readonly IndexTexts[];
}

/** A compact encoding of values. `decode` returns exactly what `encode` was given. */
export interface Codec<T> {
  encode(value: T): object;
  /** Takes what `encode` returned, or a value written without. */
  decode(stored: unknown): unknown;
}

export interface SharedTemplate {
  readonly textCount: number;
  /** Returns the stored form with these texts, one for each gap between its pieces. */
  fill(texts: readonly string[]): unknown;
}

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  /** Its stored size: as JSON, or nearly. */
  readonly bytes: number;
  /** Number of its last change: rises with every put in a partition, across tables; never reused. */
  readonly seq: number;
  readonly template?: SharedTemplate | undefined;
  /** Returns a template entry's texts, its key first. */
  texts?(): readonly string[];
}

/** Many entries as stored, for reading a whole table. Valid until the next block is requested. */
export interface StoredBlock {
  readonly keys: readonly string[];
  /** Each value's JSON in UTF-8, without line breaks, and other bytes between them. */
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** By place: if given, `bytes` has only the value's texts, joined by `","`; see {@link TemplateEntries}. */
  readonly templates?: readonly (readonly string[] | undefined)[];
  /** Returns the JSON of the value at this position. */
  json(at: number): string;
}

export type ChangePoint = { readonly afterSeq: number } | { readonly sinceTime: number };

export interface Ranked {
  readonly key: string;
  /** The sort key: unique, at most 2,000 bytes. */
  readonly rank: Buffer;
}

/**
 * A materialised order of a table's entries as of one change, updated by its users. Beyond the limit, the least
 * recently used are removed.
 */
export interface Ranking {
  /** Returns its change number and length; undefined if none is complete. */
  state(): Promise<{ readonly seq: number; readonly length: number } | undefined>;
  /**
   * Rebuilds it as of change `seq`, unless it is as new, from batches of some thousand entries. Throws StoreError
   * `closed` if it was removed.
   */
  build(seq: number, entries: AsyncIterable<readonly Ranked[]>): Promise<void>;
  /** Updates it, if complete, to change `seq` atomically: removes the keys `gone`, adds `come`. */
  update(seq: number, gone: readonly string[], come: readonly Ranked[]): Promise<void>;
  /** Returns entries by position from 0, `end` excluded; undefined without a complete one. */
  slice(start: number, end: number): Promise<Ranked[] | undefined>;
  /** Returns up to `count` entries after this rank; undefined without a complete one. */
  entriesAfter(rank: Buffer, count: number): Promise<Ranked[] | undefined>;
}

export interface Tx {
  /** Returns the value as this transaction sees it; undefined if missing. */
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  /** Returns values in the order of `keys`; undefined for missing ones. */
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Returns entries with this index text in key order, as this transaction sees them. */
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  /** Returns each text's first entry by key, in the order of `texts`; undefined without one. */
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  /** Puts an entry. Throws TypeError for `undefined`, and an index function's errors. */
  put<T>(table: Table<T>, key: string, value: T): void;
  /** Puts new entries that share a template, at most {@link MAX_LINE_ENTRIES}. */
  putFromTemplate<T>(table: Table<T>, entries: TemplateEntries): void;
  /** Rewrites an existing entry, which keeps its number, position and stamp, so that followers aren't notified. */
  amend<T>(table: Table<T>, key: string, value: T): void;
  /** Deletes an entry; nothing without one. */
  delete<T>(table: Table<T>, key: string): void;
}

/** A part of the store that loads, compacts and fails on its own. Reads see what is durable; values are frozen. */
export interface Partition {
  readonly name: string;
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Returns entries in the order of `keys`, undefined for missing ones; the first read of a value parses it. */
  entries<T>(table: Table<T>, keys: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  /**
   * Returns up to `limit` entries in key order (shorter keys first, then by code unit) after key `after`, or with
   * `reverse` backwards from before it.
   */
  page<T>(
    table: Table<T>,
    options: { after?: string; limit: number; reverse?: boolean },
  ): Promise<Entry<T>[]>;
  /** Yields all entries in key order as of the first step. A block is valid until the next is requested. */
  stored<T>(table: Table<T>): AsyncIterable<StoredBlock>;
  /** Returns up to `limit` entries changed after a number or since a time, by last change; O(log n + answer). */
  changesSince<T>(table: Table<T>, point: ChangePoint, limit: number): Promise<Entry<T>[]>;
  /** Counts all entries, or those changed after a number; cheap. */
  count<T>(table: Table<T>, afterSeq?: number): Promise<number>;
  /** Returns the key at this position in key order, from 0, without reading a value; undefined after the last. */
  keyAt(table: Pick<Table<never>, 'name'>, place: number): Promise<string | undefined>;
  /** Returns the last durable change's number; 0 in a new partition. */
  lastSeq(): Promise<number>;
  /** Returns this name's ranking; one per owner as in `owner.rest`. Absent if entries are in memory. */
  readonly ranking?: (name: string) => Ranking;
  /**
   * Runs `body` alone in this partition and makes its changes durable (fsynced) atomically. None remain if it, or a
   * write it could see, fails ({@link StoreError}). With `alone` it starts once all is durable and keeps others waiting
   * until it is: its body may read the whole partition.
   */
  transaction<R>(body: (tx: Tx) => R | Promise<R>, alone?: 'alone'): Promise<R>;
}

/** A message for the user about the data folder: what happened and what was done. */
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
  /** The same in English, for logs and support. */
  readonly message: string;
  /** Undefined if all partitions are concerned. */
  readonly partition?: string;
  readonly file: string;
}

export interface Unwritable {
  /** ISO 8601 time of the first of these failures. */
  readonly at: string;
  readonly code: 'full' | 'io' | 'permission';
}

/** Readable content of damaged files. Without valid checksums, nothing proves the values right. */
export interface Salvage {
  readonly values: ReadonlyMap<string, unknown>;
  /** Number of unreadable lines, in all tables. */
  readonly damagedLines: number;
  /** Number of saved changes after the last readable one, in all tables; undefined if unknown. */
  readonly missing: number | undefined;
}

export interface Store {
  readonly dataDir: string;
  /** Returns a partition by name (letters, digits, `-`, `_`), made when missing, loaded on first use. */
  partition(name: string): Promise<Partition>;
  /** Returns whether an existing partition is unreadable: it seems empty and refuses writes. */
  isUnreadable(name: string): Promise<boolean>;
  /** Returns a table's values that only damaged files have, or have newer; undefined if there are none. */
  salvage(name: string, table: string): Promise<Salvage | undefined>;
  partitions(): Promise<string[]>;
  /** Unloads a partition until its next use. Callers that still hold it get StoreError `closed`. */
  release(name: string): Promise<void>;
  drop(name: string): Promise<void>;
  /** Returns what was found and repaired since opening, oldest first. */
  notices(): readonly StoreNotice[];
  /** Returns why the last change couldn't be written; undefined once one can. */
  unwritable(): Unwritable | undefined;
  /** Writes all partitions, each as of one moment, into one file. `number` orders automatic backups. */
  backup(file: string, number?: number): Promise<{ bytes: number; entries: number }>;
  /** Closes the store once; its methods reject with StoreError `closed` from then on. */
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
