import type { VisibleRows } from '../../lists/rows/row-filter-index.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Exposure } from '../model.ts';

/** Returns the rows that a share's condition allows. All that is sent must be read here. */
export function exposedRows(rows: Rows, { moduleID, condition }: Exposure): VisibleRows {
  return condition === undefined ? rows : rows.visibleTo(moduleID, condition);
}
