import type { SyncFederation } from '../ports.ts';

/** A partner's offer and our receiving list. */
export interface Target {
  readonly sharedModuleID: string;
  readonly moduleID: string;
}

/** Returns each pair of an offer and a list of ours that it fills, for one offer or for all of the partner. */
export async function findTargets(
  { mappings }: Pick<SyncFederation, 'mappings'>,
  nodeID: string,
  sharedModuleID?: string,
): Promise<Target[]> {
  return (await mappings.list(nodeID))
    .filter(({ federationModuleID }) => sharedModuleID === undefined || federationModuleID === sharedModuleID)
    .map((mapping) => ({ sharedModuleID: mapping.federationModuleID, moduleID: mapping.composeModuleID }));
}
