import type { Request, RequestHandler, ErrorRequestHandler } from 'express';
import { roleCovers, type Role } from '../../federation/partners/identity.ts';
import { isLoopback } from '../../base/loopback.ts';
import { Refusal } from '../../base/refusal.ts';
import type { FailedLoginLimiter } from './failed-login-limiter.ts';
import { caller, authenticatedCaller, setCaller, type Caller } from './caller.ts';
import { isOwnComputer } from '../listeners/is-own-computer.ts';
import { networkOf } from '../../base/network-of.ts';
import { originOf } from '../listeners/routed-streams.ts';
import type { Attempt, RejectedAccessLog } from '../../app/rejected-access.ts';
import { ReplacedTokenError } from '../../federation/partners/replaced-token.ts';
import { TokenExpiredError } from '../../federation/partners/token-expired.ts';

const CODES = {
  'wrong credentials': 'auth.too-many',
  requests: 'request.too-many',
  'requests at once': 'request.at-once',
} as const;

/** Too many wrong or missing credentials from one address or partner; `retryAfter` in seconds. */
export class TooManyAttempts extends Refusal {
  constructor(retryAfter: number, what: keyof typeof CODES = 'wrong credentials') {
    super('too-many', CODES[what], `Too many ${what}. Try again in ${retryAfter} seconds.`, { retryAfter });
  }
}

/** Counts a wrong credential under the request's network. Throws `TooManyAttempts` (429) if it failed too often. */
export function countFailure(attempts: FailedLoginLimiter, req: Request): void {
  const retryAfter = attempts.fail(networkOf(req.ip));
  if (retryAfter > 0) throw new TooManyAttempts(retryAfter);
}

/** Codes of our former tokens: no guesses, as Corteza servers keep using them. */
const GOOD_ONCE: ReadonlySet<string> = new Set([
  'auth.superseded',
  'auth.ended',
  'auth.removal-asked',
  'auth.words-differ',
  'auth.token-over',
]);

/**
 * Records the caller of `Authorization: Bearer …`; passes requests without that header, or with a known caller. A wrong
 * token or another scheme gets 401 and counts as a guess, unless the token's code says that it was good once; too many
 * get 429, but never a valid token.
 */
export function bearerAuth(deps: {
  verify: (token: string) => Promise<Caller>;
  attempts: FailedLoginLimiter;
}): RequestHandler {
  return async (req, _res, next) => {
    const header = req.get('authorization');
    if (header === undefined || authenticatedCaller(req)) {
      next();
      return;
    }
    try {
      const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
      if (!token)
        throw new Refusal('unauthenticated', 'auth.malformed', 'Send Authorization: Bearer <token>.');
      const check = (): Promise<Caller> => deps.verify(token);
      setCaller(req, await check(), check, token);
    } catch (error) {
      const isGuess = error instanceof Refusal && !GOOD_ONCE.has(error.code);
      if (isGuess && error.kind === 'unauthenticated') countFailure(deps.attempts, req);
      throw error;
    }
    next();
  };
}

/** Admits users whose role covers `least`. Anonymous callers get 401, others 403. */
export function requireUser(least: Role): RequestHandler {
  return (req, _res, next) => {
    const who = caller(req);
    if (who.kind !== 'user')
      throw new Refusal('forbidden', 'auth.users-only', 'A partner’s token does not open this address.');
    if (!roleCovers(who.role, least))
      throw new Refusal('forbidden', 'auth.role', `This needs the role ${least}; the token has ${who.role}.`);
    next();
  };
}

const nodesOnlyRefusal = (): Refusal =>
  new Refusal('forbidden', 'auth.nodes-only', 'Only a partner’s own token opens this address.');

/** Admits partners with their node token. Anonymous callers get 401; users and partners in pairing 403. */
export const requireNode: RequestHandler = (req, _res, next) => {
  if (caller(req).kind !== 'node') throw nodesOnlyRefusal();
  next();
};

/** Admits partners, and the other side of our pairing request. Anonymous callers get 401, users 403. */
export const requirePartner: RequestHandler = (req, _res, next) => {
  if (caller(req).kind === 'user') throw nodesOnlyRefusal();
  next();
};

/** Admits partners, and users whose role covers `least`; others get 401 or 403. */
export function requireNodeOrUser(least: Role): RequestHandler {
  const user = requireUser(least);
  return (req, res, next) => {
    if (caller(req).kind === 'node') next();
    else void user(req, res, next);
  };
}

/**
 * Admits this computer to the partners' listener's management calls. Others get 403, even if forwarded by an untrusted
 * proxy on this computer.
 */
export const requireThisComputer: RequestHandler = (req, _res, next) => {
  const isForwarded = req.headers['x-forwarded-for'] !== undefined && req.ips.length === 0;
  if (isForwarded || !isOwnComputer(req, isLoopback))
    throw new Refusal(
      'forbidden',
      'auth.remote-management',
      'Management calls are taken from this computer only. Start the node with --remote-management to allow them.',
    );
  next();
};

const BY_CODE: Readonly<Record<string, Attempt>> = {
  'auth.wrong': 'wrong-token',
  'auth.too-many': 'wrong-token',
  'invite.wrong': 'wrong-invite',
  'pairing.proof': 'wrong-invite',
  'invite.used': 'old-invite',
  'invite.expired': 'old-invite',
  'invite.withdrawn': 'old-invite',
  'auth.remote-management': 'management',
  'request.too-many': 'flood',
};

/** Creates an error handler that logs refused guesses, floods and expired tokens, and passes every error on. */
export function logRejectedAccess(rejected: Pick<RejectedAccessLog, 'record'>): ErrorRequestHandler {
  return (error: unknown, req, _res, next) => {
    const what = error instanceof Refusal ? BY_CODE[error.code] : undefined;
    if (error instanceof TokenExpiredError) rejected.record('token-over', originOf(req), error.partner);
    // Not guessed.
    if (what && !(error instanceof ReplacedTokenError)) rejected.record(what, originOf(req));
    next(error);
  };
}
