import type { Request, RequestHandler } from 'express';
import type { Identity } from '../../federation/partners/identity.ts';
import { Refusal } from '../../base/refusal.ts';

/** The sender of a request: a user of this office with a role, or a partner with its node token. */
export type Caller = Identity;

interface CheckedCaller {
  readonly caller: Caller;
  /** Identifies the credential, independent of its spelling. */
  readonly credential: string;
  readonly again: () => Promise<Caller>;
}

const callers = new WeakMap<Request, CheckedCaller>();

/**
 * Records the sender of a request with its credential, and how to verify the credential again (`again`). Only for
 * middleware that has verified it.
 */
export function setCaller(
  req: Request,
  caller: Caller,
  again: () => Promise<Caller> = () => Promise.resolve(caller),
  credential = '',
): void {
  callers.set(req, { caller, again, credential });
}

/**
 * Returns the credential recorded with the caller: a window session's or one token; undefined for an anonymous
 * request.
 */
export const credentialOf = (req: Request): string | undefined => callers.get(req)?.credential;

/** Returns the caller; undefined for an anonymous request. */
export function authenticatedCaller(req: Request): Caller | undefined {
  return callers.get(req)?.caller;
}

/**
 * Returns the caller that {@link setCaller} recorded for this request. Throws `auth.missing` (401) for an anonymous
 * request.
 */
export function caller(req: Request): Caller {
  const found = authenticatedCaller(req);
  if (!found) throw new Refusal('unauthenticated', 'auth.missing', 'Send a token: Authorization: Bearer ….');
  return found;
}

/** Returns the id of the requesting user; '0' for a partner. Throws 401 for an anonymous request. */
export function userID(req: Request): string {
  const who = caller(req);
  return who.kind === 'user' ? who.userID : '0';
}

/**
 * Verifies the caller's credential again and returns the caller; a slow body may have taken a while since the
 * request's head was checked. Throws like {@link caller}, and if the credential is no longer valid.
 */
export async function revalidateCaller(req: Request): Promise<Caller> {
  return callers.get(req)?.again() ?? caller(req);
}

/**
 * Verifies a user's credential again if a body was read; put it after any body parser. A user who was signed out,
 * or whose token was revoked meanwhile, then changes nothing. Partners are checked again where they are answered.
 * Throws like {@link revalidateCaller}.
 */
export const requireValidCaller: RequestHandler = async (req, _res, next) => {
  if (req.body !== undefined && authenticatedCaller(req)?.kind === 'user') await revalidateCaller(req);
  next();
};
