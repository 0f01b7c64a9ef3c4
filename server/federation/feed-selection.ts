import type { Row } from '../lists/model.ts';
import { createPause } from '../lists/pause.ts';
import type { Predicate } from '../lists/query.ts';
import { changedRows, listPartition } from '../lists/row-table.ts';
import { createViews, type View } from '../lists/row-views.ts';
import type { Order, SortKey } from '../lists/sort.ts';
import type { Clock } from '../store/clock.ts';
import type { ChangePoint, Entry, Store } from '../store/store.ts';
import type { Exposure, Node } from './model.ts';

/** Which rows of a list a partner asks for. */
export interface SelectionFilter {
  /** Milliseconds; rows created, changed or deleted at or after it. */
  readonly since: number | undefined;
  /** Deleted rows travel too. */
  readonly deleted: boolean;
  /** The query's text and whether a row fits it; absent: all fit. */
  readonly query?: { readonly text: string; readonly fits: Predicate };
  readonly order: Order;
}

/** Finds the rows of a list that a partner may and wants to see, in order. */
export interface Selections {
  of(exposure: Exposure, node: Node, filter: SelectionFilter): Promise<View>;
  /** Whether there is any at all; cheaper. */
  any(exposure: Exposure, node: Node, since: number | undefined): Promise<boolean>;
}

/** So few changes are looked through at every request; for more, the order is kept between requests. */
const FEW = 2000;
const LOOK = 200;

/** A row goes to a partner unless it came from there, directly or through others (design §5, records). */
export function mayTravel(row: Row, node: Pick<Node, 'nodeID' | 'installation'>): boolean {
  if (!row.received) return true;
  if (row.received.nodeID === node.nodeID) return false;
  return node.installation === undefined || !row.received.via.includes(node.installation);
}

export function createSelections({ store, clock }: { store: Store; clock: Clock }): Selections {
  const views = createViews(clock);

  return {
    async of(exposure, node, { since, deleted, query, order }) {
      const partition = await store.partition(listPartition(exposure.composeModuleID));
      const fits = (row: Row): boolean =>
        (since === undefined || Date.parse(row.updatedAt) >= since) &&
        (deleted || row.deletedAt === undefined) &&
        mayTravel(row, node) &&
        (query === undefined || query.fits(row.values, row));
      if (since !== undefined) {
        const changes = await changedRows(partition, { sinceTime: since }, FEW);
        if (changes.length < FEW) {
          const pause = createPause();
          const entries: SortKey[] = [];
          for (const { value } of changes) {
            if (fits(value)) entries.push(order.keyOf(value));
            await pause();
          }
          return { entries: entries.sort(order.compare) };
        }
      }
      const key = [
        exposure.moduleID,
        node.installation,
        since,
        deleted,
        query?.text,
        order.text,
        exposure.fields,
      ];
      return views.view(partition, { key: JSON.stringify(key), order, fits });
    },

    async any(exposure, node, since) {
      const partition = await store.partition(listPartition(exposure.composeModuleID));
      let point: ChangePoint = { sinceTime: since ?? 0 };
      for (;;) {
        const changes: Entry<Row>[] = await changedRows(partition, point, LOOK);
        if (changes.some(({ value }) => (since !== undefined || !value.deletedAt) && mayTravel(value, node)))
          return true;
        const last = changes.at(-1);
        if (!last || changes.length < LOOK) return false;
        point = { afterSeq: last.seq };
      }
    },
  };
}
