import type { IncomingRow } from '../../lists/definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { inStretches } from '../../base/stretches.ts';
import { createPause, nextTurn } from '../../base/yield.ts';
import type { Entry, Partition } from '../../store/store.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { compareTimes, later, versionTime } from '../../lists/values/times.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import { choiceNow } from '../status/choice.ts';
import { hasRowsOfOthers, type OtherOffers } from './other-offers.ts';
import { openLossBudget } from './loss-budget.ts';
import { PageWriter } from './page-writer.ts';
import { PIECE, type PulledPage } from './pages.ts';
import type { PullDeps, PullJob, PullOptions, PullOutcome } from './job.ts';
import { remoteRecord, storedRecord } from './stored-record.ts';
import { findReferred, readableOf, type FoundRows } from './referred.ts';
import {
  CHECKPOINTS,
  FAILED,
  HELD,
  KEPT,
  rowKey,
  type Checkpoint,
  type FailedRow,
  type FeedMark,
  type ReferringRow,
} from '../tables.ts';
import { createTransformation, type Transformation } from './transform.ts';
import { said, type Words } from '../../words/said.ts';

/** The taking in of rows into one list: from pages as they come to durable rows, with all that is kept beside. */
export interface ListSession {
  readonly rows: Rows;
  /** Where to go on; without a position where the choice of columns or the matching changed. */
  readonly checkpoint: Checkpoint;
  /** How far the change feed was read before that change. */
  readonly readBefore: FeedMark | undefined;
  readonly transformation: Transformation;
  /** What else of the partner may be among our rows. */
  readonly otherOffers: OtherOffers;
  /** Transforms and writes a page; durable when it resolves. @throws StoreError */
  take(page: PulledPage): Promise<void>;
  /** Tries rows that could not be applied again: those that have rested, or all. @throws StoreError */
  retry(all: boolean): Promise<void>;
  /**
   * What was read from the beginning was compared with the partner's as well: decides about what was held back, as
   * after the last page. @throws StoreError
   */
  compared(): Promise<void>;
  /** Ids, at the partner, of rows that could not be taken in and wait for that. */
  failedIDs(): Iterable<string>;
  /** Our user kept the row, though it is gone there. */
  isKept(recordID: string): boolean;
  outcome(): PullOutcome;
}

/** Rows transformed between two looks at the clock. */
const TRANSFORMED_AT_ONCE = 50;
/** Rows that could not be applied are tried again after this long. */
const RETRY_AFTER = 3_600_000;

