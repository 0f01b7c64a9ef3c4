import type { Mapping } from '../../federation/model.ts';
import type { Partition, Table } from '../../store/store.ts';
import type { Waiting } from '../pull/brake.ts';
import { matchesInUse } from './choice.ts';
import type { Words } from '../../words/said.ts';

/** What is to be known of one matched list without opening it. Key: {@link listKey}. */
export interface ListState {
  readonly nodeID: string;
  readonly sharedModuleID: string;
  /** Our list. */
  readonly moduleID: string;
  /** ISO 8601, of the last whole pull. */
  readonly lastPulledAt?: string;
  /** What was matched in it ({@link matchesInUse}). */
  readonly matched?: string;
  /** It was withdrawn or its columns changed since then: what became of its rows meanwhile is not known. */
  readonly missed?: true;
  /** Rows that could not be applied and wait. */
  readonly couldNotApply: number;
  /** Losses that wait for a yes. */
  readonly brake?: Waiting;
  /** Rows that were in the list before as well, as the first reading showed. */
  readonly doubles?: number;
  /** So many of them there were when somebody looked at them last. */
  readonly doublesLeft?: number;
  /** Rows that our user kept although the partner removed or emptied them. */
  readonly kept?: number;
  /** So many of them the user wants to stay as they are. */
  readonly settled?: number;
  /** Rows in which the last comparison found a difference. */
  readonly differing?: number;
  /** Why the last pull of this list failed, and the partner's code for it. */
  readonly problem?: Words;
  readonly problemCode?: string;
}

const LIST_STATES: Table<ListState> = { name: 'sync-list', indexes: { node: (state) => state.nodeID } };

/** Key of one matched list: an offer may go into several of ours. */
export function listKey(sharedModuleID: string, moduleID: string): string {
  return `${sharedModuleID}-${moduleID}`;
}

/** Whether a list was pulled whole, as it is matched now. */
export function isPulled(state: ListState | undefined, mapping: Mapping): boolean {
  if (state?.lastPulledAt === undefined || state.missed === true) return false;
  return state.matched === matchesInUse(mapping);
}

/** How the matched lists stand, for the status of partners. */
export interface ListStates {
  ofNode(nodeID: string): readonly ListState[];
  get(sharedModuleID: string, moduleID: string): ListState | undefined;
  /** Of all partners, what goes into this list of ours. */
  into(moduleID: string): readonly ListState[];
  /** Written to disk when it tells anything new; the time alone only now and then. */
  put(state: ListState): Promise<void>;
  /** The list is no longer matched. */
  remove(sharedModuleID: string, moduleID: string): Promise<void>;
}

const TIME_NOTED_EVERY = 60 * 60_000;

export async function openListStates(system: Partition): Promise<ListStates> {
  const states = new Map<string, ListState>();
  /** The same, those of each partner apart. */
  const byNode = new Map<string, Map<string, ListState>>();
  /** The same, what goes into each list of ours apart. */
  const byList = new Map<string, Map<string, ListState>>();
  const stored = new Map<string, ListState>();
  const note = (key: string, state: ListState): void => {
    const before = states.get(key);
    if (before && before.nodeID !== state.nodeID) byNode.get(before.nodeID)?.delete(key);
    states.set(key, state);
    const those = byNode.get(state.nodeID) ?? new Map<string, ListState>();
    byNode.set(state.nodeID, those.set(key, state));
    const into = byList.get(state.moduleID) ?? new Map<string, ListState>();
    byList.set(state.moduleID, into.set(key, state));
  };
  let after: string | undefined;
  do {
    const page = await system.page(LIST_STATES, { limit: 500, ...(after === undefined ? {} : { after }) });
    for (const { key, value } of page) {
      note(key, value);
      stored.set(key, value);
    }
    after = page.at(-1)?.key;
  } while (after !== undefined);

  return {
    ofNode: (nodeID) => [...(byNode.get(nodeID)?.values() ?? [])],
    get: (sharedModuleID, moduleID) => states.get(listKey(sharedModuleID, moduleID)),
    into: (moduleID) => [...(byList.get(moduleID)?.values() ?? [])],
    async put(state) {
      const key = listKey(state.sharedModuleID, state.moduleID);
      note(key, state);
      if (!isNews(stored.get(key), state)) return;
      await system.transaction((tx) => tx.put(LIST_STATES, key, state));
      stored.set(key, state);
    },
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

function isNews(before: ListState | undefined, now: ListState): boolean {
  if (!before) return true;
  const { lastPulledAt: was, ...restBefore } = before;
  const { lastPulledAt: is, ...restNow } = now;
  if (JSON.stringify(restBefore) !== JSON.stringify(restNow)) return true;
  return is !== was && Date.parse(is ?? '') - Date.parse(was ?? '1970-01-01') > TIME_NOTED_EVERY;
}
