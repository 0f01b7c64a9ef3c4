import type { SyncFederation } from '../ports.ts';

/** An offer of a partner, and a list of ours that receives from it. */
export interface Target {
  readonly sharedModuleID: string;
  readonly moduleID: string;
}

/** Our lists that receive from this offer, or from any of the partner. */
export async function targetsOf(
  { mappings }: Pick<SyncFederation, 'mappings'>,
  nodeID: string,
  sharedModuleID?: string,
): Promise<Target[]> {
  return (await mappings.list(nodeID))
    .filter(({ federationModuleID }) => sharedModuleID === undefined || federationModuleID === sharedModuleID)
    .map((mapping) => ({ sharedModuleID: mapping.federationModuleID, moduleID: mapping.composeModuleID }));
}
