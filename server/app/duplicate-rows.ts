import type { Federation } from '../federation/federation.ts';
import { NO_DUPLICATES, type DuplicateRows } from '../sync/compare/duplicate-rows.ts';
import type { Sync } from '../sync/sync.ts';

/**
 * Returns rows that our list had with the same ones an offer brought; none unless the offer is mapped to it. Stores
 * how many pairs are left.
 */
export async function findDuplicateRows(
  { federation, sync }: { readonly federation: Federation; readonly sync: Pick<Sync, 'findDuplicateRows'> },
  moduleID: string,
  sharedModuleID: string,
): Promise<DuplicateRows> {
  for (const { nodeID } of await federation.nodes.list()) {
    const matched = (await federation.mappings.list(nodeID)).some(
      (mapping) => mapping.federationModuleID === sharedModuleID && mapping.composeModuleID === moduleID,
    );
    if (matched) return sync.findDuplicateRows(nodeID, sharedModuleID, moduleID);
  }
  return NO_DUPLICATES;
}

/** Stores, for each offer mapped to our list, how many duplicate pairs are left, as the inbox shows. */
export async function recountDuplicates(
  deps: { readonly federation: Federation; readonly sync: Pick<Sync, 'findDuplicateRows'> },
  moduleID: string,
): Promise<void> {
  const { federation, sync } = deps;
  for (const { nodeID } of await federation.nodes.list())
    for (const mapping of await federation.mappings.list(nodeID))
      if (mapping.composeModuleID === moduleID)
        await sync.findDuplicateRows(nodeID, mapping.federationModuleID, moduleID);
}
