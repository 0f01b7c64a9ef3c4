import type { Mapping } from '../../federation/model.ts';
import { everyEntry } from '../../store/every-entry.ts';
import type { Partition, Table } from '../../store/store.ts';
import type { PendingReview } from '../deletion-guard/threshold.ts';
import { digestOfMatches } from './choice.ts';
import type { Words } from '../../words/said.ts';

/** The stored state of one mapped list. Key: {@link listKey}. */
export interface ListState {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** Our list. */
  readonly moduleID: string;
  /** ISO 8601, of the last complete pull. */
  readonly lastPulledAt?: string;
  /** The mapping at that time ({@link digestOfMatches}). */
  readonly matched?: string;
  /** It was withdrawn or its columns changed since: changes meanwhile may be missing. */
  readonly missed?: true;
  /** Quarantined rows. */
  readonly couldNotApply: number;
  /** Losses that need approval. */
  readonly brake?: PendingReview;
  /** Rows that were in the list before too, as the first pull found. */
  readonly doubles?: number;
  /** How many of them were left when somebody last looked. */
  readonly doublesLeft?: number;
  /** Rows that our user kept although the partner deleted or emptied them. */
  readonly kept?: number;
  /** How many of them the user wants to stay. */
  readonly settled?: number;
  /** Rows in which the last comparison found a difference. */
  readonly differing?: number;
  /** Why the last pull of this list failed, and the partner's code for it. */
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
  /** Returns those of all partners' offers that fill this list of ours. */
  into(moduleID: string): readonly ListState[];
  /** Stored at once, but a new time alone at most once an hour. */
  put(state: ListState): Promise<void>;
  remove(sharedModuleID: string, moduleID: string): Promise<void>;
}

const TIME_NOTED_EVERY = 60 * 60_000;

/** Reads the states of all mapped lists into memory. */
export async function openListStates(system: Partition): Promise<ListStates> {
  const states = new Map<string, ListState>();
  /** Grouped by partner. */
  const byNode = new Map<string, Map<string, ListState>>();
  /** Grouped by our list. */
  const byList = new Map<string, Map<string, ListState>>();
  const stored = new Map<string, ListState>();
  /** Replaces a list's state in memory. */
  const cache = (key: string, state: ListState): void => {
    const before = states.get(key);
    if (before && before.nodeID !== state.nodeID) byNode.get(before.nodeID)?.delete(key);
    states.set(key, state);
    const those = byNode.get(state.nodeID) ?? new Map<string, ListState>();
    byNode.set(state.nodeID, those.set(key, state));
    const into = byList.get(state.moduleID) ?? new Map<string, ListState>();
    byList.set(state.moduleID, into.set(key, state));
  };
  for await (const { key, value } of everyEntry(system, LIST_STATES)) {
    cache(key, value);
    stored.set(key, value);
  }

  return {
    ofNode: (nodeID) => [...(byNode.get(nodeID)?.values() ?? [])],
    get: (sharedModuleID, moduleID) => states.get(listKey(sharedModuleID, moduleID)),
    into: (moduleID) => [...(byList.get(moduleID)?.values() ?? [])],
    /**
     * Replaces a list's state in memory. Stores it only if more than the time of the last pull changed, or that is an
     * hour off.
     */
    async put(state) {
      const key = listKey(state.sharedModuleID, state.moduleID);
      cache(key, state);
      if (!isWorthStoring(stored.get(key), state)) return;
      await system.transaction((tx) => tx.put(LIST_STATES, key, state));
      stored.set(key, state);
    },
    /** Deletes a list's state. If the store refuses, it is gone from memory only, and is back after the next start. */
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

/**
 * Returns whether a state must be stored: if more changed than the time of the last pull, or that by more than an hour.
 */
function isWorthStoring(before: ListState | undefined, now: ListState): boolean {
  if (!before) return true;
  const { lastPulledAt: was, ...restBefore } = before;
  const { lastPulledAt: is, ...restNow } = now;
  if (JSON.stringify(restBefore) !== JSON.stringify(restNow)) return true;
  return is !== was && Date.parse(is ?? '') - Date.parse(was ?? '1970-01-01') > TIME_NOTED_EVERY;
}
