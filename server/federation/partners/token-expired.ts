import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node } from '../model.ts';
import type { PairingRefusal } from './pairing-state.ts';

/** By our clock: one of the two clocks is wrong, as tokens are renewed. */
export class TokenExpiredError extends Refusal {
  readonly partner: Pick<Node, 'nodeID' | 'name'>;
  constructor({ nodeID, name }: Pick<Node, 'nodeID' | 'name'>) {
    super('unauthenticated', 'auth.token-over' satisfies PairingRefusal, said('connection.token-not-valid'));
    this.partner = { nodeID, name };
  }
}
