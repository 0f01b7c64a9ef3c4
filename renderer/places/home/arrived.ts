import type { GridRow, ListColumn } from '../../../server/contract/app/lists.ts';
import { sameValues } from '../lists/grid/values.ts';

/** What a partner brought of one row: the cells that changed, or that the row is new. */
export interface ArrivedRow {
  readonly row: GridRow;
  /** Undefined: the row is new. */
  readonly changed: readonly ListColumn[] | undefined;
}

/** Whether a value that arrived is not what the list shows, as the user had changed it before. */
export function staysOwn({ received }: GridRow, { name }: ListColumn): boolean {
  return received?.edited.includes(name) === true;
}

/**
 * Rows that came from a partner within this time, the latest first, with what is new in each. Of a row that came again
 * later nothing is known of before.
 */
export function arrivedRows(
  rows: readonly GridRow[],
  columns: readonly ListColumn[],
  { nodeID, from, until }: { readonly nodeID: string; readonly from: number; readonly until: number },
): readonly ArrivedRow[] {
  return rows
    .filter(({ received }) => {
      const at = received?.nodeID === nodeID ? Date.parse(received.receivedAt) : NaN;
      return at >= from && at <= until;
    })
    .sort((a, b) => ((a.received?.receivedAt ?? '') < (b.received?.receivedAt ?? '') ? 1 : -1))
    .map((row) => {
      const { values, previous } = row.received ?? {};
      if (!previous) return { row, changed: undefined };
      return { row, changed: columns.filter(({ name }) => !sameValues(previous[name], values?.[name])) };
    });
}
