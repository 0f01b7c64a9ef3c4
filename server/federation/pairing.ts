import { omit } from '../lists/omit.ts';
import { Refusal } from '../lists/refusal.ts';
import type { Tx } from '../store/store.ts';
import { plainAddress } from './addresses.ts';
import { changeNode, findNode, type FederationContext } from './context.ts';
import { equalSecrets, sha256 } from './hashes.ts';
import type { Invites } from './invites.ts';
import type { IssuedToken, Node } from './model.ts';
import { tokenExpiry } from './node-tokens.ts';
import { parseNodeURI } from './node-uri.ts';
import { partnerFailure, partnerRefusal, type PartnerFailure } from './partner-failure.ts';
import { ISSUED_TOKENS } from './tables.ts';
import { verificationWords } from './words.ts';
import { said } from '../words/said.ts';

/**
 * The steps of pairing that a user of this office takes (design §6): as invitee (node B) to ask, as inviter
 * (node A) to say yes. Each checks the state that it needs; out of order it changes nothing: `conflict`.
 */
export interface Pairing {
  /**
   * B asks A. @throws Refusal `conflict` without an invite, `partner-failed` when A refuses or cannot be
   * reached; then the invite is kept for another try, unless A says that it is no good.
   */
  pair(n: string): Promise<Node>;
  /**
   * A says yes and gives B its token. A Footbridge that cannot be called fetches the token itself; any other
   * partner must be reachable. @throws Refusal `conflict`, `partner-failed`
   */
  confirm(n: string): Promise<Node>;
}

/** What a new pairing leaves behind of the one before. */
const STALE = [
  'sealedInvite',
  'sealedOwnToken',
  'problem',
  'words',
  'confirmedAt',
  'removeRequestedAt',
  'asksRemovalAt',
  'reach',
] as const;

/** Answers that say that this invite will never do. */
const INVITE_IS_DONE = [401, 403, 404, 410];

