import type { Partition, Table, Tx } from '../../store/store.ts';

/** What was written at one moment came from this file. */
interface ImportNote {
  readonly file: string;
  /** Id of the user who put it in. */
  readonly by: string;
}

/**
 * Which of a list's writes put a file in, so that the past of a row can name it: one note for each page of the file
 * instead of one for each row. Key: the time of the write, ISO 8601, so the oldest come first.
 */
const IMPORTS: Table<ImportNote> = { name: 'import-write' };
/** So many are kept: two million lines. */
const KEPT = 4000;

export async function noteImport(partition: Partition, tx: Tx, now: string, note: ImportNote): Promise<void> {
  tx.put(IMPORTS, now, note);
  const over = (await partition.count(IMPORTS)) + 1 - KEPT;
  if (over <= 0) return;
  for (const { key } of await partition.page(IMPORTS, { limit: over })) tx.delete(IMPORTS, key);
}

/** Whether a file was put in by a write of that time. */
export const isImport = async (tx: Pick<Tx, 'get'>, at: string): Promise<boolean> =>
  (await tx.get(IMPORTS, at)) !== undefined;

/** The file that was put in by this user with the write of that time. */
export async function importedFrom(
  partition: Partition,
  at: string,
  by: string,
): Promise<string | undefined> {
  const note = await partition.get(IMPORTS, at);
  return note?.by === by ? note.file : undefined;
}
