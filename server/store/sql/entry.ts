import { createHash } from 'node:crypto';
import { parseJson } from '../files/format.ts';
import { StoreError, type Entry, type Codec, type Table } from '../store.ts';
import { bytesIn, numberIn, textIn, type Row } from './database.ts';
import { keyOf } from './key-bytes.ts';
import { INDEX_COLUMNS } from './schema.ts';

const MAX_CACHED_LENGTH = 64 * 1024;

export class SqlEntry<T> implements Entry<T> {
  readonly key: string;
  readonly seq: number;
  readonly json: string;
  readonly #form: Codec<T> | undefined;
  #value: T | undefined;

  constructor(key: string, seq: number, json: string, form?: Codec<T>) {
    this.key = key;
    this.seq = seq;
    this.json = json;
    this.#form = form;
  }

  get bytes(): number {
    return Buffer.byteLength(this.json);
  }

  get value(): T {
    if (this.#value !== undefined) return this.#value;
    const value = parseValue<T>(this, this.#form);
    if (this.json.length <= MAX_CACHED_LENGTH) this.#value = value;
    return value;
  }
}

export const ENTRY_COLUMNS = 'key, seq, value';

/** Returns a result row's entry; its value is parsed at the first read. */
export function entryIn<T>(row: Row, table: Table<T>): SqlEntry<T> {
  return new SqlEntry(keyOf(bytesIn(row, 'key')), numberIn(row, 'seq'), textIn(row, 'value'), table.form);
}

/** Returns the decoded value, unchecked. Throws StoreError `damaged` if it isn't JSON. */
function parseValue<T>({ key, seq, json }: SqlEntry<T>, form?: Codec<T>): T {
  const stored = parseJson(json);
  // Content must not get into a log.
  if (stored === undefined)
    throw new StoreError(
      'damaged',
      `The database holds an entry that is not as it was written: that of change ${seq}, with the key ${key.slice(0, 60)}.`,
    );
  return (form ? form.decode(stored) : stored) as T;
}

/** Returns a table's index names in column order. Throws TypeError if there are too many. */
export function indexesOf<T>({ name, indexes }: Table<T>): readonly string[] {
  const names = Object.keys(indexes ?? {});
  if (names.length > INDEX_COLUMNS.length) throw new TypeError(`Table ${name} has too many indexes.`);
  return names;
}

/** Returns an index's column. Throws TypeError for an unknown index. */
export function columnOf<T>(table: Table<T>, index: string): (typeof INDEX_COLUMNS)[number] {
  const column = INDEX_COLUMNS[indexesOf(table).indexOf(index)];
  if (column === undefined) throw new TypeError(`Table ${table.name} has no index ${index}.`);
  return column;
}

/** Returns 64 bits of a text's SHA-1, in decimal. Hashes can collide: callers check the text. */
export function hashOf(text: string): string {
  return createHash('sha1').update(text, 'utf16le').digest().readBigInt64BE().toString();
}