export function createPairing(context: FederationContext, invites: Invites): Pairing {
  const { system, secrets, tokens, calls } = context;
  const busy = new Set<string>();

  /** Both steps wait for the partner; a second one meanwhile would take a state that is about to change. */
  async function alone<T>(nodeID: string, step: () => Promise<T>): Promise<T> {
    if (busy.has(nodeID))
      throw new Refusal(
        'conflict',
        'pairing.busy',
        said`The partner is being asked right now. Wait for the answer.`,
      );
    busy.add(nodeID);
    try {
      return await step();
    } finally {
      busy.delete(nodeID);
    }
  }

  /** The token that B gives to A: the same again when A may have taken it without B hearing the answer. */
  async function ownToken(node: Node): Promise<{ token: string; hash: string }> {
    if (node.sealedOwnToken !== undefined) {
      const token = await secrets.open(node.sealedOwnToken);
      if (await tokens.isGood(token)) return { token, hash: sha256(token) };
    }
    const { token, record } = tokens.make(node.nodeID);
    const sealedOwnToken = await secrets.seal(token);
    await changeNode(context, node.nodeID, async (current, tx) => {
      await tokens.grant(tx, record);
      return { ...current, sealedOwnToken };
    });
    return { token, hash: record.hash };
  }

  async function askFailed(nodeID: string, failure: PartnerFailure): Promise<never> {
    const done = failure.refused && INVITE_IS_DONE.includes(failure.status ?? 0);
    await changeNode(context, nodeID, async (current, tx) => {
      const kept = { ...current, problem: failure.message };
      if (!done) return kept;
      if (current.sealedOwnToken !== undefined) {
        const hash = sha256(await secrets.open(current.sealedOwnToken));
        await revokeByHash(tx, nodeID, hash);
      }
      const status = current.status === 'pending' ? ('failed' as const) : current.status;
      return { ...omit(kept, 'sealedInvite', 'sealedOwnToken'), status };
    });
    throw partnerRefusal(failure);
  }

  async function revokeByHash(tx: Tx, nodeID: string, hash: string): Promise<void> {
    for (const { value } of await tx.find(ISSUED_TOKENS, 'node', nodeID)) {
      if (equalSecrets(value.hash, hash)) await tokens.revoke(tx, nodeID, value.jti);
    }
  }

  async function ask(node: Node): Promise<Node> {
    if (node.sealedInvite === undefined)
      throw new Refusal(
        'conflict',
        'pairing.no-invite',
        said`There is no invite to use. Paste one from the partner first.`,
      );
    const nodeURI = await secrets.open(node.sealedInvite);
    const invite = parseNodeURI(nodeURI);
    const own = await ownToken(node);
    let found: Awaited<ReturnType<typeof calls.handshake>>;
    try {
      found = await calls.handshake(node, {
        nodeURI,
        inviteToken: invite.secret,
        token: own.token,
        sharedNodeID: invite.nodeID,
        nodeIDB: node.nodeID,
        own: {
          baseURL: invites.ownBase(node),
          installation: context.office.installation,
          office: context.office.name(),
          certificate: invites.ownPin(node),
        },
      });
    } catch (error) {
      return askFailed(node.nodeID, partnerFailure(error));
    }
    return changeNode(context, node.nodeID, (current) => ({
      ...omit(current, ...STALE),
      status: 'pair_requested',
      role: 'invitee',
      sharedNodeID: invite.nodeID,
      baseURL: found.baseURL,
      footbridge: found.footbridge,
      ...(found.dialect === undefined ? {} : { dialect: found.dialect }),
      pairing: {
        invite: sha256(invite.secret),
        tokenB: own.hash,
        ...(invite.certificate === undefined ? {} : { certificate: invite.certificate }),
      },
    }));
  }

  /** Notes the yes and grants A's token, so that its first use proves that B has it, whatever we heard. */
  async function grantConfirmed(node: Node, record: IssuedToken): Promise<Node> {
    const words = node.pairing && (await verificationWords({ ...node.pairing, tokenA: record.hash }));
    return changeNode(context, node.nodeID, async (current, tx) => {
      if (current.status !== 'pair_requested') throw outOfOrder(current);
      await tokens.grant(tx, record);
      return {
        ...current,
        confirmedAt: current.confirmedAt ?? new Date(context.clock.now()).toISOString(),
        ...(words === undefined ? {} : { words }),
        // The yes was given with the address in sight: it is the very computer that asked.
        ...(callsFromItsAddress(current) ? { ownNetwork: true } : {}),
      };
    });
  }

  async function giveToken(node: Node): Promise<Node> {
    if (node.status !== 'pair_requested' || node.role !== 'inviter' || node.sealedToken === undefined)
      throw outOfOrder(node);
    const heldToken = await secrets.open(node.sealedToken);
    const { token, record } = tokens.make(node.nodeID);
    const confirmed = await grantConfirmed(node, record);
    let baseURL: string;
    try {
      baseURL = await calls.complete(confirmed, { heldToken, token });
    } catch (error) {
      const failure = partnerFailure(error);
      const waits = !failure.refused && node.footbridge;
      const failed = await changeNode(context, node.nodeID, async (current, tx) => {
        if (current.status === 'paired') return current;
        if (failure.refused) await tokens.revoke(tx, node.nodeID, record.jti);
        if (waits) return { ...current, reach: 'they-call-us', problem: WAITS_FOR_PARTNER };
        return { ...current, problem: failure.message };
      });
      if (waits || failed.status === 'paired') return failed;
      throw partnerRefusal(failure);
    }
    return changeNode(context, node.nodeID, (current) => ({
      ...omit(current, 'problem', 'reach'),
      baseURL,
      status: 'paired',
    }));
  }

  return {
    async pair(n) {
      const { nodeID } = await findNode(system, n);
      return alone(nodeID, async () => ask(await findNode(system, nodeID)));
    },
    async confirm(n) {
      const { nodeID } = await findNode(system, n);
      return alone(nodeID, async () => giveToken(await findNode(system, nodeID)));
    },
  };
}

/** Whether the address that the partner told is the one it called from, so that nobody else is called there. */
export function callsFromItsAddress({ baseURL, calledFrom }: Pick<Node, 'baseURL' | 'calledFrom'>): boolean {
  return baseURL !== '' && calledFrom !== undefined && plainAddress(new URL(baseURL).hostname) === calledFrom;
}

const WAITS_FOR_PARTNER = said`Confirmed. The partner’s computer cannot be called from here; it will fetch the answer by itself.`;

/** What a step says that does not fit the state of the pairing. */
export function outOfOrder(node: Node): Refusal {
  const state = {
    pending: said`not asked to pair yet`,
    pair_requested: said`waiting for the other side`,
    paired: said`paired`,
  };
  const words = node.status in state ? state[node.status as keyof typeof state] : said`not connected`;
  return new Refusal(
    'conflict',
    'pairing.out-of-order',
    said`This step does not fit now: the partner is ${words}. Look at the partner’s page for what comes next.`,
  );
}

/** What a pairing that gets the partner's token keeps of it. */
export async function heldTokenOf(
  context: FederationContext,
  token: string,
): Promise<Pick<Node, 'sealedToken' | 'tokenExpiresAt'>> {
  const tokenExpiresAt = tokenExpiry(token);
  return {
    sealedToken: await context.secrets.seal(token),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt }),
  };
}
