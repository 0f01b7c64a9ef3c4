import {
  ForeignProgramError,
  PartnerEndedError,
  ProtocolViolationError,
  RequestRefusedError,
  TokenRejectedError,
  WrongInstallationError,
  ENTRY_GONE_CODE,
  isFootbridgeCode,
} from '../guard/errors.ts';
import { CONNECTION_ENDED, type Goodbye } from '../../contract/wire/footbridge.ts';
import type { CompleteRequest, HandshakeRequest } from './pairing.ts';
import type { AnnouncedRoutes } from '../../base/routes.ts';
import { openPeer, type Peer, type PeerOptions } from '../peer.ts';
import type { PartnerRoutes, RelayConsent } from '../transport/partner-routes.ts';
import type { Found } from '../transport/probe.ts';
import type { Dialect } from '../../base/vocabulary.ts';

export interface CalledNode {
  readonly nodeID: string;
  readonly baseURL: string;
  readonly sharedNodeID: string;
  readonly dialect?: Dialect;
  readonly footbridge: boolean;
  readonly certificate?: string;
  readonly routes?: AnnouncedRoutes;
  readonly ownNetwork: boolean;
  readonly relayConsent?: RelayConsent;
}

/** Reject with RequestRefusedError (its status says whether the invite is spent) or another PartnerError. */
export interface PairingCalls {
  handshake(
    node: CalledNode,
    call: Omit<HandshakeRequest, 'greeting'> & {
      readonly own: NonNullable<HandshakeRequest['greeting']>;
      readonly signedInvite?: string | undefined;
    },
  ): Promise<{ readonly dialect?: Dialect; readonly footbridge: boolean; readonly baseURL: string }>;
  complete(node: CalledNode, call: CompleteRequest): Promise<string>;
  goodbye(
    node: CalledNode,
    call: Goodbye & { readonly heldToken: string; readonly isDecline?: boolean },
  ): Promise<void>;
}

/**
 * Returns the calls of pairing, each over its own connection. They throw PartnerError; a handshake first finds out who
 * is at the address.
 */
export function createPartnerCalls({
  routesApart,
  ...options
}: Pick<PeerOptions, 'allowLoopback' | 'ownPorts' | 'lookup'> & {
  /** Returns further routes to a Footbridge, not those of its connection. */
  readonly routesApart?: (node: CalledNode) => PartnerRoutes;
}): PairingCalls {
  /**
   * Calls `body` with a new connection to a partner, then closes it. Only Footbridges are also reached by further
   * routes (`routesApart`). Throws PartnerError; refusals are converted by {@link toRequestRefused}.
   */
  async function withPeer<T>(
    node: CalledNode,
    token: string | undefined,
    body: (peer: Peer) => Promise<T>,
  ): Promise<T> {
    const { baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork } = node;
    const peer = openPeer({
      ...options,
      baseURL,
      dialect,
      footbridge,
      sharedNodeID,
      certificate,
      ownNetwork,
      token,
      routes: footbridge ? routesApart?.(node) : undefined,
    });
    try {
      return await body(peer);
    } catch (error) {
      throw toRequestRefused(error);
    } finally {
      await peer.close();
    }
  }

  return {
    /**
     * Detects who is at the address, sends our handshake, and returns the base, dialect (if known) and whether it is a
     * Footbridge. Throws PartnerError, also if a known Footbridge isn't one or can't prove that it signed the invite.
     */
    async handshake(node, { own, signedInvite, ...call }) {
      const found = await withPeer(node, undefined, (peer) => probeOrAssume(peer, node));
      // A program answering 2xx to everything would swallow the request.
      if (node.footbridge && !found.footbridge) throw new ForeignProgramError();
      const dialect = node.dialect ?? found.dialect;
      const known = { ...node, baseURL: found.baseURL, ...(dialect === undefined ? {} : { dialect }) };
      const greeting = found.footbridge ? { greeting: own } : {};
      const answer = await withPeer(known, undefined, async (peer) => {
        if (signedInvite !== undefined && !(await peer.isIssuer(signedInvite)))
          throw new WrongInstallationError();
        return peer.handshake({ ...call, ...greeting });
      });
      return {
        baseURL: found.baseURL,
        footbridge: found.footbridge,
        ...(answer === undefined ? {} : { dialect: answer }),
      };
    },
    /**
     * Sends our approval, and returns the partner's federation base; searches that first unless it is a Footbridge,
     * which gets no token unless proven to be the one that asked. Throws PartnerError.
     */
    async complete(node, call) {
      // Footbridges announced their base; others are near what a user typed.
      const { baseURL, footbridge } = node.footbridge
        ? node
        : await withPeer(node, undefined, (peer) => probeOrAssume(peer, node));
      await withPeer({ ...node, baseURL, footbridge }, undefined, async (peer) => {
        if (footbridge && !(await peer.isIssuer(call.heldToken))) throw unprovenAsker();
        await peer.complete(call);
      });
      return baseURL;
    },
    /**
     * Ends the pair at a Footbridge, or declines its request only if it proves that it asked. Throws PartnerError, also
     * for one that proves to be another, which gets no token.
     */
    goodbye: (node, { heldToken, isDecline = false, removeRequest = false, wordsDiffer = false }) =>
      withPeer(node, heldToken, async (peer) => {
        if (!peer.footbridge) return;
        // Older versions can't prove it. They fetch a no, and must hear of an end.
        if (!(await peer.isIssuer(heldToken)) && isDecline) throw unprovenAsker();
        await peer.footbridge.sendGoodbye({ removeRequest, ...(wordsDiffer ? { wordsDiffer } : {}) });
      }),
  };
}

