import { listPartition } from '../../lists/rows/row-table.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Store } from '../../store/store.ts';
import { matchedStates } from '../status/facts.ts';
import type { ListStates } from '../status/list-states.ts';
import type { SyncFederation } from '../ports.ts';
import { CAME_ONCE, CHECKPOINTS, FAILED, HELD, KEPT, LOOKED, REFERRING } from '../tables.ts';

/**
 * Forgets what was kept beside the rows of lists that are not matched any more: how far the pull had come, rows
 * that wait, how it stood. A match that is made again starts from the beginning. The rows stay; those that others bring
 * too follow these from their next version on.
 */
export async function forgetUnmatched(
  deps: {
    readonly store: Store;
    readonly lists: Pick<Lists, 'rows'>;
    readonly states: ListStates;
    readonly federation: Pick<SyncFederation, 'mappings'>;
  },
  nodeID: string,
): Promise<void> {
  const { store, lists, states } = deps;
  const matched = new Set(matchedStates(states, await deps.federation.mappings.list(nodeID), nodeID));
  const left = states.ofNode(nodeID).filter((state) => !matched.has(state));
  if (left.length === 0) return;
  const partitions = new Set(await store.partitions());
  for (const { sharedModuleID, moduleID } of left) {
    const name = listPartition(moduleID);
    // What stands in it is gone through once it can be read.
    if (await store.isUnreadable(name)) continue;
    // A list that was removed must not come into being again.
    if (partitions.has(name)) {
      const partition = await store.partition(name);
      await partition.transaction(async (tx) => {
        tx.delete(CHECKPOINTS, sharedModuleID);
        tx.put(CAME_ONCE, sharedModuleID, { nodeID, sharedModuleID });
        for (const { key } of await tx.find(FAILED, 'shared', sharedModuleID)) tx.delete(FAILED, key);
        for (const { key } of await tx.find(HELD, 'shared', sharedModuleID)) tx.delete(HELD, key);
        for (const { key } of await tx.find(KEPT, 'shared', sharedModuleID)) tx.delete(KEPT, key);
        for (const { key } of await tx.find(REFERRING, 'shared', sharedModuleID)) tx.delete(REFERRING, key);
        tx.delete(LOOKED, sharedModuleID);
      });
      await (await lists.rows(moduleID)).leaveToOthers(nodeID);
    }
    await states.remove(sharedModuleID, moduleID);
  }
}
