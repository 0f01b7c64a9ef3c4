import { isDerivedFromKey } from '../../base/installation-key.ts';
import type { Tx } from '../../store/store.ts';
import { changeNode, nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { withdrawAll, withoutConnection } from './disconnects.ts';

const MAX_ENTRIES = 100_000;

/**
 * Changes a partner's record like {@link changeNode}. If that connects the partner, removes in the same transaction
 * other requests that are proven to be between the same two offices ({@link isCrossed}), with their tokens and
 * invites, unless something is shared there. Their contact details fill in those that the connected one lacks.
 */
export async function connectOnce(
  context: FederationContext,
  nodeID: string,
  body: (current: Node, tx: Tx) => Node | Promise<Node>,
): Promise<Node> {
  const all = await context.system.page(NODES, { limit: MAX_ENTRIES });
  const others = all.map(({ key }) => key).filter((key) => key !== nodeID);
  const removed: string[] = [];
  const after = await changeNode(context, nodeID, async (current, tx) => {
    let next = await body(current, tx);
    removed.length = 0;
    if (current.pairing === undefined || next.pairing !== undefined || next.status !== 'paired') return next;
    for (const other of await tx.getMany(NODES, others)) {
      if (!other || !isCrossed(next, other) || (await isShared(tx, other))) continue;
      await withdrawAll(context, tx, other.nodeID, '0');
      const now = nowOf(context);
      tx.put(NODES, other.nodeID, { ...withoutConnection(other), deletedAt: now, updatedAt: now });
      removed.push(other.nodeID);
      const phone = next.phone ?? other.phone;
      next = { ...next, contact: next.contact || other.contact, ...(phone === undefined ? {} : { phone }) };
    }
    return next;
  });
  for (const each of removed) context.changed({ kind: 'node', nodeID: each });
  return after;
}

/**
 * Returns whether a record is only a pending request between us and the partner that has just connected: one of
 * theirs, if their installation's key proved it, or one of ours to the certificate that they answered with.
 */
function isCrossed(connected: Node, other: Node): boolean {
  const { installation, certificate, routes } = connected;
  const { pairing, status } = other;
  const isRequest = status === 'pending' || status === 'pair_requested' || status === 'failed';
  const wasConnected = pairing?.was === 'paired' || pairing?.was === 'unpaired';
  if (!isRequest || wasConnected || other.deletedAt !== undefined || other.sealedToken !== undefined)
    return false;
  if (pairing?.as === 'inviter') {
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
