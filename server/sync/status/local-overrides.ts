import { ownMember } from '../../base/own-member.ts';
import type { Mapping, Node } from '../../federation/model.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import { ROW_COUNTS, ROW_COUNTS_KEY } from '../../lists/rows/row-counts.ts';
import type { Store } from '../../store/store.ts';
import { isPulled, type ListStates } from './list-states.ts';

/**
 * Returns how many of the partner's rows in these mappings' lists our user changed, or kept from an earlier connection
 * once all was read; by stored counters.
 */
export async function countLocalOverrides(
  deps: {
    readonly store: Pick<Store, 'partitions' | 'partition'>;
    readonly states: Pick<ListStates, 'get'>;
  },
  mappings: readonly Mapping[],
  { nodeID, installation }: Pick<Node, 'nodeID' | 'installation'>,
): Promise<number> {
  const partitions = new Set(await deps.store.partitions());
  const isRead = (mapping: Mapping): boolean =>
    isPulled(deps.states.get(mapping.federationModuleID, mapping.composeModuleID), mapping);
  let changed = 0;
  // Several offers may fill one list.
  for (const moduleID of new Set(mappings.map(({ composeModuleID }) => composeModuleID))) {
    const name = listPartition(moduleID);
    if (!partitions.has(name)) continue;
    const counts = await (await deps.store.partition(name)).get(ROW_COUNTS, ROW_COUNTS_KEY);
    changed += counts?.changedHere?.[nodeID] ?? 0;
    const into = mappings.filter(({ composeModuleID }) => composeModuleID === moduleID);
    // Before a complete read, a kept row may still come.
    if (installation !== undefined && into.every(isRead))
      changed += ownMember(counts?.keptFrom, installation) ?? 0;
  }
  return changed;
}
