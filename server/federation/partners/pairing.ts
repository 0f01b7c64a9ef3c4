import type { InstallationProof } from '../../base/installation-key.ts';
import { omit } from '../../base/omit.ts';
import { plainAddress } from '../../base/plain-address.ts';
import { isOwnNetwork } from './addresses.ts';
import {
  endCrossed,
  findCrossedConnection,
  findOwnRequest,
  findAsker,
  isConnected,
  moveRequest,
} from './crossed-requests.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { said, type Words } from '../../words/said.ts';
import { describeClockSkew } from './clocks.ts';
import { changeNode, findCurrentNode, findNode, nowOf, type FederationContext } from '../context.ts';
import { canonicalRoutes, routesOfCanonical } from '../../base/routes.ts';
import { sha256 } from '../../base/hashes.ts';
import { proofOf } from './installation-proof.ts';
import type { Invites } from './invites.ts';
import type { PartnerCalls } from '../ports.ts';
import type { Asked, Invited, Link, Node, Pairing } from '../model.ts';
import { parseNodeURI, signedInvite, type NodeURI } from './node-uri.ts';
import {
  completePairing,
  abandonPairing,
  failPairing,
  OUT_OF_ORDER,
  PAIRING_REFUSALS,
  type PairingRefusal,
  approvedOutcome,
  outOfOrder,
  beginPairing,
  withLink,
} from './pairing-state.ts';
import { ownIDOf } from '../tables.ts';
import { verificationWords } from './words.ts';
import { z } from 'zod';

/** With what the partner gets, and the token for its answer. */
interface InviteInUse {
  readonly invited: Invited & Required<Pick<Invited, 'facts'>>;
  readonly token: string;
}

/** These statuses end the invite's use. */
const INVITE_IS_DONE = [401, 403, 404, 410];

/**
 * A user's steps of pairing (docs/pairing.md: Transitions): node B asks, node A approves. Out of order they
 * throw `conflict` and change nothing.
 */
export class PairingSteps {
  readonly #context: FederationContext;
  readonly #invites: Invites;
  readonly #busy = new Set<string>();

  constructor(context: FederationContext, invites: Invites) {
    this.#context = context;
    this.#invites = invites;
  }

