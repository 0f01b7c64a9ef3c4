import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node } from '../model.ts';

/**
 * A partner's own token whose time is over by our clock. A token is renewed long before, so that one of the two clocks is
 * wrong, or was: nobody tries what is not theirs.
 */
export class TokenOver extends Refusal {
  readonly partner: Pick<Node, 'nodeID' | 'name'>;
  constructor({ nodeID, name }: Pick<Node, 'nodeID' | 'name'>) {
    super('unauthenticated', 'auth.token-over', said('connection.token-not-valid'));
    this.partner = { nodeID, name };
  }
}
