import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import { said, type Words } from '../../words/said.ts';
import { changeNode, findNode, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { claimedInstallation } from './claimed-installation.ts';
import { wasConnected, type PairingRefusal } from './pairing-state.ts';
import { sealReceivedToken } from './seal-received-token.ts';
import type { Identity, Role } from './identity.ts';
import { ReplacedTokenError } from './replaced-token.ts';
import { TokenExpiredError } from './token-expired.ts';
import type { UserKey } from './user-key.ts';
import type { TokenLife } from './user-token-lives.ts';

/** A Corteza server asks every minute or two with each of its records; one unused for longer is gone. */
const SUPERSEDED_MS = 10 * 60_000;

export class Tokens {
  readonly #context: FederationContext;
  readonly #userKey: UserKey;
  readonly #isOver: (life: TokenLife) => boolean;
  /** A partner sent a request with its token. */
  readonly #onAsked: (nodeID: string) => void;
  /** By partner id: last use (milliseconds) of an earlier pairing's token. */
  readonly #supersededAt = new Map<string, number>();

  constructor(
    context: FederationContext,
    users: { readonly key: UserKey; readonly isOver: (life: TokenLife) => boolean },
    onAsked: (nodeID: string) => void,
  ) {
    this.#context = context;
    this.#userKey = users.key;
    this.#isOver = users.isOver;
    this.#onAsked = onAsked;
  }

  /** Returns a new, unlisted JWT for a user of this office. */
  issueUserToken(role: Role, milliseconds: number): string {
    return this.#userKey.issue(role, milliseconds, this.#context.clock.now());
  }

  /** Returns who calls; for a connected partner also calls `onAsked`. Throws `unauthenticated` with a reason. */
  async verify(bearer: string): Promise<Identity> {
    const partner = await this.#context.tokens.verify(bearer);
    if (partner?.kind === 'node') this.#onAsked(partner.node.nodeID);
    const known = partner ?? this.#userKey.verify(bearer, this.#isOver);
    if (known) return known;
    throw await this.#rejectionOf(bearer);
  }

  /** Returns when the partner last used an earlier pairing's token; undefined after ten minutes. */
  supersededUse(nodeID: string): string | undefined {
    const at = this.#supersededAt.get(nodeID);
    const isLately = at !== undefined && this.#context.clock.now() - at < SUPERSEDED_MS;
    return isLately ? new Date(at).toISOString() : undefined;
  }

  /** Issues a partner's next token ({@link NodeTokens.renew}). */
  renew(nodeID: string): Promise<{ token: string; expiresAt: string }> {
    return this.#context.tokens.renew(nodeID);
  }

  /** Proves to a holder of our token that we issued it ({@link NodeTokens.proveIssued}). */
  proveIssued(unsigned: string, challenge: string): string {
    return this.#context.tokens.proveIssued(unsigned, challenge);
  }

  /** Returns a partner's installation; undefined if another connected office claims it too. */
  installation(node: Node): Promise<string | undefined> {
    return claimedInstallation(this.#context.system, node);
  }

  /**
   * Returns our token for this partner, else, for a record never connected, the one in its request to pair. Throws
   * `node.no-token`.
   */
  async tokenFor(nodeID: string): Promise<string> {
    const node = await findNode(this.#context.system, nodeID);
    const { pairing } = node;
    // A formerly connected record has the former partner's address.
    const asked = pairing?.as === 'inviter' && !wasConnected(pairing) ? pairing.sealedToken : undefined;
    const { sealedToken = asked } = node;
    if (sealedToken !== undefined) return this.#context.secrets.open(sealedToken);
    throw new Refusal('conflict', 'node.no-token', said('connection.no-key'));
  }

  /** Returns our previous token of the same pairing; undefined without one. */
  async earlierToken({ sealedBefore }: Node): Promise<string | undefined> {
    return sealedBefore === undefined ? undefined : this.#context.secrets.open(sealedBefore);
  }

  /**
   * Stores and announces a renewed token, encrypted, and the one that asked for it (`by`) as the earlier one. If the
   * connection has another token by now, it stays.
   */
  async storeRenewed(before: Node, token: string, by: 'current' | 'earlier'): Promise<Node> {
    const { nodeID, sealedToken, sealedBefore } = before;
    const held = await sealReceivedToken(this.#context, token);
    const usedFor = by === 'current' ? sealedToken : sealedBefore;
    const kept = usedFor === undefined ? {} : { sealedBefore: usedFor };
    return changeNode(this.#context, nodeID, (node) =>
      node.sealedToken === sealedToken ? { ...omit(node, 'tokenExpiresAt'), ...held, ...kept } : node,
    );
  }

  /**
   * Returns the error for an invalid token, which tells its former owner why it ended. Records that other software used
   * an earlier pairing's.
   */
  async #rejectionOf(bearer: string): Promise<Refusal> {
    const { tokens } = this.#context;
    const former = await tokens.findFormerOwner(bearer);
    if (former?.asksRemovalAt !== undefined)
      return invalidToken('auth.removal-asked', said('connection.ended-remove'));
    if (former?.wordsDifferedAt !== undefined)
      return invalidToken('auth.words-differ', said('connection.words-differ'));
    if (former && (former.deletedAt !== undefined || former.status === 'unpaired'))
      return invalidToken('auth.ended', said('connection.ended-by-them'));
    if (former?.status === 'paired' && !former.footbridge) {
      this.#supersededAt.set(former.nodeID, this.#context.clock.now());
      const words = said('connection.superseded', { partner: former.name });
      return new Refusal('unauthenticated', 'auth.superseded', words);
    }
    if (former && (await tokens.wasJustRevoked(bearer))) return new ReplacedTokenError();
    const late = await tokens.findExpiredOwner(bearer);
    if (late) return new TokenExpiredError(late);
    if (tokens.isOfOtherFootbridge(bearer))
      return new Refusal('unauthenticated', 'auth.another', said('connection.another-key'));
    return invalidToken('auth.wrong', said('connection.token-not-valid'));
  }
}

const invalidToken = (code: PairingRefusal, words: Words): Refusal =>
  new Refusal('unauthenticated', code, words);
