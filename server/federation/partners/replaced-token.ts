import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** The call's token was revoked just before: it was on its way, or the new one isn't stored yet. */
export class ReplacedTokenError extends Refusal {
  constructor() {
    super('unauthenticated', 'auth.wrong', said('connection.token-not-valid'));
  }
}
