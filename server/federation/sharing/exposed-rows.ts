import type { VisibleRows } from '../../lists/rows/row-filter-index.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Exposure } from '../model.ts';

/** Returns the rows of a shared list that its condition allows: whatever sends rows reads these. */
export function exposedRows(rows: Rows, { moduleID, condition }: Exposure): VisibleRows {
  return condition === undefined ? rows : rows.visibleTo(moduleID, condition);
}