/** Returns the error for a program that must not get the token with which a request is answered. */
const unprovenAsker = (): ProtocolViolationError =>
  new ProtocolViolationError('it doesn’t prove that it asked for the pairing.');

/**
 * Finds out who answers. If nothing says that, as older servers can't, assumes other software at the invite's address,
 * and leaves its dialect open. Throws PartnerError. A Footbridge's dialect is shape 1.
 */
async function probeOrAssume(peer: Peer, node: CalledNode): Promise<Found> {
  try {
    const found = await peer.probe();
    return found.footbridge ? { ...found, dialect: 'shape1' } : found;
  } catch (error) {
    if (!(error instanceof ProtocolViolationError)) throw error;
    return { baseURL: node.baseURL, footbridge: false };
  }
}

/** Live servers' texts with their meaning; without code only under 200. */
const LIVE_TEXTS: readonly (readonly [RegExp, number, code?: string])[] = [
  [/pairing token invalid/i, 401, 'live.link-replaced'],
  [/node does not exist/i, 404, ENTRY_GONE_CODE],
  [/^not found|invalid ID/i, 404],
  [/not allowed/i, 403],
];

/**
 * Returns the RequestRefusedError that a pairing call's error means: an ended connection, a refused token, or a live
 * server's text; other errors unchanged.
 */
export function toRequestRefused(error: unknown): unknown {
  if (error instanceof PartnerEndedError) return new RequestRefusedError(401, error.said, CONNECTION_ENDED);
  const refused =
    error instanceof TokenRejectedError
      ? new RequestRefusedError(401, error.said, error.code, error.at)
      : error;
  if (!(refused instanceof RequestRefusedError)) return refused;
  if (isFootbridgeCode(refused.code) && refused.code !== ENTRY_GONE_CODE) return refused;
  const meant = LIVE_TEXTS.find(
    ([text, , code]) => text.test(refused.said) && (refused.status === 200 || code !== undefined),
  );
  if (meant === undefined) return refused;
  const [, status, code] = meant;
  return new RequestRefusedError(status, refused.said, code ?? refused.code, refused.at);
}
