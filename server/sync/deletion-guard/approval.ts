import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Module } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import { laterOf } from '../../lists/values/times.ts';
import type { Store } from '../../store/store.ts';
import { said, type Said } from '../../words/said.ts';
import type { SyncFederation } from '../ports.ts';
import { currentChoice } from '../status/choice.ts';
import { countUnsettled } from '../status/rejected-counts.ts';
import type { ListState, ListStates } from '../status/list-states.ts';
import {
  QUARANTINED,
  REJECTED_DELETIONS,
  rowKey,
  type QuarantinedRow,
  type RejectedDeletion,
} from '../tables.ts';
import {
  createReclassifier,
  isCurrentChoice,
  totalLoss,
  releaseFromQuarantine,
  summarizePending,
  type ReviewItem,
} from './classify.ts';
import type { ListLocks } from '../pull/list-locks.ts';
import { recordDecisionInQuota } from './quota.ts';
import { findMappedTargets } from '../pull/targets.ts';
import { createTransformation } from '../pull/transform.ts';
import { Review } from './review.ts';

/** An approval's mark identifies the shown rows. */
export type Decision = { readonly apply: { readonly mark: string } } | 'keep';

const PIECE = 500;

interface DecisionsDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly federation: Pick<SyncFederation, 'mappings' | 'shared' | 'nodes' | 'tokens'>;
  readonly states: ListStates;
  readonly turns: ListLocks;
  readonly onStatus: (nodeID: string) => void;
  /** Called when rows of one list were decided. */
  readonly onDecided: (
    nodeID: string,
    list: Pick<Module, 'moduleID' | 'name'>,
    message: Said,
  ) => Promise<void>;
  /** Called when no rows of an offer are pending. */
  readonly onAllDecided: (nodeID: string, sharedModuleID: string) => void;
}

interface PendingList {
  readonly sharedModuleID: string;
  readonly moduleID: string;
  readonly waiting: readonly ReviewItem[];
  /** `review` rows with content. */
  readonly held: readonly QuarantinedRow[];
  /** Our columns filled by the offer. */
  readonly columns: readonly string[];
  /** Mapped as a pull would now. */
  readonly isOfNow: boolean;
}

/** Applies decisions about changes that need approval, preempting a running pull. */
export class Approvals {
  readonly #deps: DecisionsDeps;
  readonly #waiting: Review;

  constructor(deps: DecisionsDeps) {
    this.#deps = deps;
    this.#waiting = new Review(deps);
  }