export async function openListSession(
  deps: PullDeps,
  job: PullJob,
  { from = [], isFirst = false }: Pick<PullOptions, 'from' | 'isFirst'>,
): Promise<ListSession> {
  const { store, lists, clock, installation } = deps;
  const { shared, mapping, module } = job;
  const { nodeID, moduleID: sharedModuleID } = shared;
  const partition = await store.partition(listPartition(module.moduleID));
  const rows = await lists.rows(module.moduleID);
  const readable = await readableOf(lists, from);
  const stored = await partition.get(CHECKPOINTS, sharedModuleID);
  const choice = await choiceNow(job, rows);
  const checkpoint = stored?.choice === choice ? stored : { nodeID, sharedModuleID, choice };
  const isUntold = job.otherOffers?.isUntold === true || (await hasRowsOfOthers(partition, shared));
  const known = await triesIn(partition, sharedModuleID);
  const transformation = createTransformation(mapping.fields, shared.fields, module.fields);
  const { received, inBin, kept: keptBefore = 0 } = await rows.counts();
  const keptRows = (await partition.find(KEPT, 'shared', sharedModuleID)).map(({ value }) => value);
  const kept = new Map(keptRows.map((row) => [row.recordID, row]));
  const writer = new PageWriter({
    rows,
    nodeID,
    sharedModuleID,
    columns: transformation.columns,
    // What a reading brought that was cut and goes on is no measure, as in one that was not.
    budget: await openLossBudget(partition, nodeID, isFirst ? 0 : (received[nodeID] ?? 0), deps.time),
    received: Object.values(received).reduce((sum, each) => sum + each, keptBefore),
    inBin,
    failed: known.keys(),
    held: (await partition.find(HELD, 'shared', sharedModuleID)).map(({ value }) => value),
    kept,
    checkpoint: stored,
    choice,
  });
  const offered = new Set(shared.fields.map(({ name }) => name));
  const refer = new Set(shared.fields.flatMap(({ name, kind }) => (kind === 'Record' ? [name] : [])));
  const failing = new Set<string>();

  function failure(recordID: string, reason: Words, record?: IncomingRow): FailedRow {
    const now = new Date(clock.now()).toISOString();
    const before = known.get(recordID);
    failing.add(recordID);
    return {
      nodeID,
      sharedModuleID,
      recordID,
      reason,
      ...(record ? { record: storedRecord(record, offered) } : {}),
      since: before?.since ?? now,
      tries: (before?.tries ?? 0) + 1,
      triedAt: now,
    };
  }

  async function take({ records: sent, bad, ...page }: PulledPage): Promise<void> {
    await nextTurn();
    const pause = createPause();
    const records = await newsAmong(sent, page);
    const named = new Set(records.flatMap((record) => transformation.references(record)));
    const found = await findReferred(lists, nodeID, readable, named);
    const waiting = await namingUnread(records, found);
    const referring = new Map<IncomingRow, ReferringRow>();
    const ready: IncomingRow[] = [];
    const unfit = bad.map(({ recordID, reason }) => failure(recordID, reason));
    for (const [index, record] of records.entries()) {
      if (index % TRANSFORMED_AT_ONCE === 0) await pause();
      if (record.via?.includes(installation) === true) {
        ready.push(fromUs(record));
        continue;
      }
      if (waiting.has(record)) {
        unfit.push(failure(record.recordID, said('row.names-unreadable'), record));
        continue;
      }
      const transformed = transformation.apply(withOwnName(record, job.installation), found);
      if (!('row' in transformed)) {
        unfit.push(failure(record.recordID, transformed.reason, record));
        continue;
      }
      ready.push(transformed.row);
      if (transformation.references(record).some((id) => !found.has(id)))
        referring.set(transformed.row, {
          sharedModuleID,
          recordID: record.recordID,
          values: storedRecord(record, refer).values,
          version: versionTime(record),
        });
    }
    await writer.write({ ...page, rows: ready, failed: unfit, referring });
    await forgetKept();
  }

  /**
   * Rows that are here and name others which are not found, while a list where those may be cannot be read: what they show
   * would be lost with it.
   */
  async function namingUnread(
    records: readonly IncomingRow[],
    found: FoundRows,
  ): Promise<ReadonlySet<IncomingRow>> {
    if (readable.length === from.length) return new Set();
    const asked = records.filter(
      (record) =>
        record.deletedAt === undefined && transformation.references(record).some((id) => !found.has(id)),
    );
    const ours = await rows.findReceived(
      nodeID,
      asked.map(({ recordID }) => recordID),
    );
    return new Set(asked.filter((_, at) => ours[at] !== undefined));
  }

  /** What is read once more is no new word on rows that our user kept. */
  async function newsAmong(
    sent: readonly IncomingRow[],
    { whole, anew, byTime }: Omit<PulledPage, 'records' | 'bad'>,
  ): Promise<readonly IncomingRow[]> {
    if (kept.size === 0 || !(whole || anew || byTime)) return sent;
    const records = sent.filter((record) => !isRefused(record));
    const asked = byTime ? [] : records.filter(({ recordID }) => kept.has(recordID));
    if (asked.length === 0) return records;
    const ids = asked.map(({ recordID }) => recordID);
    const ours = await rows.findReceived(nodeID, ids);
    const old = new Set(
      asked.filter(({ updatedAt, deletedAt }, at) => {
        const row = ours[at];
        const known = row && wayFrom(row, nodeID);
        return (
          known && compareTimes(later(updatedAt, deletedAt), later(known.updatedAt, known.deletedAt)) <= 0
        );
      }),
    );
    return records.filter((record) => !old.has(record));
  }

  /** The very version that our user kept the row against. */
  function isRefused({ recordID, updatedAt, deletedAt }: IncomingRow): boolean {
    const at = kept.get(recordID)?.at;
    return at !== undefined && compareTimes(at, later(updatedAt, deletedAt)) === 0;
  }

  /**
   * The partner's new word on a row that our user had kept counts again, under whatever id it brings it now; and none is
   * kept any more that somebody else has removed, or our user.
   */
  async function forgetKept(): Promise<void> {
    if (kept.size === 0) return;
    const ids = [...kept.keys()];
    const ours = await rows.findReceived(nodeID, ids);
    const isOver = (recordID: string, at: number): boolean => {
      const row = ours[at];
      return row ? row.deletedAt !== undefined : kept.get(recordID)?.wentBack === true;
    };
    const again = ids.filter(isOver);
    if (again.length === 0) return;
    for (const recordID of again) kept.delete(recordID);
    await partition.transaction((tx) => {
      for (const recordID of again) tx.delete(KEPT, rowKey(sharedModuleID, recordID));
    });
  }

  await forgetKept();
  return {
    rows,
    checkpoint,
    readBefore: stored === checkpoint ? undefined : stored?.feed,
    transformation,
    otherOffers: { offers: job.otherOffers?.offers ?? [], isUntold },
    take,
    async retry(all) {
      const due = [...known].filter(
        ([, { triedAt }]) => all || Math.abs(clock.now() - Date.parse(triedAt)) > RETRY_AFTER,
      );
      const keys = due.map(([recordID]) => rowKey(sharedModuleID, recordID));
      const entries = (await partition.entries(FAILED, keys)).filter((entry) => entry !== undefined);
      for (const stretch of inStretches(entries, PIECE)) {
        const records = stretch.flatMap(({ value }) => remoteRecord(value));
        // What is tried again is as old as it was.
        if (records.length > 0) await take({ records, bad: [], last: false, overrule: false });
      }
    },
    compared: () => writer.write({ rows: [], failed: [], last: true, overrule: false, compared: true }),
    failedIDs: () => writer.failedIDs,
    isKept: (recordID) => kept.get(recordID)?.gone === true,
    outcome: () => {
      // One that failed on an early page may have come right on a later one.
      const unfit = [...failing].filter((id) => writer.failedIDs.has(id));
      return {
        counts: { ...writer.counts, failed: unfit.length },
        failedAnew: unfit.filter((id) => !known.has(id)).length,
        couldNotApply: writer.failedIDs.size,
        brake: writer.waiting,
        kept: kept.size,
      };
    },
  };
}

