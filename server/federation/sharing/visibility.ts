import type { Row, RowSource } from '../../lists/definitions/model.ts';
import { isDeletedThere, sourcesOf } from '../../lists/rows/sources.ts';
import type { Exposure, Node } from '../model.ts';
import { containsLifetimeOf } from './unshared-intervals.ts';

/**
 * Returns whether a row is ours, or can be forwarded to this partner: {@link forwardedSource} (docs/interface.md: What
 * a feed tells).
 */
export function isVisibleTo(row: Row, node: Pick<Node, 'nodeID' | 'installation'>): boolean {
  const { received, former } = row.disclosed ?? row;
  return (!received && !former) || forwardedSource(row, node) !== undefined;
}

/**
 * Returns the source as whose row a received (or detached) one is forwarded: one that isn't the partner, nor passed
 * through its installation. Undefined for our own and the partner's rows, or if there is none.
 */
export function forwardedSource(
  row: Row,
  { nodeID, installation }: Pick<Node, 'nodeID' | 'installation'>,
): RowSource | undefined {
  const { received, former } = row.disclosed ?? row;
  const leadsThrough = ({ via }: RowSource): boolean =>
    installation !== undefined && via.includes(installation);
  if (!received) return former && !leadsThrough(former) ? former : undefined;
  if (received.nodeID === nodeID) return undefined;
  if (!leadsThrough(received)) return received;
  // "Passed through the partner" is a third party's claim, which must not remove other sources.
  const sources = sourcesOf(received).filter((source) => !isDeletedThere(source));
  if (sources.some((source) => source.nodeID === nodeID)) return undefined;
  return sources.find((source) => !leadsThrough(source));
}

/**
 * Returns whether a row of several sources must be reported as deleted, so that two offices don't keep it alive
 * forever (docs/rings.md). Never to the office where it was made, or of unknown installation.
 */
export function isRevoked(row: Row, node: Pick<Node, 'nodeID' | 'installation'>): boolean {
  const { ways: sources, via } = (row.disclosed ?? row).received ?? {};
  if (!sources || node.installation === undefined || via?.[0] === node.installation) return false;
  return !isVisibleTo(row, node);
}

/** Returns whether a row, or its deletion, is sent to the partner: visible to it, and ever part of the share. */
export function isSharedWith(
  row: Row,
  exposure: Pick<Exposure, 'createdAt' | 'began' | 'gaps'>,
  node: Pick<Node, 'nodeID' | 'installation'>,
): boolean {
  return isVisibleTo(row, node) && wasEverShared(row, exposure);
}

/**
 * Returns whether a row was ever shared. A present one counts as shared; a deleted one not if it was deleted before the
 * share or before it reached us, or made and deleted within a gap.
 */
export function wasEverShared(
  row: Row,
  { createdAt, began = createdAt, gaps = [] }: Pick<Exposure, 'createdAt' | 'began' | 'gaps'>,
): boolean {
  const { deletedAt, cameDeleted } = row;
  if (deletedAt === undefined) return true;
  if (cameDeleted) return false;
  return deletedAt >= began && !gaps.some((gap) => containsLifetimeOf(gap, row));
}

/**
 * Returns whether a received row was deleted in a version never sent to the partner, as the list wasn't shared then:
 * neither the version's time at its origin nor its path may be sent.
 */
export function isUnsentVersion(row: Row, { gaps = [] }: Pick<Exposure, 'gaps'>): boolean {
  const { deletedAt, disclosed = row } = row;
  if (deletedAt === undefined || !(disclosed.received ?? disclosed.former)) return false;
  return row.disclosed?.unsent === true || gaps.some(({ from, to }) => deletedAt >= from && deletedAt < to);
}

/** Returns whether a partner learns about a row at all: as sent, or retracted after it was. */
export function isAnnouncedTo(
  row: Row,
  exposure: Parameters<typeof isSharedWith>[1],
  node: Pick<Node, 'nodeID' | 'installation'>,
): boolean {
  return isSharedWith(row, exposure, node) || isRevoked(row, node);
}
