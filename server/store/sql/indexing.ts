import { indexText } from '../engine/table-state.ts';
import type { Table } from '../store.ts';
import { bytesIn, textIn, type Ask, type Database } from './database.ts';
import { columnOf, entryIn, hashOf, indexesOf } from './entry.ts';
import { everyRowBatch } from './reading.ts';
import { indexedText, readIndexed } from './write-changes.ts';

/** Fills index columns that bulk data lacks. Checks each once a process: all writers fill them. */
export class IndexFiller {
  readonly #database: Database;
  readonly #id: number;
  readonly #ready = new Map<string, Promise<void>>();

  constructor(database: Database, partitionID: number) {
    this.#database = database;
    this.#id = partitionID;
  }

  /**
   * Fills an index column unless complete; later calls share the result, after a failure one tries again. Throws
   * TypeError for an unknown index.
   */
  prepare<T>(table: Table<T>, index: string): Promise<void> {
    columnOf(table, index);
    const name = `${table.name} ${index}`;
    const known = this.#ready.get(name);
    if (known) return known;
    const ready = this.#fillColumn(table, index).catch((error: unknown) => {
      this.#ready.delete(name);
      throw error;
    });
    this.#ready.set(name, ready);
    return ready;
  }

  /** Fills the column for all entries in batches; nothing for a column marked as filled, or a table without entries. */
  async #fillColumn<T>(table: Table<T>, index: string): Promise<void> {
    const place = indexesOf(table).indexOf(index);
    const [known] = await this.#database.read(
      'SELECT indexed FROM footbridge_table WHERE partition_id = $1 AND tbl = $2',
      [this.#id, table.name],
    );
    if (!known || readIndexed(textIn(known, 'indexed'))[place] === index) return;
    const snapshot = await this.#database.snapshot();
    try {
      for await (const rows of everyRowBatch(snapshot, this.#id, table.name)) {
        const entries = rows.map((row) => ({ key: bytesIn(row, 'key'), entry: entryIn(row, table) }));
        const texts = entries.map(({ entry }) => indexText(table, index, entry.value));
        await this.#database.transaction((ask) =>
          ask(
            // Meanwhile changed entries have their own hash.
            `UPDATE footbridge_entry AS entry SET ${columnOf(table, index)} = given.hash
              FROM unnest($3::bytea[], $4::text[], $5::bigint[]) AS given(key, value, hash)
              WHERE entry.partition_id = $1 AND entry.tbl = $2 AND entry.key = given.key AND entry.value = given.value`,
            [
              this.#id,
              table.name,
              entries.map(({ key }) => key),
              rows.map((row) => textIn(row, 'value')),
              texts.map((text) => (text === undefined ? null : hashOf(text))),
            ],
          ),
        );
      }
    } finally {
      await snapshot.end();
    }
    await this.#database.transaction((ask) => this.#markFilled(ask, table, index));
  }

  /** Marks the index's column as filled; does nothing for a table without entries. */
  async #markFilled<T>(ask: Ask, table: Table<T>, index: string): Promise<void> {
    const [known] = await ask('SELECT indexed FROM footbridge_table WHERE partition_id = $1 AND tbl = $2', [
      this.#id,
      table.name,
    ]);
    if (!known) return;
    const indexed = readIndexed(textIn(known, 'indexed'));
    const names = indexesOf(table).map((name, at) => (name === index ? name : (indexed[at] ?? '')));
    await ask('UPDATE footbridge_table SET indexed = $3 WHERE partition_id = $1 AND tbl = $2', [
      ...[this.#id, table.name],
      indexedText(names),
    ]);
  }
}
