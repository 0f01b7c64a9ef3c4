import { omit } from '../../base/omit.ts';
import { isDerivedFromKey } from '../../base/installation-key.ts';
import type { Tx } from '../../store/store.ts';
import { nowOf, type FederationContext } from '../context.ts';
import type { Asked, Link, Node } from '../model.ts';
import { latestExposureOf } from '../sharing/exposure-parts.ts';
import { EXPOSURES, INVITES, NODES, ownIDOf, SHARED_MODULES } from '../tables.ts';
import {
  abandonPairing,
  isChosenFor,
  outOfOrder,
  wasConnected,
  withdrawAll,
  withLink,
  withoutConnection,
} from './pairing-state.ts';

const MAX_ENTRIES = 100_000;

/**
 * Removes, as part of the transaction that connects a partner, other requests that are proven to be between the same
 * two offices ({@link isCrossed}) and our unused replies to its invites, with their tokens and invites, unless something
 * is shared there. Returns the partner's record, to be stored: their contact details, and what our user allowed for them,
 * fill in what it lacks.
 * @param removed gets their ids
 * @param only the ids of the requests that may be removed; all by default
 */
export async function endCrossed(
  context: FederationContext,
  tx: Tx,
  connected: Node,
  removed: string[],
  only?: readonly string[],
): Promise<Node> {
  let node = connected;
  for (const key of only ?? (await allIDs(context))) {
    const other = key === node.nodeID ? undefined : await tx.get(NODES, key);
    if (!other || (await isShared(tx, other))) continue;
    if (!isCrossed(node, other) && !(await isReplyTo(tx, node, other))) continue;
    await removeRequest(context, tx, { ...other, replacedBy: node.nodeID });
    removed.push(other.nodeID);
    node = withDetailsOf(node, other);
  }
  return node;
}

/** Removes a record that was never connected, as part of the transaction, with its tokens and invites. */
export async function removeRequest(context: FederationContext, tx: Tx, node: Node): Promise<void> {
  const now = nowOf(context);
  await withdrawAll(context.tokens, tx, node.nodeID, { by: '0', now });
  tx.put(NODES, node.nodeID, { ...withoutConnection(node), deletedAt: now, updatedAt: now });
}

/** Returns the record with the contact details and permissions that our user gave another one of the same office. */
export function withDetailsOf(node: Node, other: Node): Node {
  const phone = node.phone ?? other.phone;
  // Of a request, what our user allowed as we sent it. Without a pin anybody may be at the address.
  const asked = other.pairing?.as === 'invitee' ? other.pairing.link : undefined;
  const allowed = isConnected(other) && node.certificate !== undefined ? other : asked;
  const relayConsent = node.relayConsent ?? allowed?.relayConsent;
  return {
    ...node,
    contact: node.contact || other.contact,
    ...(phone === undefined ? {} : { phone }),
    ownNetwork: node.ownNetwork || allowed?.ownNetwork === true,
    ...(relayConsent === undefined ? {} : { relayConsent }),
  };
}

/**
 * Returns whether a record is only a pending request between us and the partner that has just connected, in the other
 * direction: either theirs that we haven't approved, if their installation's key proved it, or ours to the
 * certificate that they answered with.
 */
