import { createYielder } from '../../base/yield.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { Judge } from '../../lists/rows/row-receive.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import { isFilled } from '../../lists/values/value-sets.ts';
import type { Tx } from '../../store/store.ts';
import { QUARANTINED, rowKey, type QuarantinedRow } from '../tables.ts';
import { needingApproval, looksLikeDeletedColumn, type Loss, type PendingReview } from './threshold.ts';
import { reclassify, isCurrentChoice, lossAmong, noLongerHeld, takenAway, waitingAmong } from './classify.ts';
import type { LossQuota } from './quota.ts';
import { PIECE } from '../pull/pages.ts';

/** How rows are put into the list: whether their versions count in any case, and who judges them. */
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
  readonly held: readonly QuarantinedRow[];
  /** Rows in the list that came from anybody, with those that this pull has brought. */
  readonly present: () => number;
  /** One durable write. */
  readonly write: (rows: readonly IncomingRow[], how: WriteMode, also: (tx: Tx) => void) => Promise<void>;
}

/** The rows of one list whose loss waits while it is pulled: only when all pages are in can it be said whether it is much. */
export class Quarantine {
  readonly #deps: HeldRowsDeps;
  readonly #held: Map<string, QuarantinedRow>;
  #waiting: PendingReview | undefined;

  constructor(deps: HeldRowsDeps) {
    this.#deps = deps;
    this.#held = new Map(deps.held.map((row) => [row.recordID, row]));
  }

  /** Those that wait for a yes after the last page; undefined: nothing waits. */
  get waiting(): PendingReview | undefined {
    return this.#waiting;
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** It was gone, or older, as the partner's list went back. */
  isMissed(recordID: string): boolean {
    return this.#held.get(recordID)?.wentBack === true;
  }

  /** Those that wait of these rows, by their id there. */
  pendingAmong(rows: readonly IncomingRow[]): ReadonlyMap<string, QuarantinedRow | undefined> {
    return new Map(this.isEmpty ? [] : rows.map(({ recordID }) => [recordID, this.#held.get(recordID)]));
  }

  /** It waits from now on. @param before as it waited until now */
  add(tx: Tx, loss: QuarantinedRow, before: ReadonlyMap<string, QuarantinedRow | undefined>): void {
    this.#put(tx, stillAsked(loss, before.get(loss.recordID)));
  }

  /** It waits no more. */
  remove(tx: Tx, recordID: string): void {
    if (this.#held.delete(recordID)) tx.delete(QUARANTINED, this.#keyOf(recordID));
  }

  /** All pages are in: what is little goes, and the user is asked about the rest. */
  async settle(): Promise<void> {
    await this.#forgetFoundAgain();
    await this.#askAboutColumns();
    // What would do something else by now waits as well.
    if (await this.#release([...this.#held.values()].filter(this.#decide()))) this.#decide();
    await this.#ask([...this.#held.values()].filter(({ asked }) => asked !== true));
  }

  #keyOf(recordID: string): string {
    return rowKey(this.#deps.sharedModuleID, recordID);
  }

  #put(tx: Tx, row: QuarantinedRow): void {
    this.#held.set(row.recordID, row);
    tx.put(QUARANTINED, this.#keyOf(row.recordID), row);
  }

  /** A row that the partner brings under another id now does not wait under the one that it had, nor one that others removed. */
  async #forgetFoundAgain(): Promise<void> {
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
      for (const recordID of again) this.remove(tx, recordID);
    });
  }

  /**
   * Lets the rows wait by which a column would be empty in all rows, however few they are. Corteza goes on exposing a
   * field that was deleted in its module.
   */
  async #askAboutColumns(): Promise<void> {
    const losing = new Map<string, QuarantinedRow[]>();
    for (const row of this.#held.values())
      for (const column of row.asked === true ? [] : (row.emptied ?? []))
        losing.set(column, [...(losing.get(column) ?? []), row]);
    for (const [column, rows] of losing) if (!looksLikeDeletedColumn(rows.length)) losing.delete(column);
    if (losing.size === 0) return;
    const pause = createYielder();
    for await (const page of this.#deps.rows.scan()) {
      for (const row of page) {
        const way = wayFrom(row, this.#deps.nodeID);
        if (!way || this.#held.has(way.recordID)) continue;
        for (const column of losing.keys()) if (isFilled(way.values, column)) losing.delete(column);
      }
      if (losing.size === 0) return;
      await pause();
    }
    await this.#ask([...new Set([...losing.values()].flat())]);
  }

  /** Notes what has to wait, and answers for each held row whether it may go. */
  #decide(): (loss: QuarantinedRow) => boolean {
    const { removes, empties, of } = this.#deps.budget.spent();
    const now = lossAmong(this.#held.values());
    const most = { removes: removes + now.removes, empties: empties + now.empties };
    // What the first reading of all brings is no measure either: of nothing, any number is much.
    const much = needingApproval({ ...most, of: this.#deps.budget.measure() });
    const isFew = ({ removes: gone, empties: emptied }: Omit<Loss, 'of'>): boolean =>
      (gone === 0 || (much?.removes ?? 0) === 0) && (emptied === 0 || (much?.empties ?? 0) === 0);
    const mayGo = (row: QuarantinedRow): boolean =>
      row.asked !== true && isCurrentChoice(row, this.#deps.choice) && isFew(takenAway(row));
    const left = [...this.#held.values()].filter((row) => !mayGo(row));
    this.#waiting =
      left.length === 0
        ? undefined
        : {
            ...waitingAmong(left),
            // Of rows that were kept from before, none is the partner's until it was taken over.
            of: of === 0 ? this.#deps.present() : of,
            gone: removes,
            ...(empties > 0 ? { emptied: empties } : {}),
          };
    return mayGo;
  }

  /** The user is asked about these from now on. */
  async #ask(rows: readonly QuarantinedRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += PIECE) {
      const piece = rows.slice(at, at + PIECE);
      await this.#deps.write([], { overrule: false }, (tx) => {
        for (const row of piece) this.#put(tx, { ...row, asked: true });
      });
    }
  }

  /** What was held back and turned out to be little. @returns whether some of it has to be asked about all the same */
  async #release(released: readonly QuarantinedRow[]): Promise<boolean> {
    let isOther = false;
    for (let at = 0; at < released.length; at += PIECE) {
      const piece = released.slice(at, at + PIECE);
      const checked = reclassify(piece);
      await this.#deps.write(
        piece.map(({ row }) => row),
        // It is the partner's last word of these rows, whatever their times are.
        { overrule: true, judge: checked.judge },
        (tx) => {
          const gone = piece.filter(({ recordID }) => !checked.changed.has(recordID));
          for (const row of gone) noLongerHeld(tx, row);
          for (const row of checked.changed.values()) this.#put(tx, { ...row, asked: true });
          this.#deps.budget.spend(tx, lossAmong(gone));
        },
      );
      for (const { recordID } of piece) if (!checked.changed.has(recordID)) this.#held.delete(recordID);
      isOther ||= checked.changed.size > 0;
    }
    return isOther;
  }
}

/** The same loss that comes once more has been asked about already. */
function stillAsked(loss: QuarantinedRow, before: QuarantinedRow | undefined): QuarantinedRow {
  return before?.asked === true && before.kind === loss.kind ? { ...loss, asked: true } : loss;
}
