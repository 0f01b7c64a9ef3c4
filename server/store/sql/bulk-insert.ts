import type { RecordRef } from '../engine/record-ref.ts';
import { valueJSON } from '../engine/stored-blocks.ts';
import type { Ask } from './database.ts';
import { keyBytesToStore } from './key-bytes.ts';

const MAX_ENTRIES = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Yields batches for one statement each: at most 1,000 entries, or about 8 MiB by `bytesOf`. */
export function* splitIntoChunks<T>(
  entries: readonly T[],
  bytesOf: (entry: T) => number,
): Generator<readonly T[]> {
  let piece: T[] = [];
  let bytes = 0;
  for (const entry of entries) {
    piece.push(entry);
    bytes += bytesOf(entry);
    if (piece.length < MAX_ENTRIES && bytes < MAX_BYTES) continue;
    yield piece;
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield piece;
}

/** Inserts new entries with empty index columns. Throws StoreError `io` for a too long key. */
export async function insertEntries(
  ask: Ask,
  partitionID: number,
  entries: readonly { readonly table: string; readonly slot: RecordRef }[],
): Promise<void> {
  await ask(
    `INSERT INTO footbridge_entry (partition_id, tbl, key, seq, value)
      SELECT $1::bigint, given.* FROM unnest($2::text[], $3::bytea[], $4::bigint[], $5::text[])
        AS given(tbl, key, seq, value)`,
    [
      partitionID,
      entries.map(({ table }) => table),
      entries.map(({ slot }) => keyBytesToStore(slot.key)),
      entries.map(({ slot }) => slot.seq),
      entries.map(({ slot }) => valueJSON(slot)),
    ],
  );
}

/** Adds `more` to a table's stored entry count. A new table begins without filled index columns. */
export async function countInserted(
  ask: Ask,
  partitionID: number,
  table: string,
  more: number,
): Promise<void> {
  await ask(
    `INSERT INTO footbridge_table AS known (partition_id, tbl, entries, indexed) VALUES ($1, $2, $3, '')
      ON CONFLICT (partition_id, tbl) DO UPDATE SET entries = known.entries + excluded.entries`,
    [partitionID, table, more],
  );
}
