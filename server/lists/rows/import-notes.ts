import type { Partition, Table, Tx } from '../../store/store.ts';

interface ImportNote {
  readonly file: string;
  readonly by: string;
}

/** For rows' histories. Key: time of the write, ISO 8601. */
const IMPORTS: Table<ImportNote> = { name: 'import-write' };
/** About two million lines. */
const KEPT = 4000;

/** Records which file the write of time `now` imported; deletes the oldest entries beyond 4,000. */
export async function recordImport(
  partition: Partition,
  tx: Tx,
  now: string,
  note: ImportNote,
): Promise<void> {
  tx.put(IMPORTS, now, note);
  const over = (await partition.count(IMPORTS)) + 1 - KEPT;
  if (over <= 0) return;
  for (const { key } of await partition.page(IMPORTS, { limit: over })) tx.delete(IMPORTS, key);
}

/** Returns the file that this user imported with the write of `writtenAt`, ISO 8601; undefined if none is known. */
export async function findImportedFile(
  partition: Partition,
  writtenAt: string,
  userID: string,
): Promise<string | undefined> {
  const note = await partition.get(IMPORTS, writtenAt);
  return note?.by === userID ? note.file : undefined;
}
