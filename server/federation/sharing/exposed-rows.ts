import type { SeenRows } from '../../lists/rows/audiences.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Exposure } from '../model.ts';

/** Returns the rows of a shared list that its condition allows. Everything that leaves is read through it. */
export function exposedRows(rows: Rows, { moduleID, condition }: Exposure): SeenRows {
  return condition === undefined ? rows : rows.seenBy(moduleID, condition);
}
