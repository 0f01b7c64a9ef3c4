import { batchByCount } from '../../base/batches.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, Row, Values } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { createYielder } from '../../base/yield.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';

/** For the window only, by column id. Old values; the next change or the row has the new ones. */

export interface PastChange {
  readonly at: string;
  readonly by: string;
  readonly from?: string;
  readonly did?: 'removed' | 'restored';
  /** Previous content of changed columns; `[]`: empty. */
  readonly was: Values;
  /** Merged consecutive changes; `at` is the last one's. */
  readonly times?: number;
}

export interface RowHistory {
  readonly changes: readonly PastChange[];
  readonly older?: true;
}

const HISTORY: Table<RowHistory> = { name: 'row-history' };

/** docs/retention.md */
export interface HistoryLimits {
  readonly changes: number;
  /** Per row; exempts the last change. */
  readonly chars: number;
  readonly rows: number;
}
export const HISTORY_LIMITS: HistoryLimits = { changes: 20, chars: 8000, rows: 100_000 };

const BATCH_ROWS = 1000;

/** Returns undefined if the row never changed or its history was deleted. */
export const readHistory = (partition: Partition, recordID: string): Promise<RowHistory | undefined> =>
  partition.get(HISTORY, recordID);

export interface HistoryRecorder {
  recordChange(before: Row | undefined, after: Row, whose?: string): void;
  recordConversion(after: Row, was: Values, by: string): void;
  /** Deletes it despite changes in this write. */
  deleteHistory(recordID: string): void;
  write(): Promise<void>;
}

/**
 * Collects the changes of one write, and appends them to the rows' histories.
 * @param fields columns that rows are stored by
 * @param from our id of the partner that brings them
 */
export function createHistoryRecorder(deps: {
  readonly tx: Tx;
  readonly partition: Partition;
  readonly now: string;
  readonly fields: readonly Field[];
  readonly from?: string | undefined;
  readonly limits?: HistoryLimits;
}): HistoryRecorder {
  const { tx, partition, now, fields, from, limits = HISTORY_LIMITS } = deps;
  const recorded = new Map<string, PastChange[]>();
  const dropped = new Set<string>();
  const add = (recordID: string, change: PastChange): void =>
    void recorded.set(recordID, [...(recorded.get(recordID) ?? []), change]);
  /** Appends the collected changes within the limits, without dropped rows. */
  async function appendChanges(): Promise<void> {
    const pause = createYielder();
    const ids = [...recorded.keys()].filter((recordID) => !dropped.has(recordID));
    for (const some of batchByCount(ids, BATCH_ROWS)) {
      const known = await tx.getMany(HISTORY, some);
      for (const [at, recordID] of some.entries()) {
        await pause();
        tx.put(HISTORY, recordID, mergeWithinLimits(limits, known[at], recorded.get(recordID) ?? []));
      }
    }
  }

  /**
   * Deletes the histories changed longest ago beyond 100,000 rows: up to 1,000 and this write's number, none that it
   * changed.
   */
  async function evictOldest(): Promise<void> {
    const over = (await partition.count(HISTORY)) - limits.rows;
    if (over <= 0) return;
    const oldest = await partition.changesSince(
      HISTORY,
      { afterSeq: 0 },
      Math.min(over, BATCH_ROWS) + recorded.size,
    );
    for (const { key } of oldest) if (!recorded.has(key)) tx.delete(HISTORY, key);
  }

  return {
    /**
     * Collects a row's change; none for a new row. A purged row's history is deleted.
     * @param whose the partner whose version it is, if not the one that brings it
     */
    recordChange(before, after, whose = from) {
      if (after.purged) dropped.add(after.recordID);
      if (!before || before.purged || after.purged) return;
      const change = describeChange(before, after, fields);
      if (!change) return;
      const made: PastChange = {
        at: now,
        by: after.updatedBy,
        ...(whose === undefined ? {} : { from: whose }),
        ...change,
      };
      add(after.recordID, made);
    },
    /** Collects the values, by column id, that a user's change of columns converted; nothing for a purged row. */
    recordConversion(after, was, by) {
      if (!after.purged) add(after.recordID, { at: now, by, was });
    },
    deleteHistory: (recordID) => void dropped.add(recordID),
    /** Deletes dropped histories, appends the collected changes, and evicts the oldest histories beyond the limit. */
    async write() {
      for (const recordID of dropped) tx.delete(HISTORY, recordID);
      if (recorded.size === 0) return;
      await appendChanges();
      await evictOldest();
    },
  };
}

/**
 * Returns the previous values of changed columns by id, and a move into or out of the bin; undefined if neither
 * changed.
 */
function describeChange(
  before: Row,
  after: Row,
  fields: readonly Field[],
): Pick<PastChange, 'did' | 'was'> | undefined {
  const was: Record<string, readonly string[]> = {};
  if (before.values !== after.values) {
    for (const { fieldID, name } of fields) {
      const texts = valuesOf(before.values, name);
      if (!hasSameTexts(texts, valuesOf(after.values, name))) was[fieldID] = texts;
    }
  }
  const isMoved = (before.deletedAt === undefined) !== (after.deletedAt === undefined);
  if (isMoved) return { did: after.deletedAt === undefined ? 'restored' : 'removed', was };
  return Object.keys(was).length > 0 ? { was } : undefined;
}

