import type { GridRow } from '../contract/app/lists.ts';
import type { Federation } from '../federation/federation.ts';
import type { Sync } from '../sync/sync.ts';

/**
 * The rows of our list that were there before an offered list brought them as well, each before the one that came; by
 * their ids, in the order in which they are looked at. None where the two are not matched.
 */
export async function doubledRows(
  { federation, sync }: { readonly federation: Federation; readonly sync: Pick<Sync, 'doubles'> },
  moduleID: string,
  sharedModuleID: string,
): Promise<ReadonlyMap<string, NonNullable<GridRow['twice']>>> {
  for (const { nodeID } of await federation.nodes.list()) {
    const matched = (await federation.mappings.list(nodeID)).some(
      (mapping) => mapping.federationModuleID === sharedModuleID && mapping.composeModuleID === moduleID,
    );
    if (!matched) continue;
    const found = await sync.doubles(nodeID, sharedModuleID, moduleID);
    return new Map(
      found.flatMap(({ before, came }) => [
        ...before.map((recordID) => [recordID, 'before'] as const),
        [came, 'came'] as const,
      ]),
    );
  }
  return new Map();
}
