import type { ChangePoint, Entry, StoredBlock, Table } from '../store.ts';
import { indexText } from '../engine/table-state.ts';
import { bytesIn, numberIn, textIn, type Ask, type Row, type Snapshot } from './database.ts';
import { columnOf, ENTRY_COLUMNS, entryIn, hashOf, type SqlEntry } from './entry.ts';
import { keyBytes, keyOf } from './key-bytes.ts';

/** Checked for a text's first entry before reading all of a hash. */
const FEW_ENTRIES = 4;

/** Single-statement, hence consistent, queries on one partition. */
export class PartitionReader {
  readonly #read: Ask;
  readonly #id: number;

  constructor(read: Ask, partitionID: number) {
    this.#read = read;
    this.#id = partitionID;
  }

  /** Returns the entries in the order of `keys`; undefined for missing ones. */
  async entries<T>(table: Table<T>, keys: readonly string[]): Promise<(SqlEntry<T> | undefined)[]> {
    if (keys.length === 0) return [];
    const rows = await this.#queryTable(
      table,
      `${ENTRY_COLUMNS} FROM footbridge_entry WHERE`,
      'AND key = ANY($3)',
      [keys.map(keyBytes)],
    );
    const found = new Map(rows.map((row) => entryIn(row, table)).map((entry) => [entry.key, entry]));
    return keys.map((key) => found.get(key));
  }

  /** Returns the entries with this index text, in key order. The index column must be filled. */
  async find<T>(table: Table<T>, index: string, text: string): Promise<SqlEntry<T>[]> {
    const rows = await this.#queryTable(
      table,
      `${ENTRY_COLUMNS} FROM footbridge_entry WHERE`,
      `AND ${columnOf(table, index)} = $3 ORDER BY key`,
      [hashOf(text)],
    );
    return rows
      .map((row) => entryIn(row, table))
      .filter(({ value }) => indexText(table, index, value) === text);
  }

  /**
   * Returns each text's first entry in a filled index column, if any. Keys for which `isLeftOut` returns true count as
   * missing.
   */
  async findMany<T>(
    table: Table<T>,
    index: string,
    texts: readonly string[],
    isLeftOut: (key: string) => boolean = () => false,
  ): Promise<(SqlEntry<T> | undefined)[]> {
    const column = columnOf(table, index);
    const hashes = texts.map(hashOf);
    const rows = await this.#read(
      `SELECT wanted.hash, found.* FROM unnest($3::bigint[]) AS wanted(hash) CROSS JOIN LATERAL (
        SELECT ${ENTRY_COLUMNS} FROM footbridge_entry
        WHERE partition_id = $1 AND tbl = $2 AND ${column} = wanted.hash ORDER BY key LIMIT ${String(FEW_ENTRIES)}
      ) AS found`,
      [this.#id, table.name, [...new Set(hashes)]],
    );
    const byHash = new Map<string, SqlEntry<T>[]>();
    for (const row of rows) {
      const hash = String(row.hash);
      const few = byHash.get(hash) ?? [];
      few.push(entryIn(row, table));
      byHash.set(hash, few);
    }
    const firsts: (SqlEntry<T> | undefined)[] = [];
    for (const [at, text] of texts.entries()) {
      const isIt = ({ key, value }: SqlEntry<T>): boolean =>
        !isLeftOut(key) && indexText(table, index, value) === text;
      const few = byHash.get(hashes[at] ?? '') ?? [];
      const first = few.find(isIt);
      const all = first || few.length < FEW_ENTRIES ? [] : await this.find(table, index, text);
      firsts.push(first ?? all.find(isIt));
    }
    return firsts;
  }

  /** Returns up to `limit` entries in key order, or reversed, behind the key `after`. */
  async page<T>(
    table: Table<T>,
    { after, limit, reverse = false }: { after?: string; limit: number; reverse?: boolean },
  ): Promise<SqlEntry<T>[]> {
    if (limit <= 0) return [];
    const behind = after === undefined ? '' : `AND key ${reverse ? '<' : '>'} $3`;
    const rows = await this.#queryTable(
      table,
      `${ENTRY_COLUMNS} FROM footbridge_entry WHERE`,
      `${behind} ORDER BY key ${reverse ? 'DESC' : 'ASC'} LIMIT ${countText(limit)}`,
      after === undefined ? [] : [keyBytes(after)],
    );
    return rows.map((row) => entryIn(row, table));
  }

  /** Returns up to `limit` entries in order of change, after a number or from a time. */
  async changesSince<T>(table: Table<T>, point: ChangePoint, limit: number): Promise<Entry<T>[]> {
    const afterSeq = 'afterSeq' in point ? point.afterSeq : await this.#lastSeqBefore(table, point.sinceTime);
    return limit <= 0 ? [] : this.#readBySeq(table, afterSeq, limit);
  }

  /** Counts entries changed after a number; all for 0, by the stored count. */
  async count(table: Pick<Table<never>, 'name'>, afterSeq: number): Promise<number> {
    const [row] =
      afterSeq > 0
        ? await this.#queryTable(table, 'count(*) AS entries FROM footbridge_entry WHERE', 'AND seq > $3', [
            afterSeq,
          ])
        : await this.#queryTable(table, 'entries FROM footbridge_table WHERE', '');
    return row ? numberIn(row, 'entries') : 0;
  }

  /** Returns the key at a position from 0; undefined beyond the end. */
  async keyAt(table: Pick<Table<never>, 'name'>, place: number): Promise<string | undefined> {
    const behind = (await this.count(table, 0)) - 1 - place;
    if (behind < 0) return undefined;
    const [direction, passed] = behind < place ? ['DESC', behind] : ['ASC', place];
    const [row] = await this.#queryTable(
      table,
      'key FROM footbridge_entry WHERE',
      `ORDER BY key ${direction} LIMIT 1 OFFSET ${countText(passed)}`,
    );
    return row && keyOf(bytesIn(row, 'key'));
  }

  /** Returns the number of the last change; 0 if the partition is missing. */
  async lastSeq(): Promise<number> {
    const [row] = await this.#read('SELECT last_seq FROM footbridge_partition WHERE id = $1', [this.#id]);
    return row ? numberIn(row, 'last_seq') : 0;
  }

  /** Returns the tables' entry counts, sorted by name. */
  async tables(): Promise<readonly { readonly name: string; readonly entries: number }[]> {
    const rows = await this.#read(
      'SELECT tbl, entries FROM footbridge_table WHERE partition_id = $1 ORDER BY tbl',
      [this.#id],
    );
    return rows.map((row) => ({ name: textIn(row, 'tbl'), entries: numberIn(row, 'entries') }));
  }

  /**
   * Returns the number of the last change before `time` (milliseconds), by bisection, as stamps never decrease. Throws
   * TypeError without a stamp.
   */
  async #lastSeqBefore<T>(table: Table<T>, time: number): Promise<number> {
    const { stamp } = table;
    if (!stamp) throw new TypeError(`Table ${table.name} has no stamp to find a time by.`);
    let before = 0;
    let behind = await this.lastSeq();
    while (before < behind) {
      const middle = before + Math.floor((behind - before) / 2);
      const [next] = await this.#readBySeq(table, middle, 1);
      if (next === undefined || next.seq > behind || stamp(next.value) >= time) behind = middle;
      else before = next.seq;
    }
    return before;
  }

  /** Returns up to `limit` entries changed after a number, in that order. */
  async #readBySeq<T>(table: Table<T>, afterSeq: number, limit: number): Promise<SqlEntry<T>[]> {
    const rows = await this.#queryTable(
      table,
      `${ENTRY_COLUMNS} FROM footbridge_entry WHERE`,
      `AND seq > $3 ORDER BY seq LIMIT ${countText(limit)}`,
      [afterSeq],
    );
    return rows.map((row) => entryIn(row, table));
  }

  /**
   * Runs a SELECT on one table: `what` is the statement from the columns to WHERE, `rest` what follows the conditions
   * on partition and table; `values` begin at `$3`.
   */
  #queryTable(
    { name }: Pick<Table<never>, 'name'>,
    what: string,
    rest: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return this.#read(`SELECT ${what} partition_id = $1 AND tbl = $2 ${rest}`, [this.#id, name, ...values]);
  }
}

