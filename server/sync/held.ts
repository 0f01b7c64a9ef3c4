import type { IncomingRow, Row } from '../lists/model.ts';
import type { Rows } from '../lists/rows.ts';
import { compareTimes } from '../lists/times.ts';
import type { Loss } from './brake.ts';
import type { HeldRow } from './tables.ts';

/**
 * Finds among incoming rows those that would remove a row, or empty a value of one, and holds them. Where the partner's
 * list went back to an earlier state, what is gone there and what is older waits for the user in any number.
 */
export async function findLosses(
  { rows, nodeID, sharedModuleID, columns, wentBack }: LossSearch,
  incoming: readonly IncomingRow[],
): Promise<Map<string, HeldRow>> {
  const losses = new Map<string, HeldRow>();
  if (incoming.length === 0) return losses;
  const existing = await rows.findReceived(
    nodeID,
    incoming.map(({ recordID }) => recordID),
  );
  for (const [index, row] of incoming.entries()) {
    const isBack = wentBack(row.recordID);
    const isOlder = isBack && isOlderThan(row, existing[index]);
    const kind = isOlder ? 'older' : lossOf(existing[index], row, columns);
    // A page may hold two versions of one row; the later one counts.
    losses.delete(row.recordID);
    if (!kind) continue;
    const back = isBack && kind !== 'empty' ? ({ asked: true, wentBack: true } as const) : {};
    losses.set(row.recordID, { sharedModuleID, recordID: row.recordID, kind, row, ...back });
  }
  return losses;
}

interface LossSearch {
  readonly rows: Pick<Rows, 'findReceived'>;
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** Local columns that the partner fills. */
  readonly columns: readonly string[];
  /** Whether the partner has this row as it was in an earlier state of its list. */
  readonly wentBack: (recordID: string) => boolean;
}

/** By the partner's own times, of a row that neither side counts as deleted. */
function isOlderThan(incoming: IncomingRow, existing: Row | undefined): boolean {
  const known = existing?.received;
  if (!known || existing.deletedAt !== undefined || known.deletedAt !== undefined) return false;
  return incoming.deletedAt === undefined && compareTimes(incoming.updatedAt, known.updatedAt) < 0;
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

/** What all held rows together take away. */
export function lossAmong(held: Iterable<HeldRow>): Omit<Loss, 'of'> {
  let removes = 0;
  let empties = 0;
  for (const { kind } of held) {
    if (kind === 'remove') removes++;
    else if (kind === 'empty') empties++;
  }
  return { removes, empties };
}
