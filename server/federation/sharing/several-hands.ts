import { bringersOf } from '../../lists/rows/pinned-titles.ts';
import type { ExposedList } from './exposed-list.ts';
import type { Node } from '../model.ts';

/**
 * Whether what leaves of the list holds texts that somebody else than this partner wrote: rows of it, or titles of rows that
 * its references name. They must not be compressed together with those of others: whoever sends rows and sees the length of
 * what we send on can tell by it whether a value that they guessed is there (SECURITY.md: Somebody on the line).
 */
export async function isOfSeveralHands(
  { exposure, rows, leaving }: ExposedList,
  node: Pick<Node, 'nodeID'>,
): Promise<boolean> {
  // Whose rows there are among those that it does not see, is not to be told either.
  if (exposure.condition !== undefined) return true;
  const bringers = [...bringersOf(await rows.counts()), ...(await leaving.titlesBroughtBy())];
  return bringers.some((nodeID) => nodeID !== node.nodeID);
}
