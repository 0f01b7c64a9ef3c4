import { english, type Said, type Words } from '../words/said.ts';

/**
 * What the rest of the node sees of its storage (docs/architecture.md: The store). Nothing above this folder knows
 * that the data lies in journals and snapshots kept by lowdb; the conformance suite in `test/unit/store` says what
 * any other implementation must keep to.
 */

/** A named kind of entry inside a partition. The value type travels with the constant that declares it. */
export interface Table<T> {
  readonly name: string;
  /**
   * Equality indexes: each function gives the text an entry is found under, or undefined to leave it out.
   * Must be pure: the same value always gives the same text.
   */
  readonly indexes?: Readonly<Record<string, (value: T) => string | undefined>>;
  /**
   * The entry's time of last change in milliseconds. The writer keeps it non-decreasing in the order of
   * writes inside one partition; {@link Partition.changesSince} relies on that.
   */
  readonly stamp?: (value: T) => number;
  /** How values stand in the files, where that is not the values themselves as JSON. */
  readonly form?: Form<T>;
}

/** What each index of a table says of one value. */
export type IndexTexts = Readonly<Record<string, string | undefined>>;

/** A shorter way to write values of a table. `unpack` gives back the very values that `pack` was given. */
export interface Form<T> {
  pack(value: T): object;
  /** @param stored what `pack` gave, or the value itself where it was written without */
  unpack(stored: unknown): unknown;
}

/** One stored value with its key and the number of the change that last wrote it. */
export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  /** The room that it takes where it is stored: as JSON, or near it. */
  readonly bytes: number;
  /** Rises by at least one with every put inside a partition, across all of its tables; never reused. */
  readonly seq: number;
}

/**
 * Entries as they are stored, many at a time: for who reads a whole table and wants little of each value. Good until the
 * next ones are asked for, which may be written over them.
 */
export interface StoredBlock {
  /** In key order, behind those of the block before. */
  readonly keys: readonly string[];
  /** Holds the JSON of each value in UTF-8, without line breaks, and other things between them. */
  readonly bytes: Buffer;
  /** Where the value of each key begins and ends in `bytes`. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** A change as the feed sees it: an entry, or the fact that it was deleted. */
export type ChangePoint = { readonly afterSeq: number } | { readonly sinceTime: number };

/** An entry by its place in an order. */
export interface Ranked {
  readonly key: string;
  /** Bytes that the places are in the order of, at most 2,000; no two entries have the same. */
  readonly rank: Buffer;
}

/**
 * Entries of a table in an order that somebody made of them, kept where the entries are: for what outgrows the memory.
 * It outlasts the process, says what the table said at one change, and is brought up to date by whoever uses it. Of many
 * that are kept those go that were not used for longest.
 */
export interface Ranking {
  /** Up to which change, and how many it holds; undefined where there is none that was made to its end. */
  state(): Promise<{ readonly seq: number; readonly length: number } | undefined>;
  /** Makes it anew, as of that change, of these pieces of some thousand entries. */
  make(seq: number, entries: AsyncIterable<readonly Ranked[]>): Promise<void>;
  /** Brings it to that change, as one whole: all of these keys go, and those that came are there. */
  change(seq: number, gone: readonly string[], come: readonly Ranked[]): Promise<void>;
  /** The entries at these places from 0, `end` left out; undefined where it was given up meanwhile. */
  slice(start: number, end: number): Promise<Ranked[] | undefined>;
  /** So many entries that stand behind this rank, or all where they are fewer; undefined as with {@link slice}. */
  behind(rank: Buffer, count: number): Promise<Ranked[] | undefined>;
}

/** What a transaction may do. Reads see the transaction's own writes. */
export interface Tx {
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Entries whose index function gives `text`, in key order. */
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  /** One lookup a text, in the order of `texts`: the first entry (in key order) found under each. */
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  put<T>(table: Table<T>, key: string, value: T): void;
  /**
   * As {@link put} of a value that is written out already, for who puts very many.
   * @param json of what the table's form makes of the value, in one line
   * @param texts what each of the table's indexes says of it, none left out
   */
  putStored<T>(table: Table<T>, key: string, json: string, texts: IndexTexts): void;
  /**
   * Writes an entry in another form without making it a change: it keeps its number and its place, so that nobody who
   * follows the changes is told of it again. Its stamp must stay as it was. Nothing where it is not there.
   */
  amend<T>(table: Table<T>, key: string, value: T): void;
  delete<T>(table: Table<T>, key: string): void;
}

/**
 * A part of the store that loads, compacts and fails on its own; a transaction spans exactly one. Reads
 * see only what is durable. Values given out are frozen in spirit: never change one, put a new one.
 */
export interface Partition {
  readonly name: string;
  get<T>(table: Table<T>, key: string): Promise<T | undefined>;
  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]>;
  /** In the order of `keys`; each is read when its value is first looked at. */
  entries<T>(table: Table<T>, keys: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]>;
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]>;
  /** Up to `limit` entries in key order (shorter keys first, then by code unit), behind key `after`. */
  page<T>(
    table: Table<T>,
    options: { after?: string; limit: number; reverse?: boolean },
  ): Promise<Entry<T>[]>;
  /**
   * All entries in key order as of the moment of the first step; changes made later do not show. A block holds until
   * the next one is asked for.
   */
  stored<T>(table: Table<T>): AsyncIterable<StoredBlock>;
  /** Up to `limit` entries in the order of their last change; costs O(log n + answer). */
  changesSince<T>(table: Table<T>, point: ChangePoint, limit: number): Promise<Entry<T>[]>;
  /** All entries, or those that changed behind a number; cheap. */
  count<T>(table: Table<T>, afterSeq?: number): Promise<number>;
  /** The key at this place in the order of keys, from 0, for which no value is read; undefined behind the last. */
  keyAt(table: Pick<Table<never>, 'name'>, place: number): Promise<string | undefined>;
  /** The number of the last durable change; 0 in a new partition. */
  lastSeq(): Promise<number>;
  /**
   * The ranking of this name; of a name as `owner.rest` one is kept for each owner, beside those of names without a point. Absent where all entries are in memory, and orders belong there too. */
  readonly ranking?: (name: string) => Ranking;
  /**
   * Runs `body` alone in this partition and makes all that it put and deleted durable as one whole.
   * Resolves with the body's result when it is on disk (fsynced); when the body throws, or the disk
   * refuses, nothing of it remains, in memory or on disk, and the error is thrown: {@link StoreError}
   * for the disk's part.
   * @param alone it begins when all before it is durable, and nothing else begins until it is: its body may read the
   * partition itself, all of it, and what it finds stays so
   */
  transaction<R>(body: (tx: Tx) => R | Promise<R>, alone?: 'alone'): Promise<R>;
}

