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
 * While connecting a partner, removes other requests proven to be between the same offices ({@link isCrossed}) and our
 * unused replies to its invites, with tokens and invites, unless something is shared there. Returns the partner's
 * record, to be stored, completed by their contact details and permissions.
 * @param removed gets their ids
 * @param only the ids of removable requests; default: all
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

/** Marks a record that was never connected as deleted, without connection data; withdraws its tokens and invites. */
export async function removeRequest(context: FederationContext, tx: Tx, node: Node): Promise<void> {
  const now = nowOf(context);
  await withdrawAll(context.tokens, tx, node.nodeID, { by: '0', now });
  tx.put(NODES, node.nodeID, { ...withoutConnection(node), deletedAt: now, updatedAt: now });
}

/**
 * Returns the record with the contact details and permissions (own network, relay) that our user gave the same office's
 * other record; its own prevail. Permissions count only of our request, or of a connected record if this one is pinned.
 */
export function withDetailsOf(node: Node, other: Node): Node {
  const phone = node.phone ?? other.phone;
  // As our user allowed for the request. Without a pin anybody may be at the address.
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
 * Returns whether a record is only a request, the other way or superseded, between us and the partner just connected:
 * theirs that we haven't approved, proven by their installation's key, or ours to the certificate that they answered
 * with.
 */
function isCrossed(connected: Node, other: Node): boolean {
  const { installation, certificate, routes, role } = connected;
  const { pairing, status } = other;
  // With two of our invites, one request may be another office's, which copied the invite.
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
    // An approval's token may have connected the partner, which removes this pairing's rival.
    if (pairing.yes !== undefined) return false;
    const isProven = installation !== undefined && isDerivedFromKey(installation);
    return isProven && pairing.link.installation === installation;
  }
  // The partner may have answered on a route with another certificate.
  const isAnswered = ['', certificate].includes(routes?.pin ?? '');
  const isOurs = other.role === 'invitee' && certificate !== undefined;
  return isOurs && isAnswered && other.certificate === certificate;
}

/**
 * Returns whether the same record of the partner (its sharedNodeID) that sent this request has meanwhile connected by a
 * later invite. False for requests of ours.
 */
function isSuperseded(
  { sharedNodeID, tokenSince = '' }: Pick<Node, 'sharedNodeID' | 'tokenSince'>,
  { pairing }: Node,
): boolean {
  if (pairing?.as !== 'inviter') return false;
  return pairing.link.sharedNodeID === sharedNodeID && (pairing.tokenSince ?? '') < tokenSince;
}

/** Asks by an invite for another record. */
export interface Asker {
  readonly partner: Node;
  /** Our approval renews its connection; else it is refused. */
  readonly renews: boolean;
}

/**
 * Returns the connection, latest first, with the office that sent this request by an invite for another record, as its
 * key proves. An approval renews it if the request names the same record of the partner's. Otherwise, or if the
 * connection has ended, the request is refused where the invite's record has been connected, which would be lost to it;
 * else nothing is returned, and a new record connects as a second one.
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

/**
 * Returns whether `node`, paired now or earlier, is another record of the installation that sent `request`, which
 * awaits approval. False for a deleted record, and if the request renews the connection of its own record.
 */
function isOfAsker(node: Node, request: Node): boolean {
  const { nodeID, status, deletedAt, installation } = node;
  const { pairing } = request;
  if (pairing?.as !== 'inviter' || pairing.yes !== undefined || !pairing.facts) return false;
  const { link } = pairing;
  if (wasConnected(pairing) && request.installation === link.installation) return false;
  const isSame = installation === link.installation && nodeID !== request.nodeID;
  return isSame && wasConnected({ was: node.pairing?.was ?? status }) && deletedAt === undefined;
}

/** Returns whether this connection's partner asks, by its same record there, to renew it. */
const isRenewedBy = (node: Node, request: Node): boolean =>
  isOfAsker(node, request) &&
  node.status === 'paired' &&
  node.sharedNodeID === request.pairing?.link.sharedNodeID;

/** Returns whether this proven installation has records, none of them this one or at its address. */
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

/**
 * Returns a partner, not stored, to call about a request: its asker ({@link findAsker}), otherwise its own record, each
 * with the request's link. The address of the invite's record may be another office's.
 */
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
 * Moves a request, with its invite, to the connection that it renews ({@link findAsker}). Removes a record that was
 * never connected; its contact details and chosen shares move too. Returns the connection with the approved request in
 * place of its own. Throws `conflict` if either changed meanwhile.
 * @param moved gets the id of the request's record
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
  // The partner gave up the older of two requests.
  const present = connection.pairing?.as === 'inviter' ? connection.pairing : undefined;
  if (present && isSuperseded({ ...present, ...present.link }, request)) throw outOfOrder(connection);
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
 * Returns the connection data of a moved request (of the record `requestNodeID`), with the address that the office
 * states, or our user's for it: the request's record may have another office's, where its token must not go.
 */
