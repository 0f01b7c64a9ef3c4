import { createHash } from 'node:crypto';
import type { Put } from '../../lists/rows/merged-ways.ts';
import type { IncomingRow, Row, Values } from '../../lists/definitions/model.ts';
import type { Judge } from '../../lists/rows/row-receive.ts';
import { losesValue, lostColumns, hasSameValues } from '../../lists/values/value-sets.ts';
import { compareTimes } from '../../lists/values/times.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import type { Loss, PendingReview } from './threshold.ts';
import type { Tx } from '../../store/store.ts';
import { QUARANTINED, REFERRING, rowKey, type QuarantinedRow } from '../tables.ts';

/** Rows of a page that are not to be applied yet, and the judge who finds them while the page is written. */
export interface LossClassifier {
  /** By their id there. */
  readonly found: ReadonlyMap<string, QuarantinedRow>;
  readonly judge: Judge;
}

/**
 * Finds among incoming rows those that would remove a row, or empty a value of one, in the bin too, and lets them wait.
 * One that others bring too is not lost where this partner removes it. Where the partner's list went back to an earlier
 * state, what is gone there and what is older waits for the user in any number, and so does what it just does not have
 * any more.
 */
export function classifyLosses({
  nodeID,
  sharedModuleID,
  choice,
  wentBack,
  isMissed,
  vanished = false,
  notesColumns = false,
}: LossSearch): LossClassifier {
  const found = new Map<string, QuarantinedRow>();
  return {
    found,
    judge(row, { puts, about }) {
      const before = about && wayFrom(about, nodeID)?.recordID;
      const isBack = wentBack(row.recordID);
      const mayBeOlder = isBack || isMissed(before ?? row.recordID);
      const isOlder =
        mayBeOlder && isOlderThan(row, about, nodeID) && puts.some((put) => hasOtherValues(put, nodeID));
      const takes = takenBy(puts);
      // An older version of what would be gone is no comfort.
      const kind = takes.removes > 0 ? 'remove' : isOlder ? 'older' : takes.empties > 0 ? 'empty' : undefined;
      if (!kind) return 'apply';
      const back = isOlder || (isBack && kind === 'remove') ? ({ asked: true, wentBack: true } as const) : {};
      const missing = vanished ? ({ asked: true, missing: true } as const) : {};
      const { recordID } = row;
      const ours = changedBy(kind, puts);
      const loss: QuarantinedRow = { sharedModuleID, recordID, kind, row, choice, takes, ours };
      const emptied = notesColumns && kind === 'empty' ? { emptied: puts.flatMap(emptiedColumns) } : {};
      found.set(recordID, { ...loss, ...back, ...missing, ...emptied });
      return kind === 'older' ? 'id-only' : 'wait';
    },
  };
}

