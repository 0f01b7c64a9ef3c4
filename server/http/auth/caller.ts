import type { Request, RequestHandler } from 'express';
import type { Identity } from '../../federation/partners/identity.ts';
import { Refusal } from '../../base/refusal.ts';

/** A user with a role, or a partner. */
export type Caller = Identity;

interface CheckedCaller {
  readonly caller: Caller;
  readonly credential: string;
  readonly revalidate: () => Promise<Caller>;
}

const callers = new WeakMap<Request, CheckedCaller>();

/** Records a request's verified sender. `revalidate` verifies the credential again; by default it stays valid. */
export function setCaller(
  req: Request,
  caller: Caller,
  revalidate: () => Promise<Caller> = () => Promise.resolve(caller),
  credential = '',
): void {
  callers.set(req, { caller, revalidate: revalidate, credential });
}

/** Returns the caller's credential; undefined for an anonymous request. */
export const credentialOf = (req: Request): string | undefined => callers.get(req)?.credential;

/** Returns the request's verified sender; undefined for an anonymous request. */
export function authenticatedCaller(req: Request): Caller | undefined {
  return callers.get(req)?.caller;
}

/** Returns the request's verified sender. Throws `auth.missing` (401) for an anonymous request. */
export function caller(req: Request): Caller {
  const found = authenticatedCaller(req);
  if (!found) throw new Refusal('unauthenticated', 'auth.missing', 'Send a token: Authorization: Bearer ….');
  return found;
}

/** Returns the calling user's id; '0' for a partner. Throws `auth.missing` (401) for an anonymous request. */
export function userID(req: Request): string {
  const who = caller(req);
  return who.kind === 'user' ? who.userID : '0';
}

/** Verifies the caller's credential again, after a slow body. Throws 401 if it isn't valid. */
export async function revalidateCaller(req: Request): Promise<Caller> {
  return callers.get(req)?.revalidate() ?? caller(req);
}

/** Verifies a user's credential again after a body: put it behind body parsers. Partners pass unchecked. */
export const requireValidCaller: RequestHandler = async (req, _res, next) => {
  if (req.body !== undefined && authenticatedCaller(req)?.kind === 'user') await revalidateCaller(req);
  next();
};
