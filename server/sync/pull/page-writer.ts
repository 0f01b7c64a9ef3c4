import type { ApplyCounts, IncomingRow } from '../../lists/definitions/model.ts';
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

/** A piece of a page after transformation. */
export interface ReadyPage {
  /** At most `PIECE`, as pages come in such pieces. */
  readonly rows: readonly IncomingRow[];
  readonly failed: readonly FailedRow[];
  /** Of the rows, those that name others which have not arrived. */
  readonly referring?: ReadonlyMap<IncomingRow, ReferringRow>;
  /** True once these are written; absent: it stays where it is. */
  readonly checkpoint?: Checkpoint;
  /** The pull ends with this page: time to decide about what was held. */
  readonly last: boolean;
  /** These versions count even where ours have later times. */
  readonly overrule: boolean;
  /** The rows were in no whole reading any more: each that would be removed waits for the user. */
  readonly vanished?: true;
  /** Of those that could not be taken in before, the ones that are waited for no longer. */
  readonly forgotten?: readonly string[];
  /** The partner's feed is read from the beginning. */
  readonly anew?: ResyncReason;
  /** And this is the end of that. */
  readonly compared?: true;
}

interface PageWriterDeps {
  readonly rows: Rows;
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly columns: readonly string[];
  /** What this partner took away from the list in the last day. */
  readonly budget: LossQuota;
  /** Rows in the list that came from anybody, now or before they were kept as ours, when the pull began. */
  readonly received: number;
  /** Rows of the bin, from whomever. */
  readonly inBin: number;
  /** Ids, there, of rows that could not be applied. */
  readonly failed: Iterable<string>;
  readonly held: readonly QuarantinedRow[];
  /** Rows that our user kept, by their id there; those of which the partner brings a new word are taken out. */
  readonly kept: Map<string, RejectedDeletion>;
  readonly checkpoint: Checkpoint | undefined;
  /** Of columns and matching, under which the rows of this pull are put into ours. */
  readonly choice: string;
  /** A column that comes empty in all rows waits for a yes, however few these are. */
  readonly watchesColumns: boolean;
  /** Counts the rows of the list that name others which have not arrived. */
  readonly countReferring: () => Promise<number>;
}

const NO_REFERRING: ReadonlyMap<IncomingRow, ReferringRow> = new Map();

/** Writes the pages of one pull into a list, each in one durable write. One at a time. */
export class PageWriter {
  readonly #deps: PageWriterDeps;
  readonly #counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  readonly #failedIDs: Set<string>;
  readonly #held: Quarantine;
  #checkpoint: Checkpoint | undefined;