/** Rows that could not be applied, by their id there, with what is known of the tries: the rows themselves may be large. */
async function triesIn(
  partition: Partition,
  sharedModuleID: string,
): Promise<ReadonlyMap<string, Pick<FailedRow, 'since' | 'tries' | 'triedAt'>>> {
  const found = new Map<string, Pick<FailedRow, 'since' | 'tries' | 'triedAt'>>();
  const pause = createPause();
  const next = (after?: string): Promise<Entry<FailedRow>[]> =>
    partition.page(FAILED, { limit: PIECE, ...(after === undefined ? {} : { after }) });
  for (let page = await next(); page.length > 0; page = await next(page.at(-1)?.key)) {
    for (const { value } of page) {
      const { recordID, since, tries, triedAt } = value;
      if (value.sharedModuleID === sharedModuleID) found.set(recordID, { since, tries, triedAt });
      await pause();
    }
  }
  return found;
}

/** The partner has this row by us: what it brought of it before, if anything, counts no more. */
function fromUs({ recordID, createdAt, updatedAt }: IncomingRow): IncomingRow {
  return { recordID, createdAt, updatedAt, values: {}, fromUs: true };
}

/** Without the origin that it claims, unless it also says that it came by the partner which sent it. */
function withOwnName(record: IncomingRow, installation: string | undefined): IncomingRow {
  const isNamed = installation !== undefined && record.via?.at(-1) === installation;
  return record.origin && !isNamed ? omit(record, 'origin') : record;
}