/** Returns the history with these changes; beyond the limits merges the oldest, then drops them. */
function mergeWithinLimits(
  limits: HistoryLimits,
  known: RowHistory | undefined,
  added: readonly PastChange[],
): RowHistory {
  let kept: readonly PastChange[] = [...(known?.changes ?? []), ...added];
  for (;;) {
    const isLong = countChars(kept) > limits.chars;
    if (!isLong && kept.length <= limits.changes) break;
    // Our last change must stay revertible, whatever room a partner uses.
    const fewer = mergeOldestTwo(kept, ({ from }) => !isLong || from !== undefined);
    if (!fewer) break;
    kept = fewer;
  }
  let chars = 0;
  const first = kept.findLastIndex((change, at) => {
    chars += countChars([change]);
    return at < kept.length - 1 && (chars > limits.chars || kept.length - at > limits.changes);
  });
  const older = known?.older ?? (first >= 0 ? true : undefined);
  return { changes: kept.slice(first + 1), ...(older ? { older } : {}) };
}

const countChars = (changes: readonly PastChange[]): number =>
  changes.reduce((sum, { was }) => sum + Object.values(was).flat().join('').length, 0);

/**
 * Merges the first two neighbours of one author, keeping the content before both; undefined without any. The first must
 * pass `isMergeable`.
 */
function mergeOldestTwo(
  changes: readonly PastChange[],
  isMergeable: (change: PastChange) => boolean,
): readonly PastChange[] | undefined {
  const at = changes.findIndex((change, place) => {
    const next = changes[place + 1];
    return change.by === next?.by && change.from === next.from && isMergeable(change);
  });
  const [one, other] = changes.slice(at, at + 2);
  if (at < 0 || !one || !other) return undefined;
  const did = one.did && other.did && one.did !== other.did ? undefined : (other.did ?? one.did);
  const both: PastChange = {
    ...omit(other, 'did'),
    ...(did === undefined ? {} : { did }),
    was: { ...other.was, ...one.was },
    times: (one.times ?? 1) + (other.times ?? 1),
  };
  return [...changes.slice(0, at), both, ...changes.slice(at + 2)];
}

/** Deletes all other columns than these, by id, from the histories. */
export async function deleteHistoryOfColumns(
  partition: Partition,
  tx: Tx,
  kept: ReadonlySet<string>,
): Promise<void> {
  const isKept = ([fieldID]: [string, unknown]): boolean => kept.has(fieldID);
  let page = await partition.page(HISTORY, { limit: BATCH_ROWS });
  while (page.length > 0) {
    for (const { key, value } of page) {
      if (value.changes.every(({ was }) => Object.entries(was).every(isKept))) continue;
      const changes = value.changes
        .map((change) => ({ ...change, was: Object.fromEntries(Object.entries(change.was).filter(isKept)) }))
        .filter(({ did, was }) => did !== undefined || Object.keys(was).length > 0);
      if (changes.length > 0) tx.amend(HISTORY, key, { changes, older: true });
      else tx.delete(HISTORY, key);
    }
    page = await partition.page(HISTORY, { limit: BATCH_ROWS, after: page.at(-1)?.key ?? '' });
  }
}

/** Deletes history before a time, ms since the epoch, in several transactions; returns the number of changed rows. */
export async function deleteHistoryBefore(partition: Partition, before: number): Promise<number> {
  const time = new Date(before).toISOString();
  const isOld = (history: RowHistory | undefined): history is RowHistory =>
    history?.changes.some(({ at }) => at < time) === true;
  const pause = createYielder();
  let changedRows = 0;
  let page = await partition.page(HISTORY, { limit: BATCH_ROWS });
  while (page.length > 0) {
    const old = page.filter(({ value }) => isOld(value)).map(({ key }) => key);
    if (old.length > 0)
      changedRows += await partition.transaction((tx) => deleteChangesBefore(tx, old, isOld, time));
    await pause();
    page = await partition.page(HISTORY, { limit: BATCH_ROWS, after: page.at(-1)?.key ?? '' });
  }
  return changedRows;
}

/**
 * Deletes changes before `time` (ISO 8601), in the transaction, of those rows whose history `isOld` selects; returns
 * the number of these rows.
 */
async function deleteChangesBefore(
  tx: Tx,
  recordIDs: readonly string[],
  isOld: (history: RowHistory | undefined) => history is RowHistory,
  time: string,
): Promise<number> {
  let changedRows = 0;
  for (const [at, known] of (await tx.getMany(HISTORY, recordIDs)).entries()) {
    const recordID = recordIDs[at];
    if (recordID === undefined || !isOld(known)) continue;
    const changes = known.changes.filter((change) => change.at >= time);
    // Keeps the sequence number, as the row didn't change.
    if (changes.length > 0) tx.amend(HISTORY, recordID, { changes, older: true });
    else tx.delete(HISTORY, recordID);
    changedRows++;
  }
  return changedRows;
}
