import { omit } from '../lists/omit.ts';
import { createHmac } from 'node:crypto';
import { Refusal } from '../lists/refusal.ts';
import { httpBase, plainAddress } from './addresses.ts';
import { changeNode, findNode, nowOf, type FederationContext } from './context.ts';
import { equalSecrets, sha256 } from './hashes.ts';
import type { Invites } from './invites.ts';
import type { Dialect, Node } from './model.ts';
import { heldTokenOf, outOfOrder } from './pairing.ts';
import type { Greeting } from './ports.ts';
import { INVITES, ISSUED_TOKENS, NODES } from './tables.ts';
import { verificationWords } from './words.ts';

/** What a partner (node B) sends to ask us (node A) to pair, freed from its dialect. */
export interface IncomingHandshake {
  /** Every id by which the request names us: in its path, its body, its URI. One of them must be the invited. */
  readonly nodeIDs: readonly string[];
  readonly inviteToken: string;
  /** The token for calling the partner. */
  readonly token: string;
  /** The partner's own id of the pair; absent in live, where both sides use ours. */
  readonly nodeIDB?: string;
  /** Known when the request could only be of one dialect. */
  readonly dialect?: Dialect;
  /** Where the request came from. */
  readonly address?: string;
  /** Sent by Footbridges. */
  readonly footbridge?: Greeting;
}

/** The steps of pairing that a partner takes with us, and what between Footbridges stands in for one. */
export interface Handshakes {
  /**
   * As node A. Exactly one request wins an invite; the same one again is answered as before.
   * @throws Refusal `unauthenticated` for a secret or partner that does not exist, without telling which;
   * `gone` for an invite that was used, has expired or was withdrawn
   */
  handshake(incoming: IncomingHandshake): Promise<Node>;
  /**
   * As node B: A's token. `caller` is the partner whose node token opened the call, or whom we asked for it
   * (`fetched`), since it cannot call us. @throws Refusal `conflict`
   */
  complete(caller: Node, token: string, options?: { readonly fetched?: boolean }): Promise<Node>;
  /** As node B behind a router: proves to A, without showing it, that we hold the token that we gave it. */
  collectProof(nodeID: string): Promise<{ readonly sharedNodeID: string; readonly proof: string }>;
  /** As node A: what B gets for its proof. The token is a fresh one at every call until one is used. */
  collect(n: string, proof: string): Promise<Collected>;
}

export type Collected =
  | { readonly state: 'waiting' }
  | { readonly state: 'ready'; readonly token: string }
  | { readonly state: 'ended' };

