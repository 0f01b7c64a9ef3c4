import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** A partner called with a token revoked just before: the call was on its way, or it has yet to store the new one. */
export class ReplacedTokenError extends Refusal {
  constructor() {
    super('unauthenticated', 'auth.wrong', said('connection.token-not-valid'));
  }
}
