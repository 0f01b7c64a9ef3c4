import { isDerivedFromKey } from '../../base/installation-key.ts';
import type { Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { changeNode, nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { revokeAccess, withoutConnection } from './disconnects.ts';
import { closeShares } from './pairing-state.ts';

const MAX_ENTRIES = 100_000;

/**
 * Ends, as part of the transaction that connects a partner, other requests that are proven to be between the same
 * two offices ({@link isCrossed}), with their tokens and invites. Returns the partner's record, to be stored.
 * @param ended gets their ids
 */
export async function endCrossed(
  context: FederationContext,
  tx: Tx,
  connected: Node,
  ended: string[],
): Promise<Node> {
  let node = connected;
  for (const other of await otherPartners(context, tx, node)) {
    if (!isCrossed(context, node, other)) continue;
    tx.put(NODES, other.nodeID, await endRequest(context, tx, other, node));
    ended.push(other.nodeID);
    node = withDetails(node, other);
  }
  return node;
}

/**
 * Ends a request in favour of a connection that it crossed, with its tokens and invites. Returns its record, to be
 * stored: removed, or `failed` where our user chose something to share there.
 */
async function endRequest(context: FederationContext, tx: Tx, request: Node, connected: Node): Promise<Node> {
  const now = nowOf(context);
  await revokeAccess(context, tx, request.nodeID);
  const left: Node = { ...withoutConnection(request), updatedAt: now };
  if (await isShared(tx, request))
    return { ...left, status: 'failed', problem: said('pairing.crossed', { partner: connected.name }) };
  await closeShares(tx, request.nodeID, { by: '0', now });
  return { ...left, deletedAt: now, replacedBy: connected.nodeID };
}

/** Returns the partner with the request's contact details and our user's permissions there, where it has none. */
function withDetails(node: Node, request: Node): Node {
  const phone = node.phone ?? request.phone;
  const asked = request.pairing?.as === 'invitee' ? request.pairing.link : undefined;
  const relayConsent = node.relayConsent ?? asked?.relayConsent;
  return {
    ...node,
    contact: node.contact || request.contact,
    ...(phone === undefined ? {} : { phone }),
    ownNetwork: node.ownNetwork || asked?.ownNetwork === true,
    ...(relayConsent === undefined ? {} : { relayConsent }),
  };
}

/**
 * Decides, in the transaction that would complete our request with an office of this proven installation. Returns
 * the request's record, to be stored, if it crossed a connection and ends; `wait` if our approval of that office's own
 * request completes first. Of two approvals that cross, that of the smaller installation id counts at both offices.
 */
export async function yieldToCrossed(
  context: FederationContext,
  tx: Tx,
  request: Node,
  installation: string,
  changed: string[],
): Promise<Node | 'wait' | undefined> {
  const others = await otherPartners(context, tx, request);
  const own = context.office.installation;
  const isOurs = isDerivedFromKey(own) && isDerivedFromKey(installation) && own < installation;
  const isApproved = others.some(
    ({ pairing }) =>
      pairing?.as === 'inviter' && pairing.yes !== undefined && pairing.link.installation === installation,
  );
  if (isOurs && isApproved) return 'wait';
  return endIfConnected(context, tx, others, { request, installation, begun: request.createdAt, changed });
}

interface Late {
  readonly request: Node;
  readonly installation: string;
  /** When the request or its invite was made, ISO 8601. */
  readonly begun: string;
  readonly changed: string[];
}

/** Ends a request that was begun before the same proven installation connected the other way round. */
async function endIfConnected(
  context: FederationContext,
  tx: Tx,
  others: readonly Node[],
  { request, installation, begun, changed }: Late,
): Promise<Node | undefined> {
  const connected = others.find(
    (other) =>
      isDerivedFromKey(installation) &&
      other.installation === installation &&
      other.status === 'paired' &&
      other.role !== request.role &&
      (other.connectedAt ?? '') > begun,
  );
  if (!connected || !isFirstRequest(request)) return undefined;
  tx.put(NODES, connected.nodeID, withDetails(connected, request));
  changed.push(connected.nodeID);
  return endRequest(context, tx, request, connected);
}

/** Ends, as part of a transaction, the record of an invite that a connected partner uses late; see {@link Late}. */
export async function endLateInvite(
  context: FederationContext,
  tx: Tx,
  late: Late,
): Promise<Node | undefined> {
  return endIfConnected(context, tx, await otherPartners(context, tx, late.request), late);
}

/**
 * Ends our request of which its office says that it is connected the other way round, once it is. Returns whether we
 * approved a request that claims the same certificate: else the office only declines.
 */
export async function endAsCrossed(context: FederationContext, nodeID: string): Promise<boolean> {
  const nodes = (await context.system.page(NODES, { limit: MAX_ENTRIES })).map(({ value }) => value);
  const asked = nodes.find((node) => node.nodeID === nodeID);
  const rival = nodes.find(
    ({ role, status, certificate, pairing, deletedAt }) =>
      role === 'inviter' &&
      deletedAt === undefined &&
      (status === 'paired' || (pairing?.as === 'inviter' && pairing.yes !== undefined)) &&
      certificate !== undefined &&
      certificate === asked?.certificate,
  );
  if (!rival) return false;
  await changeNode(context, rival.nodeID, async (connected, tx, ended) => {
    const request = await tx.get(NODES, nodeID);
    if (connected.status !== 'paired' || !request || request.pairing?.as !== 'invitee') return connected;
    if (request.deletedAt !== undefined || !isFirstRequest(request)) return connected;
    tx.put(NODES, nodeID, await endRequest(context, tx, request, connected));
    ended.push(nodeID);
    return withDetails(connected, request);
  });
  return true;
}

/**
 * Returns the partner under which the office of a request that crossed is connected, if any; in a transaction, as the
 * request may have ended in one that isn't on disk yet.
 */
export async function connectedInstead(
  { system }: FederationContext,
  nodeID: string,
): Promise<Node | undefined> {
  return system.transaction(async (tx) => {
    const replacedBy = (await tx.get(NODES, nodeID))?.replacedBy;
    return replacedBy === undefined ? undefined : tx.get(NODES, replacedBy);
  });
}

/**
 * Returns whether a record is only a pending request between us and the partner that has just connected, the other way
 * round: one of theirs, if their installation's key proved it, or one of ours to the certificate that they answered
 * with.
 */
function isCrossed({ office }: FederationContext, connected: Node, other: Node): boolean {
  const { installation, certificate, routes, role, connectedAt = '' } = connected;
  const { pairing } = other;
  // Our user asked again since: the connection may not do.
  if (other.createdAt > connectedAt) return false;
  // Two requests with two of our invites: one office may have used the copy of another one's.
  if (other.role === role || !isFirstRequest(other)) return false;
  if (pairing?.as === 'inviter') {
    // Our approval of it counts, unless the partner's does, which then takes no token of ours.
    if (pairing.yes !== undefined && office.installation < (installation ?? '')) return false;
    const isProven = installation !== undefined && isDerivedFromKey(installation);
    return isProven && pairing.link.installation === installation;
  }
  // The partner may have answered on a route with another certificate.
  const isAnswered = ['', certificate].includes(routes?.pin ?? '');
  const isOurs = other.role === 'invitee' && certificate !== undefined;
  return isOurs && isAnswered && other.certificate === certificate;
}

/** Returns whether a partner's record has never been connected. */
function isFirstRequest({ pairing, status, sealedToken }: Node): boolean {
  const isRequest = status === 'pending' || status === 'pair_requested' || status === 'failed';
  const wasConnected = pairing?.was === 'paired' || pairing?.was === 'unpaired';
  return isRequest && !wasConnected && sealedToken === undefined;
}

/** Returns the other partners that aren't removed, as of this transaction. */
async function otherPartners(
  { system }: FederationContext,
  tx: Tx,
  { nodeID }: Pick<Node, 'nodeID'>,
): Promise<Node[]> {
  const keys = (await system.page(NODES, { limit: MAX_ENTRIES })).map(({ key }) => key);
  const nodes = await tx.getMany(NODES, keys);
  return nodes.filter(
    (node): node is Node => node !== undefined && node.nodeID !== nodeID && node.deletedAt === undefined,
  );
}

/** Returns whether our user chose something to share with this partner. */
async function isShared(tx: Tx, { nodeID }: Node): Promise<boolean> {
  const exposures = await tx.find(EXPOSURES, 'node', nodeID);
  return exposures.some(({ value }) => value.deletedAt === undefined);
}
