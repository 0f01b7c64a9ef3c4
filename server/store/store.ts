import { english, type Said, type Words } from '../words/said.ts';

/** The storage as the rest of the node sees it (docs/store.md); `test/unit/store` tests every implementation. */

/** A named kind of entry in a partition. The value type is part of the constant that declares it. */
export interface Table<T> {
  readonly name: string;
  /** Equality indexes: each function returns an entry's index text, or undefined to leave it out. Must be pure. */
  readonly indexes?: Readonly<Record<string, (value: T) => string | undefined>>;
  /** Its last change in milliseconds, non-decreasing in a partition; see {@link Partition.changesSince}. */
  readonly stamp?: (value: T) => number;
  /** The stored form of values, if it isn't their JSON. */
  readonly form?: Codec<T>;
}

/** The index texts of one value. */
export type IndexTexts = Readonly<Record<string, string | undefined>>;

/** Entries written in one line at most: damage within a line may cost all of them. */
export const MAX_LINE_ENTRIES = 64;

/** New entries of a table whose JSON differs only in some texts. */
export interface TemplateEntries {
  /** Rising. */
  readonly keys: readonly string[];
  /** The pieces of the JSON before, between and after the texts, which are within its strings. */
  readonly template: readonly string[];
  /** Each entry's texts, its key first: as in JSON, joined by `","`. */
  readonly texts: readonly string[];
  /** Each entry's text of every index of the table. */
  readonly indexes: readonly IndexTexts[];
}

/** A compact encoding of a table's values. `decode` returns exactly what `encode` was given. */
export interface Codec<T> {
  encode(value: T): object;
  /** @param stored what `encode` returned, or the value itself if it was written without */
  decode(stored: unknown): unknown;
}

/** JSON with gaps for the texts of the entries that share it; see {@link TemplateEntries}. */
export interface SharedTemplate {
  readonly textCount: number;
  /** Returns the stored form that it makes of these texts, one for each gap. */
  fill(texts: readonly string[]): unknown;
}

/** A stored value with its key and the number of its last change. */
export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  /** Its stored size: as JSON, or nearly. */
  readonly bytes: number;
  /** Rises by at least one with every put in a partition, across all tables; never reused. */
  readonly seq: number;
  /** Of an entry that is stored as texts. */
  readonly template?: SharedTemplate | undefined;
  /** Returns the texts of an entry with a template, its key first. */
  texts?(): readonly string[];
}

/** Many entries as stored, for callers that read a whole table. Valid until the next block is requested. */
export interface StoredBlock {
  /** In key order, after those of the previous block. */
  readonly keys: readonly string[];
  /** The JSON of each value in UTF-8, without line breaks, and other bytes between them. */
  readonly bytes: Buffer;
  /** The start and end of each key's value in `bytes`. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** By place: if given, `bytes` has only the value's texts, joined by `","`; see {@link TemplateEntries}. */
  readonly templates?: readonly (readonly string[] | undefined)[];
  /** Returns the JSON of the value at this place. */
  json(at: number): string;
}

/** A position in the change feed: a change number or a time. */
export type ChangePoint = { readonly afterSeq: number } | { readonly sinceTime: number };

/** An entry with its position in an order. */
export interface Ranked {
  readonly key: string;
  /** Sort key, at most 2,000 bytes; unique. */
  readonly rank: Buffer;
}

/**
 * A materialised order of a table's entries as of one change, updated by its users. If there are too many,
 * the least recently used are removed.
 */
export interface Ranking {
  /** Returns its change number and length; undefined if there is no complete one. */
  state(): Promise<{ readonly seq: number; readonly length: number } | undefined>;
  /** Makes it again as of that change, from batches of some thousand entries. */
  make(seq: number, entries: AsyncIterable<readonly Ranked[]>): Promise<void>;
  /** Updates it to that change atomically: removes these keys, adds these entries. */
  change(seq: number, gone: readonly string[], come: readonly Ranked[]): Promise<void>;
  /** Returns the entries at these positions from 0, without `end`; undefined if it was given up meanwhile. */
  slice(start: number, end: number): Promise<Ranked[] | undefined>;
  /** Returns up to `count` entries after this rank; undefined as with {@link slice}. */
  behind(rank: Buffer, count: number): Promise<Ranked[] | undefined>;
}

