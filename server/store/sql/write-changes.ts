import type { Table } from '../store.ts';
import { numberIn, textIn, type Ask } from './database.ts';
import { hashOf, indexesOf } from './entry.ts';
import { keyBytes, keyBytesToStore } from './key-bytes.ts';
import { INDEX_COLUMNS } from './schema.ts';
import type { Changes, PutJson } from './transaction.ts';

const MAX_ENTRIES = 2000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Writes a transaction's staged changes and updates entry counts. Returns false if nothing changed in the database. */
export async function writeChanges(
  ask: Ask,
  partitionID: number,
  { staged, tables }: Changes,
): Promise<boolean> {
  let isChanged = false;
  for (const [name, entries] of staged.tables()) {
    const table = tables.get(name);
    if (!table) continue;
    const deleted: string[] = [];
    const put: [string, PutJson][] = [];
    const amended: [string, PutJson][] = [];
    for (const [key, entry] of entries) {
      if (entry === null) deleted.push(key);
      else (entry.amends ? amended : put).push([key, entry]);
    }
    const gone = await deleteEntries(ask, partitionID, name, deleted);
    const written = await amendEntries(ask, partitionID, table, amended);
    const made = await putEntries(ask, partitionID, table, put);
    await updateTableRow(ask, partitionID, table, made - gone);
    isChanged ||= put.length > 0 || written > 0 || gone > 0;
  }
  return isChanged;
}

/** Deletes entries in batches; returns how many there were. */
async function deleteEntries(
  ask: Ask,
  partitionID: number,
  table: string,
  keys: readonly string[],
): Promise<number> {
  let gone = 0;
  for (const some of batches(keys, () => 0)) {
    const rows = await ask(
      'DELETE FROM footbridge_entry WHERE partition_id = $1 AND tbl = $2 AND key = ANY($3) RETURNING seq',
      [partitionID, table, some.map(keyBytes)],
    );
    gone += rows.length;
  }
  return gone;
}

const HASHES = INDEX_COLUMNS.join(', ');
const NEW_HASHES = INDEX_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ');
const GIVEN_HASHES = INDEX_COLUMNS.map((column) => `${column} = given.${column}`).join(', ');

/** Writes entries in batches; returns how many are new. Throws StoreError `io` for a long key. */
async function putEntries(
  ask: Ask,
  partitionID: number,
  table: Table<never>,
  puts: readonly [string, PutJson][],
): Promise<number> {
  let made = 0;
  for (const some of batches(puts, ([, { json }]) => json.length)) {
    const keys = some.map(([key]) => keyBytesToStore(key));
    const [known] = await ask(
      'SELECT count(*) AS entries FROM footbridge_entry WHERE partition_id = $1 AND tbl = $2 AND key = ANY($3)',
      [partitionID, table.name, keys],
    );
    made += some.length - numberIn(known, 'entries');
    await ask(
      `INSERT INTO footbridge_entry (partition_id, tbl, key, seq, value, ${HASHES})
        SELECT $1::bigint, $2::text, given.* FROM unnest($3::bytea[], $4::bigint[], $5::text[], ${hashParameters(6)})
          AS given(key, seq, value, ${HASHES})
        ON CONFLICT (partition_id, tbl, key) DO UPDATE SET seq = excluded.seq, value = excluded.value, ${NEW_HASHES}`,
      [
        partitionID,
        table.name,
        keys,
        some.map(([, { seq }]) => seq),
        some.map(([, { json }]) => json),
        ...indexHashes(table, some),
      ],
    );
  }
  return made;
}

/** Rewrites existing entries in batches, which keep their change numbers; returns how many there were. */
async function amendEntries(
  ask: Ask,
  partitionID: number,
  table: Table<never>,
  amends: readonly [string, PutJson][],
): Promise<number> {
  let written = 0;
  for (const some of batches(amends, ([, { json }]) => json.length)) {
    const rows = await ask(
      `UPDATE footbridge_entry AS entry SET value = given.value, ${GIVEN_HASHES}
        FROM unnest($3::bytea[], $4::text[], ${hashParameters(5)}) AS given(key, value, ${HASHES})
        WHERE entry.partition_id = $1 AND entry.tbl = $2 AND entry.key = given.key RETURNING entry.seq`,
      [
        partitionID,
        table.name,
        some.map(([key]) => keyBytes(key)),
        some.map(([, { json }]) => json),
        ...indexHashes(table, some),
      ],
    );
    written += rows.length;
  }
  return written;
}

const hashParameters = (from: number): string =>
  INDEX_COLUMNS.map((_, at) => `$${String(from + at)}::bigint[]`).join(', ');

/** Returns for each index column the hashes of the entries' texts; null without a text. */
function indexHashes(table: Table<never>, some: readonly [string, PutJson][]): (string | null)[][] {
  const names = indexesOf(table);
  return INDEX_COLUMNS.map((_, column) => {
    const index = names[column];
    return some.map(([, { texts }]) => {
      const text = index === undefined ? undefined : texts[index];
      return text === undefined ? null : hashOf(text);
    });
  });
}

/**
 * Adds `more` to the table's entry count. A new table's indexes are complete; an index that this version lacks counts
 * no longer as complete.
 */
async function updateTableRow(
  ask: Ask,
  partitionID: number,
  table: Table<never>,
  more: number,
): Promise<void> {
  const names = indexesOf(table);
  const [known] = await ask(
    'SELECT entries, indexed FROM footbridge_table WHERE partition_id = $1 AND tbl = $2',
    [partitionID, table.name],
  );
  if (!known) {
    await ask('INSERT INTO footbridge_table (partition_id, tbl, entries, indexed) VALUES ($1, $2, $3, $4)', [
      ...[partitionID, table.name, more],
      indexedText(names),
    ]);
    return;
  }
  const indexed = readIndexed(textIn(known, 'indexed'));
  const still = names.map((name, at) => (indexed[at] === name ? name : ''));
  await ask('UPDATE footbridge_table SET entries = $3, indexed = $4 WHERE partition_id = $1 AND tbl = $2', [
    ...[partitionID, table.name, numberIn(known, 'entries') + more],
    indexedText(still),
  ]);
}

/** Returns complete indexes' names by column; empty for others. */
export const readIndexed = (text: string): readonly string[] => text.split(' ');
export const indexedText = (names: readonly string[]): string => names.join(' ');

/** Yields batches of at most 2,000 items, or about 8 MiB by `bytesOf`. */
function* batches<T>(items: readonly T[], bytesOf: (item: T) => number): Generator<readonly T[]> {
  let some: T[] = [];
  let bytes = 0;
  for (const item of items) {
    some.push(item);
    bytes += bytesOf(item);
    if (some.length < MAX_ENTRIES && bytes < MAX_BYTES) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}
