import type { ApplyCounts, IncomingRow } from '../../lists/definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { createPause } from '../../base/yield.ts';
import { compareTimes, versionTime } from '../../lists/values/times.ts';
import type { Judge } from '../../lists/rows/row-receive.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Tx } from '../../store/store.ts';
import { braked, canNeedYes, type Loss, type Waiting } from './brake.ts';
import {
  checkAgain,
  isOfNow,
  lossAmong,
  noLongerHeld,
  takenAway,
  waitingAmong,
  watchLosses,
  type Losses,
} from './held.ts';
import type { LossBudget } from './loss-budget.ts';
import {
  CHECKPOINTS,
  FAILED,
  HELD,
  KEPT,
  REFERRING,
  rowKey,
  type Anew,
  type Checkpoint,
  type FailedRow,
  type HeldRow,
  type KeptRow,
  type ReferringRow,
} from '../tables.ts';

/** Rows in one durable write. */
export const PIECE = 500;

/** A piece of a page after transformation. */
export interface ReadyPage {
  /** At most {@link PIECE}, as pages come in such pieces. */
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
  readonly anew?: Anew;
  /** And this is the end of that. */
  readonly compared?: true;
}

interface PageWriterDeps {
  readonly rows: Rows;
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly columns: readonly string[];
  /** What this partner took away from the list in the last day. */
  readonly budget: LossBudget;
  /** Rows in the list that came from anybody, now or before they were kept as ours, when the pull began. */
  readonly received: number;
  /** Rows of the bin, from whomever. */
  readonly inBin: number;
  /** Ids, there, of rows that could not be applied. */
  readonly failed: Iterable<string>;
  readonly held: readonly HeldRow[];
  /** Rows that our user kept, by their id there; those of which the partner brings a new word are taken out. */
  readonly kept: Map<string, KeptRow>;
  readonly checkpoint: Checkpoint | undefined;
  /** Of columns and matching, under which the rows of this pull are put into ours. */
  readonly choice: string;
}

/** Writes the pages of one pull into a list, each in one durable write. One at a time. */
export class PageWriter {
  readonly #deps: PageWriterDeps;
  readonly #counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  readonly #failedIDs: Set<string>;
  readonly #held: Map<string, HeldRow>;
  #checkpoint: Checkpoint | undefined;
  #waiting: Waiting | undefined;

  constructor(deps: PageWriterDeps) {
    this.#deps = deps;
    this.#failedIDs = new Set(deps.failed);
    this.#held = new Map(deps.held.map((row) => [row.recordID, row]));
    this.#checkpoint = deps.checkpoint;
  }

  get counts(): Readonly<Record<keyof ApplyCounts, number>> {
    return this.#counts;
  }

