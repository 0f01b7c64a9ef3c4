import type { ListForOthers, Lists } from '../../lists/lists.ts';
import { EVERY_ROW, createConditionTest, type Condition } from '../../lists/query/condition.ts';
import { takeWhileFitting, countRowChars } from '../../lists/rows/row-size.ts';
import type { TitlePins } from '../../lists/rows/pinned-titles.ts';
import type { Field, Row } from '../../lists/definitions/model.ts';
import { createOutgoing, type FeedRow } from './outgoing.ts';
import type { Exposure, Node } from '../model.ts';
import { isVisibleTo } from './visibility.ts';

export interface SharePreview {
  /** Counts rows that the partner would see. Scans if counters don't suffice. */
  count(node: Node, moduleID: string, condition?: Condition): Promise<number>;
  /** Likewise for an existing share. Scans only without an index. */
  countShared(node: Node, exposure: Exposure): Promise<number>;
  /** Counts rows that the partner sees under `before` only. */
  countRevoked(node: Node, moduleID: string, before: Condition, after: Condition): Promise<number>;
  /** Returns the first rows as sent: `limit`, fewer if large. */
  preview(node: Node, moduleID: string, choice: SharedChoice, limit: number): Promise<SeenRows>;
}

/** Column ids and reference titles. */
export interface SharedChoice {
  readonly fieldIDs: readonly string[];
  readonly titlePins: TitlePins;
  /** Default: every row. */
  readonly condition?: Condition | undefined;
}

export interface SeenRows {
  /** In the list's order. */
  readonly fields: readonly Field[];
  readonly rows: readonly FeedRow[];
  /** The same rows as stored here. */
  readonly whole: readonly Row[];
}

/**
 * Creates a preview of what a partner would see of a list: counts, and first rows as sent. It changes nothing and
 * writes no sharing log.
 */
export function createSharePreview(lists: Lists): SharePreview {
  /** Yields rows that didn't come from the partner and meet the condition. */
  async function* scanVisibleRows(
    node: Node,
    { module, rows }: Pick<ListForOthers, 'module' | 'rows'>,
    condition: Condition = EVERY_ROW,
  ): AsyncGenerator<Row> {
    const meets = createConditionTest(condition, module.fields);
    for await (const page of rows.scan()) {
      for (const row of page) if (isVisibleTo(row, node) && meets(row)) yield row;
    }
  }

  const eye: SharePreview = {
    /**
     * Returns how many rows the partner would see under this condition; by counters alone if that is certain, else by a
     * scan.
     */
    async count(node, moduleID, condition) {
      const rows = await lists.rows(moduleID);
      const { total, received, kept = 0 } = await rows.counts();
      const others = Object.keys(received).filter((nodeID) => nodeID !== node.nodeID);
      // Only third partners' or kept rows can have passed through this one; else counts suffice.
      const isEvery = condition === undefined || condition.parts.length === 0;
      if (isEvery && others.length + kept === 0) return total - (received[node.nodeID] ?? 0);
      const list = { module: await lists.module(moduleID), rows };
      let count = 0;
      for await (const row of scanVisibleRows(node, list, condition)) if (row.recordID) count += 1;
      return count;
    },

    /**
     * Returns how many rows of a share the partner sees, by counters or the index if those are certain, else by a scan.
     */
    async countShared(node, { moduleID: filterID, composeModuleID, condition }) {
      if (condition === undefined) return eye.count(node, composeModuleID);
      const rows = await lists.rows(composeModuleID);
      const { received, kept = 0 } = await rows.counts();
      // The index also counts this partner's rows.
      const isCounted = Object.keys(received).length + kept === 0;
      if (isCounted && (await rows.isBuilt(filterID, condition)))
        return rows.visibleTo(filterID, condition).count();
      return eye.count(node, composeModuleID, condition);
    },

    /** Returns how many rows that `before` gives the partner `after` wouldn't. */
    async countRevoked(node, moduleID, before, after) {
      if (after.parts.length === 0) return 0;
      const list = { module: await lists.module(moduleID), rows: await lists.rows(moduleID) };
      const stays = createConditionTest(after, list.module.fields);
      let count = 0;
      for await (const row of scanVisibleRows(node, list, before)) if (!stays(row)) count += 1;
      return count;
    },

    preview: (node, moduleID, { fieldIDs, titlePins, condition }, limit) =>
      lists.withStableColumns(moduleID, async (list) => {
        const { first: whole } = await takeWhileFitting(
          scanVisibleRows(node, list, condition),
          countRowChars,
          limit,
        );
        const fields = list.module.fields.filter(({ fieldID }) => fieldIDs.includes(fieldID));
        return { fields, whole, rows: await createOutgoing(list, fields, titlePins).rows(whole) };
      }),
  };
  return eye;
}
