import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node } from '../model.ts';
import { mustNotBePaused } from '../partners/pausing.ts';

/**
 * Checks that a partner may still read, as its request may have waited.
 * @throws Refusal
 */
export type MayStillRead = (node: Pick<Node, 'nodeID'>) => Promise<void>;

/** Creates the check that throws `forbidden` unless the partner's stored record still lets it read. */
export function createMayStillRead(deps: { readonly find: (nodeID: string) => Promise<Node> }): MayStillRead {
  return async ({ nodeID }) => {
    const node = await deps.find(nodeID);
    mustBeConnected(node);
    mustNotBePaused(node);
  };
}

/** Throws `forbidden` unless the partner is paired: `node.closed` if the connection ended, else `node.not-paired`. */
export function mustBeConnected({ status, pairing }: Pick<Node, 'status' | 'pairing'>): void {
  if (status === 'paired') return;
  if (status === 'unpaired' || pairing?.was === 'unpaired')
    throw new Refusal('forbidden', 'node.closed', said('connection.closed-here'));
  throw new Refusal('forbidden', 'node.not-paired', said('pairing.not-complete'));
}