function renewedLink(
  { baseURL, certificate, ownNetwork }: Node,
  requestNodeID: string,
  { link, facts }: Asked,
): Link {
  const stated = certificate !== undefined || baseURL === '' ? facts?.addressB : undefined;
  const address = stated ?? baseURL;
  const pin = address === facts?.addressB ? facts.certificateB : undefined;
  return {
    ...omit(link, 'certificate'),
    baseURL: address,
    ownNetwork: ownNetwork || (link.ownNetwork && link.baseURL === address),
    ...(pin === undefined ? {} : { certificate: pin }),
    // By the id in the invite.
    ownNodeID: link.ownNodeID ?? requestNodeID,
  };
}

/**
 * Moves open shares of the record `requestNodeID` chosen for no other office to a connection that shares none of these
 * lists. They continue its withdrawn shares of the same lists, which nothing revives then.
 */
async function moveShares(tx: Tx, requestNodeID: string, connection: Node): Promise<void> {
  const { nodeID } = connection;
  const known = (await tx.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
  for (const { key, value } of await tx.find(EXPOSURES, 'node', requestNodeID)) {
    const before = latestExposureOf(known, value.composeModuleID);
    if (value.deletedAt !== undefined || !isChosenFor(value, connection)) continue;
    if (before && before.deletedAt === undefined) continue;
    const earlier = before && { firstModuleID: before.firstModuleID ?? before.moduleID };
    tx.put(EXPOSURES, key, { ...value, nodeID, ...earlier });
    // The new one continues the partner's list.
    if (before) tx.put(EXPOSURES, before.moduleID, { ...before, ofAnother: true });
  }
}

/** Returns whether a record is only an unused invite of ours. */
export const isOnlyInvited = ({ status, role, pairing, deletedAt, sealedToken }: Node): boolean =>
  status === 'pending' &&
  role === 'inviter' &&
  !pairing &&
  deletedAt === undefined &&
  sealedToken === undefined;

/**
 * Returns whether a record is only our unused reply to an invite of the partner just connected, by its certificate or,
 * without one, its address.
 */
async function isReplyTo(tx: Tx, { certificate, baseURL }: Node, other: Node): Promise<boolean> {
  if (!isOnlyInvited(other) || other.invite === undefined) return false;
  const answered = (await tx.get(INVITES, other.invite.hash))?.answered;
  if (answered?.certificate !== certificate) return false;
  return certificate !== undefined || answered?.baseURL === baseURL;
}

/**
 * Returns the same office's connection that crossed this one or this request: our user approved one while our own
 * request waited. Undefined without one; keys must prove the installation.
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
 * Returns ids of ended records of this connection's office, proven by key, except those about which our user must still
 * be told something.
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

/**
 * Returns whether the ended record's partner asks us to remove its rows. Also if its words differed, here or there, and
 * our user hasn't compared those of the new connection.
 */
function isUnsettled(ended: Node, { wordsCompared }: Node): boolean {
  const { removeRequestedAt, wordsDifferedAt, problem } = ended;
  if (removeRequestedAt !== undefined) return true;
  const differedThere =
    typeof problem === 'object' && 'code' in problem && problem.code === 'connection.words-differed-there';
  return wordsCompared === undefined && (wordsDifferedAt !== undefined || differedThere);
}

/**
 * Returns the id of our waiting request to this certificate, or to this address without one; undefined if there is
 * none.
 */
export async function findOwnRequest(
  context: Pick<FederationContext, 'system'>,
  tx: Tx,
  { certificate, baseURL }: Pick<Node, 'certificate' | 'baseURL'>,
): Promise<string | undefined> {
  const partners = await tx.getMany(NODES, await allIDs(context));
  return partners.find((node) => {
    if (node?.pairing?.as !== 'invitee' || node.deletedAt !== undefined) return false;
    // A formerly connected record keeps its old address.
    const { link } = node.pairing;
    return link.certificate === certificate && (certificate !== undefined || link.baseURL === baseURL);
  })?.nodeID;
}

/** Returns whether the record is a connection without a pairing in progress. */
export const isConnected = ({ status, deletedAt, pairing }: Node): boolean =>
  status === 'paired' && deletedAt === undefined && pairing === undefined;

/** Returns whether a connection ended and no pairing renews it; false for a removed record. */
export const isEnded = ({ status, deletedAt, pairing }: Node): boolean =>
  status === 'unpaired' && deletedAt === undefined && pairing === undefined;

const allIDs = async ({ system }: Pick<FederationContext, 'system'>): Promise<string[]> =>
  (await system.page(NODES, { limit: MAX_ENTRIES })).map(({ key }) => key);

/** Returns whether something is shared, or offered even if withdrawn since, or our user paused the connection. */
export async function isInUse(tx: Tx, node: Node): Promise<boolean> {
  if (node.paused !== undefined || (await isShared(tx, node))) return true;
  return (await tx.find(SHARED_MODULES, 'node', node.nodeID)).length > 0;
}

/** Returns whether any list is shared with the partner now. */
async function isShared(tx: Tx, { nodeID }: Node): Promise<boolean> {
  const exposures = await tx.find(EXPOSURES, 'node', nodeID);
  return exposures.some(({ value }) => value.deletedAt === undefined);
}
