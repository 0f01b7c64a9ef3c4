import type { HiddenFrom, Lineage, Provenance, Row, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { compareTimes } from '../values/times.ts';

/** All ways by which a row came, the leading one first (docs/rings.md). */
export function sourcesOf(received: Provenance): readonly RowSource[] {
  if (received.ways) return received.ways;
  const { nodeID, recordID, createdAt, updatedAt, deletedAt, receivedAt, values, via, origin } = received;
  const way: RowSource = { nodeID, recordID, createdAt, updatedAt, receivedAt, values, via };
  return [{ ...way, ...(deletedAt === undefined ? {} : { deletedAt }), ...(origin ? { origin } : {}) }];
}

/** Returns the provenance of a row as partners know it, without values: what decides where its end goes, and as what. */
export function lineageOf({ received, former, disclosed }: Row): Lineage | undefined {
  if (disclosed) return disclosed;
  if (!received && !former) return undefined;
  return {
    ...(received && { received: withoutValues(received) }),
    ...(former && { former: withoutValues(former) }),
  };
}

export function withoutValues(provenance: Provenance): Provenance {
  const ways = provenance.ways?.map((way) => ({ ...way, values: {} }));
  return { ...omit(provenance, 'previous'), values: {}, edited: [], ...(ways ? { ways } : {}) };
}

/** Returns the partners that cannot see a change: all where the row was never theirs to see, or the only one that has it. */
export function hiddenFrom(before: Row | undefined, after: Row): HiddenFrom | undefined {
  if (after.cameDeleted && (!before || before.cameDeleted)) return 'all';
  const { received } = after;
  if (!received || received.ways || (before && before.received?.nodeID !== received.nodeID)) return undefined;
  return before?.received?.ways ? undefined : { nodeID: received.nodeID };
}

/** A row as this partner brings it; undefined where it does not. */
export function sourceFrom({ received }: Row, nodeID: string): RowSource | undefined {
  if (!received || (!received.ways && received.nodeID !== nodeID)) return undefined;
  return sourcesOf(received).find((way) => way.nodeID === nodeID);
}

/**
 * What a row is known under wherever it comes from: the installation where it was made, and the id that it was given
 * there. Undefined where that is not told.
 */
export function originKey({
  via = [],
  origin,
}: Partial<Pick<RowSource, 'via' | 'origin'>>): string | undefined {
  const [installation] = via;
  return origin && installation !== undefined ? `${installation}/${origin.id}` : undefined;
}

/**
 * The ways by which one row comes, the one that counts first. The office where the row was made goes before all others:
 * nobody's word stands against its own, its deletion included. Then a way that still brings the row, the newest version of
 * that office, the shorter way, and what is the same everywhere. A way of before, by which nothing is heard any more, gives
 * way to a newer version alone, be it a deletion: were it forgotten, two offices might each have the row by the other only.
 */
export function byPrecedence(ways: readonly RowSource[]): readonly RowSource[] {
  if (ways.length < 2) return ways;
  const isBrought = ways.some((way) => !isDeletedThere(way) && !way.left);
  const goneLast = (one: RowSource, other: RowSource): number =>
    Number(isDeletedThere(one)) - Number(isDeletedThere(other));
  return [...ways].sort(
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

/** The partner deleted it. */
export const isDeletedThere = (way: RowSource): boolean => way.deletedAt !== undefined;

/** The ways once nothing is heard of these partners any more; what they had deleted counts for nothing then. */
export function withEnded(ways: readonly RowSource[], nodeIDs: readonly string[]): readonly RowSource[] {
  return ways.flatMap((way) => {
    if (way.left || !nodeIDs.includes(way.nodeID)) return [way];
    return isDeletedThere(way) ? [] : [{ ...way, left: true }];
  });
}

const isDirect = ({ via, origin, left }: RowSource): boolean =>
  !left && origin !== undefined && via.length === 1;

/** Of two partners that call themselves the same office, the one that was there first. */
function compareIDs(one: string, other: string): number {
  return one.length - other.length || compareText(one, other);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
