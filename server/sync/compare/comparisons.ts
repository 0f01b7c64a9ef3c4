import { omit } from '../../base/omit.ts';
import type { Clock } from '../../base/clock.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Peer } from '../../peer/peer.ts';
import type { SyncFederation } from '../ports.ts';
import { matchedStates } from '../status/facts.ts';
import type { ListStates } from '../status/list-states.ts';
import { orRefusal } from '../sync-now.ts';
import { compareOffer, type Comparison } from './compare.ts';

/** Store the number of differing rows in the list's state. */
export interface Comparisons {
  /**
   * Compares an offer with our list, and stores how many rows differ, except kept ones. Throws Refusal
   * `partner-failed`, or `impossible` without a Footbridge.
   */
  compare(nodeID: string, sharedModuleID: string): Promise<Comparison>;
  /** Compares again after differences; throws the same. */
  repeatIfDifferent(nodeID: string, sharedModuleID: string): Promise<void>;
}

/**
 * Creates the comparisons of offers with our lists. `onFound` is called after each. `repeatIfDifferent` compares only
 * an offer whose last comparison found differences.
 */
export function createComparisons(deps: {
  readonly lists: Lists;
  readonly federation: SyncFederation;
  readonly clock: Clock;
  readonly states: ListStates;
  readonly peerOf: (nodeID: string) => Promise<Peer>;
  /** Called after every comparison with the partner. */
  readonly onFound: (nodeID: string) => void;
}): Comparisons {
  const { lists, federation, clock, states } = deps;

  /** Compares, stores how many rows differ without explanation, and calls `onFound`. Throws Refusal. */
  async function compareAndStore(nodeID: string, sharedModuleID: string): Promise<Comparison> {
    const peer = await orRefusal(deps.peerOf(nodeID));
    const found = await orRefusal(
      compareOffer({ lists, federation, clock }, peer, { nodeID, sharedModuleID }),
    );
    const list = matchedStates(states, await federation.mappings.list(nodeID), nodeID).find(
      (each) => each.sharedModuleID === sharedModuleID,
    );
    const differing = countUnexplained(found, list?.kept ?? 0);
    if (list) await states.put({ ...omit(list, 'differing'), ...(differing > 0 ? { differing } : {}) });
    deps.onFound(nodeID);
    return found;
  }

  return {
    compare: compareAndStore,
    /** Compares again only if the last comparison found differences. Throws Refusal. */
    async repeatIfDifferent(nodeID, sharedModuleID) {
      const wasDifferent = states
        .ofNode(nodeID)
        .some((list) => list.sharedModuleID === sharedModuleID && list.differing);
      if (wasDifferent) await compareAndStore(nodeID, sharedModuleID);
    },
  };
}

/** Returns how many rows differ beyond the `kept` ones, at least 1 if some weren't examined. */
export function countUnexplained(
  { differing, more }: Pick<Comparison, 'differing' | 'more'>,
  kept: number,
): number {
  return Math.max(more ? 1 : 0, differing.length - kept);
}
