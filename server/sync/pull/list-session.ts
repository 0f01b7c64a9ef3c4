import type { IncomingRow, Row } from '../../lists/definitions/model.ts';
import { rowsOf, type IncomingColumns } from '../../base/incoming-row.ts';
import { omit } from '../../base/omit.ts';
import { batchByBytes } from '../../base/batches.ts';
import { createYielder, yieldToEventLoop } from '../../base/yield.ts';
import { everyEntry } from '../../store/every-entry.ts';
import type { Partition } from '../../store/store.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { versionTime } from '../../lists/values/times.ts';
import { valuesOf, withColumn } from '../../lists/values/value-sets.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import { currentChoice } from '../status/choice.ts';
import { hasRowsOfEndedOffers, type OtherOffers } from './other-offers.ts';
import { openRejectedDeletions, type RejectedDeletions } from './rejected-deletions.ts';
import { openLossQuota } from '../deletion-guard/quota.ts';
import { PageWriter } from './page-writer.ts';
import { PIECE, type PulledPage } from './pages.ts';
import type { PullDeps, PullJob, PullOptions, PullOutcome } from './job.ts';
import { findReferred, isShown, readableLists, type FoundRows } from './referred.ts';
import {
  CHECKPOINTS,
  FAILED,
  QUARANTINED,
  REFERRING,
  rowKey,
  type Checkpoint,
  type FailedRow,
  type FeedMark,
  type ReferringRow,
  type StoredRecord,
} from '../tables.ts';
import { createTransformation, type Transformation } from './transform.ts';
import { said, type Words } from '../../words/said.ts';

const TRANSFORMED_AT_ONCE = 50;
/** Milliseconds before a failed row's retry. */
const RETRY_AFTER = 3_600_000;

/** By the partner's id, without content, which may be large. */
type Tries = ReadonlyMap<string, Pick<FailedRow, 'since' | 'tries' | 'triedAt'>>;

interface ListSessionDeps extends Pick<PullDeps, 'lists' | 'clock' | 'installation'> {
  readonly job: PullJob;
  readonly partition: Partition;
  readonly rows: Rows;
  readonly transformation: Transformation;
  readonly writer: PageWriter;
  readonly kept: RejectedDeletions;
  readonly known: Tries;
  readonly from: NonNullable<PullOptions['receivingListIDs']>;
  readonly readable: Awaited<ReturnType<typeof readableLists>>;
  /** No position after columns or mapping changed. */
  readonly checkpoint: Checkpoint;
  /** Position up to which the change feed was read before that. */
  readonly readBefore: FeedMark | undefined;
  readonly otherOffers: OtherOffers;
}

/**
 * Opens the session that takes rows into a mapped list. Forgets the position if columns or mapping changed, and
 * rejected deletions that no longer apply. `isFirst`: the list was never read completely.
 */
