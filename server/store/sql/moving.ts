import { EMPTY, type PartitionContent } from '../moving/content.ts';
import { moveMarkSchema, type MoveMark } from '../moving/mark.ts';
import { entrySlot } from './export-entries.ts';
import { numberIn, textIn, type Ask, type Database } from './database.ts';
import { sizeOf } from '../engine/record-ref.ts';
import { countInserted, splitIntoChunks, insertEntries } from './bulk-insert.ts';
import { readOwn, removeOwn, writeOwn } from './own-values.ts';
import { makePartition, removePartition } from './partitions.ts';
import { everyRowBatch, PartitionReader } from './reading.ts';

const MOVE = 'move';
/** No caller can ask for this name. */
const ARRIVING = '/arriving';

/** Returns the mark, if any, of a move of this database's office. */
export async function readMoveMark(ask: Ask): Promise<MoveMark | undefined> {
  const text = await readOwn(ask, MOVE);
  return text === undefined ? undefined : moveMarkSchema.parse(JSON.parse(text));
}

/** Stores a move's mark; undefined removes it. */
export async function writeMoveMark(ask: Ask, mark: MoveMark | undefined): Promise<void> {
  if (mark) await writeOwn(ask, MOVE, JSON.stringify(mark));
  else await removeOwn(ask, MOVE);
}

type Write = <R>(work: (ask: Ask) => Promise<R>) => Promise<R>;

/** Partitions without other writers: its office's or an arriving one's. */
export class DatabaseContent {
  readonly #database: Database;
  readonly #write: Write;

  constructor(database: Database, write: Write) {
    this.#database = database;
    this.#write = write;
  }

  /** Returns the sorted names of the office's partitions, or with `isArriving` of those a move is writing. */
  async names(isArriving: boolean): Promise<readonly string[]> {
    const names = (await this.#database.read('SELECT name FROM footbridge_partition')).map((row) =>
      textIn(row, 'name'),
    );
    const own = isArriving
      ? names.filter((name) => name.endsWith(ARRIVING)).map((name) => name.slice(0, -ARRIVING.length))
      : names.filter((name) => !name.includes('/'));
    return own.sort();
  }

  /**
   * Returns the office's partition, or with `isArriving` one a move is writing; empty if missing. Reads entries on
   * demand.
   */
  async read(partition: string, isArriving: boolean): Promise<PartitionContent> {
    const found = await this.#findPartition(isArriving ? partition + ARRIVING : partition);
    if (!found) return EMPTY;
    const { id, last } = found;
    const { read } = this.#database;
    const counts = new Map(
      (await new PartitionReader(read, id).tables()).map(({ name, entries }) => [name, entries]),
    );
    const tables = await tablesOf(read, id);
    return {
      last,
      tables: new Map(tables.map((name) => [name, counts.get(name) ?? 0])),
      /** Yields the table's entries in key order, in blocks, without the first `skipped`. */
      async *entries(table, skipped = 0) {
        let left = skipped;
        for await (const rows of everyRowBatch({ read, end: () => Promise.resolve() }, id, table)) {
          if (rows.length > left) yield rows.slice(left).map((row) => entrySlot(row, table));
          left = Math.max(0, left - rows.length);
        }
      },
    };
  }

  /**
   * Writes an arriving partition, hidden until the move ends. Continues after the entries of an earlier attempt; starts
   * over if `content.last` differs from that one's.
   */
  async fillPartition(partition: string, content: PartitionContent): Promise<void> {
    const name = partition + ARRIVING;
    const known = await this.#findPartition(name);
    if (known && known.last !== content.last) await removePartition(this.#write, { id: known.id, name });
    const id =
      known?.last === content.last
        ? known.id
        : await this.#write((ask) => makePartition(ask, name, content.last));
    const there = await this.read(partition, true);
    for (const table of content.tables.keys()) {
      const filled = there.tables.get(table) ?? 0;
      for await (const slots of content.entries(table, filled))
        for (const piece of splitIntoChunks(slots, sizeOf))
          await this.#write(async (ask) => {
            await insertEntries(
              ask,
              id,
              piece.map((slot) => ({ table, slot })),
            );
            await countInserted(ask, id, table, piece.length);
          });
    }
  }

  /** Removes an arriving partition, if there. */
  async discard(partition: string): Promise<void> {
    const name = partition + ARRIVING;
    const known = await this.#findPartition(name);
    if (known) await removePartition(this.#write, { id: known.id, name });
  }

  /** Returns the partition's id and last change; undefined if missing. */
  async #findPartition(name: string): Promise<{ id: number; last: number } | undefined> {
    const [row] = await this.#database.read('SELECT id, last_seq FROM footbridge_partition WHERE name = $1', [
      name,
    ]);
    return row && { id: numberIn(row, 'id'), last: numberIn(row, 'last_seq') };
  }
}

/** Returns a partition's sorted table names by its entries, as stored counts may be wrong. */
async function tablesOf(read: Ask, partitionID: number): Promise<string[]> {
  const tables: string[] = [];
  for (;;) {
    const [next] = await read(
      'SELECT tbl FROM footbridge_entry WHERE partition_id = $1 AND tbl > $2 ORDER BY tbl LIMIT 1',
      [partitionID, tables.at(-1) ?? ''],
    );
    if (!next) return tables.sort();
    tables.push(textIn(next, 'tbl'));
  }
}

/** Gives partitions that a move wrote their real names. */
export async function renameArrivedPartitions(ask: Ask): Promise<void> {
  for (const row of await ask('SELECT id, name FROM footbridge_partition')) {
    const name = textIn(row, 'name');
    if (!name.endsWith(ARRIVING)) continue;
    await ask('UPDATE footbridge_partition SET name = $2 WHERE id = $1', [
      ...[numberIn(row, 'id'), name.slice(0, -ARRIVING.length)],
    ]);
  }
}
