import { isDerivedFromKey, type InstallationProof } from '../../base/installation-key.ts';
import { plainAddress } from '../../base/plain-address.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { said, type Words } from '../../words/said.ts';
import { parseFederationBase } from './addresses.ts';
import { canonicalRoutes, isOneOffice } from '../../base/routes.ts';
import { changeNode, findNode, nowOf, type FederationContext } from '../context.ts';
import { equalSecrets, sha256, tokenProof } from '../../base/hashes.ts';
import { parseNodeURI, signedInvite } from './node-uri.ts';
import { sealReceivedToken } from './seal-received-token.ts';
import { endCrossed, isKnownElsewhere } from './crossed-requests.ts';
import { isProven, notProven, proofOf } from './installation-proof.ts';
import { tokenInstallation } from './node-tokens.ts';
import { hasExpired, type Invites } from './invites.ts';
import type { Asked, Invited, Link, Node } from '../model.ts';
import type { Dialect } from '../../base/vocabulary.ts';
import {
  completePairing,
  failPairing,
  outOfOrder,
  beginPairing,
  type PairingRefusal,
} from './pairing-state.ts';
import type { Greeting } from '../ports.ts';
import { INVITES, NODES, ownIDOf, type Invite } from '../tables.ts';
import { verificationWords } from './words.ts';

/** Invitee (node B) asks us, the inviter (node A); without dialect. */
export interface IncomingHandshake {
  /** Ours in path, body and URI; each must be the invited partner's. */
  readonly nodeIDs: readonly string[];
  readonly inviteToken: string;
  /** For calling the partner. */
  readonly token: string;
  /** The partner's id of the pair; absent in live, where both use ours. */
  readonly nodeIDB?: string;
  /** The only possible one. */
  readonly dialect?: Dialect;
  readonly address?: string;
  /** Sent by Footbridges. */
  readonly footbridge?: Greeting;
}

/** The inviter's token for the invitee; a Footbridge's with proof of its installation. */
export interface Answer {
  readonly token: string;
  readonly proof?: InstallationProof | undefined;
}

export type Collected =
  { readonly state: 'waiting' } | ({ readonly state: 'ready' } & Answer) | { readonly state: 'ended' };

/** Each would take the other's rows for its own. */
const SAME_INSTALLATION = said('pairing.same-installation');

/** A partner's steps of pairing. A Footbridge that we can't call fetches their results. */
export class Handshakes {
  readonly #context: FederationContext;
  readonly #invites: Invites;

  constructor(context: FederationContext, invites: Invites) {
    this.#context = context;
    this.#invites = invites;
  }

