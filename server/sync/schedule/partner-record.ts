import { Refusal } from '../../base/refusal.ts';
import type { Node } from '../../federation/model.ts';
import { stopsFetching } from '../../federation/partners/pausing.ts';
import { said } from '../../words/said.ts';
import type { SyncFederation } from '../ports.ts';
import type { RunRequest } from './pending-work.ts';

type Partners = Pick<SyncFederation, 'nodes' | 'disconnects'>;

/** Returns whether a pull may start: the partner is paired, and our pulls aren't paused or it is `forced`. */
export function mayPull(node: Node, request: RunRequest): boolean {
  return (
    node.status === 'paired' &&
    node.deletedAt === undefined &&
    (!stopsFetching(node) || request.forced === true)
  );
}

/** Returns the partner's record. Throws `node.not-paired` (conflict) unless paired. */
export async function getConnectedNode({ nodes }: Pick<Partners, 'nodes'>, nodeID: string): Promise<Node> {
  const node = await nodes.get(nodeID);
  if (node.status !== 'paired') throw notConnected(node);
  return node;
}

/** Returns the partner's record, reconnected if possible; else throws `node.not-paired`. */
export async function getReconnectedNode({ nodes, disconnects }: Partners, nodeID: string): Promise<Node> {
  const node = await nodes.get(nodeID);
  return disconnects.canReconnect(node) ? disconnects.reconnect(nodeID) : getConnectedNode({ nodes }, nodeID);
}

/** Returns the record, after ending a pause that is over or reconnecting a partner ended by a wrong clock. */
export async function getCurrentNode({ nodes, disconnects }: Partners, nodeID: string): Promise<Node> {
  const found = await nodes.get(nodeID);
  const isInTime = found.endedByTime === true && disconnects.canReconnect(found);
  const node = isInTime ? await disconnects.reconnect(nodeID) : found;
  if (!nodes.isPauseOver(node)) return node;
  await nodes.resume(nodeID);
  return nodes.get(nodeID);
}

export function notConnected(node: Node): Refusal {
  return new Refusal('conflict', 'node.not-paired', said('pull.not-connected', { partner: node.name }));
}
