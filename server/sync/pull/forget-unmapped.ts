import { listPartition } from '../../lists/rows/row-table.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Store, Table, Tx } from '../../store/store.ts';
import { matchedStates } from '../status/facts.ts';
import type { ListStates } from '../status/list-states.ts';
import type { SyncFederation } from '../ports.ts';
import {
  RECEIVED_ONCE,
  CHECKPOINTS,
  FAILED,
  QUARANTINED,
  REJECTED_DELETIONS,
  EXAMINED,
  REFERRING,
} from '../tables.ts';

/**
 * Forgets lists that are no longer mapped, so that a new mapping starts from the beginning. Ends the partner as a
 * source of their rows, which stay, and records that they came from it. Skips lists in the bin, whose mapping continues
 * after a restore, and unreadable ones.
 */
export async function forgetUnmappedLists(
  deps: {
    readonly store: Store;
    readonly lists: Pick<Lists, 'rows' | 'isBinned'>;
    readonly states: ListStates;
    readonly federation: Pick<SyncFederation, 'mappings'>;
  },
  nodeID: string,
): Promise<void> {
  const { store, lists, states } = deps;
  const mapped = new Set(matchedStates(states, await deps.federation.mappings.list(nodeID), nodeID));
  const unmapped = states.ofNode(nodeID).filter((state) => !mapped.has(state));
  if (unmapped.length === 0) return;
  const partitions = new Set(await store.partitions());
  for (const { sharedModuleID, moduleID } of unmapped) {
    const name = listPartition(moduleID);
    if (await lists.isBinned(moduleID)) continue;
    if (await store.isUnreadable(name)) continue;
    // Removed lists must not be created again.
    if (partitions.has(name)) {
      const partition = await store.partition(name);
      await partition.transaction(async (tx) => {
        await forgetOffer(tx, sharedModuleID);
        tx.put(RECEIVED_ONCE, sharedModuleID, { nodeID, sharedModuleID });
      });
      await (await lists.rows(moduleID)).endSource(nodeID);
    }
    await states.remove(sharedModuleID, moduleID);
  }
}

/**
 * Deletes the states and records of a partner's offers in a list, once its rows there became ours or were deleted; only
 * the states if the list is gone or unreadable.
 */
export async function forgetReleasedList(
  { store, states }: { readonly store: Store; readonly states: ListStates },
  nodeID: string,
  moduleID: string,
): Promise<void> {
  const name = listPartition(moduleID);
  const isThere = (await store.partitions()).includes(name) && !(await store.isUnreadable(name));
  const known = states.ofNode(nodeID).filter((state) => state.moduleID === moduleID);
  if (isThere) {
    const partition = await store.partition(name);
    const read = (await partition.page(CHECKPOINTS, { limit: MAX_OFFERS }))
      .map(({ value }) => value)
      .filter((checkpoint) => checkpoint.nodeID === nodeID);
    const offers = new Set([...known, ...read].map(({ sharedModuleID }) => sharedModuleID));
    for (const sharedModuleID of offers) await partition.transaction((tx) => forgetOffer(tx, sharedModuleID));
  }
  for (const { sharedModuleID } of known) await states.remove(sharedModuleID, moduleID);
}

/** No list has more. */
const MAX_OFFERS = 100_000;

/**
 * Within a transaction, deletes everything stored about an offer in a list: position, failed, quarantined, kept and
 * referring rows.
 */
async function forgetOffer(tx: Tx, sharedModuleID: string): Promise<void> {
  /** Deletes the offer's entries in a table. */
  const deleteRows = async <T>(table: Table<T>): Promise<void> => {
    for (const { key } of await tx.find(table, 'shared', sharedModuleID)) tx.delete(table, key);
  };
  tx.delete(CHECKPOINTS, sharedModuleID);
  tx.delete(EXAMINED, sharedModuleID);
  await deleteRows(FAILED);
  await deleteRows(QUARANTINED);
  await deleteRows(REJECTED_DELETIONS);
  await deleteRows(REFERRING);
}
