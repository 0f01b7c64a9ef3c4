import type { HiddenFrom, Lineage, Provenance, Row, RowOrigin, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { compareTimes } from '../values/times.ts';

/** Returns a row's sources, the leading one first (docs/rings.md). */
export function sourcesOf(received: Provenance): readonly RowSource[] {
  if (received.ways) return received.ways;
  const { nodeID, recordID, createdAt, updatedAt, deletedAt, receivedAt, values, via, origin } = received;
  const source: RowSource = { nodeID, recordID, createdAt, updatedAt, receivedAt, values, via };
  return [{ ...source, ...(deletedAt === undefined ? {} : { deletedAt }), ...(origin ? { origin } : {}) }];
}

/** Returns provenance as partners know it, without values; undefined for a row made here. */
export function lineageOf({ received, former, disclosed }: Row): Lineage | undefined {
  if (disclosed) return disclosed;
  if (!received && !former) return undefined;
  return {
    ...(received && { received: withoutValues(received) }),
    ...(former && { former: withoutValues(former) }),
  };
}

/** Returns the provenance, in all sources, without values, previous ones and edits. */
export function withoutValues(provenance: Provenance): Provenance {
  const ways = provenance.ways?.map((source) => ({ ...source, values: {} }));
  return { ...omit(provenance, 'previous'), values: {}, edited: [], ...(ways ? { ways } : {}) };
}

/**
 * Returns partners not to notify, as a change is invisible to them: all if the row never was visible, otherwise its
 * only source.
 */
export function hiddenFrom(before: Row | undefined, after: Row): HiddenFrom | undefined {
  if (after.cameDeleted && (!before || before.cameDeleted)) return 'all';
  const { received } = after;
  if (!received || received.ways || (before && before.received?.nodeID !== received.nodeID)) return undefined;
  return before?.received?.ways ? undefined : { nodeID: received.nodeID };
}

/** Returns the partner's source of the row, even one that ended or deleted it; undefined if it brings none. */
export function sourceFrom({ received }: Row, nodeID: string): RowSource | undefined {
  if (!received || (!received.ways && received.nodeID !== nodeID)) return undefined;
  return sourcesOf(received).find((source) => source.nodeID === nodeID);
}

/** Returns what identifies a row across partners: the office that made it, and its id there. Undefined if unknown. */
export function originKey({
  via = [],
  origin,
}: {
  readonly via?: readonly string[] | undefined;
  readonly origin?: Pick<RowOrigin, 'id'> | undefined;
}): string | undefined {
  const [installation] = via;
  return origin && installation !== undefined ? `${installation}/${origin.id}` : undefined;
}

/**
 * Returns the sources sorted: first the office that made the row, whatever its version; then sources that haven't
 * deleted it, the newest version by its origin, the shorter path, and an order that is equal everywhere. An ended
 * source stays until a newer version or deletion: otherwise two offices could each keep the row from the other.
 */
export function byPrecedence(sources: readonly RowSource[]): readonly RowSource[] {
  if (sources.length < 2) return sources;
  const isBrought = sources.some((source) => !isDeletedThere(source) && !source.left);
  const goneLast = (one: RowSource, other: RowSource): number =>
    Number(isDeletedThere(one)) - Number(isDeletedThere(other));
  return [...sources].sort(
    (one, other) =>
      Number(isDirect(other)) - Number(isDirect(one)) ||
      (isDirect(one) ? compareIDs(one.nodeID, other.nodeID) : 0) ||
      (isBrought ? goneLast(one, other) : 0) ||
      compareTimes(other.origin?.at ?? '', one.origin?.at ?? '') ||
      goneLast(one, other) ||
      one.via.length - other.via.length ||
      compareText(one.via.join(), other.via.join()),
  );
}

export const isDeletedThere = (source: RowSource): boolean => source.deletedAt !== undefined;

/** Returns the sources with these partners' marked as ended, without those of them that are deleted. */
export function withEnded(sources: readonly RowSource[], nodeIDs: readonly string[]): readonly RowSource[] {
  return sources.flatMap((source) => {
    if (source.left || !nodeIDs.includes(source.nodeID)) return [source];
    return isDeletedThere(source) ? [] : [{ ...source, left: true }];
  });
}

/** Returns whether the source made the row itself, and hasn't ended. */
const isDirect = ({ via, origin, left }: RowSource): boolean =>
  !left && origin !== undefined && via.length === 1;

/** Orders ids by length, then as text, as decimal numbers are. */
function compareIDs(one: string, other: string): number {
  return one.length - other.length || compareText(one, other);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
