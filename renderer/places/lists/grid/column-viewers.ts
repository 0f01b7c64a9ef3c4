import type { ListSummary } from '../../../../server/contract/app/lists.ts';
import type { PartnerColour } from '../../../../server/contract/app/overview.ts';

/** A partner that sees a column. */
export interface ColumnViewer {
  readonly partner: string;
  /** Absent where nobody knows it yet. */
  readonly colour: PartnerColour | undefined;
}

/** Who sees which columns of a list, by the columns' ids; those that nobody sees are left out. */
export function viewersByColumn(
  sharedWith: ListSummary['sharedWith'],
  colourOf: (nodeID: string) => PartnerColour | undefined,
): ReadonlyMap<string, readonly ColumnViewer[]> {
  const seers = new Map<string, ColumnViewer[]>();
  for (const { nodeID, partner, sees } of sharedWith) {
    for (const fieldID of sees)
      seers.set(fieldID, [...(seers.get(fieldID) ?? []), { partner, colour: colourOf(nodeID) }]);
  }
  return seers;
}
