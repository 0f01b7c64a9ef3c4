import type { InstallationProof } from '../../base/installation-key.ts';
import type { AnnouncedRoutes } from '../../base/routes.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Dialect } from '../../base/vocabulary.ts';

/** What B sends to A to ask for the pair. */
export interface HandshakeRequest {
  /** The whole invite, secret included. */
  readonly nodeURI: string;
  /** The 32 characters of the invite. */
  readonly inviteToken: string;
  /** The token that A is to use towards us. */
  readonly token: string;
  /** A's node id, as the invite names it. */
  readonly sharedNodeID: string;
  /** Our own node id. */
  readonly nodeIDB: string;
  /** Who and where we are, for another Footbridge (contract: handshakeGreeting). */
  readonly greeting?: {
    readonly baseURL: string;
    readonly installation: string;
    readonly proof?: InstallationProof | undefined;
    readonly office: string;
    readonly certificate?: string | undefined;
    readonly routes?: AnnouncedRoutes | undefined;
  };
}

/** What A sends to B with its yes. */
export interface CompleteRequest {
  /** B's token, which opens the call. */
  readonly heldToken: string;
  /** A's token for B. */
  readonly token: string;
  /** That A is the installation that its token names, for another Footbridge (contract: completeGreeting). */
  readonly proof?: InstallationProof | undefined;
}

/**
 * B asks A (handshake, step 4): no credential but the invite. The body is that of the partner's dialect, or
 * of all of them while that is unknown.
 * @returns the dialect, where the answer's form tells it
 * @throws PartnerError; a live server's `error` under status 200 counts as the refusal that it is
 */
export async function handshake(
  exchange: Exchange,
  dialect: Dialect | undefined,
  wanted: HandshakeRequest,
): Promise<Dialect | undefined> {
  const shapes = { nodeURI: wanted.nodeURI, token: wanted.token, nodeIDB: wanted.nodeIDB };
  const live = {
    pairToken: wanted.inviteToken,
    authToken: wanted.token,
    sharedNodeID: wanted.sharedNodeID,
  };
  const { wire } = await exchange.post(`nodes/${wanted.sharedNodeID}/handshake`, {
    body: { ...bodyFor(dialect, shapes, live), ...(wanted.greeting ? { footbridge: wanted.greeting } : {}) },
    token: null,
  });
  return dialect ?? (isLiveSuccess(wire.body) ? 'live' : undefined);
}

/**
 * A answers B (handshake-complete, step 6) with the token that B gave as credential.
 * @throws PartnerError
 */
export async function complete(
  exchange: Exchange,
  dialect: Dialect | undefined,
  { sharedNodeID, heldToken, token, proof }: CompleteRequest & { readonly sharedNodeID: string },
): Promise<void> {
  const body = bodyFor(dialect, { token }, { authToken: token });
  await exchange.post(`nodes/${sharedNodeID}/handshake-complete`, {
    body: { ...body, ...(proof ? { footbridge: { proof } } : {}) },
    token: heldToken,
  });
}

function bodyFor(dialect: Dialect | undefined, shapes: object, live: object): object {
  if (dialect === undefined) return { ...shapes, ...live };
  return dialect === 'live' ? live : shapes;
}

function isLiveSuccess(body: Uint8Array): boolean {
  return /^\s*\{\s*"success"/.test(new TextDecoder().decode(body.subarray(0, 100)));
}
