import { createYielder } from '../../base/yield.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { Judge } from '../../lists/rows/row-receive.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import { isFilled } from '../../lists/values/value-sets.ts';
import type { Tx } from '../../store/store.ts';
import { QUARANTINED, rowKey, type QuarantinedRow } from '../tables.ts';
import {
  isDeletedColumn,
  looksLikeDeletedColumn,
  excessLoss,
  type Loss,
  type PendingReview,
} from './threshold.ts';
import {
  createReclassifier,
  isCurrentChoice,
  totalLoss,
  releaseFromQuarantine,
  lossByRow,
  summarizePending,
} from './classify.ts';
import type { LossQuota } from './quota.ts';
import { PIECE } from '../pull/pages.ts';

export interface WriteMode {
  readonly overrule: boolean;
  readonly judge?: Judge | undefined;
}

interface HeldRowsDeps {
  readonly rows: Pick<Rows, 'findReceived' | 'scan'>;
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly choice: string;
  readonly budget: LossQuota;
  readonly isLive: boolean;
  readonly held: readonly QuarantinedRow[];
  /** Returns the list's received rows, including this pull's. */
  readonly present: () => number;
  /** Durable. */
  readonly write: (rows: readonly IncomingRow[], how: WriteMode, also: (tx: Tx) => void) => Promise<void>;
}

/** The quarantined rows of one list. Only the last page shows whether they need approval. */
export class Quarantine {
  readonly #deps: HeldRowsDeps;
  readonly #held: Map<string, QuarantinedRow>;
  #pendingReview: PendingReview | undefined;

  constructor(deps: HeldRowsDeps) {
    this.#deps = deps;
    this.#held = new Map(deps.held.map((row) => [row.recordID, row]));
  }