  /** Rows whose loss waits for a yes after the last page; undefined: nothing waits. */
  get waiting(): Waiting | undefined {
    return this.#waiting;
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
    await this.#forgetFoundAgain();
    // What would do something else by now waits as well.
    if (await this.#release([...this.#held.values()].filter(this.#decide()))) this.#decide();
    await this.#ask([...this.#held.values()].filter(({ asked }) => asked !== true));
  }

  async #take(page: ReadyPage): Promise<void> {
    const { kept, sharedModuleID, budget } = this.#deps;
    const piece = eachOnce(page.rows);
    const { failed: failures } = page;
    const losses = this.#watch(page);
    const before = new Map(piece.map(({ recordID }) => [recordID, this.#held.get(recordID)]));
    const forgotten = (page.forgotten ?? []).filter((recordID) => this.#failedIDs.has(recordID));
    const saidAnew = [...piece, ...failures].map(({ recordID }) => recordID).filter((id) => kept.has(id));
    const reached = page.compared ? settled(this.#checkpoint) : page.checkpoint;
    const moved = isWorthWriting(this.#checkpoint, reached) ? reached : undefined;
    if (piece.length > 0 || failures.length > 0 || forgotten.length > 0 || moved) {
      await this.#receive(piece, { overrule: page.overrule, judge: losses?.judge }, async (tx) => {
        this.#noteApplied(tx, piece);
        this.#noteLosses(tx, losses, page, before);
        for (const recordID of forgotten) tx.delete(FAILED, this.#keyOf(recordID));
        const applied = piece.filter(({ recordID }) => losses?.found.has(recordID) !== true);
        await this.#noteReferring(tx, applied, (row) => page.referring?.get(row));
        for (const recordID of saidAnew) tx.delete(KEPT, this.#keyOf(recordID));
        this.#noteFailures(tx, failures);
        if (moved) tx.put(CHECKPOINTS, sharedModuleID, moved);
        budget.keep(tx);
      });
    }
    this.#checkpoint = moved ?? this.#checkpoint;
    for (const { recordID } of piece) this.#failedIDs.delete(recordID);
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
    { overrule, judge }: { readonly overrule: boolean; readonly judge?: Judge | undefined },
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
  #watch({ anew, vanished }: ReadyPage): Losses | undefined {
    const { nodeID, sharedModuleID, choice, budget, received, inBin } = this.#deps;
    const isMissed = (recordID: string): boolean => this.#held.get(recordID)?.wentBack === true;
    const wentBack = (recordID: string): boolean =>
      anew === 'went-back' || (anew !== undefined && isMissed(recordID));
    // With those that this pull has brought: the partner may let it go on for as long as it likes.
    const present = Math.max(budget.spent().of, received + inBin + this.#counts.created);
    if (anew === undefined && vanished === undefined && this.#held.size === 0 && !canNeedYes(present))
      return undefined;
    return watchLosses({ nodeID, sharedModuleID, choice, wentBack, isMissed, vanished });
  }

  #noteApplied(tx: Tx, piece: readonly IncomingRow[]): void {
    for (const { recordID } of piece) {
      if (this.#held.delete(recordID)) tx.delete(HELD, this.#keyOf(recordID));
      if (this.#failedIDs.has(recordID)) tx.delete(FAILED, this.#keyOf(recordID));
    }
  }

  /** @param before the rows that were held of those of the page */
  #noteLosses(
    tx: Tx,
    losses: Losses | undefined,
    { referring }: ReadyPage,
    before: ReadonlyMap<string, HeldRow | undefined>,
  ): void {
    for (const [recordID, loss] of losses?.found ?? []) {
      const refers = referring?.get(loss.row);
      const waits = refers === undefined ? loss : { ...loss, refers };
      this.#held.set(recordID, stillAsked(waits, before.get(recordID)));
      this.#putHeld(tx, recordID);
    }
  }

  #noteFailures(tx: Tx, failures: readonly FailedRow[]): void {
    for (const row of failures) {
      tx.put(FAILED, this.#keyOf(row.recordID), row);
      // It is there, though it does not fit: that it was removed or emptied is no longer the partner's word.
      if (this.#held.delete(row.recordID)) tx.delete(HELD, this.#keyOf(row.recordID));
    }
  }

  /** A row that the partner brings under another id now does not wait under the one that it had, nor one that others removed. */
  async #forgetFoundAgain(): Promise<void> {
    const missed = [...this.#held.values()].filter(
      ({ wentBack, missing }) => wentBack === true || missing === true,
    );
    if (missed.length === 0) return;
    const pause = createPause();
    const again: string[] = [];
    for (let at = 0; at < missed.length; at += PIECE) {
      const ids = missed.slice(at, at + PIECE).map(({ recordID }) => recordID);
      for (const [index, row] of (await this.#deps.rows.findReceived(this.#deps.nodeID, ids)).entries())
        if (!row || (row.deletedAt !== undefined && row.deletedBy === undefined))
          again.push(ids[index] ?? '');
      await pause();
    }
    if (again.length === 0) return;
    for (const recordID of again) this.#held.delete(recordID);
    await this.#receive([], { overrule: false }, (tx) => {
      for (const recordID of again) tx.delete(HELD, this.#keyOf(recordID));
    });
  }

  /** Of rows that are applied, those that name others which have not arrived; those that do so no more are forgotten. */
  async #noteReferring(
    tx: Tx,
    applied: readonly IncomingRow[],
    refersOf: (row: IncomingRow) => ReferringRow | undefined,
  ): Promise<void> {
    const keys = applied.map(({ recordID }) => this.#keyOf(recordID));
    const before = await tx.getMany(REFERRING, keys);
    for (const [at, row] of applied.entries()) {
      const names = refersOf(row);
      if (names) tx.put(REFERRING, this.#keyOf(row.recordID), names);
      else if (before[at]) tx.delete(REFERRING, this.#keyOf(row.recordID));
    }
  }

  #putHeld(tx: Tx, recordID: string): void {
    const row = this.#held.get(recordID);
    if (row) tx.put(HELD, this.#keyOf(recordID), row);
  }

  /** Notes what has to wait, and answers for each held row whether it may go. */
  #decide(): (loss: HeldRow) => boolean {
    const { removes, empties, of } = this.#deps.budget.spent();
    const now = lossAmong(this.#held.values());
    const most = { removes: removes + now.removes, empties: empties + now.empties };
    // What the first reading of all brings is no measure either: of nothing, any number is much.
    const much = braked({ ...most, of: this.#deps.budget.measure() });
    const isFew = ({ removes: gone, empties: emptied }: Omit<Loss, 'of'>): boolean =>
      (gone === 0 || (much?.removes ?? 0) === 0) && (emptied === 0 || (much?.empties ?? 0) === 0);
    const mayGo = (row: HeldRow): boolean =>
      row.asked !== true && isOfNow(row, this.#deps.choice) && isFew(takenAway(row));
    const left = [...this.#held.values()].filter((row) => !mayGo(row));
    this.#waiting =
      left.length === 0
        ? undefined
        : {
            ...waitingAmong(left),
            // Of rows that were kept from before, none is the partner's until it was taken over.
            of: of === 0 ? this.#deps.received + this.#counts.created : of,
            gone: removes,
            ...(empties > 0 ? { emptied: empties } : {}),
          };
    return mayGo;
  }

  /** The user is asked about these from now on. */
  async #ask(rows: readonly HeldRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += PIECE) {
      const piece = rows.slice(at, at + PIECE);
      for (const row of piece) this.#held.set(row.recordID, { ...row, asked: true });
      await this.#receive([], { overrule: false }, (tx) => {
        for (const { recordID } of piece) this.#putHeld(tx, recordID);
      });
    }
  }

  /** What was held back and turned out to be little. @returns whether some of it has to be asked about all the same */
  async #release(released: readonly HeldRow[]): Promise<boolean> {
    let isOther = false;
    for (let at = 0; at < released.length; at += PIECE) {
      const piece = released.slice(at, at + PIECE);
      const checked = checkAgain(piece);
      await this.#receive(
        piece.map(({ row }) => row),
        // It is the partner's last word of these rows, whatever their times are.
        { overrule: true, judge: checked.judge },
        (tx) => {
          const gone = piece.filter(({ recordID }) => !checked.changed.has(recordID));
          for (const row of gone) noLongerHeld(tx, row);
          for (const [recordID, row] of checked.changed) {
            this.#held.set(recordID, { ...row, asked: true });
            this.#putHeld(tx, recordID);
          }
          this.#deps.budget.spend(tx, lossAmong(gone));
        },
      );
      for (const { recordID } of piece) if (!checked.changed.has(recordID)) this.#held.delete(recordID);
      isOther ||= checked.changed.size > 0;
    }
    return isOther;
  }
}

/**
 * Of a row that a page names more than once, the version that would be left of them: the newest, and of two of one time
 * the later. What it takes away is then foreseen by the very version that is applied.
 */
function eachOnce(rows: readonly IncomingRow[]): readonly IncomingRow[] {
  const newest = new Map<string, IncomingRow>();
  for (const row of rows) {
    const other = newest.get(row.recordID);
    if (other === undefined || compareTimes(versionTime(other), versionTime(row)) <= 0)
      newest.set(row.recordID, row);
  }
  return newest.size === rows.length ? rows : [...newest.values()];
}

/** Nothing of a reading from the beginning is left to be done. */
function settled(checkpoint: Checkpoint | undefined): Checkpoint | undefined {
  return checkpoint?.feed && { ...checkpoint, feed: omit(checkpoint.feed, 'anew') };
}

/** The same loss that comes once more has been asked about already. */
function stillAsked(loss: HeldRow, before: HeldRow | undefined): HeldRow {
  return before?.asked === true && before.kind === loss.kind ? { ...loss, asked: true } : loss;
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
