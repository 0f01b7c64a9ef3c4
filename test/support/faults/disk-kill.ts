import type { Partition, Table } from '../../../server/store/store.ts';

export interface KillRow {
  readonly writer: string;
  readonly batch: number;
  readonly pad: string;
}
export const killRows: Table<KillRow> = { name: 'rows', indexes: { writer: (row) => row.writer } };
export const checkpoints: Table<{ batch: number }> = { name: 'checkpoints' };
export const KILL_PARTITION = 'killed';
export const WRITERS: readonly string[] = ['a', 'b', 'c'];

/** What a batch of a writer does: rows that it puts, and (undefined) rows that it deletes. Always the same. */
export function rowsOfBatch(writer: string, batch: number): [string, KillRow | undefined][] {
  return Array.from({ length: 20 }, (_, i) => {
    const key = `${writer}${(batch * 7 + i * 31) % 200}`;
    const deletes = (batch + i) % 9 === 0;
    return [key, deletes ? undefined : { writer, batch, pad: 'x'.repeat((batch * 13 + i) % 400) }];
  });
}

/**
 * Checks a partition against the batches that its checkpoints name: every row is as the last batch that
 * touched it left it, and there are no others. Gives the checkpoints by writer.
 */
export async function checkKilled(part: Partition): Promise<Record<string, number>> {
  const reached: Record<string, number> = {};
  const expected = new Map<string, KillRow>();
  for (const writer of WRITERS) {
    const batches = (await part.get(checkpoints, writer))?.batch ?? 0;
    reached[writer] = batches;
    for (let batch = 1; batch <= batches; batch++) {
      for (const [key, row] of rowsOfBatch(writer, batch)) {
        if (row) expected.set(key, row);
        else expected.delete(key);
      }
    }
  }
  const entries = await part.page(killRows, { limit: 10_000 });
  const changes = await part.changesSince(killRows, { afterSeq: 0 }, 10_000);
  const found = (await Promise.all(WRITERS.map((writer) => part.find(killRows, 'writer', writer)))).flat();
  for (const [what, list] of Object.entries({ entries, changes, found })) {
    if (list.length !== expected.size) throw new Error(`${what}: ${list.length} instead of ${expected.size}`);
    for (const { key, value } of list) {
      if (JSON.stringify(value) !== JSON.stringify(expected.get(key)))
        throw new Error(`${what}: row ${key} differs`);
    }
  }
  return reached;
}
