import type { Federation } from '../federation/federation.ts';
import type { Exposure, Mapping, Node, SharedModule } from '../federation/model.ts';
import type { Sync } from '../sync/sync.ts';
import type { PartnerStatus } from '../sync/status/partner-status.ts';

export interface PartnerReading {
  readonly node: Node;
  readonly status: PartnerStatus;
  /** Withdrawn ones too. */
  readonly exposures: readonly Exposure[];
  readonly offers: readonly SharedModule[];
  readonly mappings: readonly Mapping[];
}

/**
 * Reads a partner's state, shares, offers (withdrawn ones of both too) and mappings. Expensive: call it once per
 * answer.
 */
export async function readPartner(
  { federation, sync }: { readonly federation: Federation; readonly sync: Sync },
  node: Node,
): Promise<PartnerReading> {
  const { nodeID } = node;
  const [status, exposures, offers, mappings] = await Promise.all([
    sync.status(nodeID),
    federation.exposures.list(nodeID, { withdrawn: true }),
    federation.shared.list(nodeID, { withdrawn: true }),
    federation.mappings.list(nodeID),
  ]);
  return { node, status, exposures, offers, mappings };
}
