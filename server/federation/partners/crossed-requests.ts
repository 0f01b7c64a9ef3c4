import { isDerivedFromKey } from '../../base/installation-key.ts';
import type { Tx } from '../../store/store.ts';
import { nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { withdrawAll, withoutConnection } from './disconnects.ts';

const MAX_ENTRIES = 100_000;

/**
 * Removes, as part of the transaction that connects a partner, other requests that are proven to be between the same
 * two offices ({@link isCrossed}), with their tokens and invites, unless something is shared there. Returns the
 * partner's record, to be stored: their contact details, and what our user allowed for them, fill in what it lacks.
 * @param removed gets their ids
 */
export async function endCrossed(
  context: FederationContext,
  tx: Tx,
  connected: Node,
  removed: string[],
): Promise<Node> {
  let node = connected;
  for (const { key } of await context.system.page(NODES, { limit: MAX_ENTRIES })) {
    const other = key === node.nodeID ? undefined : await tx.get(NODES, key);
    if (!other || !isCrossed(node, other) || (await isShared(tx, other))) continue;
    await withdrawAll(context, tx, other.nodeID, '0');
    const now = nowOf(context);
    tx.put(NODES, other.nodeID, { ...withoutConnection(other), deletedAt: now, updatedAt: now });
    removed.push(other.nodeID);
    const phone = node.phone ?? other.phone;
    const asked = other.pairing?.as === 'invitee' ? other.pairing.link : undefined;
    const relayConsent = node.relayConsent ?? asked?.relayConsent;
    node = {
      ...node,
      contact: node.contact || other.contact,
      ...(phone === undefined ? {} : { phone }),
      // What our user allowed for the request that we sent to this partner.
      ownNetwork: node.ownNetwork || asked?.ownNetwork === true,
      ...(relayConsent === undefined ? {} : { relayConsent }),
    };
  }
  return node;
}

/**
 * Returns whether a record is only a pending request between us and the partner that has just connected, the other way
 * round: one of theirs without our yes, if their installation's key proved it, or one of ours to the certificate that they answered
 * with.
 */
function isCrossed(connected: Node, other: Node): boolean {
  const { installation, certificate, routes, role } = connected;
  const { pairing, status } = other;
  // Two requests with two of our invites: one office may have used the copy of another one's.
  if (other.role === role) return false;
  const isRequest = status === 'pending' || status === 'pair_requested' || status === 'failed';
  const wasConnected = pairing?.was === 'paired' || pairing?.was === 'unpaired';
  if (!isRequest || wasConnected || other.deletedAt !== undefined || other.sealedToken !== undefined)
    return false;
  if (pairing?.as === 'inviter') {
    // With our user's yes its token may have connected the partner already, who removes this very pairing's rival.
    if (pairing.yes !== undefined) return false;
    const isProven = installation !== undefined && isDerivedFromKey(installation);
    return isProven && pairing.link.installation === installation;
  }
  // The partner may have answered on a route with another certificate.
  const isAnswered = ['', certificate].includes(routes?.pin ?? '');
  const isOurs = other.role === 'invitee' && certificate !== undefined;
  return isOurs && isAnswered && other.certificate === certificate;
}

/** Returns whether our user chose something to share with this partner. */
async function isShared(tx: Tx, { nodeID }: Node): Promise<boolean> {
  const exposures = await tx.find(EXPOSURES, 'node', nodeID);
  return exposures.some(({ value }) => value.deletedAt === undefined);
}
