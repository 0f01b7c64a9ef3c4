import type { SyncFederation } from '../ports.ts';

export interface Target {
  readonly sharedModuleID: string;
  readonly moduleID: string;
}

/** Returns pairs of an offer and our list that it fills, for one offer, by our id, or all of the partner's. */
export async function findMappedTargets(
  { mappings }: Pick<SyncFederation, 'mappings'>,
  nodeID: string,
  sharedModuleID?: string,
): Promise<Target[]> {
  return (await mappings.list(nodeID))
    .filter(({ federationModuleID }) => sharedModuleID === undefined || federationModuleID === sharedModuleID)
    .map((mapping) => ({ sharedModuleID: mapping.federationModuleID, moduleID: mapping.composeModuleID }));
}
