import type { Request, RequestHandler } from 'express';
import type { Identity } from '../../federation/partners/identity.ts';
import { Refusal } from '../../base/refusal.ts';

/** Who sends a request: someone of this office with a role, or a partner with its node token. */
export type Caller = Identity;

interface CheckedCaller {
  readonly caller: Caller;
  /** Tells credentials of the same user apart: nothing that whoever sends it may spell in two ways. */
  readonly credential: string;
  readonly again: () => Promise<Caller>;
}

const callers = new WeakMap<Request, CheckedCaller>();

/**
 * Notes who sends this request, and how the credential is checked once more. The only callers are the middlewares
 * that have checked it.
 */
export function setCaller(
  req: Request,
  caller: Caller,
  again: () => Promise<Caller> = () => Promise.resolve(caller),
  credential = '',
): void {
  callers.set(req, { caller, again, credential });
}

/** Which credential it came with: one session of the window, or one token. */
export const credentialOf = (req: Request): string | undefined => callers.get(req)?.credential;

/** The caller, or undefined when the request carried no credential. */
export function knownCaller(req: Request): Caller | undefined {
  return callers.get(req)?.caller;
}

/** The caller. @throws Refusal `unauthenticated` when the request carried no credential */
export function caller(req: Request): Caller {
  const found = knownCaller(req);
  if (!found) throw new Refusal('unauthenticated', 'auth.missing', 'Send a token: Authorization: Bearer ….');
  return found;
}

/**
 * The caller as of now: between a request's head and its answer lie its body, which may come slowly, and the answers
 * that it waits behind. @throws Refusal as {@link caller}, and where the credential is not good any more
 */
export async function callerNow(req: Request): Promise<Caller> {
  return callers.get(req)?.again() ?? caller(req);
}

/**
 * To stand behind whatever takes a request's body in: a user who was signed out, or whose token was revoked, while the
 * body came changes nothing. Partners are asked again where they are answered. @throws as {@link callerNow}
 */
export const stillLetIn: RequestHandler = async (req, _res, next) => {
  if (req.body !== undefined && knownCaller(req)?.kind === 'user') await callerNow(req);
  next();
};