interface LossSearch {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** Of columns and matching, by which the rows were put into ours ({@link QuarantinedRow}). */
  readonly choice: string;
  /** Whether the partner has this row as it was in an earlier state of its list. */
  readonly wentBack: (recordID: string) => boolean;
  /** Whether a row that has or had this id there waits for the user, as it is gone or older there since then. */
  readonly isMissed: (recordID: string) => boolean;
  /** The partner has not said that it removed these rows. */
  readonly vanished?: boolean | undefined;
  /** Notes which columns a row would lose ({@link QuarantinedRow.emptied}). */
  readonly notesColumns?: boolean;
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
function hasOtherValues({ before, after }: Put, nodeID: string): boolean {
  const [was, is] = [before, after].map((row) => (row ? wayFrom(row, nodeID)?.values : undefined));
  return was !== undefined && is !== undefined && !hasSameValues(was, is);
}

function lossOf({ before, after }: Put): 'remove' | 'empty' | undefined {
  if (!before || before.purged === true) return undefined;
  // Also one that is there a second time: whoever sent it may have made it so.
  if (after.purged === true || (before.deletedAt === undefined && after.deletedAt !== undefined))
    return 'remove';
  // A row in the bin too, as it is to come out of there as it went in.
  return losesValue(...receivedValues({ before, after })) ? 'empty' : undefined;
}

const receivedValues = ({ before, after }: Put): [Values | undefined, Values | undefined] => [
  (before?.received ?? before?.former)?.values,
  after.received?.values,
];

const emptiedColumns = (put: Put): string[] => lostColumns(...receivedValues(put));

function takenBy(puts: readonly Put[]): { readonly removes: number; readonly empties: number } {
  const losses = puts.map(lossOf);
  const count = (kind: 'remove' | 'empty'): number => losses.filter((loss) => loss === kind).length;
  return { removes: count('remove'), empties: count('empty') };
}

/** The rows of ours that lose by it, or, where it is an older version, that get that. */
function changedBy(kind: QuarantinedRow['kind'], puts: readonly Put[]): readonly string[] {
  const lost = kind === 'older' ? puts : puts.filter((put) => lossOf(put) !== undefined);
  return lost.flatMap(({ before }) => before?.recordID ?? []);
}

/**
 * Lets rows that waited be applied, but for those that would do more by now than they were found to do: names under which
 * rows are known move from one to another without a word of the row itself.
 */
export function reclassify(waited: readonly QuarantinedRow[]): {
  /** These, as they are by now. By their id there. */
  readonly changed: ReadonlyMap<string, QuarantinedRow>;
  readonly judge: Judge;
} {
  const before = new Map(waited.map((row) => [row.recordID, row]));
  const changed = new Map<string, QuarantinedRow>();
  return {
    changed,
    judge({ recordID }, { puts }) {
      const waits = before.get(recordID);
      const now = waits && changedSince(waits, puts);
      if (!now) return 'apply';
      changed.set(recordID, now);
      return 'wait';
    },
  };
}

/** Undefined: it would do the same, or less. */
function changedSince(held: QuarantinedRow, puts: readonly Put[]): QuarantinedRow | undefined {
  const { ours: before } = held;
  if (before === undefined) return undefined;
  const takes = takenBy(puts);
  const kind = takes.removes > 0 ? 'remove' : held.kind === 'remove' ? 'empty' : held.kind;
  const ours = changedBy(kind, puts);
  const isMore = ours.some((recordID) => !before.includes(recordID));
  return isMore || (kind === 'remove' && held.kind !== 'remove') ? { ...held, kind, takes, ours } : undefined;
}

/**
 * Whether a row that waits would still become what it would when it was put into our columns; removals say nothing of
 * columns.
 * @param choice of now
 */
export const isCurrentChoice = (held: QuarantinedRow, choice: string): boolean =>
  held.kind === 'remove' || (held.choice ?? choice) === choice;

/** In the write that applies it: it waits no more, and what it names and has not arrived is noted. */
export function noLongerHeld(
  tx: Pick<Tx, 'put' | 'delete'>,
  { sharedModuleID, recordID, refers }: QuarantinedRow,
): void {
  const key = rowKey(sharedModuleID, recordID);
  tx.delete(QUARANTINED, key);
  if (refers) tx.put(REFERRING, key, refers);
  else tx.delete(REFERRING, key);
}

/** A row that waits, without what it would become: that may be of 4 MiB. */
export interface ReviewItem extends Pick<QuarantinedRow, 'recordID' | 'kind' | 'ours'> {
  /** The list of ours that it is about. */
  readonly moduleID: string;
  /** Names all that waits of it. */
  readonly digest: string;
  /** The change with which it began to wait. */
  readonly seq: number;
  /** All of it; undefined where it waits no more. */
  readonly whole: () => Promise<QuarantinedRow | undefined>;
}

/** Changes with what it is, what would become of it, and what of it waits. */
export const digest = ({ recordID, kind, row, choice, ours }: QuarantinedRow): string =>
  createHash('sha256')
    .update(JSON.stringify([recordID, kind, row, choice, ours]))
    .digest('base64url');

/**
 * A short text that changes with any of these rows: which they are, what would become of them, and what of each waits.
 * The user's yes names it, so that it is a yes to what was shown.
 */
export function markOf(held: readonly Pick<ReviewItem, 'digest'>[]): string {
  const hash = createHash('sha256');
  for (const digest of held.map((row) => row.digest).sort()) hash.update(digest);
  return hash.digest('base64url').slice(0, 22);
}

/** What all held rows together take away. */
export function lossAmong(held: Iterable<QuarantinedRow>): Omit<Loss, 'of'> {
  let removes = 0;
  let empties = 0;
  for (const row of held) {
    const taken = takenAway(row);
    removes += taken.removes;
    empties += taken.empties;
  }
  return { removes, empties };
}

/** The same as it is told, with why. */
export function waitingAmong(held: readonly QuarantinedRow[]): Omit<PendingReview, 'of'> {
  const older = held.filter((row) => row.kind === 'older').length;
  const wentBack = held.filter((row) => row.wentBack === true).length;
  const missing = held.filter((row) => row.missing === true).length;
  return {
    ...lossAmong(held),
    ...(wentBack > 0 ? { older, wentBack } : {}),
    ...(missing > 0 ? { missing } : {}),
  };
}

/** An older version is counted by itself. */
export function takenAway({ kind, takes }: QuarantinedRow): Omit<Loss, 'of'> {
  if (kind === 'older') return { removes: 0, empties: 0 };
  return takes ?? { removes: kind === 'remove' ? 1 : 0, empties: kind === 'empty' ? 1 : 0 };
}