export async function openListSession(
  deps: PullDeps,
  job: PullJob,
  { receivingListIDs: from = [], isFirst = false }: Pick<PullOptions, 'receivingListIDs' | 'isFirst'>,
): Promise<ListSession> {
  const { store, lists, clock, installation } = deps;
  const { shared, mapping, module } = job;
  const { nodeID, moduleID: sharedModuleID } = shared;
  const partition = await store.partition(listPartition(module.moduleID));
  const rows = await lists.rows(module.moduleID);
  const readable = await readableLists(lists, from);
  const stored = await partition.get(CHECKPOINTS, sharedModuleID);
  const choice = await currentChoice(job, rows);
  const checkpoint = stored?.choice === choice ? stored : { nodeID, sharedModuleID, choice };
  const hasUncheckedRows =
    job.otherOffers?.hasUncheckedRows === true || (await hasRowsOfEndedOffers(partition, shared));
  const known = await readTries(partition, sharedModuleID);
  const transformation = createTransformation(mapping.fields, shared.fields, module.fields);
  const { received, inBin, kept: keptBefore = 0 } = await rows.counts();
  const kept = await openRejectedDeletions(partition, rows, shared);
  const writer = new PageWriter({
    ...{ rows, nodeID, sharedModuleID, inBin, choice },
    // Footbridges announce a column's deletion.
    watchesColumns: job.installation === undefined,
    isLive: job.isLive === true,
    columns: transformation.columns,
    // Interrupted full reads are no measure.
    budget: await openLossQuota(partition, nodeID, isFirst ? 0 : (received[nodeID] ?? 0), deps.time, {
      sharedModuleID,
      columns: transformation.columns,
    }),
    received: Object.values(received).reduce((sum, each) => sum + each, keptBefore),
    failed: known.keys(),
    held: (await partition.find(QUARANTINED, 'shared', sharedModuleID)).map(({ value }) => value),
    kept: kept.byID,
    checkpoint: stored,
    countReferring: () => partition.count(REFERRING),
  });
  await kept.deleteObsolete();
  return new ListSession({
    ...{
      lists,
      clock,
      installation,
      job,
      partition,
      rows,
      transformation,
      writer,
      kept,
      known,
      from,
      readable,
    },
    checkpoint,
    readBefore: stored === checkpoint ? undefined : stored?.feed,
    otherOffers: { offers: job.otherOffers?.offers ?? [], hasUncheckedRows },
  });
}

export class ListSession {
  readonly rows: Rows;
  readonly transformation: Transformation;
  readonly checkpoint: Checkpoint;
  readonly readBefore: FeedMark | undefined;
  readonly otherOffers: OtherOffers;
  readonly #deps: ListSessionDeps;
  readonly #offered: ReadonlySet<string>;
  readonly #refer: ReadonlySet<string>;
  readonly #failing = new Set<string>();

  constructor(deps: ListSessionDeps) {
    const { fields } = deps.job.shared;
    this.rows = deps.rows;
    this.transformation = deps.transformation;
    this.checkpoint = deps.checkpoint;
    this.readBefore = deps.readBefore;
    this.otherOffers = deps.otherOffers;
    this.#deps = deps;
    this.#offered = new Set(fields.map(({ name }) => name));
    this.#refer = new Set(fields.flatMap(({ name, kind }) => (kind === 'Record' ? [name] : [])));
  }

