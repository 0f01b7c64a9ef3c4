import type { Put } from '../../lists/rows/apply.ts';
import type { IncomingRow, Row } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { ReceivedPage } from '../../lists/rows/row-receive.ts';
import { losesAny, sameValues } from '../../lists/values/value-sets.ts';
import { compareTimes } from '../../lists/values/times.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import type { Loss } from './brake.ts';
import type { Tx } from '../../store/store.ts';
import { HELD, REFERRING, rowKey, type HeldRow } from '../tables.ts';

/**
 * Finds among incoming rows those that would remove a row, or empty a value of one, and holds them. One that others
 * bring too is not lost where this partner removes it. Where the partner's list went back to an earlier state, what is
 * gone there and what is older waits for the user in any number, and so does what it just does not have any more.
 */
export async function findLosses(
  { rows, sharedModuleID, wentBack, isMissed, vanished = false }: LossSearch,
  page: Omit<ReceivedPage, 'also'>,
): Promise<Map<string, HeldRow>> {
  const losses = new Map<string, HeldRow>();
  if (page.rows.length === 0) return losses;
  await rows.foresee(page, (row, { puts, about }) => {
    const before = about && wayFrom(about, page.nodeID)?.recordID;
    const isBack = wentBack(row.recordID);
    const mayBeOlder = isBack || isMissed(before ?? row.recordID);
    const isOlder =
      mayBeOlder && isOlderThan(row, about, page.nodeID) && puts.some((put) => isOther(put, page.nodeID));
    const kind = isOlder ? 'older' : puts.map(lossOf).find((loss) => loss !== undefined);
    if (!kind) return false;
    const back = isOlder || (isBack && kind === 'remove') ? ({ asked: true, wentBack: true } as const) : {};
    const missing = vanished ? ({ asked: true, missing: true } as const) : {};
    losses.set(row.recordID, { sharedModuleID, recordID: row.recordID, kind, row, ...back, ...missing });
    return true;
  });
  return losses;
}

interface LossSearch {
  readonly rows: Pick<Rows, 'foresee'>;
  readonly sharedModuleID: string;
  /** Whether the partner has this row as it was in an earlier state of its list. */
  readonly wentBack: (recordID: string) => boolean;
  /** Whether a row that has or had this id there waits for the user, as it is gone or older there since then. */
  readonly isMissed: (recordID: string) => boolean;
  /** The partner has not said that it removed these rows. */
  readonly vanished?: boolean | undefined;
}

/**
 * Of a row that neither side counts as deleted: by the time of the office where it was made, which passing it on leaves as
 * it is, and then by the partner's own.
 */
function isOlderThan(incoming: IncomingRow, existing: Row | undefined, nodeID: string): boolean {
  const known = existing && wayFrom(existing, nodeID);
  if (!known || existing.deletedAt !== undefined || known.deletedAt !== undefined) return false;
  if (incoming.deletedAt !== undefined || incoming.fromUs) return false;
  const order = compareTimes(incoming.origin?.at ?? '', known.origin?.at ?? '');
  if (incoming.origin && known.origin && order !== 0) return order < 0;
  // Under another id it was written down there anew, and that time says nothing.
  return incoming.recordID === known.recordID && compareTimes(incoming.updatedAt, known.updatedAt) < 0;
}

/** The partner's values are others: whoever passes a row on writes it down at another time each time that it comes. */
function isOther({ before, after }: Put, nodeID: string): boolean {
  const [was, is] = [before, after].map((row) => (row ? wayFrom(row, nodeID)?.values : undefined));
  return was !== undefined && is !== undefined && !sameValues(was, is);
}

function lossOf({ before, after }: Put): 'remove' | 'empty' | undefined {
  if (!before || before.deletedAt !== undefined) return undefined;
  // Also one that is there a second time: whoever sent it may have made it so.
  if (after.deletedAt !== undefined) return 'remove';
  const [was, is] = [(before.received ?? before.former)?.values, after.received?.values];
  return losesAny(was, is) ? 'empty' : undefined;
}

/** In the write that applies it: it waits no more, and what it names and has not arrived is noted. */
export function noLongerHeld(
  tx: Pick<Tx, 'put' | 'delete'>,
  { sharedModuleID, recordID, refers }: HeldRow,
): void {
  const key = rowKey(sharedModuleID, recordID);
  tx.delete(HELD, key);
  if (refers) tx.put(REFERRING, key, refers);
  else tx.delete(REFERRING, key);
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
