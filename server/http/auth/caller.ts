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
 * Records the sender of a request, and how to check the credential again. Only for middleware that has
 * checked it.
 */
export function setCaller(
  req: Request,
  caller: Caller,
  again: () => Promise<Caller> = () => Promise.resolve(caller),
  credential = '',
): void {
  callers.set(req, { caller, again, credential });
}

/** Returns the credential: one session of the window, or one token. */
export const credentialOf = (req: Request): string | undefined => callers.get(req)?.credential;

/** Returns the caller; undefined for an anonymous request. */
export function authenticatedCaller(req: Request): Caller | undefined {
  return callers.get(req)?.caller;
}

/** Returns the caller. @throws Refusal `unauthenticated` for an anonymous request */
export function caller(req: Request): Caller {
  const found = authenticatedCaller(req);
  if (!found) throw new Refusal('unauthenticated', 'auth.missing', 'Send a token: Authorization: Bearer ….');
  return found;
}

/**
 * Checks the caller again: a slow body and earlier answers may have passed since the request's head. @throws
 * Refusal like {@link caller}, and if the credential is no longer valid
 */
export async function revalidateCaller(req: Request): Promise<Caller> {
  return callers.get(req)?.again() ?? caller(req);
}

/**
 * Put it after anything that reads a request's body: a user who was signed out, or whose token was revoked
 * meanwhile, changes nothing. Partners are checked again where they are answered. @throws like {@link
 * revalidateCaller}
 */
export const requireValidCaller: RequestHandler = async (req, _res, next) => {
  if (req.body !== undefined && authenticatedCaller(req)?.kind === 'user') await revalidateCaller(req);
  next();
};
