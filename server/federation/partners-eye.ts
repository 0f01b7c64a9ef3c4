import type { Lists } from '../lists/lists.ts';
import type { Rows } from '../lists/rows.ts';
import { projected, type FeedRow } from './feed.ts';
import { mayTravel } from './feed-selection.ts';
import type { FieldDescriptor, Row } from '../lists/model.ts';
import type { Node } from './model.ts';

/** What a partner would see of a list with a given choice of columns, before anything is shared. */
export interface PartnersEye {
  /** Rows that the partner may see. */
  count(node: Node, moduleID: string): Promise<number>;
  /** The first `limit` of them, through the very filter and projection of the feed. Leaves no ledger line. */
  preview(
    node: Node,
    moduleID: string,
    fields: readonly FieldDescriptor[],
    limit: number,
  ): Promise<readonly FeedRow[]>;
}

export function createPartnersEye(lists: Lists): PartnersEye {
  async function* visible(node: Node, rows: Rows): AsyncGenerator<Row> {
    for await (const page of rows.scan()) {
      for (const row of page) if (mayTravel(row, node)) yield row;
    }
  }

  return {
    async count(node, moduleID) {
      const rows = await lists.rows(moduleID);
      const { total, received } = await rows.counts();
      const others = Object.keys(received).filter((nodeID) => nodeID !== node.nodeID);
      // Only rows from third partners can have passed through this one; without them counts are enough.
      if (others.length === 0) return total - (received[node.nodeID] ?? 0);
      let count = 0;
      for await (const row of visible(node, rows)) if (row.recordID) count += 1;
      return count;
    },

    async preview(node, moduleID, fields, limit) {
      const seen: Row[] = [];
      for await (const row of visible(node, await lists.rows(moduleID))) {
        if (seen.length >= limit) break;
        seen.push(row);
      }
      const references = await lists.references(moduleID, seen);
      return seen.map((row) => projected(row, { fields }, references));
    },
  };
}
