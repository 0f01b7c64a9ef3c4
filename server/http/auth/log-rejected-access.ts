import { originOf } from '../listeners/routed-streams.ts';
import type { ErrorRequestHandler } from 'express';
import type { Attempt, RejectedAccessLog } from '../../app/rejected-access.ts';
import { ReplacedTokenError } from '../../federation/partners/replaced-token.ts';
import { TokenExpiredError } from '../../federation/partners/token-expired.ts';
import { Refusal } from '../../base/refusal.ts';

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
