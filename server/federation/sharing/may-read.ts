import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node } from '../model.ts';
import { mustNotBePaused } from '../partners/pausing.ts';

/**
 * Asks once more whether a partner may read what we share with it: while its request waited, its reading may have been
 * paused, or the connection have ended. @throws Refusal `forbidden`, `not-found`
 */
export type MayStillRead = (node: Pick<Node, 'nodeID'>) => Promise<void>;

export function createMayStillRead(deps: { readonly find: (nodeID: string) => Promise<Node> }): MayStillRead {
  return async ({ nodeID }) => {
    const node = await deps.find(nodeID);
    mustBeConnected(node);
    mustNotBePaused(node);
  };
}

/**
 * A partner whose pairing our side has not agreed to sees nothing, whatever token it holds. Neither does one that
 * does not accept ours any more: what we show as ended is closed.
 * @throws Refusal `forbidden`
 */
export function mustBeConnected({ status }: Pick<Node, 'status'>): void {
  if (status === 'paired') return;
  if (status === 'unpaired') throw new Refusal('forbidden', 'node.closed', said('connection.closed-here'));
  throw new Refusal('forbidden', 'node.not-paired', said('pairing.not-complete'));
}
