import type { Row, Way } from '../../lists/definitions/model.ts';
import { isGone, waysOf } from '../../lists/rows/ways.ts';
import type { Exposure, Node } from '../model.ts';
import { containsLifetimeOf } from './unshared-intervals.ts';

/**
 * A row goes to a partner unless it came from there, directly or through others (docs/interface.md: What a feed
 * tells), were it before the offices were paired anew: it has it already, and would get it a second time as one of
 * ours.
 */
export function isVisibleTo(row: Row, node: Pick<Node, 'nodeID' | 'installation'>): boolean {
  const { received, former } = row.disclosed ?? row;
  return (!received && !former) || forwardedSource(row, node) !== undefined;
}

/**
 * The way by which a row that came to us goes on to a partner: the leading one, where it does not come from there.
 * Undefined for our own, and for one that does not go there.
 */
export function forwardedSource(
  row: Row,
  { nodeID, installation }: Pick<Node, 'nodeID' | 'installation'>,
): Way | undefined {
  const { received, former } = row.disclosed ?? row;
  const leadsThrough = ({ via }: Way): boolean => installation !== undefined && via.includes(installation);
  if (!received) return former && !leadsThrough(former) ? former : undefined;
  if (received.nodeID === nodeID) return undefined;
  if (!leadsThrough(received)) return received;
  // That it came by the partner is the word of somebody else, which must not take away what others bring.
  const ways = waysOf(received).filter((way) => !isGone(way));
  if (ways.some((way) => way.nodeID === nodeID)) return undefined;
  return ways.find((way) => !leadsThrough(way));
}

/**
 * Whether a row that came to us in several ways is to be taken back from a partner which may have it from us: it has
 * it, or passed it on to us, and two that each have a row by the other would keep it for good (docs/rings.md). The office
 * where the row was made takes it from nobody.
 */
export function isRevoked(row: Row, node: Pick<Node, 'nodeID' | 'installation'>): boolean {
  const { ways, via } = (row.disclosed ?? row).received ?? {};
  if (!ways || node.installation === undefined || via?.[0] === node.installation) return false;
  return !isVisibleTo(row, node);
}

/**
 * Whether a row of a shared list goes to the partner. A deleted one does, so that the partner hears of it, unless it
 * was gone before the list was shared, came and went while it was not, or was gone when it reached us: of such rows
 * nothing is told.
 */
export function isSharedWith(
  row: Row,
  exposure: Pick<Exposure, 'createdAt' | 'began' | 'gaps'>,
  node: Pick<Node, 'nodeID' | 'installation'>,
): boolean {
  return isVisibleTo(row, node) && wasEverShared(row, exposure);
}

/** The same of whoever it did not come from. */
export function wasEverShared(
  row: Row,
  { createdAt, began = createdAt, gaps = [] }: Pick<Exposure, 'createdAt' | 'began' | 'gaps'>,
): boolean {
  const { deletedAt, cameDeleted } = row;
  if (deletedAt === undefined) return true;
  if (cameDeleted) return false;
  return deletedAt >= began && !gaps.some((gap) => containsLifetimeOf(gap, row));
}

/** Whether a partner is told of a row at all: it goes there, or is taken back from there. */
export function isAnnouncedTo(
  row: Row,
  exposure: Parameters<typeof isSharedWith>[1],
  node: Pick<Node, 'nodeID' | 'installation'>,
): boolean {
  return isSharedWith(row, exposure, node) || isRevoked(row, node);
}