  /** Returns an offer's rows that need approval, in all our lists. */
  async listPending(nodeID: string, sharedModuleID: string): Promise<ReviewItem[]> {
    return (await this.#waiting.itemsByList(nodeID, sharedModuleID)).flat();
  }

  /** Returns an offer's rows that need approval, and the mark with which exactly these are approved. */
  async openReview(
    nodeID: string,
    sharedModuleID: string,
  ): Promise<{ readonly held: readonly ReviewItem[]; readonly mark: string }> {
    const waiting = await this.#waiting.itemsByList(nodeID, sharedModuleID);
    return { held: waiting.flat(), mark: this.#waiting.createMark(waiting) };
  }

  /**
   * Applies the user's decision under the offer's lock: an approval deletes and empties rows as the partner did, `keep`
   * leaves ours. Calls `onStatus` and `onAllDecided`; returns how many rows were pending. Throws `mapping.unknown`; an
   * approval also `brake.changed` or `brake.columns` (conflict) if other rows are pending, or columns changed.
   */
  async decide(nodeID: string, sharedModuleID: string, decision: Decision): Promise<number> {
    const { federation, turns, onStatus, onAllDecided } = this.#deps;
    const targets = await findMappedTargets(federation, nodeID, sharedModuleID);
    if (targets.length === 0) throw new Refusal('not-found', 'mapping.unknown', said('compare.not-matched'));
    const decided = await turns.runDecision(sharedModuleID, async () => {
      const asked: PendingList[] = [];
      for (const { moduleID } of targets) asked.push(await this.#pendingIn(nodeID, sharedModuleID, moduleID));
      if (decision !== 'keep') await this.#assertApprovable(nodeID, asked, decision.apply.mark);
      for (const list of asked) await this.#applyDecisionIn(nodeID, list, decision !== 'keep');
      return rowsOf(asked);
    });
    onStatus(nodeID);
    onAllDecided(nodeID, sharedModuleID);
    return decided;
  }

  /**
   * Stops reporting rows of an offer (our id) that our user kept as a difference; returns their number. Adds an
   * activity for each list and reports the status.
   */
  async markKeptAsSettled(nodeID: string, offerID: string): Promise<number> {
    const { federation, lists, states, onDecided, onStatus } = this.#deps;
    let settled = 0;
    for (const { sharedModuleID, moduleID } of await findMappedTargets(federation, nodeID, offerID)) {
      const state = states.get(sharedModuleID, moduleID);
      const rows = state ? countUnsettled(state) : 0;
      if (!state || rows === 0) continue;
      await states.put({ ...state, settled: state.kept ?? 0 });
      await onDecided(nodeID, await lists.module(moduleID), said('history.settled', { n: rows }));
      settled += rows;
    }
    onStatus(nodeID);
    return settled;
  }

  /**
   * Collects a list's pending rows that are still stored (`held`), once column changes are applied. `isOfNow`: a pull
   * would still map them the same way.
   */
  async #pendingIn(nodeID: string, sharedModuleID: string, moduleID: string): Promise<PendingList> {
    const { federation, lists } = this.#deps;
    const waiting = await this.#waiting.itemsInList(sharedModuleID, moduleID);
    const held: QuarantinedRow[] = [];
    for (const { whole } of waiting) {
      const row = await whole();
      if (row) held.push(row);
    }
    // Names could refer to other columns.
    await lists.caughtUp();
    // Changes from before the share's end are still decidable.
    const offered = await federation.shared.list(nodeID, { withdrawn: true });
    const shared = offered.find((each) => each.moduleID === sharedModuleID);
    const mapping = (await federation.mappings.list(nodeID)).find(
      (each) => each.federationModuleID === sharedModuleID && each.composeModuleID === moduleID,
    );
    if (!shared || !mapping) return { sharedModuleID, moduleID, waiting, held, columns: [], isOfNow: false };
    const module = await lists.module(moduleID);
    const installation = await federation.tokens.installation(await federation.nodes.get(nodeID));
    const choice = await currentChoice({ shared, mapping, module, installation }, await lists.rows(moduleID));
    const { columns } = createTransformation(mapping.fields, shared.fields, module.fields);
    const ofNow = held.every((row) => isCurrentChoice(row, choice));
    return { sharedModuleID, moduleID, waiting, held, columns, isOfNow: ofNow };
  }

  /**
   * Throws `brake.changed` (conflict) if other rows are pending than `mark` names, or would do more now;
   * `brake.columns` if columns or mapping changed since.
   */
  async #assertApprovable(nodeID: string, asked: readonly PendingList[], mark: string): Promise<void> {
    const waiting = asked.map((list) => list.waiting);
    if (!this.#waiting.matchesMark(waiting, mark)) throw changedMeanwhile(rowsOf(asked));
    if (!asked.every((list) => list.isOfNow))
      throw new Refusal('conflict', 'brake.columns', said('brake.columns'));
    for (const list of asked) await this.#assertSameEffects(nodeID, list);
  }

  /** Applies pending rows in a dry run. If some would do more now, stores that and throws `brake.changed`. */
  async #assertSameEffects(
    nodeID: string,
    { sharedModuleID, moduleID, held, columns }: PendingList,
  ): Promise<void> {
    const rows = await this.#deps.lists.rows(moduleID);
    let isOther = false;
    for (let at = 0; at < held.length; at += PIECE) {
      const piece = held.slice(at, at + PIECE);
      const { judge, changed } = createReclassifier(piece);
      await rows.receive({
        nodeID,
        rows: piece.map(({ row }) => row),
        mappedColumns: columns,
        overrule: true,
        /** Classifies the row's effect and lets it wait in any case, as this is a dry run. */
        judge(row, foreseen) {
          judge(row, foreseen);
          return 'wait';
        },
        also: (tx) => {
          for (const [recordID, row] of changed) tx.put(QUARANTINED, rowKey(sharedModuleID, recordID), row);
        },
      });
      isOther ||= changed.size > 0;
    }
    if (isOther) throw changedMeanwhile(held.length);
  }

  /**
   * Applies a list's pending rows if `isApproved`, else rejects them, in transactions of some hundred, and records that
   * in the day's quota. Approved ones that would do more by now stay pending. Calls `onDecided` once, if any are
   * decided.
   */
  async #applyDecisionIn(
    nodeID: string,
    { sharedModuleID, moduleID, held, columns }: PendingList,
    isApproved: boolean,
  ): Promise<void> {
    const { lists, states, onDecided } = this.#deps;
    const rows = await lists.rows(moduleID);
    const agreed = totalLoss(held);
    const state = states.get(sharedModuleID, moduleID);
    const stays: QuarantinedRow[] = [];
    for (let at = 0; at < held.length; at += PIECE) {
      const piece = held.slice(at, at + PIECE);
      const { judge, changed } = createReclassifier(piece);
      await rows.receive({
        nodeID,
        rows: isApproved ? piece.map(({ row }) => row) : [],
        mappedColumns: columns,
        // Quarantined changes are the partner's latest version.
        overrule: true,
        judge,
        also: async (tx) => {
          for (const [recordID, row] of changed) tx.put(QUARANTINED, rowKey(sharedModuleID, recordID), row);
          for (const row of piece) {
            if (changed.has(row.recordID)) continue;
            if (isApproved) releaseFromQuarantine(tx, row);
            else tx.delete(QUARANTINED, rowKey(sharedModuleID, row.recordID));
            if (!isApproved)
              tx.put(REJECTED_DELETIONS, rowKey(sharedModuleID, row.recordID), toRejectedDeletion(row));
          }
          const emptied = piece.flatMap((row) => row.emptied ?? []);
          await recordDecisionInQuota(
            tx,
            nodeID,
            { sharedModuleID, columns: emptied },
            isApproved ? agreed : undefined,
          );
        },
      });
      stays.push(...changed.values());
      // After a kill, no card may show decided rows.
      const keptSince = isApproved ? 0 : at + piece.length - stays.length;
      await this.#storePending(state, [...stays, ...held.slice(at + PIECE)], keptSince);
    }
    const decided = held.length - stays.length;
    if (decided === 0) return;
    const message = said(isApproved ? 'history.let-happen' : 'history.kept', { n: decided });
    await onDecided(nodeID, await lists.module(moduleID), message);
  }

