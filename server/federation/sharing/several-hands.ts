import type { Rows } from '../../lists/rows/rows.ts';
import type { Node } from '../model.ts';

/**
 * Whether somebody else than this partner brings rows of the list. Their values must not be compressed together with those
 * of others: whoever sends rows and sees the length of what we send on can tell by it whether a value that they guessed is
 * there (SECURITY.md: Somebody on the line).
 */
export async function isOfSeveralHands(
  rows: Pick<Rows, 'counts'>,
  node: Pick<Node, 'nodeID'>,
): Promise<boolean> {
  const { received } = await rows.counts();
  return Object.entries(received).some(([nodeID, count]) => nodeID !== node.nodeID && count > 0);
}
