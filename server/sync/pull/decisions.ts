import type { Module } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import { Refusal } from '../../base/refusal.ts';
import { omit } from '../../base/omit.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Store } from '../../store/store.ts';
import { unsettled } from '../status/kept.ts';
import type { ListStates } from '../status/list-states.ts';
import type { ListTurns } from './list-turns.ts';
import { forgetLosses } from './loss-budget.ts';
import type { SyncFederation } from '../ports.ts';
import type { RunResult } from './run.ts';
import { FAILED, HELD, KEPT, rowKey, type FailedRow, type HeldRow, type KeptRow } from '../tables.ts';
import { noLongerHeld } from './held.ts';
import { later } from '../../lists/values/times.ts';
import { createTransformation } from './transform.ts';
import { said, type Said } from '../../words/said.ts';

/** A row that could not be applied, and the list of ours that it was meant for. */
export interface WaitingRow extends FailedRow {
  readonly moduleID: string;
}

/**
 * What only the user can decide about rows that wait. Ids of offers are our own. A pull of the same list that is under
 * way gives way ({@link ListTurns}), as it would go on by what it knew before.
 */
export interface Decisions {
  /** Rows that could not be applied, with the reason; of one offer, or of all. */
  failed(nodeID: string, sharedModuleID?: string): Promise<WaitingRow[]>;
  /** Tries them again now, with a pull. @throws as a pull that is asked for */
  retryFailed(nodeID: string): Promise<RunResult>;
  /** Gives them up. A row comes back when the partner changes it. Answers how many. */
  forgetFailed(nodeID: string, sharedModuleID: string): Promise<number>;
  /**
   * Rows that the partner removed or emptied, and that wait for a yes. One of which no pull has come to its end since
   * is not among them: it may go as one of few.
   */
  held(nodeID: string, sharedModuleID: string): Promise<HeldRow[]>;
  /**
   * The user's word on them: `apply` removes and empties as the partner did, removed rows go to the bin; `keep`
   * leaves our rows as they are. Answers how many rows it was about: those that {@link held} tells.
   * @param most so many the user was shown
   * @throws Refusal `conflict` where more are to be applied by now
   */
  decideHeld(nodeID: string, sharedModuleID: string, word: 'apply' | 'keep', most?: number): Promise<number>;
  /** Rows that were kept are to stay so: nobody is asked about them any more. Answers how many they are. */
  settleKept(nodeID: string, sharedModuleID: string): Promise<number>;
}

const PIECE = 500;

