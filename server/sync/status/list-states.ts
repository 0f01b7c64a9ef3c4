import type { Mapping } from '../../federation/model.ts';
import { everyEntry } from '../../store/every-entry.ts';
import type { Partition, Table } from '../../store/store.ts';
import type { PendingReview } from '../deletion-guard/threshold.ts';
import { digestOfMatches } from './choice.ts';
import type { Words } from '../../words/said.ts';

/** Stored for one mapped list, by {@link listKey}. */
export interface ListState {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly moduleID: string;
  /** End of the last complete pull (ISO 8601). */
  readonly lastPulledAt?: string;
  /** The mapping then ({@link digestOfMatches}). */
  readonly matched?: string;
  /** Withdrawn, or columns changed, since: changes meanwhile may be missing. */
  readonly missed?: true;
  readonly couldNotApply: number;
  readonly brake?: PendingReview;
  /** Rows that were in the list before too, as the first pull found. */
  readonly doubles?: number;
  /** Those of them that remained when last looked at. */
  readonly doublesLeft?: number;
  /** Kept by our user although the partner deleted or emptied them. */
  readonly kept?: number;
  /** Those of them that the user wants to stay. */
  readonly settled?: number;
  /** Rows that differed in the last comparison. */
  readonly differing?: number;
  /** Why the last pull failed; `problemCode` is the partner's. */
  readonly problem?: Words;
  readonly problemCode?: string;
}

const LIST_STATES: Table<ListState> = { name: 'sync-list', indexes: { node: (state) => state.nodeID } };

/** Returns the key of an offer in one of our lists. */
export function listKey(sharedModuleID: string, moduleID: string): string {
  return `${sharedModuleID}-${moduleID}`;
}

/** Returns whether a list was pulled completely with its present mapping. */
export function isPulled(state: ListState | undefined, mapping: Mapping): boolean {
  if (state?.lastPulledAt === undefined || state.missed === true) return false;
  return state.matched === digestOfMatches(mapping);
}

export interface ListStates {
  ofNode(nodeID: string): readonly ListState[];
  /** Undefined before the first pull. */
  get(sharedModuleID: string, moduleID: string): ListState | undefined;
  /** Returns states of all partners' offers that fill this list. */
  ofList(moduleID: string): readonly ListState[];
  /** Replaces a state in memory. Stores it unless only the last pull's time changed by less than an hour. */
  put(state: ListState): Promise<void>;
  remove(sharedModuleID: string, moduleID: string): Promise<void>;
}

const TIME_NOTED_EVERY = 60 * 60_000;

/** Opens the states of all lists, which are read from memory; a small step of the last pull's time isn't stored. */
export async function openListStates(system: Partition): Promise<ListStates> {
  const states = new Map<string, ListState>();
  const byNode = new Map<string, Map<string, ListState>>();
  const byList = new Map<string, Map<string, ListState>>();
  const stored = new Map<string, ListState>();
  /** Stores a state in memory and its indexes by partner and list. */
  const cacheState = (key: string, state: ListState): void => {
    const before = states.get(key);
    if (before && before.nodeID !== state.nodeID) byNode.get(before.nodeID)?.delete(key);
    states.set(key, state);
    const those = byNode.get(state.nodeID) ?? new Map<string, ListState>();
    byNode.set(state.nodeID, those.set(key, state));
    const into = byList.get(state.moduleID) ?? new Map<string, ListState>();
    byList.set(state.moduleID, into.set(key, state));
  };
  for await (const { key, value } of everyEntry(system, LIST_STATES)) {
    cacheState(key, value);
    stored.set(key, value);
  }

  return {
    ofNode: (nodeID) => [...(byNode.get(nodeID)?.values() ?? [])],
    get: (sharedModuleID, moduleID) => states.get(listKey(sharedModuleID, moduleID)),
    ofList: (moduleID) => [...(byList.get(moduleID)?.values() ?? [])],
    /** Sets a state in memory, and stores it if it differs in more than a recent pull's time. */
    async put(state) {
      const key = listKey(state.sharedModuleID, state.moduleID);
      cacheState(key, state);
      if (!isWorthStoring(stored.get(key), state)) return;
      await system.transaction((tx) => tx.put(LIST_STATES, key, state));
      stored.set(key, state);
    },
    /** Deletes a list's state. After StoreError it is gone from memory only, until the next start. */
    async remove(sharedModuleID, moduleID) {
      const key = listKey(sharedModuleID, moduleID);
      const gone = states.get(key);
      if (!gone) return;
      states.delete(key);
      byNode.get(gone.nodeID)?.delete(key);
      byList.get(moduleID)?.delete(key);
      stored.delete(key);
      await system.transaction((tx) => tx.delete(LIST_STATES, key));
    },
  };
}

/** Returns whether a state is new or differs in more than the last pull's time, or that by over an hour. */
function isWorthStoring(before: ListState | undefined, now: ListState): boolean {
  if (!before) return true;
  const { lastPulledAt: was, ...restBefore } = before;
  const { lastPulledAt: is, ...restNow } = now;
  if (JSON.stringify(restBefore) !== JSON.stringify(restNow)) return true;
  return is !== was && Date.parse(is ?? '') - Date.parse(was ?? '1970-01-01') > TIME_NOTED_EVERY;
}