  /** Stores the counts of pending rows and adds `keptSince` to those kept; a no-op without a state. */
  async #storePending(
    before: ListState | undefined,
    waiting: readonly QuarantinedRow[],
    keptSince: number,
  ): Promise<void> {
    if (!before) return;
    const kept = (before.kept ?? 0) + keptSince;
    const review =
      waiting.length > 0
        ? { brake: { ...summarizePending(waiting), of: before.brake?.of ?? waiting.length } }
        : {};
    await this.#deps.states.put({ ...omit(before, 'brake'), ...review, ...(kept > 0 ? { kept } : {}) });
  }
}

const rowsOf = (asked: readonly PendingList[]): number =>
  asked.reduce((sum, { held }) => sum + held.length, 0);

const changedMeanwhile = (n: number): Refusal =>
  new Refusal('conflict', 'brake.changed', said('brake.changed', { n }));

/** Returns the record that makes later pulls skip this version; a missing row has no version. */
function toRejectedDeletion({
  sharedModuleID,
  recordID,
  kind,
  row,
  wentBack,
  missing,
}: QuarantinedRow): RejectedDeletion {
  return {
    sharedModuleID,
    recordID,
    ...(wentBack ? { wentBack } : {}),
    ...(kind === 'remove' ? { gone: true } : {}),
    ...(missing ? {} : { at: laterOf(row.updatedAt, row.deletedAt) }),
  };
}
