import { Router, type Request } from 'express';
import * as footbridge from '../../../contract/wire/footbridge.ts';
import * as live from '../../../contract/wire/live.ts';
import * as shape1 from '../../../contract/wire/shape1.ts';
import type { Federation } from '../../../federation/federation.ts';
import type { IncomingHandshake } from '../../../federation/partners/handshake.ts';
import type { Node } from '../../../federation/model.ts';
import { parseNodeURI } from '../../../federation/partners/node-uri.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { FailedLoginLimiter } from '../../auth/failed-login-limiter.ts';
import { countFailure } from '../../auth/auth.ts';
import { revalidateCaller, type Caller } from '../../auth/caller.ts';
import { bodyObject, handshakeBody } from './bodies.ts';
import type { Guards } from './guards.ts';
import { emptyAnswer } from './nodes.ts';
import { routeOf } from '../../listeners/routed-streams.ts';
import { pathID } from '../../listeners/path-id.ts';

interface PairingRouterDeps {
  readonly federation: Federation;
  readonly guards: Guards;
  readonly attempts: FailedLoginLimiter;
}

/** Serves the handshake's steps (protocol: node pairing). A wrong secret counts as a failed login. */
export function pairingRouter({ federation, guards, attempts }: PairingRouterDeps): Router {
  const router = Router();
  const { pairing, handshakes } = federation;

  router.post('/nodes/:n/pair', guards.admin, async (req, res) => {
    res.json(emptyAnswer(await pairing.pair(pathID(req, 'n')), req));
  });

  router.post('/nodes/:n/handshake-confirm', guards.admin, async (req, res) => {
    res.json(emptyAnswer(await pairing.confirm(pathID(req, 'n')), req));
  });

  router.post('/nodes/:n/handshake', handshakeBody, async (req, res) => {
    const incoming = { ...parseHandshake(req), ...addressOf(req) };
    try {
      await handshakes.handshake(incoming);
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unauthenticated') countFailure(attempts, req);
      throw error;
    }
    res.json(incoming.dialect === 'live' ? LIVE_OK : {});
  });

  router.post('/nodes/:n/handshake-complete', guards.answer, handshakeBody, async (req, res) => {
    const who = pairingCaller(await revalidateCaller(req), pathID(req, 'n'));
    const body = bodyObject(req);
    const isLive = !('token' in body) && 'authToken' in body;
    const token = isLive
      ? live.completeRequest.parse(body).authToken
      : shape1.completeRequest.parse(body).token;
    const { proof } = footbridge.completeGreeting.catch({}).parse(body.footbridge);
    await handshakes.complete(
      who.node,
      { token: requirePrintable(token), proof },
      who.kind === 'asked' ? who.token : undefined,
    );
    res.json(isLive ? LIVE_OK : {});
  });

  return router;
}

const LIVE_OK = { success: { message: 'OK' } };

/**
 * Returns the calling partner, or the other side of our pairing request. Throws `auth.other-node` (403) for users, and
 * if `n`, the path's id, isn't the caller's.
 */
function pairingCaller(who: Caller, n: string): Exclude<Caller, { kind: 'user' }> {
  if (who.kind !== 'user' && isNamed(who.node, n)) return who;
  throw otherNodeRefusal();
}

/** Returns the calling partner. Throws `auth.other-node` (403) for others, and if `n`, the path's id, isn't its own. */
export function callingPartner(who: Caller, n: string): Extract<Caller, { kind: 'node' }> {
  if (who.kind === 'node' && isNamed(who.node, n)) return who;
  throw otherNodeRefusal();
}

/** Returns whether an id means this partner: ours or the other side's, of the connection or a pairing. */
function isNamed({ nodeID, sharedNodeID, ownNodeID, pairing }: Node, n: string): boolean {
  return [nodeID, sharedNodeID, ownNodeID, pairing?.link.sharedNodeID, pairing?.link.ownNodeID].includes(n);
}

const otherNodeRefusal = (): Refusal =>
  new Refusal('forbidden', 'auth.other-node', 'This token is for another partner’s address.');

/**
 * Parses a handshake in any dialect, told apart by its members. The caller checks the ids of the path and the invite.
 * Throws 400 for an invalid body or token.
 */
function parseHandshake(req: Request): IncomingHandshake {
  const body = bodyObject(req);
  const path = pathID(req, 'n');
  if ('nodeURI' in body || 'nodeIDB' in body) {
    const { nodeURI, token, nodeIDB } = shape1.handshakeRequest.parse(body);
    const invite = parseNodeURI(nodeURI);
    const greeting = footbridge.handshakeGreeting.optional().parse(body.footbridge);
    return {
      nodeIDs: [path, invite.nodeID],
      inviteToken: invite.secret,
      token: requirePrintable(token),
      nodeIDB,
      ...(greeting ? { footbridge: greeting } : {}),
    };
  }
  const { pairToken, authToken, sharedNodeID } = live.handshakeRequest.parse(body);
  return {
    nodeIDs: [path, sharedNodeID],
    inviteToken: pairToken,
    token: requirePrintable(authToken),
    dialect: 'live',
  };
}

/** Returns the caller's address; {} for a routed connection, which has none. */
function addressOf({ ip, socket }: Request): { address?: string } {
  return ip === undefined || routeOf(socket) !== undefined ? {} : { address: ip };
}

/** Returns the token. Throws `handshake.token` (400) for characters that no header can carry. */
function requirePrintable(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new Refusal('malformed', 'handshake.token', 'The token has characters that no header can carry.');
}