export function createHandshakes(context: FederationContext, invites: Invites): Handshakes {
  const { system, secrets, tokens } = context;

  const wrong = (): Refusal =>
    new Refusal(
      'unauthenticated',
      'invite.wrong',
      'The invite is not known here. Ask your partner for a new one.',
    );
  const gone = (what: string): Refusal =>
    new Refusal('gone', `invite.${what}`, `The invite ${GONE[what] ?? ''}. Ask your partner for a new one.`);

  /** B repeats a request whose answer got lost: same invite, same token, not confirmed yet. */
  async function isRepeat(node: Node, hash: string, token: string): Promise<boolean> {
    if (node.status !== 'pair_requested' || node.pairing?.invite !== hash || !node.sealedToken) return false;
    return equalSecrets(await secrets.open(node.sealedToken), token);
  }

  return {
    async handshake(incoming) {
      const hash = sha256(incoming.inviteToken);
      const known = await system.get(INVITES, hash);
      if (!known || !incoming.nodeIDs.includes(known.nodeID)) throw wrong();
      const node = await system.get(NODES, known.nodeID);
      if (!node || node.deletedAt !== undefined || known.withdrawnAt !== undefined) throw gone('withdrawn');
      if (known.usedAt !== undefined) {
        if (await isRepeat(node, hash, incoming.token)) return node;
        throw gone('used');
      }
      if (Date.parse(known.expiresAt) <= context.clock.now()) throw gone('expired');
      const held = await heldTokenOf(context, incoming.token);
      const own = invites.ownBase(node);
      return changeNode(context, node.nodeID, async (current, tx) => {
        const invite = await tx.get(INVITES, hash);
        if (invite?.usedAt !== undefined) throw gone('used');
        if (!invite || invite.withdrawnAt !== undefined) throw gone('withdrawn');
        const usedAt = nowOf(context);
        tx.put(INVITES, hash, { ...invite, usedAt });
        const { footbridge } = incoming;
        const told = footbridge && httpBase(footbridge.baseURL);
        const isUnknown = current.baseURL === '' || current.baseURL === own;
        const baseURL = isUnknown && told !== undefined ? told : current.baseURL;
        // A pin is for the address that it was told with; whoever gave another one may have a proxy there.
        const certificate = baseURL === told ? footbridge?.certificate : undefined;
        return {
          ...omit(current, ...STALE),
          ...held,
          baseURL,
          ...(certificate === undefined ? {} : { certificate }),
          ...(incoming.address === undefined ? {} : { calledFrom: plainAddress(incoming.address) }),
          ...(current.name === '' && footbridge ? { name: footbridge.office } : {}),
          ...(incoming.dialect === undefined ? {} : { dialect: incoming.dialect }),
          ...(footbridge ? { installation: footbridge.installation } : {}),
          footbridge: footbridge !== undefined,
          status: 'pair_requested',
          role: 'inviter',
          sharedNodeID: incoming.nodeIDB ?? current.nodeID,
          pairing: {
            invite: hash,
            tokenB: sha256(incoming.token),
            ...(invite.certificate === undefined ? {} : { certificate: invite.certificate }),
          },
          invite: { hash, expiresAt: invite.expiresAt, usedAt },
        };
      });
    },

    async complete(caller, token, options) {
      const held = await heldTokenOf(context, token);
      const words = caller.pairing && (await verificationWords({ ...caller.pairing, tokenA: sha256(token) }));
      return changeNode(context, caller.nodeID, (current) => {
        if (current.status !== 'pair_requested' || current.role !== 'invitee') throw outOfOrder(current);
        return {
          ...omit(current, 'problem', 'tokenExpiresAt', 'reach'),
          ...held,
          ...(options?.fetched === true ? { reach: 'we-call-them' as const } : {}),
          ...(words === undefined ? {} : { words }),
          status: 'paired',
        };
      });
    },

    async collectProof(nodeID) {
      const node = await findNode(system, nodeID);
      if (!node.pairing || node.role !== 'invitee') throw outOfOrder(node);
      return { sharedNodeID: node.sharedNodeID, proof: proofOf(node.pairing.tokenB, node.sharedNodeID) };
    },

    async collect(n, proof) {
      const node = await system.get(NODES, n);
      if (!node?.pairing || node.role !== 'inviter' || !equalSecrets(proof, proofOf(node.pairing.tokenB, n)))
        throw new Refusal('unauthenticated', 'pairing.proof', 'This pairing is not known here.');
      if (node.deletedAt !== undefined || (node.status !== 'pair_requested' && node.status !== 'paired'))
        return { state: 'ended' };
      if (node.confirmedAt === undefined) return { state: 'waiting' };
      const unused = (await system.find(ISSUED_TOKENS, 'node', n)).some(
        ({ value }) => value.firstUsedAt !== undefined && value.issuedAt >= (node.confirmedAt ?? ''),
      );
      if (unused) return { state: 'ended' };
      const { token, record } = tokens.make(n);
      const words = await verificationWords({ ...node.pairing, tokenA: record.hash });
      await changeNode(context, n, async (current, tx) => {
        if (current.confirmedAt === undefined) throw outOfOrder(current);
        await tokens.grant(tx, record);
        return { ...current, words };
      });
      return { state: 'ready', token };
    },
  };
}

/** What a new pairing leaves behind of the one before. */
const STALE = [
  'removeRequestedAt',
  'asksRemovalAt',
  'confirmedAt',
  'words',
  'problem',
  'tokenExpiresAt',
  'installation',
  'certificate',
  'reach',
  'calledFrom',
] as const;

const GONE: Record<string, string> = {
  used: 'was used already',
  expired: 'has expired',
  withdrawn: 'was withdrawn',
};

/** Keyed with what only the two of them know, so that reading it opens nothing else. */
function proofOf(tokenHash: string, nodeID: string): string {
  return createHmac('sha256', tokenHash).update(`pairing ${nodeID}`).digest('hex');
}
