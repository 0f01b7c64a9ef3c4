import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node } from '../model.ts';
import type { PairingRefusal } from './pairing-state.ts';

/** Expired by our clock: as tokens are renewed, one clock is wrong. */
export class TokenExpiredError extends Refusal {
  readonly partner: Pick<Node, 'nodeID' | 'name'>;
  constructor({ nodeID, name }: Pick<Node, 'nodeID' | 'name'>) {
    super('unauthenticated', 'auth.token-over' satisfies PairingRefusal, said('connection.token-not-valid'));
    this.partner = { nodeID, name };
  }
}