/** Some callers ask for everything, by a limit of infinity. */
const countText = (limit: number): string => String(Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER));

const BATCH_ROWS = 1000;

/** Yields a table's rows in key order, in batches of 1,000; requests the next one in advance. */
export async function* everyRowBatch(
  snapshot: Snapshot,
  partitionID: number,
  table: string,
): AsyncGenerator<readonly Row[]> {
  /** Requests the rows behind a key. */
  const readAfter = (after: Buffer): Promise<readonly Row[]> =>
    snapshot.read(
      `SELECT ${ENTRY_COLUMNS} FROM footbridge_entry
        WHERE partition_id = $1 AND tbl = $2 AND key > $3 ORDER BY key LIMIT ${String(BATCH_ROWS)}`,
      [partitionID, table, after],
    );
  let rows = await readAfter(Buffer.alloc(0));
  while (rows.length === BATCH_ROWS) {
    const next = readAfter(bytesIn(rows.at(-1), 'key'));
    next.catch(() => undefined);
    yield rows;
    rows = await next;
  }
  if (rows.length > 0) yield rows;
}

/** Returns a function that makes a block of rows, valid until the next one, as they share a buffer. */
export function createBlockBuilder(): (rows: readonly Row[]) => StoredBlock {
  let room = Buffer.alloc(0);
  return (rows) => {
    const values = rows.map((row) => textIn(row, 'value'));
    // UTF-8 takes at most three bytes per code unit.
    const most = values.reduce((sum, { length }) => sum + 3 * length, 0);
    if (room.length < most) room = Buffer.allocUnsafeSlow(most);
    const starts = new Uint32Array(rows.length);
    const ends = new Uint32Array(rows.length);
    let at = 0;
    for (const [place, value] of values.entries()) {
      starts[place] = at;
      ends[place] = at += room.write(value, at);
    }
    const keys = rows.map((row) => keyOf(bytesIn(row, 'key')));
    return { keys, bytes: room.subarray(0, at), starts, ends, json: (place) => values[place] ?? '' };
  };
}
