import { omit } from '../../base/omit.ts';
import type { Tx } from '../../store/store.ts';
import { said, type Words } from '../../words/said.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Asked, Exposure, Link, Node, Pairing } from '../model.ts';
import { EXPOSURES, INVITES } from '../tables.ts';

/**
 * Returns the record with this pairing, or this next step of its own; unless connected `pending`, once asked
 * `pair_requested`. One never connected takes its connection data at once, but no consent to a relay: an invite that is
 * given up leaves none.
 */
export function beginPairing(node: Node, step: Pairing): Node {
  // The connection may have ended meanwhile.
  const was = node.pairing?.invite === step.invite ? node.pairing.was : step.was;
  const pairing: Pairing = { ...step, was };
  const isAsked = pairing.as === 'inviter' || pairing.askedAt !== undefined;
  const own = wasConnected(pairing) ? node : withLink(node, omit(pairing.link, 'relayConsent'));
  if (node.status === 'paired') return { ...own, pairing };
  return {
    ...omit(own, 'problem'),
    role: pairing.as,
    status: isAsked ? 'pair_requested' : 'pending',
    pairing,
  };
}

export interface Outcome extends Pick<Node, 'sealedToken' | 'tokenSince' | 'tokenExpiresAt' | 'words'> {
  readonly link: Link;
  readonly as: Pairing['as'];
}

/**
 * Returns the record as paired, to be stored. Keeps what our user allowed for the same partner. Ends, for good, all
 * shares if it was connected with another one, else those chosen for another one ({@link isChosenFor}).
 */
export async function completePairing(
  tx: Tx,
  node: Node,
  { link, as, ...held }: Outcome,
  now: string,
): Promise<Node> {
  const joined: Node = { ...withLink(omit(node, ...STALE), link), ...held, role: as, status: 'paired' };
  const isAgain = node.pairing !== undefined && wasConnected(node.pairing);
  const isAnother = isAgain && identityOf(node) !== identityOf(joined);
  const { relayConsent, certificate } = link;
  const isSame = isAgain && !isAnother;
  const after: Node = {
    ...(isSame || relayConsent !== undefined ? joined : omit(joined, 'relayConsent')),
    // "Elsewhere" holds for today's network: a laptop comes back. Without a pin anybody may be at the
    // address.
    ownNetwork: link.ownNetwork || (isSame && node.ownNetwork && certificate !== undefined),
  };
  await closeShares(
    tx,
    node.nodeID,
    { by: '0', now, forGood: true },
    (exposure) => isAnother || !isChosenFor(exposure, after),
  );
  return after;
}

/** Returns whether the record was connected before, with any office. */
export const wasConnected = ({ was }: Pick<Pairing, 'was'>): boolean =>
  was === 'paired' || was === 'unpaired';

/** Returns whether a share was chosen for the partner's installation, the address where we call it, or nobody. */
export const isChosenFor = (
  { chosenFor }: Pick<Exposure, 'chosenFor'>,
  { installation, baseURL, reach }: Node,
): boolean =>
  chosenFor === undefined ||
  chosenFor === installation ||
  (chosenFor === baseURL && reach !== 'they-call-us');

/** Returns what identifies a partner: its installation, or other software's address; undefined without either. */
export const identityOf = ({
  installation,
  baseURL,
}: Pick<Node, 'installation' | 'baseURL'>): string | undefined =>
  installation ?? (baseURL === '' ? undefined : baseURL);

/**
 * Returns what an address or dialect entered by our user is for: `request` if other software asks in the place of a
 * partner that was connected, `connection` if another record's address asks, otherwise `both` (also without a request).
 */
export function enteredFor(node: Node): 'request' | 'connection' | 'both' {
  const { sharedNodeID, baseURL, certificate, pairing } = node;
  if (!pairing || !wasConnected(pairing)) return 'both';
  const { as, link } = pairing;
  if (as === 'inviter' && !link.footbridge) return 'request';
  const isPinned = certificate !== undefined && link.certificate === certificate;
  return isPinned || link.sharedNodeID === sharedNodeID || link.baseURL === baseURL ? 'both' : 'connection';
}

export interface Closing {
  readonly by: string;
  /** ISO 8601. */
  readonly now: string;
  /** Another installation follows: nothing revives these shares. */
  readonly forGood?: true;
}

/**
 * Within a transaction, ends the partner's open shares for which `which` is true. With `forGood` nothing revives these,
 * nor such as had ended.
 */
export async function closeShares(
  tx: Tx,
  nodeID: string,
  { by, now, forGood }: Closing,
  which: (exposure: Exposure) => boolean = () => true,
): Promise<void> {
  for (const { key, value } of await tx.find(EXPOSURES, 'node', nodeID)) {
    if (!which(value)) continue;
    const closed = value.deletedAt === undefined ? { ...value, deletedAt: now, updatedBy: by } : value;
    const after: Exposure = forGood === undefined ? closed : { ...closed, ofAnother: true };
    if (after !== value) tx.put(EXPOSURES, key, after);
  }
}