/** A transaction. Reads see its own writes. */
export interface Tx {
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Returns entries with this index text, in key order. */
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  /** Looks up each text, in the order of `texts`: the first entry in key order. */
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  put<T>(table: Table<T>, key: string, value: T): void;
  /** Like {@link put} for encoded values of new entries, at most {@link MAX_LINE_ENTRIES}. */
  putFromTemplate<T>(table: Table<T>, entries: TemplateEntries): void;
  /** Rewrites an existing entry, which keeps its number, position and stamp. */
  amend<T>(table: Table<T>, key: string, value: T): void;
  delete<T>(table: Table<T>, key: string): void;
}

/** A part of the store that loads, compacts and fails on its own. Reads see what is durable; values are frozen. */
export interface Partition {
  readonly name: string;
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** In the order of `keys`; each is parsed when its value is first read. */
  entries<T>(table: Table<T>, keys: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  /** Returns up to `limit` entries in key order (shorter keys first, then by code unit), after key `after`. */
  page<T>(
    table: Table<T>,
    options: { after?: string; limit: number; reverse?: boolean },
  ): Promise<Entry<T>[]>;
  /** Yields all entries in key order as of the first step. A block is valid until the next one. */
  stored<T>(table: Table<T>): AsyncIterable<StoredBlock>;
  /** Returns up to `limit` entries in the order of their last change, in O(log n + answer). */
  changesSince<T>(table: Table<T>, point: ChangePoint, limit: number): Promise<Entry<T>[]>;
  /** Counts all entries, or those changed after a number; cheap. */
  count<T>(table: Table<T>, afterSeq?: number): Promise<number>;
  /** Returns the key at this position in key order, from 0, without reading a value; undefined after the last. */
  keyAt(table: Pick<Table<never>, 'name'>, place: number): Promise<string | undefined>;
  /** Returns the number of the last durable change; 0 in a new partition. */
  lastSeq(): Promise<number>;
  /** Returns the ranking of this name; one for each owner as in `owner.rest`. Absent if entries are in memory. */
  readonly ranking?: (name: string) => Ranking;
  /**
   * Runs `body` alone in this partition and makes its changes durable atomically: on disk (fsynced) when it
   * resolves. Nothing remains if it throws, or the disk refuses: {@link StoreError}. @param alone starts once
   * all is durable, and nothing else starts until it is: its body may read the whole partition
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
  /** Plain words, without paths of other people's computers or jargon. */
  readonly said: Said;
  /** The same in English, for logs and support. */
  readonly message: string;
  /** The partition concerned; undefined for all. */
  readonly partition?: string;
  readonly file: string;
}

/** The disk refuses writes. */
export interface Unwritable {
  /** ISO 8601; the first of these failures. */
  readonly at: string;
  readonly code: 'full' | 'io' | 'permission';
}

/** The readable content of damaged files. The values have no valid checksum, so nothing proves them right. */
export interface Salvage {
  /** Stored values by key. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Unreadable lines, in all tables. */
  readonly damagedLines: number;
  /** Saved changes after the last readable one, in all tables; undefined if unknown. */
  readonly missing: number | undefined;
}

/** The store of one data folder, locked against other processes while open. */
export interface Store {
  readonly dataDir: string;
  /** Returns the partition of this name (letters, digits, `-`, `_`), made when missing, loaded on first use. */
  partition(name: string): Promise<Partition>;
  /** Returns whether it can't be read although there was something: it seems empty and refuses writes. */
  isUnreadable(name: string): Promise<boolean>;
  /** Reads, line by line, what only damaged files of a partition, if any, have of a table, or have newer. */
  salvage(name: string, table: string): Promise<Salvage | undefined>;
  /** Returns the names of all partitions, in order. */
  partitions(): Promise<string[]>;
  /** Unloads a partition, which loads again at its next use. Callers that still hold it get StoreError `closed`. */
  release(name: string): Promise<void>;
  /** Deletes a partition and its files. */
  drop(name: string): Promise<void>;
  /** Returns what was found and repaired since the store was opened, oldest first. */
  notices(): readonly StoreNotice[];
  /** Returns why the last change couldn't be written; undefined once one can. */
  unwritable(): Unwritable | undefined;
  /** Writes all partitions, each as of one moment, into one file. `number`: among the automatic backups. */
  backup(file: string, number?: number): Promise<{ bytes: number; entries: number }>;
  /** Waits for running writes, closes all files, releases the lock. Later calls reject. */
  close(): Promise<void>;
}

/** Why the store couldn't do what it was asked, with `words` for the user. */
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
