import { operationLine } from '../files/line-buffer.ts';
import type { RecordRef } from '../engine/record-ref.ts';
import type { StoreWriter } from '../engine/store-writer.ts';
import { bytesIn, numberIn, textIn, type Database, type Row } from './database.ts';
import { keyOf } from './key-bytes.ts';
import { everyRowBatch, PartitionReader } from './reading.ts';

/** Appends a partition, as of one moment, to a backup file. Returns its entry count, 0 if missing. */
export async function exportEntries(database: Database, name: string, writer: StoreWriter): Promise<number> {
  const snapshot = await database.snapshot();
  try {
    const [partition] = await snapshot.read('SELECT id, last_seq FROM footbridge_partition WHERE name = $1', [
      name,
    ]);
    if (!partition) return 0;
    const [id, last] = [numberIn(partition, 'id'), numberIn(partition, 'last_seq')];
    await writer.control({ partition: name, last });
    let entries = 0;
    for (const table of await new PartitionReader(snapshot.read, id).tables()) {
      for await (const rows of everyRowBatch(snapshot, id, table.name)) {
        await writer.appendGroup(
          rows.map((row) => entrySlot(row, table.name)),
          last,
        );
        entries += rows.length;
      }
    }
    return entries;
  } finally {
    await snapshot.end();
  }
}

/** Returns a result row as an entry in a line of its own. */
export function entrySlot(row: Row, table: string): RecordRef {
  const [key, seq] = [keyOf(bytesIn(row, 'key')), numberIn(row, 'seq')];
  const bytes = Buffer.from(`${operationLine(seq, table, key, textIn(row, 'value'))}\n`);
  return { key, seq, bytes, start: 0, end: bytes.length - 1 };
}