  constructor(deps: PageWriterDeps) {
    this.#deps = deps;
    this.#failedIDs = new Set(deps.failed);
    this.#held = new Quarantine({
      ...deps,
      present: () => deps.received + this.#counts.created,
      write: (rows, how, also) => this.#receive(rows, how, also),
    });
    this.#checkpoint = deps.checkpoint;
  }

  get counts(): Readonly<Record<keyof ApplyCounts, number>> {
    return this.#counts;
  }

  /** Rows whose loss waits for a yes after the last page; undefined: nothing waits. */
  get waiting(): PendingReview | undefined {
    return this.#held.waiting;
  }

  /** Failed rows that have been applied or replaced since are no longer among these. */
  get failedIDs(): ReadonlySet<string> {
    return this.#failedIDs;
  }

  /** Durable when it resolves. @throws StoreError */
  async write(page: ReadyPage): Promise<void> {
    await this.#take(page);
    // Only when all pages are in can it be said whether it is much.
    if (!page.last) return;
    await this.#held.settle();
  }

  async #take(page: ReadyPage): Promise<void> {
    const { kept, sharedModuleID, budget } = this.#deps;
    const piece = eachOnce(page.rows);
    const { failed: failures } = page;
    const losses = this.#watch(page);
    const before = this.#held.pendingAmong(piece);
    const forgotten = (page.forgotten ?? []).filter((recordID) => this.#failedIDs.has(recordID));
    const saidAnew =
      kept.size === 0
        ? []
        : [...piece, ...failures].map(({ recordID }) => recordID).filter((id) => kept.has(id));
    const { referring = NO_REFERRING } = page;
    const mayRefer = referring.size > 0 || (await this.#deps.countReferring()) > 0;
    const reached = page.compared ? settled(this.#checkpoint) : page.checkpoint;
    const moved = isWorthWriting(this.#checkpoint, reached) ? reached : undefined;
    if (piece.length > 0 || failures.length > 0 || forgotten.length > 0 || moved) {
      await this.#receive(piece, { overrule: page.overrule, judge: losses?.judge }, async (tx) => {
        this.#noteApplied(tx, piece);
        for (const loss of losses?.found.values() ?? []) this.#held.add(tx, withReferred(loss, page), before);
        for (const recordID of forgotten) tx.delete(FAILED, this.#keyOf(recordID));
        const applied = piece.filter(({ recordID }) => losses?.found.has(recordID) !== true);
        if (mayRefer) await this.#noteReferring(tx, applied, referring);
        for (const recordID of saidAnew) tx.delete(REJECTED_DELETIONS, this.#keyOf(recordID));
        this.#noteFailures(tx, failures);
        if (moved) tx.put(CHECKPOINTS, sharedModuleID, moved);
        budget.keep(tx);
      });
    }
    this.#checkpoint = moved ?? this.#checkpoint;
    if (this.#failedIDs.size > 0) for (const { recordID } of piece) this.#failedIDs.delete(recordID);
    for (const recordID of forgotten) this.#failedIDs.delete(recordID);
    for (const { recordID } of failures) this.#failedIDs.add(recordID);
    for (const recordID of saidAnew) kept.delete(recordID);
  }

  #keyOf(recordID: string): string {
    return rowKey(this.#deps.sharedModuleID, recordID);
  }

  /** One durable write. */
  async #receive(
    piece: readonly IncomingRow[],
    { overrule, judge }: WriteMode,
    also: (tx: Tx) => void | Promise<void>,
  ): Promise<void> {
    const { rows, nodeID, columns } = this.#deps;
    const page = { nodeID, rows: piece, mappedColumns: columns, overrule, also };
    const applied = await rows.receive(judge ? { ...page, judge } : page);
    this.#counts.created += applied.created;
    this.#counts.updated += applied.updated;
    this.#counts.deleted += applied.deleted;
    this.#counts.unchanged += applied.unchanged;
  }

  /** Who looks for losses among the rows of this page; undefined: none can need a yes. */
  #watch({ anew, vanished }: ReadyPage): LossClassifier | undefined {
    const { nodeID, sharedModuleID, choice, budget, received, inBin, watchesColumns } = this.#deps;
    const isMissed = (recordID: string): boolean => this.#held.isMissed(recordID);
    const wentBack = (recordID: string): boolean =>
      anew === 'went-back' || (anew !== undefined && isMissed(recordID));
    // With those that this pull has brought: the partner may let it go on for as long as it likes.
    const present = Math.max(budget.spent().of, received + inBin + this.#counts.created);
    const needsNone = !canNeedApproval(present) && !(watchesColumns && looksLikeDeletedColumn(present));
    if (anew === undefined && vanished === undefined && this.#held.isEmpty && needsNone) return undefined;
    const notesColumns = watchesColumns;
    return classifyLosses({ nodeID, sharedModuleID, choice, wentBack, isMissed, vanished, notesColumns });
  }

  #noteApplied(tx: Tx, piece: readonly IncomingRow[]): void {
    if (this.#held.isEmpty && this.#failedIDs.size === 0) return;
    for (const { recordID } of piece) {
      this.#held.remove(tx, recordID);
      if (this.#failedIDs.has(recordID)) tx.delete(FAILED, this.#keyOf(recordID));
    }
  }

  #noteFailures(tx: Tx, failures: readonly FailedRow[]): void {
    for (const row of failures) {
      tx.put(FAILED, this.#keyOf(row.recordID), row);
      // It is there, though it does not fit: that it was removed or emptied is no longer the partner's word.
      this.#held.remove(tx, row.recordID);
    }
  }

  /** Of rows that are applied, those that name others which have not arrived; those that do so no more are forgotten. */
  async #noteReferring(
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

/**
 * Of a row that a page names more than once, the version that would be left of them: the newest, and of two of one time
 * the later. What it takes away is then foreseen by the very version that is applied.
 */
function eachOnce(rows: readonly IncomingRow[]): readonly IncomingRow[] {
  if (new Set(rows.map(({ recordID }) => recordID)).size === rows.length) return rows;
  const newest = new Map<string, IncomingRow>();
  for (const row of rows) {
    const other = newest.get(row.recordID);
    if (other === undefined || compareTimes(versionTime(other), versionTime(row)) <= 0)
      newest.set(row.recordID, row);
  }
  return [...newest.values()];
}

/** With the rows that it names and that have not arrived. */
function withReferred(loss: QuarantinedRow, { referring }: ReadyPage): QuarantinedRow {
  const refers = referring?.get(loss.row);
  return refers === undefined ? loss : { ...loss, refers };
}

/** Nothing of a reading from the beginning is left to be done. */
function settled(checkpoint: Checkpoint | undefined): Checkpoint | undefined {
  return checkpoint?.feed && { ...checkpoint, feed: omit(checkpoint.feed, 'anew') };
}

/** The partner's clock alone moves with every pull; it is noted only now and then, so that idle costs no write. */
const CLOCK_NOTED_EVERY = 10 * 60_000;

function isWorthWriting(before: Checkpoint | undefined, after: Checkpoint | undefined): boolean {
  if (!after) return false;
  if (!before) return true;
  const { clock: clockBefore, ...markBefore } = before.time ?? {};
  const { clock: clockAfter, ...markAfter } = after.time ?? {};
  if (Math.abs((clockAfter?.theirs ?? 0) - (clockBefore?.theirs ?? 0)) > CLOCK_NOTED_EVERY) return true;
  const same = JSON.stringify([markBefore, before.open, before.feed, before.choice]);
  return same !== JSON.stringify([markAfter, after.open, after.feed, after.choice]);
}
