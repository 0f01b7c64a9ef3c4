import { createHash } from 'node:crypto';
import type { Put } from '../../lists/rows/merge-sources.ts';
import type { IncomingRow, Row, Values } from '../../lists/definitions/model.ts';
import type { Judge } from '../../lists/rows/row-receive.ts';
import { losesValue, lostColumns, hasSameValues } from '../../lists/values/value-sets.ts';
import { compareTimes } from '../../lists/values/times.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import type { Loss, PendingReview } from './threshold.ts';
import type { Tx } from '../../store/store.ts';
import { QUARANTINED, REFERRING, rowKey, type QuarantinedRow } from '../tables.ts';

export interface LossClassifier {
  /** To quarantine, by the partner's row id. */
  readonly found: ReadonlyMap<string, QuarantinedRow>;
  /** Rows without effect here, by id. */
  readonly unchanged: ReadonlySet<string>;
  readonly judge: Judge;
}

/**
 * Creates a judge of incoming rows. It collects as losses rows that would remove or empty ours, or are older than ours
 * where the partner's data may have gone back. `unchanged` gets the ids of rows without effects.
 */
export function classifyLosses({
  nodeID,
  sharedModuleID,
  choice,
  wentBack,
  isMissed,
  isRenewed = false,
  vanished = false,
  notesColumns = false,
}: LossClassifierOptions): LossClassifier {
  const found = new Map<string, QuarantinedRow>();
  const unchanged = new Set<string>();
  return {
    found,
    unchanged,
    /**
     * Returns `wait` if the row would delete ours; else `id-only` if it is older than ours and the partner may have
     * gone back; else `wait` if it would empty ours; else `apply`. Adds all but the last to `found`, a row without
     * effects (`puts`) to `unchanged`.
     */
    judge(row, { puts, about }) {
      if (puts.length === 0) unchanged.add(row.recordID);
      const before = about && sourceFrom(about, nodeID)?.recordID;
      const isBack = wentBack(row.recordID);
      const mayBeOlder = isBack || isRenewed || isMissed(before ?? row.recordID);
      const isOlder =
        mayBeOlder && isOlderThan(row, about, nodeID) && puts.some((put) => changesValues(put, nodeID));
      const takes = countLosses(puts);
      // Removal outranks an older version.
      const kind = takes.removes > 0 ? 'remove' : isOlder ? 'older' : takes.empties > 0 ? 'empty' : undefined;
      if (!kind) return 'apply';
      const back = isOlder || (isBack && kind === 'remove') ? ({ asked: true, wentBack: true } as const) : {};
      const isMissing = vanished || (isRenewed && kind === 'remove');
      const missing = isMissing ? ({ asked: true, missing: true } as const) : {};
      const { recordID } = row;
      const ours = affectedRowIDs(kind, puts);
      const loss: QuarantinedRow = { sharedModuleID, recordID, kind, row, choice, takes, ours };
      const emptied = notesColumns && kind === 'empty' ? { emptied: puts.flatMap(emptiedColumns) } : {};
      found.set(recordID, { ...loss, ...back, ...missing, ...emptied });
      return kind === 'older' ? 'id-only' : 'wait';
    },
  };
}

interface LossClassifierOptions {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** Choice of columns by which rows were mapped. */
  readonly choice: string;
  /** Returns whether the partner has an earlier state of the row. */
  readonly wentBack: (recordID: string) => boolean;
  /** Returns whether a row with this present or former id is quarantined as gone or older. */
  readonly isMissed: (recordID: string) => boolean;
  /** Shared under a new id: the partner may have older rows or lack some, without deletions. */
  readonly isRenewed?: boolean;
  /** Missing at the partner, without deletions. */
  readonly vanished?: boolean | undefined;
  /** Losses name emptied columns. */
  readonly notesColumns?: boolean;
}

/**
 * Returns whether an incoming row is older than this partner's version in ours: by the origin's times, else the
 * partner's for the same id. False without such a version, if any is deleted, and if the incoming one came from us.
 */
function isOlderThan(incoming: IncomingRow, existing: Row | undefined, nodeID: string): boolean {
  const known = existing && sourceFrom(existing, nodeID);
  if (!known || existing.deletedAt !== undefined || known.deletedAt !== undefined) return false;
  if (incoming.deletedAt !== undefined || incoming.fromUs) return false;
  const order = compareTimes(incoming.origin?.at ?? '', known.origin?.at ?? '');
  if (incoming.origin && known.origin && order !== 0) return order < 0;
  // Another id means it was written again.
  return incoming.recordID === known.recordID && compareTimes(incoming.updatedAt, known.updatedAt) < 0;
}

/** Returns whether the values from this partner change, not only times; false for a new row. */
function changesValues({ before, after }: Put, nodeID: string): boolean {
  const [was, is] = [before, after].map((row) => (row ? sourceFrom(row, nodeID)?.values : undefined));
  return was !== undefined && is !== undefined && !hasSameValues(was, is);
}

/** Returns the loss in a change: `remove` for a deletion or purge, `empty` for a lost value; undefined if none. */
function kindOfLoss({ before, after }: Put): 'remove' | 'empty' | undefined {
  if (!before || before.purged === true) return undefined;
  // Includes duplicates, possibly caused by the sender.
  if (after.purged === true || (before.deletedAt === undefined && after.deletedAt !== undefined))
    return 'remove';
  // Binned rows can lose values too.
  return losesValue(...receivedValues({ before, after })) ? 'empty' : undefined;
}

