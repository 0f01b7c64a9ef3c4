import type { Put } from '../../lists/rows/apply.ts';
import type { IncomingRow, Row } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { ReceivedPage } from '../../lists/rows/row-receive.ts';
import { compareTimes } from '../../lists/values/times.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import type { Loss } from './brake.ts';
import type { HeldRow } from '../tables.ts';

/**
 * Finds among incoming rows those that would remove a row, or empty a value of one, and holds them. One that others
 * bring too is not lost where this partner removes it. Where the partner's list went back to an earlier state, what is
 * gone there and what is older waits for the user in any number.
 */
export async function findLosses(
  { rows, sharedModuleID, wentBack }: LossSearch,
  page: Omit<ReceivedPage, 'also'>,
): Promise<Map<string, HeldRow>> {
  const losses = new Map<string, HeldRow>();
  if (page.rows.length === 0) return losses;
  const foreseen = await rows.foresee(page);
  const ids = page.rows.map(({ recordID }) => recordID);
  const known = ids.some(wentBack) ? await rows.findReceived(page.nodeID, ids) : [];
  for (const [index, row] of page.rows.entries()) {
    const isBack = wentBack(row.recordID);
    const isOlder = isBack && isOlderThan(row, known[index], page.nodeID);
    const kind = isOlder ? 'older' : foreseen[index]?.map(lossOf).find((loss) => loss !== undefined);
    // A page may hold two versions of one row; the later one counts.
    losses.delete(row.recordID);
    if (!kind) continue;
    const back = isBack && kind !== 'empty' ? ({ asked: true, wentBack: true } as const) : {};
    losses.set(row.recordID, { sharedModuleID, recordID: row.recordID, kind, row, ...back });
  }
  return losses;
}

interface LossSearch {
  readonly rows: Pick<Rows, 'foresee' | 'findReceived'>;
  readonly sharedModuleID: string;
  /** Whether the partner has this row as it was in an earlier state of its list. */
  readonly wentBack: (recordID: string) => boolean;
}

/** By the partner's own times, of a row that neither side counts as deleted. */
function isOlderThan(incoming: IncomingRow, existing: Row | undefined, nodeID: string): boolean {
  const known = existing && wayFrom(existing, nodeID);
  if (!known || existing.deletedAt !== undefined || known.deletedAt !== undefined) return false;
  if (incoming.deletedAt !== undefined || incoming.fromUs) return false;
  return compareTimes(incoming.updatedAt, known.updatedAt) < 0;
}

function lossOf({ before, after }: Put): 'remove' | 'empty' | undefined {
  if (!before || before.deletedAt !== undefined) return undefined;
  // What goes for good was there a second time.
  if (after.deletedAt !== undefined) return after.purged === true ? undefined : 'remove';
  const [was, is] = [(before.received ?? before.former)?.values, after.received?.values];
  const empties = Object.keys(was ?? {}).some((column) => filled(was, column) && !filled(is, column));
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
