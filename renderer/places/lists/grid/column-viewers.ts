import type { ListSummary } from '../../../../server/contract/app/lists.ts';
import type { PartnerColour } from '../../../../server/contract/app/overview.ts';

export interface ColumnViewer {
  readonly partner: string;
  readonly colour: PartnerColour | undefined;
}

/** Returns partners by column id, without columns that none sees. */
export function viewersByColumn(
  sharedWith: ListSummary['sharedWith'],
  colourOf: (nodeID: string) => PartnerColour | undefined,
): ReadonlyMap<string, readonly ColumnViewer[]> {
  const viewers = new Map<string, ColumnViewer[]>();
  for (const { nodeID, partner, sees } of sharedWith) {
    for (const fieldID of sees)
      viewers.set(fieldID, [...(viewers.get(fieldID) ?? []), { partner, colour: colourOf(nodeID) }]);
  }
  return viewers;
}