  /**
   * Writes a page with all records about its rows; durable when it resolves. Leaves out repeats of versions that our
   * user rejected, and values of rows the partner has from us. Stores rows that don't convert, or refer to unreadable
   * lists, as failed, losses in quarantine. Throws StoreError.
   */
  async applyPage({ records: sent, columns, bad, ...page }: PulledPage): Promise<void> {
    await yieldToEventLoop();
    const { lists, job, from, readable, kept, writer, installation } = this.#deps;
    const plain = columns && sent.length + bad.length === 0 ? await this.#convertColumns(columns) : undefined;
    if (plain) return writer.writePage({ ...page, rows: [], columns: plain, failed: [] });
    const pause = createYielder();
    const records = await kept.filterStale(columns ? [...sent, ...rowsOf(columns)] : sent, page);
    const naming = this.#refer.size > 0 ? records : [];
    const named = new Set(naming.flatMap((record) => this.transformation.referencedIDs(record)));
    const found = await findReferred(lists, job.shared.nodeID, readable, named);
    const known = await this.#rowsWithUnfound(records, found);
    const isUnread = readable.length < from.length;
    const referring = new Map<IncomingRow, ReferringRow>();
    const ready: IncomingRow[] = [];
    const unfit = bad.map(({ recordID, reason }) => this.#toFailedRow(recordID, reason));
    for (const [index, record] of records.entries()) {
      if (index % TRANSFORMED_AT_ONCE === 0) await pause();
      if (record.via?.includes(installation) === true) {
        ready.push(asRowFromUs(record));
        continue;
      }
      const ours = known.get(record);
      // An unreadable list would lose its displayed values.
      if (ours && isUnread) {
        unfit.push(this.#toFailedRow(record.recordID, said('row.names-unreadable'), record));
        continue;
      }
      const transformed = this.transformation.apply(withoutForgedOrigin(record, job.installation), found);
      if (!('row' in transformed)) {
        unfit.push(this.#toFailedRow(record.recordID, transformed.reason, record));
        continue;
      }
      const row = ours ? this.#keepShownReferences(transformed.row, ours, record, found) : transformed.row;
      ready.push(row);
      const names = this.transformation.referencedIDs(record);
      if (names.some((id) => !isShown(found, id))) referring.set(row, this.#toReferringRow(record));
    }
    await writer.writePage({ ...page, rows: ready, failed: unfit, referring });
    await kept.deleteObsolete();
  }

  /**
   * Returns a page converted column by column, which is fast; undefined if rows need individual treatment: they passed
   * through here, name another sender, refer to others, repeat an id or don't fit, or something is stored about the
   * list's rows.
   */
  async #convertColumns(columns: IncomingColumns): Promise<IncomingColumns | undefined> {
    const { job, writer, installation } = this.#deps;
    if (this.#refer.size > 0 || !(await writer.hasNoSideRecords())) return undefined;
    const isPlain = (via: readonly string[]): boolean =>
      !via.includes(installation) && via.at(-1) === job.installation;
    if (![...new Set(columns.vias)].every(isPlain)) return undefined;
    if (new Set(columns.recordIDs).size < columns.recordIDs.length) return undefined;
    return this.transformation.applyToColumns(columns);
  }

  /** Applies failed rows again: all, or those last tried over an hour ago. Throws StoreError. Failing ones stay. */
  async retryFailed(all: boolean): Promise<void> {
    const { known, clock, partition, job } = this.#deps;
    const due = [...known].filter(
      ([, { triedAt }]) => all || Math.abs(clock.now() - Date.parse(triedAt)) > RETRY_AFTER,
    );
    const keys = due.map(([recordID]) => rowKey(job.shared.moduleID, recordID));
    const entries = (await partition.entries(FAILED, keys)).filter((entry) => entry !== undefined);
    for (const batch of batchByBytes(entries, PIECE)) {
      const records = batch.flatMap(({ value }) => toRemoteRecord(value));
      if (records.length > 0) await this.applyPage({ records, bad: [], last: false, overrule: false });
    }
  }

  /**
   * Ends a full read that was compared with our rows: decides about quarantined rows as after a last page, and ends the
   * checkpoint's resync. Throws StoreError.
   */
  async endResync(): Promise<void> {
    await this.#deps.writer.writePage({ rows: [], failed: [], last: true, overrule: false, compared: true });
  }

  /** Returns ids, at the partner, of all rows that couldn't be applied. */
  failedIDs(): Iterable<string> {
    return this.#deps.writer.failedIDs;
  }

  /** Returns whether our user kept this row, by its id at the partner, against a deletion there. */
  isKeptByUser(recordID: string): boolean {
    return this.#deps.kept.byID.get(recordID)?.gone === true;
  }

  /**
   * Returns this pull's counts and newly failed rows, and the list's present totals of failed, kept and pending rows.
   */
  outcome(): PullOutcome {
    const { writer, known, kept } = this.#deps;
    // Failures of early pages may have succeeded later.
    const unfit = [...this.#failing].filter((id) => writer.failedIDs.has(id));
    return {
      counts: { ...writer.counts, failed: unfit.length },
      newlyFailed: unfit.filter((id) => !known.has(id)).length,
      couldNotApply: writer.failedIDs.size,
      brake: writer.pendingReview,
      kept: kept.byID.size,
    };
  }

  /** Returns the record of a failed row, with one more try, and counts it in the outcome. */
  #toFailedRow(recordID: string, reason: Words, record?: IncomingRow): FailedRow {
    const { nodeID, moduleID: sharedModuleID } = this.#deps.job.shared;
    const now = new Date(this.#deps.clock.now()).toISOString();
    const before = this.#deps.known.get(recordID);
    this.#failing.add(recordID);
    return {
      ...{ nodeID, sharedModuleID, recordID, reason },
      ...(record ? { record: toStoredRecord(record, this.#offered) } : {}),
      since: before?.since ?? now,
      tries: (before?.tries ?? 0) + 1,
      triedAt: now,
    };
  }

  /** Returns the record by which references of this row are filled in later. */
  #toReferringRow(record: IncomingRow): ReferringRow {
    return {
      sharedModuleID: this.#deps.job.shared.moduleID,
      recordID: record.recordID,
      values: toStoredRecord(record, this.#refer).values,
      version: versionTime(record),
    };
  }

  /**
   * Returns records with references that haven't arrived, each with our present row, even a deleted one; not rows that
   * are new here.
   */
  async #rowsWithUnfound(
    records: readonly IncomingRow[],
    found: FoundRows,
  ): Promise<ReadonlyMap<IncomingRow, Row>> {
    const naming = records.filter((record) => this.#refersToUnfound(record, found));
    const ours = await this.rows.findReceived(
      this.#deps.job.shared.nodeID,
      naming.map(({ recordID }) => recordID),
    );
    return new Map(naming.flatMap((record, at) => (ours[at] ? [[record, ours[at]] as const] : [])));
  }

  /** Returns whether the row refers to any row that isn't in `found`. */
  #refersToUnfound(record: IncomingRow, found: FoundRows): boolean {
    return this.#refer.size > 0 && this.transformation.referencedIDs(record).some((id) => !found.has(id));
  }

  /**
   * Keeps our present values in columns whose references are all missing, as when their list isn't shared any more: the
   * partner emptied nothing.
   */
  #keepShownReferences(row: IncomingRow, ours: Row, record: IncomingRow, found: FoundRows): IncomingRow {
    const shown = sourceFrom(ours, this.#deps.job.shared.nodeID)?.values ?? {};
    const columns = this.transformation.unresolvedColumns(record, found);
    const values = columns.reduce((all, name) => withColumn(all, name, valuesOf(shown, name)), row.values);
    return { ...row, values };
  }
}

/** Reads when an offer's failed rows failed and how often, by id at the partner. */
async function readTries(partition: Partition, sharedModuleID: string): Promise<Tries> {
  const found = new Map<string, Pick<FailedRow, 'since' | 'tries' | 'triedAt'>>();
  const pause = createYielder();
  for await (const { value } of everyEntry(partition, FAILED, PIECE)) {
    const { recordID, since, tries, triedAt } = value;
    if (value.sharedModuleID === sharedModuleID) found.set(recordID, { since, tries, triedAt });
    await pause();
  }
  return found;
}

/** Returns the row without values: it only says that the partner has it from us. */
function asRowFromUs({ recordID, createdAt, updatedAt }: IncomingRow): IncomingRow {
  return { recordID, createdAt, updatedAt, values: {}, fromUs: true };
}

/** Drops the row's claimed origin, unless it last passed through its sender. */
export function withoutForgedOrigin(record: IncomingRow, installation: string | undefined): IncomingRow {
  const isNamed = installation !== undefined && record.via?.at(-1) === installation;
  return record.origin && !isNamed ? omit(record, 'origin') : record;
}

/** Returns the row as it is stored beside the list, with the values of these columns only. */
function toStoredRecord(record: IncomingRow, offered: ReadonlySet<string>): StoredRecord {
  return {
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    ...(record.deletedAt === undefined ? {} : { deletedAt: record.deletedAt }),
    ...(record.via === undefined ? {} : { via: record.via }),
    ...(record.origin === undefined ? {} : { origin: record.origin }),
    values: Object.entries(record.values).filter(([name]) => offered.has(name)),
  };
}

/** Returns the row as the partner sent it; [] if it was unreadable and so isn't stored. */
function toRemoteRecord({ recordID, record }: FailedRow): IncomingRow[] {
  return record ? [{ ...record, recordID, values: Object.fromEntries(record.values) }] : [];
}
