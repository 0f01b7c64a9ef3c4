import type { Request, RequestHandler } from 'express';
import type { Identity } from '../../federation/partners/identity.ts';
import { Refusal } from '../../base/refusal.ts';

/** The sender of a request: a user with a role, or a partner. */
export type Caller = Identity;

interface CheckedCaller {
  readonly caller: Caller;
  /** Identifies the credential, independent of its spelling. */
  readonly credential: string;
  readonly again: () => Promise<Caller>;
}

const callers = new WeakMap<Request, CheckedCaller>();

/**
 * Records the verified sender of a request and its credential. `revalidate` verifies the credential again, for
 * requests that last long; by default it stays valid.
 */
export function setCaller(
  req: Request,
  caller: Caller,
  revalidate: () => Promise<Caller> = () => Promise.resolve(caller),
  credential = '',
): void {
  callers.set(req, { caller, again: revalidate, credential });
}

/** Returns the credential recorded with the caller; undefined for an anonymous request. */
export const credentialOf = (req: Request): string | undefined => callers.get(req)?.credential;

/** Returns the caller; undefined for an anonymous request. */
export function authenticatedCaller(req: Request): Caller | undefined {
  return callers.get(req)?.caller;
}

/** Returns the caller. Throws `auth.missing` (401) for an anonymous request. */
export function caller(req: Request): Caller {
  const found = authenticatedCaller(req);
  if (!found) throw new Refusal('unauthenticated', 'auth.missing', 'Send a token: Authorization: Bearer ….');
  return found;
}

/** Returns the id of the requesting user; '0' for a partner. Throws as {@link caller}. */
export function userID(req: Request): string {
  const who = caller(req);
  return who.kind === 'user' ? who.userID : '0';
}

/**
 * Verifies the caller's credential again, as a slow body may have taken a while, and returns the caller.
 * Throws as {@link caller}, and if the credential isn't valid any more.
 */
export async function revalidateCaller(req: Request): Promise<Caller> {
  return callers.get(req)?.again() ?? caller(req);
}

/**
 * Verifies a user's credential again if the request has a parsed body; put it after body parsers. Partners
 * are checked where they are answered.
 */
export const requireValidCaller: RequestHandler = async (req, _res, next) => {
  if (req.body !== undefined && authenticatedCaller(req)?.kind === 'user') await revalidateCaller(req);
  next();
};
