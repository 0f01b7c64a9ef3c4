import type { Request, RequestHandler } from 'express';
import { TokenOver } from '../../federation/partners/token-over.ts';
import { roleCovers, type Role } from '../../federation/partners/identity.ts';
import { isLoopback } from '../../base/loopback.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Attempts } from './attempts.ts';
import { caller, knownCaller, setCaller, type Caller } from './caller.ts';
import { isFromHere } from '../listeners/from-here.ts';
import { networkOf } from '../../base/network-of.ts';

const CODES = {
  'wrong credentials': 'auth.too-many',
  requests: 'request.too-many',
  'requests at once': 'request.at-once',
} as const;

/** Too much from one address or partner: wrong credentials, or requests without any; `retryAfter` is in seconds. */
export class TooManyAttempts extends Refusal {
  constructor(retryAfter: number, what: keyof typeof CODES = 'wrong credentials') {
    super('too-many', CODES[what], `Too many ${what}. Try again in ${retryAfter} seconds.`, { retryAfter });
  }
}

/**
 * Counts a wrong credential of this request (a token, the secret of an invite, a proof) under the network that it
 * came from, be it that a trusted load balancer says so, and under nothing that the request says itself. @throws TooManyAttempts
 */
export function countFailure(attempts: Attempts, req: Request): void {
  const retryAfter = attempts.fail(networkOf(req.ip));
  if (retryAfter > 0) throw new TooManyAttempts(retryAfter);
}

/**
 * Reads `Authorization: Bearer …` and notes the caller; without the header the request goes on as nobody's.
 * A wrong token is answered at once, with 401 and after too many with 429; a right one is never locked out.
 */
export function bearerAuth(deps: {
  verify: (token: string) => Promise<Caller>;
  attempts: Attempts;
}): RequestHandler {
  return async (req, _res, next) => {
    const header = req.get('authorization');
    if (header === undefined || knownCaller(req)) {
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
      // That one was guessed by nobody.
      const isGuess = error instanceof Refusal && !(error instanceof TokenOver);
      if (isGuess && error.kind === 'unauthenticated') countFailure(deps.attempts, req);
      throw error;
    }
    next();
  };
}

/** Lets users of this office in whose role covers `least`: 401 to nobody, 403 to partners and lesser roles. */
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

const nodesOnly = (): Refusal =>
  new Refusal('forbidden', 'auth.nodes-only', 'Only a partner’s own token opens this address.');

/** Lets partners in with their node token: 401 to nobody, 403 to users, and to partners until the pair is complete. */
export const requireNode: RequestHandler = (req, _res, next) => {
  if (caller(req).kind !== 'node') throw nodesOnly();
  next();
};

/** Lets partners in, and those whom we asked to pair with the token for their answer: 401 to nobody, 403 to users. */
export const requirePartner: RequestHandler = (req, _res, next) => {
  if (caller(req).kind === 'user') throw nodesOnly();
  next();
};

/** Lets partners in, and users whose role covers `least`. */
export function requireNodeOrUser(least: Role): RequestHandler {
  const user = requireUser(least);
  return (req, res, next) => {
    if (caller(req).kind === 'node') next();
    else void user(req, res, next);
  };
}

/**
 * Guards management on a listener that partners can reach: taken from this computer only (docs/architecture.md: The
 * two listeners).
 */
export const fromThisComputerOnly: RequestHandler = (req, _res, next) => {
  if (!isFromHere(req, isLoopback))
    throw new Refusal(
      'forbidden',
      'auth.remote-management',
      'Management calls are taken from this computer only. Start the node with --remote-management to allow them.',
    );
  next();
};