/** A new pairing removes these. */
const STALE = [
  'pairing',
  'problem',
  'endedByTime',
  'words',
  'wordsCompared',
  'sealedBefore',
  'tokenSince',
  'tokenExpiresAt',
  'removeRequestedAt',
  'asksRemovalAt',
  'wordsDifferedAt',
] as const;

/** Returns what an approved request leaves in the partner's record. */
export function approvedOutcome({ link, sealedToken, tokenSince, tokenExpiresAt, yes }: Asked): Outcome {
  return {
    link,
    as: 'inviter',
    sealedToken,
    ...(tokenSince === undefined ? {} : { tokenSince }),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt }),
    ...(yes?.words === undefined ? {} : { words: yes.words }),
  };
}

interface Revoke {
  revoke(tx: Tx, nodeID: string, jti?: string): Promise<void>;
}

/**
 * Gives up a pairing, if any: revokes its token, and returns the record, to be stored. Its former status replaces
 * `pending` and `pair_requested`.
 */
export async function abandonPairing(tokens: Revoke, tx: Tx, node: Node): Promise<Node> {
  const { pairing } = node;
  if (!pairing) return node;
  const jti = pairing.as === 'invitee' ? pairing.ownToken : pairing.yes?.token;
  if (jti !== undefined) await tokens.revoke(tx, node.nodeID, jti);
  const left = omit(node, 'pairing');
  const isOfPairing = node.status === 'pending' || node.status === 'pair_requested';
  return isOfPairing ? { ...left, status: pairing.was } : left;
}

/**
 * Gives up a pairing; a record that isn't connected also gets the problem, and one that never was the status `failed`.
 */
export async function failPairing(tokens: Revoke, tx: Tx, node: Node, problem: Words): Promise<Node> {
  const left = await abandonPairing(tokens, tx, node);
  if (left.status === 'paired') return left;
  return { ...left, problem, status: left.status === 'pending' ? 'failed' : left.status };
}

/**
 * Sets a pairing's connection data; removes certificate, installation, routes, reach and our id there if `link` lacks
 * them. A consent to a relay stays then, as does other software's dialect; a Footbridge's is removed.
 */
export function withLink(node: Node, link: Link): Node {
  const known = omit(node, 'certificate', 'installation', 'calledFrom', 'reach', 'routes', 'ownNodeID');
  return { ...(node.footbridge || link.footbridge ? omit(known, 'dialect') : known), ...link };
}

/** A Footbridge's refusals of an invite, proof, token or path in pairing; a proxy's codes differ. */
export const PAIRING_REFUSALS = [
  ...(['invite.wrong', 'invite.used', 'invite.expired', 'invite.withdrawn', 'pairing.not-shown'] as const),
  ...(['auth.wrong', 'auth.token-over', 'auth.ended', 'auth.removal-asked', 'auth.words-differ'] as const),
  'request.unknown-address',
] as const;
export type PairingRefusal = (typeof PAIRING_REFUSALS)[number];

export const OUT_OF_ORDER = 'pairing.out-of-order';

/** Returns a conflict: the pairing's state, which its words name, doesn't allow the step. */
export function outOfOrder(node: Node): Refusal {
  const state = {
    pending: said('pairing.state-pending'),
    pair_requested: said('pairing.state-requested'),
    paired: said('pairing.state-paired'),
  };
  const words = node.status in state ? state[node.status as keyof typeof state] : said('pairing.state-none');
  return new Refusal('conflict', OUT_OF_ORDER, said('pairing.out-of-order', { state: words }));
}

/**
 * Revokes tokens, withdraws unused invites and ends shares of a partner. Within a transaction; the shares can be
 * revived.
 */
export async function withdrawAll(
  tokens: Revoke,
  tx: Tx,
  nodeID: string,
  closing: Omit<Closing, 'forGood'>,
): Promise<void> {
  await tokens.revoke(tx, nodeID);
  for (const { key, value } of await tx.find(INVITES, 'node', nodeID)) {
    if (value.usedAt === undefined && value.withdrawnAt === undefined)
      tx.put(INVITES, key, { ...value, withdrawnAt: closing.now });
  }
  await closeShares(tx, nodeID, closing);
}

/** Returns the record as `unpaired`, without token, words, problem, invite and pairing. */
export const withoutConnection = (node: Node): Node => ({
  ...omit(
    node,
    ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'words', 'wordsCompared'] as const),
    ...(['invite', 'problem', 'pairing', 'endedByTime'] as const),
  ),
  status: 'unpaired',
});
