import type { SeenRows } from '../../lists/rows/audiences.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Exposure } from '../model.ts';

/** The rows of a shared list as far as its condition lets them be seen; all that leaves is read by this. */
export function exposedRows(rows: Rows, { moduleID, condition }: Exposure): SeenRows {
  return condition === undefined ? rows : rows.seenBy(moduleID, condition);
}
