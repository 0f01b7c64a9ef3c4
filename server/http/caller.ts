import type { Request } from 'express';
import type { Identity } from '../federation/identity.ts';
import { Refusal } from '../lists/refusal.ts';

/** Who sends a request: someone of this office with a role, or a partner with its node token. */
export type Caller = Identity;

const callers = new WeakMap<Request, Caller>();

/** Notes who sends this request. The only callers are the middlewares that have checked a credential. */
export function setCaller(req: Request, caller: Caller): void {
  callers.set(req, caller);
}

/** The caller, or undefined when the request carried no credential. */
export function knownCaller(req: Request): Caller | undefined {
  return callers.get(req);
}

/** The caller. @throws Refusal `unauthenticated` when the request carried no credential */
export function caller(req: Request): Caller {
  const found = callers.get(req);
  if (!found) throw new Refusal('unauthenticated', 'auth.missing', 'Send a token: Authorization: Bearer ….');
  return found;
}