/** Returns the partner's values before (a detached source's too) and after the change. */
const receivedValues = ({ before, after }: Put): [Values | undefined, Values | undefined] => [
  (before?.received ?? before?.former)?.values,
  after.received?.values,
];

const emptiedColumns = (put: Put): string[] => lostColumns(...receivedValues(put));

/** Returns how many of these changes remove a row, and how many empty a value. */
function countLosses(puts: readonly Put[]): { readonly removes: number; readonly empties: number } {
  const losses = puts.map(kindOfLoss);
  const count = (kind: 'remove' | 'empty'): number => losses.filter((loss) => loss === kind).length;
  return { removes: count('remove'), empties: count('empty') };
}

/** Returns ids of our rows that lose something or, for `older`, get an older version. */
function affectedRowIDs(kind: QuarantinedRow['kind'], puts: readonly Put[]): readonly string[] {
  const lost = kind === 'older' ? puts : puts.filter((put) => kindOfLoss(put) !== undefined);
  return lost.flatMap(({ before }) => before?.recordID ?? []);
}

/**
 * Creates a judge that applies quarantined rows; those that would do more by now wait and are collected in `changed`.
 */
export function createReclassifier(waited: readonly QuarantinedRow[]): {
  /** By the partner's row id. */
  readonly changed: ReadonlyMap<string, QuarantinedRow>;
  readonly judge: Judge;
} {
  const before = new Map(waited.map((row) => [row.recordID, row]));
  const changed = new Map<string, QuarantinedRow>();
  return {
    changed,
    /** Returns `apply`; `wait` for a row that would do more than it did in quarantine, and adds it to `changed`. */
    judge({ recordID }, { puts }) {
      const waits = before.get(recordID);
      const now = waits && withGreaterEffect(waits, puts);
      if (!now) return 'apply';
      changed.set(recordID, now);
      return 'wait';
    },
  };
}

/**
 * Returns the row with its present effect if that is greater, else undefined. `puts` are all changes that it alone
 * would make.
 */
function withGreaterEffect(held: QuarantinedRow, puts: readonly Put[]): QuarantinedRow | undefined {
  const { ours: before } = held;
  if (before === undefined) return undefined;
  const takes = countLosses(puts);
  const kind = takes.removes > 0 ? 'remove' : held.kind === 'remove' ? 'empty' : held.kind;
  const ours = affectedRowIDs(kind, puts);
  const isMore = ours.some((recordID) => !before.includes(recordID));
  return isMore || (kind === 'remove' && held.kind !== 'remove') ? { ...held, kind, takes, ours } : undefined;
}

/** Returns whether a quarantined row maps to the same values by the present choice. */
export const isCurrentChoice = (held: QuarantinedRow, choice: string): boolean =>
  held.kind === 'remove' || (held.choice ?? choice) === choice;

/** Deletes an applied row from quarantine, and updates its unresolved references. */
export function releaseFromQuarantine(
  tx: Pick<Tx, 'put' | 'delete'>,
  { sharedModuleID, recordID, refers }: QuarantinedRow,
): void {
  const key = rowKey(sharedModuleID, recordID);
  tx.delete(QUARANTINED, key);
  if (refers) tx.put(REFERRING, key, refers);
  else tx.delete(REFERRING, key);
}

/** Without content. */
export interface ReviewItem extends Pick<QuarantinedRow, 'recordID' | 'kind' | 'ours'> {
  readonly moduleID: string;
  /** Identifies the entire content. */
  readonly digest: string;
  readonly seq: number;
  /** Reads the row, if still pending. */
  readonly whole: () => Promise<QuarantinedRow | undefined>;
}

/** Returns a digest of everything that the user sees of a quarantined row. */
export const digestRow = ({ recordID, kind, row, choice, ours }: QuarantinedRow): string =>
  createHash('sha256')
    .update(JSON.stringify([recordID, kind, row, choice, ours]))
    .digest('base64url');

/** Returns a digest of these rows, in any order. */
export function digestOfRows(held: readonly Pick<ReviewItem, 'digest'>[]): string {
  const hash = createHash('sha256');
  for (const digest of held.map((row) => row.digest).sort()) hash.update(digest);
  return hash.digest('base64url').slice(0, 22);
}

/** Returns how many rows these quarantined changes would remove, and how many they would empty. */
export function totalLoss(held: Iterable<QuarantinedRow>): Omit<Loss, 'of'> {
  let removes = 0;
  let empties = 0;
  for (const row of held) {
    const taken = lossByRow(row);
    removes += taken.removes;
    empties += taken.empties;
  }
  return { removes, empties };
}

/**
 * Returns how many rows would be removed and emptied; `older` and `wentBack` only if some went back there; `missing`
 * only if some are missing there.
 */
export function summarizePending(held: readonly QuarantinedRow[]): Omit<PendingReview, 'of'> {
  const older = held.filter((row) => row.kind === 'older').length;
  const wentBack = held.filter((row) => row.wentBack === true).length;
  const missing = held.filter((row) => row.missing === true).length;
  return {
    ...totalLoss(held),
    ...(wentBack > 0 ? { older, wentBack } : {}),
    ...(missing > 0 ? { missing } : {}),
  };
}

/** Returns how many rows a quarantined change would remove and empty; 0 for an older version. */
export function lossByRow({ kind, takes }: QuarantinedRow): Omit<Loss, 'of'> {
  if (kind === 'older') return { removes: 0, empties: 0 };
  return takes ?? { removes: kind === 'remove' ? 1 : 0, empties: kind === 'empty' ? 1 : 0 };
}
