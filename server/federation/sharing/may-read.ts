import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node } from '../model.ts';
import { mustNotBePaused } from '../partners/pausing.ts';

/**
 * Checks again whether a partner may read: while its request waited, it may have been paused or disconnected.
 * @throws Refusal `forbidden`, `not-found`
 */
export type MayStillRead = (node: Pick<Node, 'nodeID'>) => Promise<void>;

/**
 * Creates the check whether a partner may read. It reads the record at each call and throws `forbidden` or
 * `not-found`.
 */
export function createMayStillRead(deps: { readonly find: (nodeID: string) => Promise<Node> }): MayStillRead {
  return async ({ nodeID }) => {
    const node = await deps.find(nodeID);
    mustBeConnected(node);
    mustNotBePaused(node);
  };
}

/**
 * Throws a Refusal (forbidden) for a partner whose pairing isn't complete, whatever token it has, and for an ended
 * connection.
 */
export function mustBeConnected({ status }: Pick<Node, 'status'>): void {
  if (status === 'paired') return;
  if (status === 'unpaired') throw new Refusal('forbidden', 'node.closed', said('connection.closed-here'));
  throw new Refusal('forbidden', 'node.not-paired', said('pairing.not-complete'));
}