export function createDecisions(deps: {
  readonly store: Store;
  readonly lists: Lists;
  readonly federation: Pick<SyncFederation, 'mappings' | 'shared'>;
  readonly states: ListStates;
  readonly turns: ListTurns;
  readonly pull: (nodeID: string) => Promise<RunResult>;
  readonly onStatus: (nodeID: string) => void;
  /** Something was decided about a list of ours. */
  readonly onDecided: (
    nodeID: string,
    list: Pick<Module, 'moduleID' | 'name'>,
    message: Said,
  ) => Promise<void>;
}): Decisions {
  const { store, lists, federation, states, turns } = deps;

  /** Our lists that receive from this offer, or from any of the partner. */
  async function targets(
    nodeID: string,
    sharedModuleID?: string,
  ): Promise<{ sharedModuleID: string; moduleID: string }[]> {
    return (await federation.mappings.list(nodeID))
      .filter(
        ({ federationModuleID }) => sharedModuleID === undefined || federationModuleID === sharedModuleID,
      )
      .map((mapping) => ({ sharedModuleID: mapping.federationModuleID, moduleID: mapping.composeModuleID }));
  }

  async function heldIn(sharedModuleID: string, moduleID: string): Promise<HeldRow[]> {
    const partition = await store.partition(listPartition(moduleID));
    const held = await partition.find(HELD, 'shared', sharedModuleID);
    return held.map(({ value }) => value).filter(({ asked }) => asked === true);
  }

  async function forgetIn(sharedModuleID: string, moduleID: string): Promise<number> {
    const partition = await store.partition(listPartition(moduleID));
    const forgotten = await partition.transaction(async (tx) => {
      const rows = await tx.find(FAILED, 'shared', sharedModuleID);
      for (const { key } of rows) tx.delete(FAILED, key);
      return rows.length;
    });
    const state = states.get(sharedModuleID, moduleID);
    if (state) await states.put({ ...state, couldNotApply: 0 });
    return forgotten;
  }

  async function decideIn(
    nodeID: string,
    sharedModuleID: string,
    moduleID: string,
    word: 'apply' | 'keep',
    most: number,
  ): Promise<number> {
    const held = await heldIn(sharedModuleID, moduleID);
    if (word === 'apply' && held.length > most)
      throw new Refusal('conflict', 'brake.more', said('brake.more', { n: held.length, shown: most }));
    const columns = await columnsOf(nodeID, sharedModuleID, moduleID);
    const rows = await lists.rows(moduleID);
    for (let at = 0; at < held.length; at += PIECE) {
      const piece = held.slice(at, at + PIECE);
      await rows.receive({
        nodeID,
        rows: word === 'apply' ? piece.map(({ row }) => row) : [],
        mappedColumns: columns,
        // What waited is the partner's last word of it, an earlier version of a row too.
        overrule: true,
        also: (tx) => {
          for (const row of piece) {
            if (word === 'apply') noLongerHeld(tx, row);
            else tx.delete(HELD, rowKey(sharedModuleID, row.recordID));
            if (word === 'keep') tx.put(KEPT, rowKey(sharedModuleID, row.recordID), keptRow(row));
          }
          if (word === 'apply') forgetLosses(tx, nodeID);
        },
      });
    }
    const state = states.get(sharedModuleID, moduleID);
    const kept = (state?.kept ?? 0) + (word === 'keep' ? held.length : 0);
    if (state) await states.put({ ...omit(state, 'brake'), ...(kept > 0 ? { kept } : {}) });
    if (held.length > 0) {
      const parts = { n: held.length };
      const message = word === 'keep' ? said('history.kept', parts) : said('history.let-happen', parts);
      await deps.onDecided(nodeID, await lists.module(moduleID), message);
    }
    return held.length;
  }

  return {
    async failed(nodeID, wanted) {
      const found: WaitingRow[] = [];
      for (const { sharedModuleID, moduleID } of await targets(nodeID, wanted)) {
        const partition = await store.partition(listPartition(moduleID));
        const rows = await partition.find(FAILED, 'shared', sharedModuleID);
        found.push(...rows.map(({ value }) => ({ ...value, moduleID })));
      }
      return found;
    },

    retryFailed: (nodeID) => deps.pull(nodeID),

    async forgetFailed(nodeID, wanted) {
      let forgotten = 0;
      for (const { sharedModuleID, moduleID } of await targets(nodeID, wanted))
        forgotten += await turns.decide(sharedModuleID, () => forgetIn(sharedModuleID, moduleID));
      deps.onStatus(nodeID);
      return forgotten;
    },

    async held(nodeID, wanted) {
      const all = await targets(nodeID, wanted);
      return (await Promise.all(all.map((target) => heldIn(target.sharedModuleID, target.moduleID)))).flat();
    },

    async decideHeld(nodeID, wanted, word, most = Infinity) {
      const found = await targets(nodeID, wanted);
      if (found.length === 0) throw new Refusal('not-found', 'mapping.unknown', said('compare.not-matched'));
      let decided = 0;
      for (const { sharedModuleID, moduleID } of found)
        decided += await turns.decide(sharedModuleID, () =>
          decideIn(nodeID, sharedModuleID, moduleID, word, most),
        );
      deps.onStatus(nodeID);
      return decided;
    },

    async settleKept(nodeID, wanted) {
      let settled = 0;
      for (const { sharedModuleID, moduleID } of await targets(nodeID, wanted)) {
        const state = states.get(sharedModuleID, moduleID);
        const rows = state ? unsettled(state) : 0;
        if (!state || rows === 0) continue;
        await states.put({ ...state, settled: state.kept ?? 0 });
        await deps.onDecided(nodeID, await lists.module(moduleID), said('history.settled', { n: rows }));
        settled += rows;
      }
      deps.onStatus(nodeID);
      return settled;
    },
  };

  async function columnsOf(
    nodeID: string,
    sharedModuleID: string,
    moduleID: string,
  ): Promise<readonly string[]> {
    const shared = (await federation.shared.list(nodeID)).find((each) => each.moduleID === sharedModuleID);
    const mapping = (await federation.mappings.list(nodeID)).find(
      (each) => each.federationModuleID === sharedModuleID && each.composeModuleID === moduleID,
    );
    if (!shared || !mapping) return [];
    return createTransformation(mapping.fields, shared.fields, (await lists.module(moduleID)).fields).columns;
  }
}

function keptRow({ sharedModuleID, recordID, kind, row, wentBack, missing }: HeldRow): KeptRow {
  return {
    sharedModuleID,
    recordID,
    ...(wentBack ? { wentBack } : {}),
    ...(kind === 'remove' ? { gone: true } : {}),
    ...(missing ? {} : { at: later(row.updatedAt, row.deletedAt) }),
  };
}
