import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node } from '../model.ts';
import { mustNotBePaused } from '../partners/pausing.ts';

/**
 * Checks again whether a partner may read: while its request waited, it may have been paused or disconnected.
 * @throws Refusal `forbidden`, `not-found`
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
 * Refuses partners whose pairing our user hasn't approved, whatever token they hold, and ended ones.
 * @throws Refusal `forbidden`
 */
export function mustBeConnected({ status }: Pick<Node, 'status'>): void {
  if (status === 'paired') return;
  if (status === 'unpaired') throw new Refusal('forbidden', 'node.closed', said('connection.closed-here'));
  throw new Refusal('forbidden', 'node.not-paired', said('pairing.not-complete'));
}