function isCrossed(connected: Node, other: Node): boolean {
  const { installation, certificate, routes, role } = connected;
  const { pairing, status } = other;
  // Two requests with two of our invites: one office may have used the copy of another one's.
  if (other.role === role && !isSuperseded(connected, other)) return false;
  const isRequest = status === 'pending' || status === 'pair_requested' || status === 'failed';
  if (
    !isRequest ||
    (pairing && wasConnected(pairing)) ||
    other.deletedAt !== undefined ||
    other.sealedToken !== undefined
  )
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

/** Returns whether a request names the partner's record of this connection, which has asked by another invite since. */
function isSuperseded(
  { sharedNodeID, tokenSince = '' }: Pick<Node, 'sharedNodeID' | 'tokenSince'>,
  { pairing }: Node,
): boolean {
  if (pairing?.as !== 'inviter') return false;
  return pairing.link.sharedNodeID === sharedNodeID && (pairing.tokenSince ?? '') < tokenSince;
}

/** A partner that asks by an invite that we made for another record. */
export interface Asker {
  readonly partner: Node;
  /** Our approval renews its connection; it is refused otherwise. */
  readonly renews: boolean;
}

/**
 * Returns the connection with the office that sent this request by an invite for another record, as its key proves, latest
 * first. An approval renews it if the request names the same record of the partner's. If it names another one, or the
 * connection has ended, it is refused where the invite's record has been connected, which would be lost to it; a new
 * record connects as a second one, and nothing is returned.
 */
export async function findAsker(
  context: Pick<FederationContext, 'system'>,
  request: Node,
): Promise<Asker | undefined> {
  const { pairing } = request;
  if (pairing?.as !== 'inviter' || !isDerivedFromKey(pairing.link.installation ?? '')) return undefined;
  const partners = await context.system.getMany(NODES, await allIDs(context));
  const [latest, ...others] = partners
    .filter((node): node is Node => node !== undefined && isOfAsker(node, request))
    .sort((a, b) => (b.tokenSince ?? '').localeCompare(a.tokenSince ?? ''));
  if (!latest) return undefined;
  const renewed = [latest, ...others].find((node) => isRenewedBy(node, request));
  if (renewed) return { partner: renewed, renews: true };
  return wasConnected(pairing) ? { partner: latest, renews: false } : undefined;
}

/** Returns whether this was connected with the office whose request came by an invite for another record. */
function isOfAsker(node: Node, request: Node): boolean {
  const { nodeID, status, deletedAt, installation } = node;
  const { pairing } = request;
  if (pairing?.as !== 'inviter' || pairing.yes !== undefined || !pairing.facts) return false;
  const { link } = pairing;
  if (wasConnected(pairing) && request.installation === link.installation) return false;
  const isSame = installation === link.installation && nodeID !== request.nodeID;
  return isSame && wasConnected({ was: node.pairing?.was ?? status }) && deletedAt === undefined;
}

const isRenewedBy = (node: Node, request: Node): boolean =>
  isOfAsker(node, request) &&
  node.status === 'paired' &&
  node.sharedNodeID === request.pairing?.link.sharedNodeID;

/** Returns whether only other records are of this installation, and none of them at this record's address. */
export async function isKnownElsewhere(
  { system }: Pick<FederationContext, 'system'>,
  { nodeID, baseURL }: Node,
  installation: string | undefined,
): Promise<boolean> {
  if (installation === undefined || !isDerivedFromKey(installation)) return false;
  const partners = await system.getMany(NODES, await allIDs({ system }));
  const known = partners.filter(
    (node) => node?.installation === installation && node.deletedAt === undefined,
  );
  return known.length > 0 && !known.some((node) => node?.nodeID === nodeID || node?.baseURL === baseURL);
}

/** Returns the way to the office that sent a request: the address of the invite's record may be another office's. */
export async function findRequestWay(
  context: Pick<FederationContext, 'system'>,
  request: Node,
  asked: Asked,
): Promise<Node> {
  const asker = await findAsker(context, request);
  const link = asker ? renewedLink(asker.partner, request.nodeID, asked) : asked.link;
  return withLink(asker?.partner ?? request, link);
}

/**
 * Moves a request to the connection that it renews ({@link findAsker}), as part of the transaction, with its
 * invite. A record that never was connected is removed; our user's contact details and what was chosen to be shared there
 * move too. Returns the connection with the request, which our user has approved, in place of its own. Throws `conflict`
 * if either changed meanwhile. @param moved gets the id of the request's record
 */
export async function moveRequest(
  context: FederationContext,
  tx: Tx,
  { id, pairing }: { readonly id: string; readonly pairing: Asked },
  connection: Node,
  moved: string[],
): Promise<Node> {
  const { nodeID, status } = connection;
  const request = await tx.get(NODES, id);
  const isSame = request?.deletedAt === undefined && request?.pairing?.invite === pairing.invite;
  if (!request || !isSame || !isRenewedBy(connection, request)) throw outOfOrder(connection);
  // The partner has given the older of two requests up.
  const present = connection.pairing?.as === 'inviter' ? connection.pairing : undefined;
  if (present && isSuperseded({ ...connection, ...present }, request)) throw outOfOrder(connection);
  const invite = await tx.get(INVITES, pairing.invite);
  if (invite) tx.put(INVITES, invite.hash, { ...invite, nodeID, ownNodeID: ownIDOf(invite) });
  moved.push(id);
  let node = connection;
  if (wasConnected(pairing)) {
    // Another office's: it stays as it was.
    const left = await abandonPairing(context.tokens, tx, request);
    tx.put(NODES, id, { ...left, updatedAt: nowOf(context) });
  } else {
    await moveShares(tx, id, connection);
    await removeRequest(context, tx, { ...request, replacedBy: nodeID });
    node = withDetailsOf(connection, request);
  }
  const free = await abandonPairing(context.tokens, tx, node);
  return { ...free, pairing: { ...pairing, link: renewedLink(connection, id, pairing), was: status } };
}

/**
 * Returns a moved request's connection data, with the address that the office states, or our user's own for it: the
 * request's record may have another office's address, where its token must not go.
 */
function renewedLink({ baseURL, certificate, ownNetwork }: Node, id: string, { link, facts }: Asked): Link {
  const stated = certificate !== undefined || baseURL === '' ? facts?.addressB : undefined;
  const address = stated ?? baseURL;
  const pin = address === facts?.addressB ? facts.certificateB : undefined;
  return {
    ...omit(link, 'certificate'),
    baseURL: address,
    ownNetwork: ownNetwork || (link.ownNetwork && link.baseURL === address),
    ...(pin === undefined ? {} : { certificate: pin }),
    // By the id in the invite.
    ownNodeID: link.ownNodeID ?? id,
  };
}

/** Moves what was chosen to be shared at one record, and for no other office, to a connection that lacks these lists. */
async function moveShares(tx: Tx, id: string, connection: Node): Promise<void> {
  const { nodeID } = connection;
  const known = (await tx.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
  for (const { key, value } of await tx.find(EXPOSURES, 'node', id)) {
    const before = latestExposureOf(known, value.composeModuleID);
    if (value.deletedAt !== undefined || !isChosenFor(value, connection)) continue;
    if (before && before.deletedAt === undefined) continue;
    const earlier = before && { firstModuleID: before.firstModuleID ?? before.moduleID };
    tx.put(EXPOSURES, key, { ...value, nodeID, ...earlier });
    // The partner's list goes on by the new one.
    if (before) tx.put(EXPOSURES, before.moduleID, { ...before, ofAnother: true });
  }
}

/** Returns whether a record only holds an invite of ours that nobody has used yet. */
export const isOnlyInvited = ({ status, role, pairing, deletedAt, sealedToken }: Node): boolean =>
  status === 'pending' &&
  role === 'inviter' &&
  !pairing &&
  deletedAt === undefined &&
  sealedToken === undefined;

/** Returns whether a record only holds our unused invite in reply to one of the partner that has just connected. */
async function isReplyTo(tx: Tx, { certificate, baseURL }: Node, other: Node): Promise<boolean> {
  if (!isOnlyInvited(other) || other.invite === undefined) return false;
  const answered = (await tx.get(INVITES, other.invite.hash))?.answered;
  if (answered?.certificate !== certificate) return false;
  return certificate !== undefined || answered?.baseURL === baseURL;
}

/**
 * Returns the connection with the office of this request or connection that crossed it: our user approved the one while
 * our own request waited. Undefined if there is none. The installation of both is proven by its key.
 */
export async function findCrossedConnection(
  context: Pick<FederationContext, 'system'>,
  { nodeID, installation, role, crosses }: Pick<Node, 'nodeID' | 'installation' | 'role' | 'crosses'>,
): Promise<Node | undefined> {
  if (installation === undefined || !isDerivedFromKey(installation)) return undefined;
  const partners = await context.system.getMany(NODES, await allIDs(context));
  return partners.find(
    (node) =>
      node?.installation === installation &&
      node.role !== role &&
      (node.crosses === nodeID || crosses === node.nodeID) &&
      isConnected(node),
  );
}

/**
 * Returns our ids of the ended records of the office that this connection is with, whose installation is proven by key,
 * except those about which our user still has to be told something.
 */
export async function findEndedRecords(
  context: Pick<FederationContext, 'system'>,
  connected: Node,
): Promise<readonly string[]> {
  const { installation } = connected;
  if (installation === undefined || !isDerivedFromKey(installation) || !isConnected(connected)) return [];
  const partners = await context.system.getMany(NODES, await allIDs(context));
  return partners.flatMap((node) =>
    node?.installation === installation && isEnded(node) && !isUnsettled(node, connected)
      ? [node.nodeID]
      : [],
  );
}

/** Returns whether the partner asks us to remove its rows, or the words differed and no later ones were the same. */
function isUnsettled(ended: Node, { wordsCompared }: Node): boolean {
  const { removeRequestedAt, wordsDifferedAt, problem } = ended;
  if (removeRequestedAt !== undefined) return true;
  const differedThere =
    typeof problem === 'object' && 'code' in problem && problem.code === 'connection.words-differed-there';
  return wordsCompared === undefined && (wordsDifferedAt !== undefined || differedThere);
}

/** Returns our id of our request to this certificate, or address without one, that still waits, if any. */
export async function findOwnRequest(
  context: Pick<FederationContext, 'system'>,
  tx: Tx,
  { certificate, baseURL }: Pick<Node, 'certificate' | 'baseURL'>,
): Promise<string | undefined> {
  const partners = await tx.getMany(NODES, await allIDs(context));
  return partners.find((node) => {
    if (node?.pairing?.as !== 'invitee' || node.deletedAt !== undefined) return false;
    // A record that was connected still has the address before.
    const { link } = node.pairing;
    return link.certificate === certificate && (certificate !== undefined || link.baseURL === baseURL);
  })?.nodeID;
}

/** Returns whether a record is a connection without a pairing in progress. */
export const isConnected = ({ status, deletedAt, pairing }: Node): boolean =>
  status === 'paired' && deletedAt === undefined && pairing === undefined;

/** Returns whether a connection has ended and no pairing renews it; false for a removed record. */
export const isEnded = ({ status, deletedAt, pairing }: Node): boolean =>
  status === 'unpaired' && deletedAt === undefined && pairing === undefined;

const allIDs = async ({ system }: Pick<FederationContext, 'system'>): Promise<string[]> =>
  (await system.page(NODES, { limit: MAX_ENTRIES })).map(({ key }) => key);

/** Returns whether something is shared or offered over this connection, or our user paused it. */
export async function isInUse(tx: Tx, node: Node): Promise<boolean> {
  if (node.paused !== undefined || (await isShared(tx, node))) return true;
  return (await tx.find(SHARED_MODULES, 'node', node.nodeID)).length > 0;
}

/** Returns whether our user chose something to share with this partner. */
async function isShared(tx: Tx, { nodeID }: Node): Promise<boolean> {
  const exposures = await tx.find(EXPOSURES, 'node', nodeID);
  return exposures.some(({ value }) => value.deletedAt === undefined);
}
