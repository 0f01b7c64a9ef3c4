import type { GridRow, ListColumn } from '../../../server/contract/app/lists.ts';

/** What a partner brought of one row: the cells that changed, or that the row is new. */
export interface ArrivedRow {
  readonly row: GridRow;
  /** Undefined: the row is new. */
  readonly changed: readonly ListColumn[] | undefined;
}

const same = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Rows that came from a partner in the time before this moment, the latest first, with what is new in each. */
export function arrivedRows(
  rows: readonly GridRow[],
  columns: readonly ListColumn[],
  { nodeID, from }: { readonly nodeID: string; readonly from: number },
): readonly ArrivedRow[] {
  return rows
    .filter(({ received }) => received?.nodeID === nodeID && Date.parse(received.receivedAt) >= from)
    .sort((a, b) => ((a.received?.receivedAt ?? '') < (b.received?.receivedAt ?? '') ? 1 : -1))
    .map((row) => {
      const { values, previous } = row.received ?? {};
      if (!previous) return { row, changed: undefined };
      return { row, changed: columns.filter(({ name }) => !same(previous[name], values?.[name])) };
    });
}
