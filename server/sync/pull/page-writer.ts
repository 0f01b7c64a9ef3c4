import type { ApplyCounts, IncomingRow } from '../../lists/definitions/model.ts';
import type { IncomingColumns } from '../../base/incoming-row.ts';
import { omit } from '../../base/omit.ts';
import { compareTimes, versionTime } from '../../lists/values/times.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Tx } from '../../store/store.ts';
import { looksLikeDeletedColumn, canNeedApproval, type PendingReview } from '../deletion-guard/threshold.ts';
import { classifyLosses, type LossClassifier } from '../deletion-guard/classify.ts';
import { Quarantine, type WriteMode } from '../deletion-guard/quarantine.ts';
import type { LossQuota } from '../deletion-guard/quota.ts';
import {
  CHECKPOINTS,
  FAILED,
  REJECTED_DELETIONS,
  REFERRING,
  rowKey,
  type ResyncReason,
  type Checkpoint,
  type FailedRow,
  type QuarantinedRow,
  type RejectedDeletion,
  type ReferringRow,
} from '../tables.ts';

export interface ReadyPage {
  /** At most `PIECE`. */
  readonly rows: readonly IncomingRow[];
  /** Only with distinct ids, while {@link PageWriter.hasNoSideRecords}. */
  readonly columns?: IncomingColumns;
  readonly failed: readonly FailedRow[];
  readonly referring?: ReadonlyMap<IncomingRow, ReferringRow>;
  /** Stored with the rows; absent: unchanged. */
  readonly checkpoint?: Checkpoint;
  /** The last page decides quarantined rows. */
  readonly last: boolean;
  /** Outranks later times of ours. */
  readonly overrule: boolean;
  /** Missing in full reads: each removal needs approval. */
  readonly vanished?: true;
  /** Failed rows to discard, by the partner's id. */
  readonly forgotten?: readonly string[];
  /** The feed is read from the beginning. */
  readonly resync?: ResyncReason;
  /** That read ends here. */
  readonly compared?: true;
}

interface PageWriterDeps {
  readonly rows: Rows;
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly columns: readonly string[];
  /** The partner's removals within a day. */
  readonly budget: LossQuota;
  /** From anybody, kept ones too, at the pull's start. */
  readonly received: number;
  /** From anybody. */
  readonly inBin: number;
  /** Ids at the partner. */
  readonly failed: Iterable<string>;
  readonly held: readonly QuarantinedRow[];
  /** Kept by our user until the partner sends a new version; by the partner's id. */
  readonly kept: Map<string, RejectedDeletion>;
  readonly checkpoint: Checkpoint | undefined;
  /** By which this pull's rows are mapped. */
  readonly choice: string;
  /** A column emptied in all rows needs approval, however few. */
  readonly watchesColumns: boolean;
  /** A Corteza server, whose deleted fields arrive as empty values. */
  readonly isLive: boolean;
  readonly countReferring: () => Promise<number>;
}

const NO_REFERRING: ReadonlyMap<IncomingRow, ReferringRow> = new Map();

/** Writes a pull's pages one at a time. */
export class PageWriter {
  readonly #deps: PageWriterDeps;
  readonly #counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  readonly #failedIDs: Set<string>;
  readonly #quarantine: Quarantine;
  #checkpoint: Checkpoint | undefined;