  /** Rows that need approval, if any; undefined before {@link decideAfterPull}. */
  get pendingReview(): PendingReview | undefined {
    return this.#pendingReview;
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Returns whether the row is quarantined because the partner's list went back to an earlier state. */
  isMissed(recordID: string): boolean {
    return this.#held.get(recordID)?.wentBack === true;
  }

  /** Returns rows with their quarantined loss, or undefined, by id at the partner; empty if nothing is quarantined. */
  pendingAmong(rows: readonly IncomingRow[]): ReadonlyMap<string, QuarantinedRow | undefined> {
    return new Map(this.isEmpty ? [] : rows.map(({ recordID }) => [recordID, this.#held.get(recordID)]));
  }

  /** Quarantines a loss, in memory at once. One of the same kind in `before` passes on its request for approval. */
  addRow(tx: Tx, loss: QuarantinedRow, before: ReadonlyMap<string, QuarantinedRow | undefined>): void {
    this.#putRow(tx, keepAsked(loss, before.get(loss.recordID)));
  }

  /** Takes a row out of quarantine; a no-op if it isn't there. */
  removeRow(tx: Tx, recordID: string): void {
    if (this.#held.delete(recordID)) tx.delete(QUARANTINED, this.#keyOf(recordID));
  }

  /**
   * Decides about quarantined rows after a pull's last page: drops those whose row here is gone, applies few, marks the
   * others as needing approval.
   */
  async decideAfterPull(): Promise<void> {
    await this.#deleteObsolete();
    await this.#requireApprovalForColumns();
    // Some stay if their effect has grown.
    if (await this.#applyReleased([...this.#held.values()].filter(this.#assessLosses())))
      this.#assessLosses();
    await this.#requireApproval([...this.#held.values()].filter(({ asked }) => asked !== true));
  }

  #keyOf(recordID: string): string {
    return rowKey(this.#deps.sharedModuleID, recordID);
  }

  /** Stores a quarantined row, in memory at once. */
  #putRow(tx: Tx, row: QuarantinedRow): void {
    this.#held.set(row.recordID, row);
    tx.put(QUARANTINED, this.#keyOf(row.recordID), row);
  }

  /**
   * Deletes rows from quarantine that were missing or went back and are no longer here, or that other partners removed.
   */
  async #deleteObsolete(): Promise<void> {
    const missed = [...this.#held.values()].filter(
      ({ wentBack, missing }) => wentBack === true || missing === true,
    );
    if (missed.length === 0) return;
    const pause = createYielder();
    const again: string[] = [];
    for (let at = 0; at < missed.length; at += PIECE) {
      const ids = missed.slice(at, at + PIECE).map(({ recordID }) => recordID);
      for (const [index, row] of (await this.#deps.rows.findReceived(this.#deps.nodeID, ids)).entries())
        if (!row || (row.deletedAt !== undefined && row.deletedBy === undefined))
          again.push(ids[index] ?? '');
      await pause();
    }
    if (again.length === 0) return;
    await this.#deps.write([], { overrule: false }, (tx) => {
      for (const recordID of again) this.removeRow(tx, recordID);
    });
  }

  /**
   * Makes rows need approval, however few, that would empty a column which looks deleted: Corteza still exposes such a
   * field. A column that other rows still fill counts only if a live server's surely is deleted.
   */
  async #requireApprovalForColumns(): Promise<void> {
    const losing = new Map<string, QuarantinedRow[]>();
    for (const row of this.#held.values())
      for (const column of row.asked === true ? [] : (row.emptied ?? []))
        losing.set(column, [...(losing.get(column) ?? []), row]);
    const { budget, isLive } = this.#deps;
    for (const column of losing.keys())
      if (!looksLikeDeletedColumn(budget.emptiedRun(column))) losing.delete(column);
    const unsure = new Set(
      [...losing.keys()].filter((column) => !isLive || !isDeletedColumn(budget.emptiedRun(column))),
    );
    for (const column of await this.#filledAmong(unsure)) losing.delete(column);
    await this.#requireApproval([...new Set([...losing.values()].flat())]);
  }

  /** Returns which of these columns any row of the partner still fills, apart from quarantined rows. */
  async #filledAmong(columns: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const filled = new Set<string>();
    if (columns.size === 0) return filled;
    const pause = createYielder();
    for await (const page of this.#deps.rows.scan()) {
      for (const row of page) {
        const source = sourceFrom(row, this.#deps.nodeID);
        if (!source || this.#held.has(source.recordID)) continue;
        for (const column of columns) if (isFilled(source.values, column)) filled.add(column);
      }
      if (filled.size === columns.size) break;
      await pause();
    }
    return filled;
  }

  /**
   * Compares the losses with the day's quota and the threshold, and sets `pendingReview`. Returns a test whether a row
   * may be applied without approval.
   */
  #assessLosses(): (loss: QuarantinedRow) => boolean {
    const { removes, empties, of } = this.#deps.budget.lossOfDay();
    const emptied = this.#emptiedBefore();
    const now = totalLoss(this.#held.values());
    const most = { removes: removes + now.removes, empties: empties + now.empties };
    // During the first full read the measure is 0: any number is much.
    const much = excessLoss({ ...most, of: this.#deps.budget.baselineRows() });
    const isFew = ({ removes: gone, empties: emptied }: Omit<Loss, 'of'>): boolean =>
      (gone === 0 || (much?.removes ?? 0) === 0) && (emptied === 0 || (much?.empties ?? 0) === 0);
    const mayGo = (row: QuarantinedRow): boolean =>
      row.asked !== true && isCurrentChoice(row, this.#deps.choice) && isFew(lossByRow(row));
    const left = [...this.#held.values()].filter((row) => !mayGo(row));
    this.#pendingReview =
      left.length === 0
        ? undefined
        : {
            ...summarizePending(left),
            // Rows kept from an earlier connection aren't the partner's yet.
            of: of === 0 ? this.#deps.present() : of,
            gone: removes,
            ...(emptied > 0 ? { emptied } : {}),
          };
    return mayGo;
  }

  /**
   * Returns how many rows lost values before the quarantined ones: within a day or, if more, in one of their columns
   * since a row last came with a value.
   */
  #emptiedBefore(): number {
    const { budget } = this.#deps;
    const pending = [...this.#held.values()].flatMap(({ emptied = [] }) => emptied);
    const earlier = new Map([...new Set(pending)].map((column) => [column, budget.emptiedRun(column)]));
    for (const column of pending) earlier.set(column, (earlier.get(column) ?? 0) - 1);
    return Math.max(budget.lossOfDay().empties, ...[...earlier.values()].filter(Number.isFinite));
  }

  /** Marks rows as needing approval, in transactions of some hundred. */
  async #requireApproval(rows: readonly QuarantinedRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += PIECE) {
      const piece = rows.slice(at, at + PIECE);
      await this.#deps.write([], { overrule: false }, (tx) => {
        for (const row of piece) this.#putRow(tx, { ...row, asked: true });
      });
    }
  }

  /**
   * Applies rows and counts them against the quota. Those whose effect has grown stay and need approval; returns
   * whether there are any.
   */
  async #applyReleased(released: readonly QuarantinedRow[]): Promise<boolean> {
    let isOther = false;
    for (let at = 0; at < released.length; at += PIECE) {
      const piece = released.slice(at, at + PIECE);
      const checked = createReclassifier(piece);
      await this.#deps.write(
        piece.map(({ row }) => row),
        // Latest versions, regardless of time.
        { overrule: true, judge: checked.judge },
        (tx) => {
          const gone = piece.filter(({ recordID }) => !checked.changed.has(recordID));
          for (const row of gone) releaseFromQuarantine(tx, row);
          for (const row of checked.changed.values()) this.#putRow(tx, { ...row, asked: true });
          this.#deps.budget.countLoss(tx, totalLoss(gone));
        },
      );
      for (const { recordID } of piece) if (!checked.changed.has(recordID)) this.#held.delete(recordID);
      isOther ||= checked.changed.size > 0;
    }
    return isOther;
  }
}

/** Returns the loss, marked as needing approval if the previous one of its kind was. */
function keepAsked(loss: QuarantinedRow, before: QuarantinedRow | undefined): QuarantinedRow {
  return before?.asked === true && before.kind === loss.kind ? { ...loss, asked: true } : loss;
}
