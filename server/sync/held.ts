import type { IncomingRow, Row } from '../lists/model.ts';
import type { Rows } from '../lists/rows.ts';
import type { Loss } from './brake.ts';
import type { HeldRow } from './tables.ts';

/** Finds among incoming rows those that would remove a row, or empty a value of one, and holds them. */
export async function findLosses(
  rows: Rows,
  nodeID: string,
  sharedModuleID: string,
  incoming: readonly IncomingRow[],
  mappedColumns: readonly string[],
): Promise<Map<string, HeldRow>> {
  const losses = new Map<string, HeldRow>();
  if (incoming.length === 0) return losses;
  const existing = await rows.findReceived(
    nodeID,
    incoming.map(({ recordID }) => recordID),
  );
  for (const [index, row] of incoming.entries()) {
    const kind = lossOf(existing[index], row, mappedColumns);
    // A page may hold two versions of one row; the later one counts.
    losses.delete(row.recordID);
    if (kind) losses.set(row.recordID, { sharedModuleID, recordID: row.recordID, kind, row });
  }
  return losses;
}

function lossOf(
  existing: Row | undefined,
  row: IncomingRow,
  columns: readonly string[],
): HeldRow['kind'] | undefined {
  if (!existing || existing.deletedAt !== undefined) return undefined;
  if (row.deletedAt !== undefined) return 'remove';
  const before = existing.received?.values;
  const empties = columns.some((column) => filled(before, column) && !filled(row.values, column));
  return empties ? 'empty' : undefined;
}

function filled(values: IncomingRow['values'] | undefined, column: string): boolean {
  return values !== undefined && Object.hasOwn(values, column) && (values[column]?.length ?? 0) > 0;
}

/** What all held rows together come to. */
export function lossAmong(held: Iterable<HeldRow>): Omit<Loss, 'of'> {
  let removes = 0;
  let empties = 0;
  for (const { kind } of held) {
    if (kind === 'remove') removes++;
    else empties++;
  }
  return { removes, empties };
}