  /**
   * Accepts a request as the inviter: marks the invite used and begins the pairing, which waits for our user. A repeat
   * changes nothing. Throws `unauthenticated` for an unknown invite or foreign ids, `gone` for a spent one, `conflict`
   * while another pairing runs, without proof, or for our own installation, `malformed` for two certificates.
   */
  async handshake(incoming: IncomingHandshake): Promise<Node> {
    const hash = sha256(incoming.inviteToken);
    const known = await this.#context.system.get(INVITES, hash);
    if (!known) throw unknownInvite();
    for (const n of incoming.nodeIDs) if (!(await this.#isIDOf(n, known))) throw unknownInvite();
    const node = await this.#context.system.get(NODES, known.nodeID);
    if (!node || node.deletedAt !== undefined || known.withdrawnAt !== undefined) throw gone('withdrawn');
    if (known.usedAt !== undefined) {
      if (isRepeat(node, hash, incoming.token)) return node;
      throw gone('used');
    }
    if (hasExpired(known, this.#context)) throw gone('expired');
    if (incoming.footbridge?.installation === this.#context.office.installation)
      throw new Refusal('conflict', 'pairing.same-installation', SAME_INSTALLATION);
    if (!isOneOffice(incoming.footbridge?.certificate, incoming.footbridge?.routes))
      throw new Refusal(
        'malformed',
        'pairing.certificates',
        'The address and the routes name two certificates.',
      );
    const held = await sealReceivedToken(this.#context, incoming.token);
    const isElsewhere = await isKnownElsewhere(this.#context, node, incoming.footbridge?.installation);
    return changeNode(this.#context, node.nodeID, async (current, tx) => {
      const invite = await tx.get(INVITES, hash);
      if (invite?.usedAt !== undefined) {
        if (isRepeat(current, hash, incoming.token)) return current;
        throw gone('used');
      }
      if (!invite || invite.withdrawnAt !== undefined) throw gone('withdrawn');
      // Only a new invite ends a pairing in progress (see Invites.create).
      if (current.pairing) throw outOfOrder(current);
      const usedAt = nowOf(this.#context);
      const { footbridge } = incoming;
      const facts = this.#factsForWords(current, invite, incoming);
      const claim = facts && { side: 'B' as const, facts };
      if (footbridge && !isProven(footbridge.installation, claim, footbridge.proof)) throw notProven();
      const proof = footbridge && sha256(collectProof(incoming.token, ownIDOf(invite)));
      tx.put(INVITES, hash, { ...invite, usedAt, ...(proof === undefined ? {} : { proof }) });
      const asked = beginPairing(current, {
        as: 'inviter',
        link: this.#requestedLink(current, invite, incoming, isElsewhere),
        invite: hash,
        was: current.status,
        tokenHash: sha256(incoming.token),
        ...held,
        ...(facts ? { facts } : {}),
      });
      return {
        ...asked,
        ...(current.name === '' && footbridge ? { name: plainName(footbridge.office) } : {}),
        invite: { hash, expiresAt: invite.expiresAt, usedAt },
      };
    });
  }

  /**
   * Completes the pairing as the invitee, with the inviter's token. Throws `conflict`. Without `by`, the id of our
   * token made for this answer, only a known token is accepted.
   */
  async complete(caller: Node, answer: Answer, by?: string): Promise<Node> {
    if (await this.#hasToken(caller, answer.token)) return caller;
    if (by === undefined) throw outOfOrder(caller);
    return this.#completeAsInvitee(caller, answer, (link) => link, by);
  }

  /** Completes the pairing with a token that we fetched; notes that the inviter can't call us. Throws `conflict`. */
  async completeCollected(nodeID: string, answer: Answer): Promise<Node> {
    return this.#completeAsInvitee(await findNode(this.#context.system, nodeID), answer, (link) => ({
      ...link,
      reach: 'we-call-them',
    }));
  }

  /**
   * Records that the inviter declined us: gives up the pairing and revokes our token. Throws `conflict` unless we are
   * the invitee of a pairing, with token `by` if given.
   */
  recordDeclined(nodeID: string, reason: Words, by?: string): Promise<Node> {
    return this.#changeAsInvitee(nodeID, by, (current, _pairing, tx) =>
      failPairing(this.#context.tokens, tx, current, reason),
    );
  }

  /**
   * As the invitee, returns the inviter's id of the pair and a proof that we made our request's token; with both we
   * fetch the inviter's answer, from who proves that it signed `invite`, if given. Throws `conflict`; fails the pairing if its token is of a signing key that we lost.
   */
  async collectProof(nodeID: string): Promise<{
    readonly sharedNodeID: string;
    readonly proof: string;
    readonly invite: string | undefined;
  }> {
    const node = await findNode(this.#context.system, nodeID);
    const { pairing } = node;
    if (pairing?.as !== 'invitee' || pairing.ownToken === undefined) throw outOfOrder(node);
    const token = await this.#context.tokens.recreate(pairing.ownToken);
    if (token === undefined) {
      // A wrong clock may be corrected.
      if (!(await this.#context.tokens.isOverdue(pairing.ownToken)))
        await this.recordDeclined(nodeID, said('pairing.renewed-meanwhile'), pairing.ownToken);
      throw outOfOrder(node);
    }
    const { sharedNodeID } = pairing.link;
    const invite = await this.#context.secrets.open(pairing.sealedInvite);
    return {
      sharedNodeID,
      proof: collectProof(token, sharedNodeID),
      invite: signedInvite(parseNodeURI(invite)),
    };
  }

  /**
   * As the inviter, returns our answer to an invitee that fetches it: `waiting` until our user has decided, or while
   * the token is overdue; `ended`; or the same token until it is used. Throws `pairing.proof` if id and proof match no
   * invite.
   */
  async collect(invitedID: string, proof: string): Promise<Collected> {
    const used = (await this.#context.system.find(INVITES, 'named', invitedID)).find(
      ({ value }) => value.proof !== undefined && equalSecrets(value.proof, sha256(proof)),
    );
    if (!used) throw new Refusal('unauthenticated', 'pairing.proof', 'This pairing is not known here.');
    const node = await this.#context.system.get(NODES, used.value.nodeID);
    const pairing = node?.deletedAt === undefined ? node?.pairing : undefined;
    if (pairing?.as !== 'inviter' || pairing.invite !== used.key) return { state: 'ended' };
    if (pairing.yes === undefined) return { state: 'waiting' };
    const token = await this.#context.tokens.recreate(pairing.yes.token);
    if (token !== undefined) {
      const facts = pairing.facts && { ...pairing.facts, tokenA: sha256(token) };
      const shown = facts && proofOf(this.#context.office.key, { side: 'A', facts });
      return { state: 'ready', token, ...(shown ? { proof: shown } : {}) };
    }
    return (await this.#context.tokens.isOverdue(pairing.yes.token))
      ? { state: 'waiting' }
      : { state: 'ended' };
  }

  /** Returns whether an id means the invited partner: the one in the invite, ours or the shared one. */
  async #isIDOf(id: string, invite: Invite): Promise<boolean> {
    const { nodeID } = invite;
    if (id === nodeID || id === ownIDOf(invite)) return true;
    const found = await findNode(this.#context.system, id).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    return found?.nodeID === nodeID;
  }

  /**
   * Returns the invitee's connection data. Its stated address replaces a pinned, missing or our own one, one of a
   * pairing given up, and our user's if another installation asks or one known elsewhere. Other software states none:
   * it keeps only its own, else ''.
   */
  #requestedLink(current: Node, invite: Invite, incoming: IncomingHandshake, isElsewhere: boolean): Link {
    const { footbridge, address, dialect } = incoming;
    const ownAddress = footbridge && parseFederationBase(footbridge.baseURL);
    const isNew = current.status === 'pending' || current.status === 'failed';
    const sharedNodeID = incoming.nodeIDB ?? ownIDOf(invite);
    // Pinned: from the partner, which may have moved. Others may be of an abandoned pairing.
    const isTheirs = current.certificate !== undefined || (isNew && current.sharedNodeID !== '0');
    // A Footbridge in other software's place isn't at its address.
    const before = current.installation ?? (isNew ? footbridge?.installation : undefined);
    const isAnothers = isElsewhere || (footbridge !== undefined && before !== footbridge.installation);
    const isUnknown =
      isTheirs ||
      isAnothers ||
      current.baseURL === '' ||
      current.baseURL === this.#invites.ownBaseURL(current);
    const isOfOther = !['0', sharedNodeID].includes(current.sharedNodeID);
    // Other software states none, and isn't at its predecessor's.
    const known = !footbridge && (current.footbridge || isOfOther) ? '' : current.baseURL;
    const baseURL = isUnknown && ownAddress !== undefined ? ownAddress : known;
    // A pin belongs to its own address; our user's may be a proxy's.
    const certificate = baseURL === ownAddress ? footbridge?.certificate : undefined;
    return {
      baseURL,
      sharedNodeID,
      ...(invite.ownNodeID === undefined ? {} : { ownNodeID: invite.ownNodeID }),
      footbridge: footbridge !== undefined,
      // Another installation's needs our user's approval.
      ownNetwork: current.ownNetwork && !(isAnothers && baseURL !== current.baseURL),
      ...(certificate === undefined ? {} : { certificate }),
      // It must answer us first, which proves the certificate.
      ...(footbridge ? { installation: footbridge.installation, reach: 'they-call-us' as const } : {}),
      ...(footbridge?.routes ? { routes: { ...footbridge.routes, revision: 0 } } : {}),
      ...(dialect === undefined ? {} : { dialect }),
      ...(address === undefined ? {} : { calledFrom: plainAddress(address) }),
    };
  }

  /** Returns what the verification words are made of, without the inviter's token; undefined for other software. */
  #factsForWords(current: Node, invite: Invite, incoming: IncomingHandshake): Asked['facts'] {
    const { footbridge, nodeIDB } = incoming;
    if (!footbridge || nodeIDB === undefined) return undefined;
    return {
      invite: invite.hash,
      tokenB: sha256(incoming.token),
      certificateA: invite.certificate,
      certificateB: footbridge.certificate,
      addressA: invite.baseURL ?? this.#invites.ownBaseURL(current),
      addressB: parseFederationBase(footbridge.baseURL),
      nodeA: ownIDOf(invite),
      nodeB: nodeIDB,
      // Older versions have none, and omit ours from their words.
      ...(footbridge.routes && {
        routesA: invite.routes && canonicalRoutes(invite.routes),
        routesB: canonicalRoutes(footbridge.routes),
      }),
    };
  }

  /** Returns whether we, as the invitee, have exactly this token: then the inviter repeats its answer. */
  async #hasToken({ sealedToken, role }: Node, token: string): Promise<boolean> {
    if (sealedToken === undefined || role !== 'invitee') return false;
    // If it can't be decrypted, pair again.
    const held = await this.#context.secrets.open(sealedToken).catch(() => undefined);
    return held !== undefined && equalSecrets(held, token);
  }

  /**
   * Stores and announces what `body` makes of our inviter's record. Throws `conflict` without its pairing or with
   * another `by`.
   */
  async #changeAsInvitee(
    nodeID: string,
    by: string | undefined,
    body: (current: Node, pairing: InvitedWithToken, tx: Tx) => Promise<Node>,
  ): Promise<Node> {
    return changeNode(this.#context, nodeID, (current, tx) =>
      body(current, ownPairingAsInvitee(current, by), tx),
    );
  }

  /** Fails the pairing, as the caller didn't prove its installation. Returns the error to throw. */
  async #failUnproven(nodeID: string, by: string | undefined): Promise<Refusal> {
    const refusal = notProven();
    await this.#changeAsInvitee(nodeID, by, (current, _pairing, tx) =>
      failPairing(this.#context.tokens, tx, current, refusal.words),
    );
    return refusal;
  }

  /**
   * As the invitee, stores the inviter's token and the words, and ends crossed requests; `along` changes the connection
   * data. Changes nothing if we have the token. Throws `conflict` if the pairing was replaced, `by` isn't its token, or
   * the inviter doesn't prove its installation, which fails the pairing, unless another program may have answered.
   */
  async #completeAsInvitee(
    { nodeID, pairing }: Node,
    { token, proof }: Answer,
    along: (link: Link) => Link,
    by?: string,
  ): Promise<Node> {
    const held = await sealReceivedToken(this.#context, token);
    const statedFacts = pairing?.link.footbridge === true ? pairing.facts : undefined;
    const facts = statedFacts && { ...statedFacts, tokenA: sha256(token) };
    const installation = pairing?.link.footbridge === true ? tokenInstallation(token) : undefined;
    const claim = facts && { side: 'A' as const, facts };
    const isShown = installation !== undefined && isProven(installation, claim, proof);
    // Another program at the address can't sign the facts of a request that it didn't get.
    const needsProof = by === undefined && pairing !== undefined && !isVouchedFor(pairing.link);
    if (needsProof && !(isShown && isDerivedFromKey(installation))) throw notProven();
    if (installation !== undefined && !isShown) throw await this.#failUnproven(nodeID, by);
    const words = facts && (await verificationWords(facts));
    return changeNode(this.#context, nodeID, async (current, tx, others) => {
      // Received and fetched at once: only the transaction knows the first.
      if (current.pairing === undefined && (await this.#hasToken(current, token))) return current;
      const now = ownPairingAsInvitee(current, by);
      if (now.invite !== pairing?.invite) throw outOfOrder(current);
      await this.#context.tokens.completePairingToken(tx, nodeID, now.ownToken);
      const link = along(now.link);
      const known = installation === undefined ? link : { ...link, installation };
      const outcome = { link: known, as: 'invitee' as const, ...held };
      const connected = await completePairing(
        tx,
        current,
        { ...outcome, ...(words === undefined ? {} : { words }) },
        nowOf(this.#context),
      );
      return endCrossed(this.#context, tx, connected, others);
    });
  }
}

type InvitedWithToken = Invited & Required<Pick<Invited, 'ownToken'>>;

/** Returns whether a certificate shows who answers: over plain http another program may have the address by now. */
const isVouchedFor = ({ baseURL, certificate }: Link): boolean =>
  certificate !== undefined || baseURL.startsWith('https:');

/** Returns the pairing. Throws `conflict` unless we accepted an invite and made a token for it (`by`). */
function ownPairingAsInvitee(node: Node, by: string | undefined): InvitedWithToken {
  const { pairing } = node;
  if (pairing?.as !== 'invitee' || pairing.ownToken === undefined) throw outOfOrder(node);
  if (by !== undefined && pairing.ownToken !== by) throw outOfOrder(node);
  return { ...pairing, ownToken: pairing.ownToken };
}

/** Returns the error, always the same, for what doesn't fit an invite, so that a caller can't probe. */
const unknownInvite = (): Refusal =>
  new Refusal(
    'unauthenticated',
    'invite.wrong' satisfies PairingRefusal,
    'The invite is not known here. Ask your partner for a new one.',
  );

function gone(what: keyof typeof GONE): Refusal {
  const code: PairingRefusal = `invite.${what}`;
  return new Refusal('gone', code, `The invite ${GONE[what]}. Ask your partner for a new one.`);
}

/** Returns whether B repeats its request: same invite, same token. */
function isRepeat({ pairing }: Node, hash: string, token: string): boolean {
  if (pairing?.as !== 'inviter' || pairing.invite !== hash) return false;
  return equalSecrets(pairing.tokenHash, sha256(token));
}

const GONE = {
  used: 'was used already',
  expired: 'has expired',
  withdrawn: 'was withdrawn',
} as const;

/** Returns the proof that an invitee has its token. `nodeID`: the inviter's id of the pair. */
export function collectProof(token: string, nodeID: string): string {
  return tokenProof(token, 'collects the answer to a pairing', `pairing ${nodeID}`);
}
