import { createHash } from 'node:crypto';
import { parseJson } from '../files/format.ts';
import { StoreError, type Entry, type Form, type Table } from '../store.ts';
import { bytesIn, numberIn, textIn, type Row } from './database.ts';
import { keyOf } from './key-bytes.ts';
import { INDEX_COLUMNS } from './schema.ts';

/** Many of these are not kept, as they would fill the memory of who looks at one after the other. */
const LARGE = 64 * 1024;

/** An entry as the database holds it: its value is parsed when it is looked at. */
export class SqlEntry<T> implements Entry<T> {
  readonly key: string;
  readonly seq: number;
  readonly json: string;
  readonly #form: Form<T> | undefined;
  #value: T | undefined;

  constructor(key: string, seq: number, json: string, form?: Form<T>) {
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
    const value = valueOf<T>(this, this.#form);
    if (this.json.length <= LARGE) this.#value = value;
    return value;
  }
}

/** The columns that {@link entryIn} reads. */
export const ENTRY = 'key, seq, value';

export function entryIn<T>(row: Row, table: Table<T>): SqlEntry<T> {
  return new SqlEntry(keyOf(bytesIn(row, 'key')), numberIn(row, 'seq'), textIn(row, 'value'), table.form);
}

/** The value of an entry. The caller knows which table, and so which type, it is of. */
function valueOf<T>({ key, seq, json }: SqlEntry<T>, form?: Form<T>): T {
  const stored = parseJson(json);
  // Of what it says nothing is told: it may be in a log then.
  if (stored === undefined)
    throw new StoreError(
      'damaged',
      `The database holds an entry that is not as it was written: that of change ${seq}, with the key ${key.slice(0, 60)}.`,
    );
  return (form ? form.unpack(stored) : stored) as T;
}

/** Names of a table's indexes, each in the place of its column. */
export function indexesOf<T>({ name, indexes }: Table<T>): readonly string[] {
  const names = Object.keys(indexes ?? {});
  if (names.length > INDEX_COLUMNS.length) throw new TypeError(`Table ${name} has too many indexes.`);
  return names;
}

/** The column of an index. @throws TypeError where the table has none of that name */
export function columnOf<T>(table: Table<T>, index: string): (typeof INDEX_COLUMNS)[number] {
  const column = INDEX_COLUMNS[indexesOf(table).indexOf(index)];
  if (column === undefined) throw new TypeError(`Table ${table.name} has no index ${index}.`);
  return column;
}

/** What stands in the column for a text: 64 bits of its hash, as a text. Whoever asks checks what is found. */
export function hashOf(text: string): string {
  return createHash('sha1').update(text, 'utf16le').digest().readBigInt64BE().toString();
}
