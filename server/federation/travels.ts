import type { Row } from '../lists/model.ts';
import type { Exposure, Node } from './model.ts';

/** A row goes to a partner unless it came from there, directly or through others (design §5, records). */
export function mayTravel(row: Row, node: Pick<Node, 'nodeID' | 'installation'>): boolean {
  if (!row.received) return true;
  if (row.received.nodeID === node.nodeID) return false;
  return node.installation === undefined || !row.received.via.includes(node.installation);
}

/**
 * Whether a row of a shared list goes to the partner. A deleted one does, so that the partner hears of it, unless it
 * was gone before the list was shared, or came and went while it was not: of such rows nothing is told.
 */
export function travels(
  row: Row,
  { createdAt, began = createdAt, gaps = [] }: Pick<Exposure, 'createdAt' | 'began' | 'gaps'>,
  node: Pick<Node, 'nodeID' | 'installation'>,
): boolean {
  if (!mayTravel(row, node)) return false;
  const { deletedAt } = row;
  if (deletedAt === undefined) return true;
  return deletedAt >= began && !gaps.some(({ from, to }) => row.createdAt >= from && deletedAt < to);
}
