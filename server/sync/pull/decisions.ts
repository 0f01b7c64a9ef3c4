import { randomBytes } from 'node:crypto';
import type { Module } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import { Refusal } from '../../base/refusal.ts';
import { omit } from '../../base/omit.ts';
import { createPause } from '../../base/yield.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Entry, Store } from '../../store/store.ts';
import { choiceNow } from '../status/choice.ts';
import { unsettled } from '../status/kept.ts';
import type { ListState, ListStates } from '../status/list-states.ts';
import type { ListTurns } from './list-turns.ts';
import { forgetLosses } from './loss-budget.ts';
import type { SyncFederation } from '../ports.ts';
import type { RunResult } from './run.ts';
import { FAILED, HELD, KEPT, rowKey, type FailedRow, type HeldRow, type KeptRow } from '../tables.ts';
import {
  checkAgain,
  digestOf,
  isOfNow,
  lossAmong,
  markOf,
  noLongerHeld,
  waitingAmong,
  type WaitingLoss,
} from './held.ts';
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
  /** The first {@link MOST_FAILED} of the rows that could not be applied, with the reason; of one offer, or of all. */
  failed(nodeID: string, sharedModuleID?: string): Promise<WaitingRow[]>;
  /** How many rows of a partner could not be applied. */
  couldNotApply(nodeID: string): Promise<number>;
  /** Tries them again now, with a pull. @throws as a pull that is asked for */
  retryFailed(nodeID: string): Promise<RunResult>;
  /** Gives them up. A row comes back when the partner changes it. Answers how many. */
  forgetFailed(nodeID: string, sharedModuleID: string): Promise<number>;
  /**
   * Rows that the partner removed or emptied, and that wait for a yes. One of which no pull has come to its end since
   * is not among them: it may go as one of few.
   */
  held(nodeID: string, sharedModuleID: string): Promise<WaitingLoss[]>;
  /** The same, and a mark of them that the user's yes names. */
  waiting(
    nodeID: string,
    sharedModuleID: string,
  ): Promise<{ readonly held: readonly WaitingLoss[]; readonly mark: string }>;
  /**
   * The user's word on them: `apply` removes and empties as the partner did, removed rows go to the bin; `keep`
   * leaves our rows as they are. Answers how many rows it was about: those that {@link held} tells.
   * @throws Refusal `conflict` where others wait by now than the user was shown, not only fewer, or where our columns or
   *   how they are matched changed since, so that the partner has to send them once more
   */
  decideHeld(nodeID: string, sharedModuleID: string, word: Word): Promise<number>;
  /** Rows that were kept are to stay so: nobody is asked about them any more. Answers how many they are. */
  settleKept(nodeID: string, sharedModuleID: string): Promise<number>;
}

/** @param apply.mark of the rows that the user was shown ({@link Decisions.waiting}) */
export type Word = { readonly apply: { readonly mark: string } } | 'keep';

const PIECE = 500;

/** Rows that could not be applied and are given at once: as many as one looks through, as each may be of 4 MiB. */
export const MOST_FAILED = 100;
/** So few are in the memory while the right ones are looked for. */
const FEW = 10;

