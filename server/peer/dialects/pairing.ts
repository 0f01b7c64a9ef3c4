import type { InstallationProof } from '../../base/installation-key.ts';
import type { AnnouncedRoutes } from '../../base/routes.ts';
import { ProtocolViolationError } from '../guard/errors.ts';
import type { Exchange, Exchanged, ExchangeOptions } from '../transport/exchange.ts';
import type { Dialect } from '../../base/vocabulary.ts';

/** From the invited office (B) to the inviting one (A). */
export interface HandshakeRequest {
  readonly nodeURI: string;
  /** The invite's, 32 characters. */
  readonly inviteToken: string;
  /** For A's calls to us. */
  readonly token: string;
  /** A's id, from the invite. */
  readonly sharedNodeID: string;
  readonly nodeIDB: string;
  /** For another Footbridge (contract: handshakeGreeting). */
  readonly greeting?: {
    readonly baseURL: string;
    readonly installation: string;
    readonly proof?: InstallationProof | undefined;
    readonly office: string;
    readonly certificate?: string | undefined;
    readonly routes?: AnnouncedRoutes | undefined;
  };
}

export interface CompleteRequest {
  /** B's; authorises the call. */
  readonly heldToken: string;
  readonly token: string;
  /** Proves A's installation (contract: completeGreeting). */
  readonly proof?: InstallationProof | undefined;
}

/**
 * Sends A our pairing request (handshake, step 4), in all dialects while its own is unknown. Returns its dialect, given
 * or shown by the answer, undefined if still unknown. Throws ProtocolViolationError for an empty answer, or for one
 * that no Footbridge gives, if it goes to one. Sends no token of ours as credential.
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
  const body = {
    ...bodyFor(dialect, shapes, live),
    ...(wanted.greeting ? { footbridge: wanted.greeting } : {}),
  };
  const options = { body, token: null };
  const { wire } = await postStep(
    exchange,
    `nodes/${wanted.sharedNodeID}/handshake`,
    options,
    wanted.greeting !== undefined,
  );
  return dialect ?? (isLiveSuccess(wire.body) ? 'live' : undefined);
}

/**
 * Sends B our approval (handshake-complete, step 6) with our new token, authorised by its token. Throws
 * ProtocolViolationError for an empty answer, or for one that no Footbridge gives, as of a program that answers 2xx to
 * everything.
 */
export async function complete(
  exchange: Exchange,
  dialect: Dialect | undefined,
  {
    sharedNodeID,
    footbridge,
    heldToken,
    token,
    proof,
  }: CompleteRequest & { readonly sharedNodeID: string; readonly footbridge: boolean },
): Promise<void> {
  const body = bodyFor(dialect, { token }, { authToken: token });
  const options = { body: { ...body, ...(proof ? { footbridge: { proof } } : {}) }, token: heldToken };
  await postStep(exchange, `nodes/${sharedNodeID}/handshake-complete`, options, footbridge);
}

/** All Footbridge versions' answers to a step, in shape 1 or live. */
const CONFIRMATIONS = ['{}', '{"success":{"message":"OK"}}'];

/**
 * Posts a step of the pairing. Throws ProtocolViolationError for an empty answer, as every dialect sends JSON, or for
 * one that no Footbridge gives, if this goes to one (`footbridge`).
 */
async function postStep(
  exchange: Exchange,
  path: string,
  options: ExchangeOptions,
  footbridge: boolean,
): Promise<Exchanged> {
  const answer = await exchange.post(path, options);
  const { body } = answer.wire;
  // A proxy may add white space.
  const text = new TextDecoder().decode(body).replace(/\s+/g, '');
  if (footbridge ? !CONFIRMATIONS.includes(text) : body.byteLength === 0)
    throw new ProtocolViolationError('it doesn’t confirm the pairing.');
  return answer;
}

/** Returns a request's members in the dialect; for an unknown one all. */
function bodyFor(dialect: Dialect | undefined, shapes: object, live: object): object {
  if (dialect === undefined) return { ...shapes, ...live };
  return dialect === 'live' ? live : shapes;
}

/** Returns whether the answer begins as a live Corteza server's success; doesn't parse the rest. */
function isLiveSuccess(body: Uint8Array): boolean {
  return /^\s*\{\s*"success"/.test(new TextDecoder().decode(body.subarray(0, 100)));
}