  constructor(deps: PageWriterDeps) {
    this.#deps = deps;
    this.#failedIDs = new Set(deps.failed);
    this.#quarantine = new Quarantine({
      ...deps,
      present: () => deps.received + this.#counts.created,
      write: (rows, how, also) => this.#applyRows(rows, how, also),
    });
    this.#checkpoint = deps.checkpoint;
  }

  get counts(): Readonly<Record<keyof ApplyCounts, number>> {
    return this.#counts;
  }

  /** Rows that need approval after the last page, if any. */
  get pendingReview(): PendingReview | undefined {
    return this.#quarantine.pendingReview;
  }

  /** Failed rows' ids at the partner, without those applied or replaced since. */
  get failedIDs(): ReadonlySet<string> {
    return this.#failedIDs;
  }

  /** Returns whether no row of the offer is quarantined, failed, kept by our user, or lacks references. */
  async hasNoSideRecords(): Promise<boolean> {
    const { kept, countReferring } = this.#deps;
    return (
      this.#quarantine.isEmpty &&
      this.#failedIDs.size === 0 &&
      kept.size === 0 &&
      (await countReferring()) === 0
    );
  }

  /**
   * Writes a page with all records about its rows; durable when it resolves. After the last, applies quarantined losses
   * or makes them need approval. Throws StoreError.
   */
  async writePage(page: ReadyPage): Promise<void> {
    await this.#writePage(page);
    if (!page.last) return;
    await this.#quarantine.decideAfterPull();
  }

  /**
   * Writes everything in one transaction, without deciding about quarantined rows; no transaction if nothing is new.
   */
  async #writePage(page: ReadyPage): Promise<void> {
    const { kept, sharedModuleID, budget, watchesColumns } = this.#deps;
    const piece = withoutRepeated(page.rows);
    const { failed: failures } = page;
    const losses = this.#classifierFor(page);
    const before = this.#quarantine.pendingAmong(piece);
    const forgotten = (page.forgotten ?? []).filter((recordID) => this.#failedIDs.has(recordID));
    const sentAgain =
      kept.size === 0
        ? []
        : [...piece, ...failures].map(({ recordID }) => recordID).filter((id) => kept.has(id));
    const { referring = NO_REFERRING } = page;
    const mayRefer = referring.size > 0 || (await this.#deps.countReferring()) > 0;
    const reached = page.compared ? withoutFullRead(this.#checkpoint) : page.checkpoint;
    const moved = isWorthWriting(this.#checkpoint, reached) ? reached : undefined;
    if (piece.length > 0 || page.columns || failures.length > 0 || forgotten.length > 0 || moved) {
      const { overrule, columns } = page;
      await this.#applyRows(piece, { overrule, judge: losses?.judge, columns }, async (tx) => {
        this.#deleteApplied(tx, piece);
        for (const loss of losses?.found.values() ?? [])
          this.#quarantine.addRow(tx, withReferred(loss, page), before);
        for (const recordID of forgotten) tx.delete(FAILED, this.#keyOf(recordID));
        const applied = piece.filter(({ recordID }) => losses?.found.has(recordID) !== true);
        if (mayRefer) await this.#storeReferring(tx, applied, referring);
        for (const recordID of sentAgain) tx.delete(REJECTED_DELETIONS, this.#keyOf(recordID));
        this.#storeFailures(tx, failures);
        if (moved) tx.put(CHECKPOINTS, sharedModuleID, moved);
        budget.storeAtIntervals(tx);
        // Pulls by time repeat the latest rows.
        const arrived = piece.filter(({ recordID }) => overrule || !losses?.unchanged.has(recordID));
        if (watchesColumns) budget.countColumns(tx, arrived, newlyEmptiedColumns(losses, before));
      });
    }
    this.#checkpoint = moved ?? this.#checkpoint;
    if (this.#failedIDs.size > 0) for (const { recordID } of piece) this.#failedIDs.delete(recordID);
    for (const recordID of forgotten) this.#failedIDs.delete(recordID);
    for (const { recordID } of failures) this.#failedIDs.add(recordID);
    for (const recordID of sentAgain) kept.delete(recordID);
  }

  /** Returns the key of what is stored about a partner's row of this offer: failed, referring, rejected deletion. */
  #keyOf(recordID: string): string {
    return rowKey(this.#deps.sharedModuleID, recordID);
  }

  /**
   * Writes rows into the list in one transaction and adds to the counts. `also` writes further records in the same
   * transaction.
   */
  async #applyRows(
    piece: readonly IncomingRow[],
    { overrule, judge, columns: further }: WriteMode & { readonly columns?: IncomingColumns | undefined },
    also: (tx: Tx) => void | Promise<void>,
  ): Promise<void> {
    const { rows, nodeID, columns } = this.#deps;
    const page = { nodeID, rows: piece, columns: further, mappedColumns: columns, overrule, also };
    const applied = await rows.receive(judge ? { ...page, judge } : page);
    this.#counts.created += applied.created;
    this.#counts.updated += applied.updated;
    this.#counts.deleted += applied.deleted;
    this.#counts.unchanged += applied.unchanged;
  }

  /**
   * Returns a judge of the page's losses; undefined if no loss can need approval: a small list, no resync, nothing in
   * quarantine.
   */
  #classifierFor({ resync, vanished }: ReadyPage): LossClassifier | undefined {
    const { nodeID, sharedModuleID, choice, budget, received, inBin, watchesColumns } = this.#deps;
    const isMissed = (recordID: string): boolean => this.#quarantine.isMissed(recordID);
    const wentBack = (recordID: string): boolean =>
      resync === 'went-back' || (resync === 'rearranged' && isMissed(recordID));
    // Includes this pull's rows: the partner may prolong it at will.
    const present = Math.max(budget.lossOfDay().of, received + inBin + this.#counts.created);
    const needsNone = !canNeedApproval(present) && !(watchesColumns && looksLikeDeletedColumn(present));
    if (resync === undefined && vanished === undefined && this.#quarantine.isEmpty && needsNone)
      return undefined;
    const notesColumns = watchesColumns;
    const isRenewed = resync === 'renewed';
    const facts = { nodeID, sharedModuleID, choice, notesColumns };
    return classifyLosses({ ...facts, wentBack, isMissed, isRenewed, vanished });
  }

  /** Deletes applied rows from the quarantine and the failed rows. */
  #deleteApplied(tx: Tx, piece: readonly IncomingRow[]): void {
    if (this.#quarantine.isEmpty && this.#failedIDs.size === 0) return;
    for (const { recordID } of piece) {
      this.#quarantine.removeRow(tx, recordID);
      if (this.#failedIDs.has(recordID)) tx.delete(FAILED, this.#keyOf(recordID));
    }
  }

  /** Stores failed rows, and takes them out of quarantine. */
  #storeFailures(tx: Tx, failures: readonly FailedRow[]): void {
    for (const row of failures) {
      tx.put(FAILED, this.#keyOf(row.recordID), row);
      // It exists, though unfit: no longer removed or emptied at the partner.
      this.#quarantine.removeRow(tx, row.recordID);
    }
  }

  /** Stores which applied rows lack references; deletes the record of those that don't any more. */
  async #storeReferring(
    tx: Tx,
    applied: readonly IncomingRow[],
    referring: ReadonlyMap<IncomingRow, ReferringRow>,
  ): Promise<void> {
    const keys = applied.map(({ recordID }) => this.#keyOf(recordID));
    const before = await tx.getMany(REFERRING, keys);
    for (const [at, row] of applied.entries()) {
      const names = referring.get(row);
      if (names) tx.put(REFERRING, this.#keyOf(row.recordID), names);
      else if (before[at]) tx.delete(REFERRING, this.#keyOf(row.recordID));
    }
  }
}

/** Returns each id's newest version, of equal times the later one; the same array without repeats. */
function withoutRepeated(rows: readonly IncomingRow[]): readonly IncomingRow[] {
  if (new Set(rows.map(({ recordID }) => recordID)).size === rows.length) return rows;
  const newest = new Map<string, IncomingRow>();
  for (const row of rows) {
    const other = newest.get(row.recordID);
    if (other === undefined || compareTimes(versionTime(other), versionTime(row)) <= 0)
      newest.set(row.recordID, row);
  }
  return [...newest.values()];
}

/** Returns the columns that losses empty, repeated for each row that wasn't quarantined with them before. */
function newlyEmptiedColumns(
  losses: LossClassifier | undefined,
  before: ReadonlyMap<string, QuarantinedRow | undefined>,
): string[] {
  return [...(losses?.found.values() ?? [])].flatMap(({ recordID, emptied = [] }) =>
    emptied.filter((column) => before.get(recordID)?.emptied?.includes(column) !== true),
  );
}

/** Returns the loss with its unresolved references, if the page has some for its row. */
function withReferred(loss: QuarantinedRow, { referring }: ReadyPage): QuarantinedRow {
  const refers = referring?.get(loss.row);
  return refers === undefined ? loss : { ...loss, refers };
}

/** Returns the checkpoint without its mark that the feed must be read from its beginning; undefined without a feed. */
function withoutFullRead(checkpoint: Checkpoint | undefined): Checkpoint | undefined {
  return checkpoint?.feed && { ...checkpoint, feed: omit(checkpoint.feed, 'anew') };
}

/** Milliseconds between notes of the partner's clock, so that idle pulls hardly write. */
const CLOCK_NOTED_EVERY = 10 * 60_000;

/** Returns whether a checkpoint differs enough to store: a small step of the partner's clock alone doesn't. */
function isWorthWriting(before: Checkpoint | undefined, after: Checkpoint | undefined): boolean {
  if (!after) return false;
  if (!before) return true;
  const { clock: clockBefore, ...markBefore } = before.time ?? {};
  const { clock: clockAfter, ...markAfter } = after.time ?? {};
  if (Math.abs((clockAfter?.theirs ?? 0) - (clockBefore?.theirs ?? 0)) > CLOCK_NOTED_EVERY) return true;
  const same = JSON.stringify([markBefore, before.open, before.feed, before.choice]);
  return same !== JSON.stringify([markAfter, after.open, after.feed, after.choice]);
}