export function createDecisions(deps: {
  readonly store: Store;
  readonly lists: Lists;
  readonly federation: Pick<SyncFederation, 'mappings' | 'shared' | 'nodes' | 'tokens'>;
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
  /** Change numbers say what is new only while this runs: older data that is put back has some of them again. */
  const run = randomBytes(6).toString('base64url');

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

  /** What waits in a list of ours, as it was found last: only what is new since is read then. By offer and list. */
  const foundLast = new Map<string, ReadonlyMap<string, WaitingLoss>>();

  async function heldIn(sharedModuleID: string, moduleID: string): Promise<WaitingLoss[]> {
    const partition = await store.partition(listPartition(moduleID));
    const before = foundLast.get(rowKey(sharedModuleID, moduleID));
    const found = new Map<string, WaitingLoss>();
    const pause = createPause();
    const next = (after?: string): Promise<Entry<HeldRow>[]> =>
      partition.page(HELD, { limit: PIECE, ...(after === undefined ? {} : { after }) });
    for (let page = await next(); page.length > 0; page = await next(page.at(-1)?.key)) {
      for (const entry of page) {
        const known = before?.get(entry.key);
        const waits = known?.seq === entry.seq ? known : askedAbout(entry);
        if (waits) found.set(entry.key, waits);
        await pause();
      }
    }
    if (found.size > 0) foundLast.set(rowKey(sharedModuleID, moduleID), found);
    else foundLast.delete(rowKey(sharedModuleID, moduleID));
    return [...found.values()];

    function askedAbout({ key, seq, value }: Entry<HeldRow>): WaitingLoss | undefined {
      if (value.sharedModuleID !== sharedModuleID || value.asked !== true) return undefined;
      const { recordID, kind, ours } = value;
      const whole = async (): Promise<HeldRow | undefined> =>
        (await store.partition(listPartition(moduleID))).get(HELD, key);
      return { recordID, kind, ...(ours ? { ours } : {}), moduleID, digest: digestOf(value), seq, whole };
    }
  }

  /** By list of ours, each as it is now. */
  async function heldInAll(nodeID: string, wanted: string): Promise<WaitingLoss[][]> {
    const found: WaitingLoss[][] = [];
    for (const { sharedModuleID, moduleID } of await targets(nodeID, wanted))
      found.push(await heldIn(sharedModuleID, moduleID));
    return found;
  }

  /** What they are, and up to which change of each list. */
  function markNow(waiting: readonly (readonly WaitingLoss[])[]): string {
    const newest = waiting.map((rows) => rows.reduce((latest, { seq }) => Math.max(latest, seq), 0));
    return [markOf(waiting.flat()), run, ...newest].join(' ');
  }

  /** Whether these are those that the mark stands for, or some of them. */
  function isAmong(waiting: readonly (readonly WaitingLoss[])[], mark: string): boolean {
    const [rows, shownIn, ...newest] = mark.split(' ');
    if (rows === markOf(waiting.flat())) return true;
    const isOld = ({ seq }: WaitingLoss, at: number): boolean => seq <= Number(newest[at] ?? 0);
    return shownIn === run && waiting.every((list, at) => list.every((row) => isOld(row, at)));
  }

  async function* failedIn(sharedModuleID: string, moduleID: string): AsyncGenerator<FailedRow> {
    const partition = await store.partition(listPartition(moduleID));
    const next = (after?: string): Promise<Entry<FailedRow>[]> =>
      partition.page(FAILED, { limit: FEW, ...(after === undefined ? {} : { after }) });
    for (let page = await next(); page.length > 0; page = await next(page.at(-1)?.key)) {
      for (const { value } of page) if (value.sharedModuleID === sharedModuleID) yield value;
    }
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

  /** What waits in one list of ours, and how it comes into it. */
  async function inQuestion(nodeID: string, sharedModuleID: string, moduleID: string): Promise<InQuestion> {
    const waiting = await heldIn(sharedModuleID, moduleID);
    const held: HeldRow[] = [];
    for (const { whole } of waiting) {
      const row = await whole();
      if (row) held.push(row);
    }
    // Else the columns would be told by names that others have now.
    await lists.caughtUp();
    // What the partner took back before it ended the share is to be decided afterwards as well.
    const offered = await federation.shared.list(nodeID, { withdrawn: true });
    const shared = offered.find((each) => each.moduleID === sharedModuleID);
    const mapping = (await federation.mappings.list(nodeID)).find(
      (each) => each.federationModuleID === sharedModuleID && each.composeModuleID === moduleID,
    );
    if (!shared || !mapping) return { sharedModuleID, moduleID, waiting, held, columns: [], isOfNow: false };
    const module = await lists.module(moduleID);
    const installation = await federation.tokens.installation(await federation.nodes.get(nodeID));
    const choice = await choiceNow({ shared, mapping, module, installation }, await lists.rows(moduleID));
    const { columns } = createTransformation(mapping.fields, shared.fields, module.fields);
    const ofNow = held.every((row) => isOfNow(row, choice));
    return { sharedModuleID, moduleID, waiting, held, columns, isOfNow: ofNow };
  }

  /** Applies nothing. @throws Refusal `conflict` where other rows of ours would change by now: then those are noted */
  async function checkEffects(
    nodeID: string,
    { sharedModuleID, moduleID, held, columns }: InQuestion,
  ): Promise<void> {
    const rows = await lists.rows(moduleID);
    let isOther = false;
    for (let at = 0; at < held.length; at += PIECE) {
      const piece = held.slice(at, at + PIECE);
      const { judge, changed } = checkAgain(piece);
      await rows.receive({
        nodeID,
        rows: piece.map(({ row }) => row),
        mappedColumns: columns,
        overrule: true,
        judge(row, foreseen) {
          judge(row, foreseen);
          return 'wait';
        },
        also: (tx) => {
          for (const [recordID, row] of changed) tx.put(HELD, rowKey(sharedModuleID, recordID), row);
        },
      });
      isOther ||= changed.size > 0;
    }
    if (isOther) throw others(held.length);
  }

  /** @param before as it was told before any of these was decided; `kept`: how many more our user has kept since */
  async function noteWaiting(
    before: ListState | undefined,
    waiting: readonly HeldRow[],
    keptSince: number,
  ): Promise<void> {
    if (!before) return;
    const kept = (before.kept ?? 0) + keptSince;
    const brake =
      waiting.length > 0
        ? { brake: { ...waitingAmong(waiting), of: before.brake?.of ?? waiting.length } }
        : {};
    await states.put({ ...omit(before, 'brake'), ...brake, ...(kept > 0 ? { kept } : {}) });
  }

  async function decide(
    nodeID: string,
    { sharedModuleID, moduleID, held, columns }: InQuestion,
    goes: boolean,
  ): Promise<void> {
    const rows = await lists.rows(moduleID);
    const agreed = lossAmong(held);
    const state = states.get(sharedModuleID, moduleID);
    const stays: HeldRow[] = [];
    for (let at = 0; at < held.length; at += PIECE) {
      const piece = held.slice(at, at + PIECE);
      const { judge, changed } = checkAgain(piece);
      await rows.receive({
        nodeID,
        rows: goes ? piece.map(({ row }) => row) : [],
        mappedColumns: columns,
        // What waited is the partner's last word of it, an earlier version of a row too.
        overrule: true,
        judge,
        also: async (tx) => {
          for (const [recordID, row] of changed) tx.put(HELD, rowKey(sharedModuleID, recordID), row);
          for (const row of piece) {
            if (changed.has(row.recordID)) continue;
            if (goes) noLongerHeld(tx, row);
            else tx.delete(HELD, rowKey(sharedModuleID, row.recordID));
            if (!goes) tx.put(KEPT, rowKey(sharedModuleID, row.recordID), keptRow(row));
          }
          if (goes) await forgetLosses(tx, nodeID, agreed);
        },
      });
      stays.push(...changed.values());
      // Else a kill in the middle would leave a card that asks about rows which were decided.
      await noteWaiting(
        state,
        [...stays, ...held.slice(at + PIECE)],
        goes ? 0 : at + piece.length - stays.length,
      );
    }
    const decided = held.length - stays.length;
    if (decided > 0) {
      const parts = { n: decided };
      const message = said(goes ? 'history.let-happen' : 'history.kept', parts);
      await deps.onDecided(nodeID, await lists.module(moduleID), message);
    }
  }

  return {
    async failed(nodeID, wanted) {
      const found: WaitingRow[] = [];
      for (const { sharedModuleID, moduleID } of await targets(nodeID, wanted)) {
        for await (const row of failedIn(sharedModuleID, moduleID)) {
          if (found.length === MOST_FAILED) return found;
          found.push({ ...row, moduleID });
        }
      }
      return found;
    },

    async couldNotApply(nodeID) {
      const counts = (await targets(nodeID)).map(
        ({ sharedModuleID, moduleID }) => states.get(sharedModuleID, moduleID)?.couldNotApply ?? 0,
      );
      return counts.reduce((sum, count) => sum + count, 0);
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
      return (await heldInAll(nodeID, wanted)).flat();
    },

    async waiting(nodeID, wanted) {
      const waiting = await heldInAll(nodeID, wanted);
      return { held: waiting.flat(), mark: markNow(waiting) };
    },

    async decideHeld(nodeID, wanted, word) {
      const found = await targets(nodeID, wanted);
      if (found.length === 0) throw new Refusal('not-found', 'mapping.unknown', said('compare.not-matched'));
      const goes = word !== 'keep';
      const decided = await turns.decide(wanted, async () => {
        const asked: InQuestion[] = [];
        for (const { sharedModuleID, moduleID } of found)
          asked.push(await inQuestion(nodeID, sharedModuleID, moduleID));
        const held = asked.flatMap((list) => list.held);
        const waiting = asked.map((list) => list.waiting);
        if (goes && !isAmong(waiting, word.apply.mark)) throw others(held.length);
        if (goes && !asked.every(({ isOfNow: ofNow }) => ofNow))
          throw new Refusal('conflict', 'brake.columns', said('brake.columns'));
        for (const list of goes ? asked : []) await checkEffects(nodeID, list);
        for (const list of asked) await decide(nodeID, list, goes);
        return held.length;
      });
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
}

/** Rows of an offer that wait in one list of ours. */
interface InQuestion {
  readonly sharedModuleID: string;
  readonly moduleID: string;
  readonly waiting: readonly WaitingLoss[];
  /** All of them. */
  readonly held: readonly HeldRow[];
  /** Our columns that the offer fills. */
  readonly columns: readonly string[];
  /** They were put into our columns as a pull would do it now. */
  readonly isOfNow: boolean;
}

const others = (n: number): Refusal => new Refusal('conflict', 'brake.changed', said('brake.changed', { n }));

function keptRow({ sharedModuleID, recordID, kind, row, wentBack, missing }: HeldRow): KeptRow {
  return {
    sharedModuleID,
    recordID,
    ...(wentBack ? { wentBack } : {}),
    ...(kind === 'remove' ? { gone: true } : {}),
    ...(missing ? {} : { at: later(row.updatedAt, row.deletedAt) }),
  };
}
