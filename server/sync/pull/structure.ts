import type { Node, SharedModule } from '../../federation/model.ts';
import { ProtocolViolationError } from '../../peer/guard/errors.ts';
import { PEER_LIMITS } from '../../peer/guard/limits.ts';
import type { Peer } from '../../peer/peer.ts';
import type { RemoteOffer } from '../../peer/remote.ts';
import type { Reconciliation } from '../../federation/offers/offers.ts';
import { firstModuleIDOf, type OfferedDefinition } from '../../federation/offers/known-offers.ts';
import type { SyncFederation } from '../ports.ts';

/**
 * Fetches the partner's definitions, stores what it offers now, parks and resumes matches, and returns the changes.
 * Lists it lacks count as withdrawn, also withdrawn ones that it offers although it deleted them; received rows stay.
 * Throws PartnerError, also for endless or circular listings.
 */
export async function pullStructure(
  federation: Pick<SyncFederation, 'shared'>,
  peer: Peer,
  node: Node,
  signal: AbortSignal,
): Promise<Reconciliation> {
  const offered = new Map<string, OfferedDefinition>();
  const cursors = new Set<string>();
  let columns = 0;
  let next: string | undefined;
  do {
    const page = await peer.feed.offers(next, signal);
    const isOver = page.mayRepeat === true && page.offers.every(({ moduleID }) => offered.has(moduleID));
    for (const offer of page.offers) offered.set(offer.moduleID, toOffered(offer));
    columns += page.offers.reduce((sum, { fields }) => sum + fields.length, 0);
    if (columns > PEER_LIMITS.offeredColumns)
      throw new ProtocolViolationError('it offers more columns than anybody has.');
    if (offered.size > PEER_LIMITS.offers)
      throw new ProtocolViolationError('it offers more lists than anybody has.');
    next = isOver ? undefined : page.next;
    if (next !== undefined && cursors.has(next))
      throw new ProtocolViolationError('its list of lists goes round in a circle.');
    if (next !== undefined) cursors.add(next);
    if (cursors.size > PEER_LIMITS.offers) throw new ProtocolViolationError('its list of lists has no end.');
  } while (next !== undefined);
  if (new Set([...offered.values()].map(firstModuleIDOf)).size < offered.size)
    throw new ProtocolViolationError('two of its lists have the same first share.');
  for (const list of await withdrawnOf(federation, node)) {
    const offer = offered.get(list.externalFederationModuleID);
    // Some servers still offer a list deleted there: only its rows reveal that.
    if (offer && offer.deletedAt === undefined && (await isDeleted(peer, offer, signal)))
      offered.set(offer.externalFederationModuleID, { ...offer, deletedAt: list.withdrawnAt });
  }
  return federation.shared.reconcile(node.nodeID, [...offered.values()], { complete: true });
}

/** Returns the partner's offers that are withdrawn. */
async function withdrawnOf(
  { shared }: Pick<SyncFederation, 'shared'>,
  { nodeID }: Node,
): Promise<(SharedModule & { readonly withdrawnAt: string })[]> {
  const all = await shared.list(nodeID, { withdrawn: true });
  return all.flatMap((list) =>
    list.withdrawnAt === undefined ? [] : [{ ...list, withdrawnAt: list.withdrawnAt }],
  );
}

/** Asks the partner whether it deleted the list; false if its software can't tell. Throws PartnerError. */
async function isDeleted(
  { feed }: Peer,
  { externalFederationModuleID: moduleID, ...offer }: OfferedDefinition,
  signal: AbortSignal,
): Promise<boolean> {
  if (!feed.isDeleted) return false;
  const { externalComposeModuleID: composeModuleID, externalComposeNamespaceID: composeNamespaceID } = offer;
  if (composeModuleID === undefined || composeNamespaceID === undefined) return false;
  return feed.isDeleted({ moduleID, composeModuleID, composeNamespaceID }, signal);
}

/** Returns an offer as it is stored, its ids named as the partner's. */
function toOffered(offer: RemoteOffer): OfferedDefinition {
  return {
    externalFederationModuleID: offer.moduleID,
    ...(offer.composeModuleID === undefined ? {} : { externalComposeModuleID: offer.composeModuleID }),
    ...(offer.composeNamespaceID === undefined
      ? {}
      : { externalComposeNamespaceID: offer.composeNamespaceID }),
    ...(offer.firstModuleID === undefined ? {} : { externalFirstModuleID: offer.firstModuleID }),
    handle: offer.handle,
    name: offer.name,
    fields: offer.fields,
    ...(offer.deletedAt === undefined ? {} : { deletedAt: offer.deletedAt }),
  };
}