/** Something the user must be told about the data folder: what happened and what was done about it. */
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
  /** The partition that it is about; undefined when it is about all of them. */
  readonly partition?: string;
  readonly file: string;
}

/** The disk does not take what is to be saved. */
export interface Unwritable {
  /** ISO 8601; the first failure in the row. */
  readonly at: string;
  readonly code: 'full' | 'io' | 'permission';
}

/** What can still be read in damaged files. The values have no checksum any more, so nothing proves them right. */
export interface Salvage {
  /** Stored values by key. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Lines of which nothing could be read, in all tables. */
  readonly damagedLines: number;
  /** Saved changes behind the last one that could be read, in all tables; undefined where that is not known. */
  readonly missing: number | undefined;
}

/** The whole store of one data folder, locked against other processes while it is open. */
export interface Store {
  readonly dataDir: string;
  /** The partition of this name (letters, digits, `-`, `_`), made when missing, loaded on first use. */
  partition(name: string): Promise<Partition>;
  /** Whether nothing of it can be read, though there was something: it seems empty, and takes nothing. */
  isUnreadable(name: string): Promise<boolean>;
  /**
   * Reads the entries of a table that only the damaged files of a partition hold, or hold in a newer version, line by
   * line. Undefined where none of its files is damaged.
   */
  salvage(name: string, table: string): Promise<Salvage | undefined>;
  /** Names of all partitions that exist, in order. */
  partitions(): Promise<string[]>;
  /**
   * Gives back the memory of a partition, which loads again when it is next used. Whoever still holds it is refused
   * with StoreError `closed`.
   */
  release(name: string): Promise<void>;
  /** Removes a partition and its files for good. */
  drop(name: string): Promise<void>;
  /** What was found and repaired since the store was opened, oldest first. */
  notices(): readonly StoreNotice[];
  /** Why the last change could not be written, until one can; undefined where it could. */
  unwritable(): Unwritable | undefined;
  /**
   * Writes everything, as of one moment for each partition, into one file that `restoreBackup` reads. `number`: which
   * of the automatic ones it is.
   */
  backup(file: string, number?: number): Promise<{ bytes: number; entries: number }>;
  /** Waits for writes in flight, closes all files, gives up the lock. Calls after it reject. */
  close(): Promise<void>;
}

/** Why the store could not do what it was asked. `words` are for the user; what only logs and scripts see is a bare text. */
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
