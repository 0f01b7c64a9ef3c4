import type { PartnerSummary } from '../contract/app/overview.ts';
import type { Federation } from '../federation/federation.ts';
import type { Exposure, Node } from '../federation/model.ts';
import type { Lists } from '../lists/lists.ts';
import type { PartnerStatus } from '../sync/status/partner-status.ts';

/** Returns what we share with a partner, how far it has come, and as of when that is known. */
export async function sharingSummary(
  { federation, lists }: { readonly federation: Federation; readonly lists: Lists },
  node: Node,
  exposures: readonly Exposure[],
  { sharing }: Pick<PartnerStatus, 'sharing'>,
): Promise<Pick<PartnerSummary, 'sharing'>> {
  if (!sharing) return {};
  const { waiting, undecided, held, lost, apart, parked = 0, unsent = 0 } = sharing;
  const rows = await Promise.all(exposures.map((exposure) => rowsFor(lists, node, exposure)));
  const askedAt = federation.incomingRequests.lastRequest(node.nodeID)?.at;
  return {
    sharing: {
      waiting,
      undecided,
      complete: waiting + undecided + held + lost + apart + parked + unsent === 0,
      ...(rows.includes(undefined) ? {} : { rows: rows.reduce((sum: number, each) => sum + (each ?? 0), 0) }),
      ...(askedAt === undefined ? {} : { askedAt }),
    },
  };
}

/**
 * Returns the number of rows that the partner may see; undefined with a condition, as the list's number isn't
 * theirs. If others sent some of them, now or earlier, only checking each row shows which ones passed through
 * this partner, too much for a request every few seconds: undefined.
 */
async function rowsFor(lists: Lists, { nodeID }: Node, exposure: Exposure): Promise<number | undefined> {
  if (exposure.condition) return undefined;
  const { total, received, kept = 0 } = await lists.counts(exposure.composeModuleID);
  const { [nodeID]: own = 0, ...others } = received;
  return Object.keys(others).length + kept > 0 ? undefined : total - own;
}