  /**
   * Asks the inviter to pair, with a new token for it. Throws `conflict` without an invite or while another step runs,
   * `partner-failed` if the inviter refuses or can't be reached; the invite stays usable unless it says otherwise.
   */
  async pair(ourOrSharedID: string): Promise<Node> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    return this.#runExclusively(nodeID, async () =>
      this.#requestPairing(await findNode(this.#context.system, nodeID)),
    );
  }

  /**
   * Approves an invitee's request and sends a token, the same until it is refused; a Footbridge that can't be called
   * fetches it. Returns the record, or the connection that replaced the request. Throws `conflict`, or `partner-failed`
   * if the invitee refuses or other software can't be reached.
   */
  async confirm(ourOrSharedID: string): Promise<Node> {
    const { nodeID } = await findCurrentNode(this.#context.system, ourOrSharedID);
    return this.#runExclusively(nodeID, async () => {
      try {
        // Not of the replacing record: our user didn't see a later request there.
        return await this.#sendApproval(await findNode(this.#context.system, ourOrSharedID));
      } catch (error) {
        // The partner's own approval may have removed the request, even meanwhile.
        const current = await findCurrentNode(this.#context.system, ourOrSharedID);
        if (current.nodeID === ourOrSharedID || !isConnected(current)) throw error;
        return current;
      }
    });
  }

  /**
   * Runs `step`, and passes on its result or error. Throws `pairing.busy` (conflict) while another one runs for this
   * partner.
   */
  async #runExclusively<T>(nodeID: string, step: () => Promise<T>): Promise<T> {
    if (this.#busy.has(nodeID)) throw new Refusal('conflict', 'pairing.busy', said('pairing.busy'));
    this.#busy.add(nodeID);
    try {
      return await step();
    } finally {
      this.#busy.delete(nodeID);
    }
  }

  /**
   * Returns the pairing with our token and the facts for the words; stores both first, so that a repeat sends the same.
   * Throws `conflict` if the pairing was replaced.
   */
  async #withOwnToken(node: Node, invited: Invited, invite: NodeURI): Promise<InviteInUse> {
    const { ownToken, facts: before } = invited;
    const kept = ownToken === undefined ? undefined : await this.#context.tokens.recreate(ownToken);
    if (kept !== undefined && before) return { invited: { ...invited, facts: before }, token: kept };
    const { token, record } = this.#context.tokens.create(node.nodeID);
    const routes = this.#invites.ownRoutes();
    const facts = {
      invite: invited.invite,
      tokenB: record.hash,
      certificateA: invite.certificate,
      certificateB: this.#invites.ownPin(node),
      addressA: invite.baseURL,
      addressB: this.#invites.ownBaseURL(node),
      nodeA: invite.nodeID,
      nodeB: ownIDOf(node),
      // Older inviters omit routes from words and proof.
      ...(invite.routes && {
        routesA: canonicalRoutes(invite.routes),
        routesB: canonicalRoutes(routes),
      }),
    };
    const own = { ...invited, ownToken: record.jti, facts };
    await changeNode(this.#context, node.nodeID, async (current, tx) => {
      if (current.pairing?.invite !== invited.invite) throw outOfOrder(current);
      await this.#context.tokens.grant(tx, { ...record, pairing: 'answer' });
      return { ...current, pairing: { ...own, was: current.pairing.was } };
    });
    return { invited: own, token };
  }

  /**
   * Stores and announces what `body` makes of the record; only a new `updatedAt` unless this very pairing (role and
   * invite) is in progress.
   */
  #changePairing(
    { nodeID }: Node,
    { as, invite }: Pairing,
    body: (current: Node, tx: Tx) => Node | Promise<Node>,
  ): Promise<Node> {
    return changeNode(this.#context, nodeID, (current, tx) =>
      current.pairing?.as === as && current.pairing.invite === invite ? body(current, tx) : current,
    );
  }

  /**
   * Stores why our request failed, unless connected, and throws `partner-failed`. An invalid invite ends the pairing,
   * if its inviter says so. Returns the record if the inviter had approved already.
   */
  async #askFailed(node: Node, invited: Invited, invite: NodeURI, error: unknown): Promise<Node> {
    const failure = excuseExpiredInvite(partnerFailure(error), this.#context.clock.now());
    const isTheirs = mayBePartners(failure, invited.link) && isInviterKnown(invited.link, invite);
    const done = failure.refused && isTheirs && INVITE_IS_DONE.includes(failure.status ?? 0);
    const left = await this.#changePairing(node, invited, (current, tx) => {
      if (done) return failPairing(this.#context.tokens, tx, current, failure.message);
      return current.status === 'paired' ? current : { ...current, problem: failure.message };
    });
    if (left.pairing === undefined && left.status === 'paired' && left.sealedToken !== node.sealedToken)
      return left;
    throw partnerRefusal(failure, error, done);
  }

  /**
   * Sends our request, and stores the answer or why it failed. Throws `conflict` without an invite or if asked already,
   * `partner-failed` if the inviter refuses or can't be reached.
   */
  async #requestPairing(node: Node): Promise<Node> {
    if (node.pairing?.as !== 'invitee')
      throw new Refusal('conflict', 'pairing.no-invite', said('pairing.no-invite'));
    if (node.pairing.askedAt !== undefined) throw outOfOrder(node);
    const nodeURI = await this.#context.secrets.open(node.pairing.sealedInvite);
    const invite = parseNodeURI(nodeURI);
    const { invited, token } = await this.#withOwnToken(node, node.pairing, invite);
    const own = {
      baseURL: invited.facts.addressB,
      installation: this.#context.office.installation,
      proof: proofOf(this.#context.office.key, { side: 'B', facts: invited.facts }),
      office: this.#context.office.name(),
      certificate: invited.facts.certificateB,
      ...(invited.facts.routesB === undefined ? {} : { routes: routesOfCanonical(invited.facts.routesB) }),
    };
    let found: Awaited<ReturnType<PartnerCalls['handshake']>>;
    try {
      found = await this.#context.calls.handshake(withLink(node, invited.link), {
        nodeURI,
        inviteToken: invite.secret,
        signedInvite: signedInvite(invite),
        token,
        sharedNodeID: invite.nodeID,
        nodeIDB: ownIDOf(node),
        own,
      });
    } catch (error) {
      return this.#askFailed(node, invited, invite, error);
    }
    const { baseURL, footbridge, dialect } = found;
    return this.#changePairing(node, invited, (current) =>
      beginPairing(current, {
        ...(footbridge && dialect !== 'live' ? invited : omit(invited, 'facts')),
        link: { ...invited.link, baseURL, footbridge, ...(dialect === undefined ? {} : { dialect }) },
        askedAt: nowOf(this.#context),
      }),
    );
  }

  /**
   * Stores our user's approval with words and the only token, which a repeat returns again; its first use proves
   * receipt. A request that renews another record's connection moves there. Throws `conflict`; `pairing.used-by-other`
   * if a connected partner used another's invite, and asks from a new record.
   */
  async #recordApproval(node: Node, asked: Asked): Promise<{ confirmed: Node; asked: Asked; token: string }> {
    const kept = asked.yes && (await this.#context.tokens.recreate(asked.yes.token));
    if (kept !== undefined) return { confirmed: node, asked, token: kept };
    const asker = await findAsker(this.#context, node);
    if (asker && !asker.renews) throw usedByOther(asker.partner, node);
    const { token, record } = this.#context.tokens.create(asker?.partner.nodeID ?? node.nodeID);
    const words = asked.facts && (await verificationWords({ ...asked.facts, tokenA: record.hash }));
    // The user saw and approved this address, from which the request came.
    const link = callsFromOwnNetwork(asked.link) ? { ...asked.link, ownNetwork: true } : asked.link;
    const yes = { at: nowOf(this.#context), token: record.jti, ...(words === undefined ? {} : { words }) };
    const agreed: Asked = { ...asked, link, yes };
    const confirmed = await changeNode(this.#context, record.nodeID, async (current, tx, others) => {
      const request = { id: node.nodeID, pairing: agreed };
      const moved = asker && (await moveRequest(this.#context, tx, request, current, others));
      if (!moved && current.pairing?.invite !== asked.invite) throw outOfOrder(current);
      await this.#context.tokens.grant(tx, { ...record, pairing: 'first-use' });
      if (moved) return moved;
      const crosses = await findOwnRequest(this.#context, tx, link);
      return {
        ...beginPairing(omit(current, 'crosses'), agreed),
        ...(crosses === undefined ? {} : { crosses }),
      };
    });
    return { confirmed, asked: confirmed.pairing?.as === 'inviter' ? confirmed.pairing : agreed, token };
  }

  /**
   * As the inviter, approves, sends the token, completes the pairing, ends crossed requests. Returns the record, maybe
   * another one; it still waits if a Footbridge is to fetch the token. Throws `conflict`, `partner-failed`.
   */
  async #sendApproval(node: Node): Promise<Node> {
    if (node.pairing?.as !== 'inviter') throw outOfOrder(node);
    const { baseURL: statedURL, footbridge } = node.pairing.link;
    if (statedURL === '' && !footbridge)
      throw new Refusal('conflict', 'pairing.no-address', said('pairing.no-address'));
    const heldToken = await this.#context.secrets.open(node.pairing.sealedToken);
    const { confirmed, asked, token } = await this.#recordApproval(node, node.pairing);
    let baseURL: string;
    try {
      baseURL = await this.#context.calls.complete(withLink(confirmed, asked.link), {
        heldToken,
        token,
        ...this.#proofFor(asked, token),
      });
    } catch (error) {
      return this.#answerFailed(confirmed, asked, error);
    }
    return changeNode(this.#context, confirmed.nodeID, async (current, tx, others) => {
      const { pairing, status, certificate } = current;
      let connected: Node;
      if (pairing?.as === 'inviter' && pairing.invite === asked.invite) {
        if (asked.yes) await this.#context.tokens.completePairingToken(tx, current.nodeID, asked.yes.token);
        const link = { ...omit(asked.link, 'reach'), baseURL };
        connected = await completePairing(
          tx,
          current,
          approvedOutcome({ ...asked, link }),
          nowOf(this.#context),
        );
      } else if (pairing === undefined && status === 'paired' && certificate === asked.link.certificate) {
        // The partner used the token before answering.
        connected = omit(current, 'reach');
      } else {
        return current;
      }
      // Only its answer proves the certificate.
      return endCrossed(this.#context, tx, connected, others);
    });
  }

  /** Returns our proof of the installation that our token names; empty without facts or key. */
  #proofFor({ facts }: Asked, token: string): { readonly proof?: InstallationProof } {
    const proof =
      facts && proofOf(this.#context.office.key, { side: 'A', facts: { ...facts, tokenA: sha256(token) } });
    return proof ? { proof } : {};
  }

  /**
   * Handles an invitee's error for our approval. Its own refusal revokes the token and throws `partner-failed`, or
   * returns the connection if it approved our own request. After other errors a Footbridge is to fetch the token: the
   * record says so, or who else answered; other offices' throw too. A connected one that doesn't know its token only
   * ends the request.
   */
  async #answerFailed(node: Node, asked: Asked, error: unknown): Promise<Node> {
    const failure = excuseExpiredToken(partnerFailure(error), this.#context.clock.now());
    const isTheirs = mayBePartners(failure, asked.link);
    const saysNo = failure.refused && isTheirs && failure.code !== OUT_OF_ORDER && !isTemporary(failure);
    const waits = !saysNo && asked.link.footbridge;
    const left = await this.#changePairing(node, asked, async (current, tx) => {
      if (saysNo && failure.code === TOKEN_UNKNOWN && current.status === 'paired')
        return abandonPairing(this.#context.tokens, tx, current);
      const problem = waits && !isAnothers(error) ? WAITS_FOR_PARTNER : failure.message;
      // "Out of order": it has its token and fetches ours.
      const link = failure.code === OUT_OF_ORDER ? omit(asked.link, 'reach') : asked.link;
      const now = beginPairing(current, { ...(saysNo ? omit(asked, 'yes') : asked), link });
      if (saysNo && asked.yes) await this.#context.tokens.revoke(tx, node.nodeID, asked.yes.token);
      return current.status === 'paired' ? now : { ...now, problem };
    });
    if (waits || left.pairing?.invite !== asked.invite) return left;
    const request = { ...left, ...(asked.link.installation && { installation: asked.link.installation }) };
    const connected = saysNo && (await findCrossedConnection(this.#context, request));
    if (!connected) throw partnerRefusal(failure, error);
    // The partner approved our own request meanwhile, and ended this one.
    return changeNode(this.#context, connected.nodeID, async (current, tx, others) => {
      const merged = await endCrossed(this.#context, tx, current, others, [node.nodeID]);
      if (!isConnected(current) || others.length === 0) throw partnerRefusal(failure, error);
      return merged;
    });
  }
}

/** Returns the failure; if the invite expired only by a wrong clock, with words that say so and not as a refusal. */
function excuseExpiredInvite(failure: PartnerFailure, now: number): PartnerFailure {
  const apart = failure.status === EXPIRED ? describeClockSkew(failure.at, now) : undefined;
  if (apart === undefined) return failure;
  const message = said('clocks.invite-not-counted', { span: apart });
  return { refused: false, message };
}

/** Returns the failure; if our token expired only by a wrong clock, with words that say so and not as a refusal. */
function excuseExpiredToken(failure: PartnerFailure, now: number): PartnerFailure {
  const apart = failure.status === NOT_ACCEPTED ? describeClockSkew(failure.at, now) : undefined;
  if (apart === undefined) return failure;
  const message = said('clocks.answer-not-taken', { span: apart });
  return { refused: false, message };
}

/** Returns whether the refusal may be the partner's own: a proxy in front of a Footbridge has other codes. */
const mayBePartners = ({ code }: PartnerFailure, { footbridge }: Link): boolean =>
  !footbridge || PAIRING_REFUSALS.some((ours) => ours === code);

/**
 * Returns whether who answers our request is its inviter, by certificate or the signature of its invite. Other
 * software can't show it.
 */
const isInviterKnown = ({ footbridge, baseURL, certificate }: Link, { signature }: NodeURI): boolean =>
  !footbridge || baseURL.startsWith('https:') || (certificate ?? signature) !== undefined;

/** Returns whether the partner only couldn't take the call now: a timeout, too many calls, or its own error. */
const isTemporary = ({ status = 0 }: PartnerFailure): boolean =>
  status === 408 || status === 429 || status >= 500;

const EXPIRED = 410;
const NOT_ACCEPTED = 401;
/** A Footbridge doesn't know our token; proxies answer 401 too. */
const TOKEN_UNKNOWN: PairingRefusal = 'auth.wrong';

const usedByOther = ({ name: partner }: Node, { name: other }: Node): Refusal =>
  new Refusal('conflict', 'pairing.used-by-other', said('inbox.used-by-other', { partner, other }));

/** Returns whether the partner called from its announced address, on our own network. */
function callsFromOwnNetwork({ baseURL, calledFrom }: Pick<Link, 'baseURL' | 'calledFrom'>): boolean {
  if (baseURL === '' || calledFrom === undefined) return false;
  return plainAddress(new URL(baseURL).hostname) === calledFrom && isOwnNetwork(calledFrom);
}

/** Others that answer at the partner's address. */
const anothers = z.object({ name: z.enum(['AnotherProgram', 'AnotherFootbridge']) });
const isAnothers = (error: unknown): boolean => anothers.safeParse(error).success;

const WAITS_FOR_PARTNER = said('pairing.waits-for-them');

/** Refused or unreachable. */
interface PartnerFailure {
  readonly refused: boolean;
  readonly status?: number;
  /** The partner's. */
  readonly code?: string;
  /** The partner's time, in milliseconds since the epoch. */
  readonly at?: number;
  readonly message: Words;
}

const refusal = z.object({
  name: z.literal('PartnerRefused'),
  status: z.number().optional(),
  code: z.string().optional(),
  at: z.number().optional(),
});
/** Our errors have translatable words. */
const worded = z.object({
  words: z.custom<Words>((words) => typeof words === 'string' || typeof words === 'object'),
});

/**
 * Returns an error of {@link PartnerCalls} with its words; `refused`, with status, code and time, if the partner
 * answered.
 */
function partnerFailure(error: unknown): PartnerFailure {
  const message = wordsOf(error);
  const refused = refusal.safeParse(error);
  if (!refused.success) return { refused: false, message };
  const { status, code, at } = refused.data;
  return {
    refused: true,
    message,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(at === undefined ? {} : { at }),
  };
}

/**
 * Returns the failure as a `partner-failed` error: `partner.refused`, `partner.unreachable`, or, if it ended our
 * request, `partner.invite-over`, which trying again can't change.
 */
function partnerRefusal(failure: PartnerFailure, cause: unknown, isRequestOver = false): Refusal {
  const isOver = isRequestOver && failure.code?.startsWith('invite.') === true;
  const refused = isOver ? 'partner.invite-over' : 'partner.refused';
  const code = failure.refused ? refused : 'partner.unreachable';
  return new Refusal('partner-failed', code, failure.message, { cause });
}

/** Returns translatable words, else the message, else a general text. */
function wordsOf(error: unknown): Words {
  const own = worded.safeParse(error);
  if (own.success) return own.data.words;
  return error instanceof Error ? error.message : said('peer.not-reached');
}
