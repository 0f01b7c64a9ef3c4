import type { Mapping } from '../../federation/model.ts';
import { everyEntry } from '../../store/every-entry.ts';
import type { Partition, Table } from '../../store/store.ts';
import type { PendingReview } from '../deletion-guard/threshold.ts';
import { digestOfMatches } from './choice.ts';
import type { Words } from '../../words/said.ts';

/** The stored state of one mapped list. The key is its {@link listKey}. */
export interface ListState {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  readonly moduleID: string;
  /** The last complete pull ended then (ISO 8601). */
  readonly lastPulledAt?: string;
  /** The mapping was this at that time ({@link digestOfMatches}). */
  readonly matched?: string;
  /** It was withdrawn or its columns changed since: changes meanwhile may be missing. */
  readonly missed?: true;
  readonly couldNotApply: number;
  readonly brake?: PendingReview;
  /** So many rows were in the list before too, as the first pull found. */
  readonly doubles?: number;
  /** So many of them were left when somebody last looked. */
  readonly doublesLeft?: number;
  /** Our user kept so many rows although the partner deleted or emptied them. */
  readonly kept?: number;
  /** The user wants so many of them to stay. */
  readonly settled?: number;
  /** The last comparison found a difference in so many rows. */
  readonly differing?: number;
  /** The last pull of this list failed so; `problemCode` is the partner's. */
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
  get(sharedModuleID: string, moduleID: string): ListState | undefined;
  /** Returns the states of all partners' offers that fill this list of ours. */
  ofList(moduleID: string): readonly ListState[];
  /**
   * Replaces a state in memory. Stores it only if more changed than the time of the last pull, or that by over an hour.
   */
  put(state: ListState): Promise<void>;
  remove(sharedModuleID: string, moduleID: string): Promise<void>;
}

const TIME_NOTED_EVERY = 60 * 60_000;

/** Reads the states of all mapped lists into memory. */
export async function openListStates(system: Partition): Promise<ListStates> {
  const states = new Map<string, ListState>();
  const byNode = new Map<string, Map<string, ListState>>();
  const byList = new Map<string, Map<string, ListState>>();
  const stored = new Map<string, ListState>();
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
    /** Replaces a state in memory; stores it unless only its time changed, by less than an hour. */
    async put(state) {
      const key = listKey(state.sharedModuleID, state.moduleID);
      cacheState(key, state);
      if (!isWorthStoring(stored.get(key), state)) return;
      await system.transaction((tx) => tx.put(LIST_STATES, key, state));
      stored.set(key, state);
    },
    /** Deletes a list's state. Throws StoreError: then it is gone from memory only, until the next start. */
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

/** Returns whether more changed than the time of the last pull, or that by over an hour. */
function isWorthStoring(before: ListState | undefined, now: ListState): boolean {
  if (!before) return true;
  const { lastPulledAt: was, ...restBefore } = before;
  const { lastPulledAt: is, ...restNow } = now;
  if (JSON.stringify(restBefore) !== JSON.stringify(restNow)) return true;
  return is !== was && Date.parse(is ?? '') - Date.parse(was ?? '1970-01-01') > TIME_NOTED_EVERY;
}
