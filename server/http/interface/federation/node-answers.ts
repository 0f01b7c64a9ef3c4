import type { z } from 'zod';
import type * as live from '../../../contract/wire/live.ts';
import type * as shape1 from '../../../contract/wire/shape1.ts';
import type * as shape2 from '../../../contract/wire/shape2.ts';
import type { Node, NodeStatus } from '../../../federation/model.ts';
import type { Dialect } from '../../../base/vocabulary.ts';

/** Returns a status as sent (docs/interface.md: Partners). */
export function travelling(status: NodeStatus): z.infer<typeof shape1.nodeStatus> {
  return status === 'pair_requested' || status === 'paired' ? status : 'pending';
}

/** A partner's record in the requested dialect. `nodeURI` is the invite, as far as it may be shown. */
export function nodeAnswer(node: Node, dialect: Dialect, nodeURI: string): NodeAnswer {
  const { nodeID, sharedNodeID, name, baseURL, createdAt, createdBy } = node;
  const status = travelling(node.status);
  if (dialect === 'shape2') return { nodeID, sharedNodeID, name, domain: node.domain ?? '', status, nodeURI };
  if (dialect === 'shape1') return { nodeID, sharedNodeID, name, status, baseURL, createdAt, createdBy };
  return {
    nodeID,
    name,
    status,
    baseURL,
    contact: node.contact,
    sharedNodeID,
    createdAt,
    createdBy,
    ...(node.updatedAt === undefined ? {} : { updatedAt: node.updatedAt }),
    ...(node.updatedBy === undefined ? {} : { updatedBy: node.updatedBy }),
    canManageNode: true,
    canCreateModule: true,
  };
}

export type NodeAnswer =
  z.infer<typeof shape1.node> | z.infer<typeof shape2.node> | z.infer<typeof live.node>;
