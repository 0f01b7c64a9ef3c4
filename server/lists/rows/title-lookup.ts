import type { Partition, Store } from '../../store/store.ts';
import type { Field, Module } from '../definitions/model.ts';
import type { Modules } from '../definitions/modules.ts';
import { readLayout } from '../definitions/restructure.ts';
import type { LookUpTitles } from '../definitions/replaced-ids.ts';
import { getRows, listPartition } from './row-table.ts';
import { titleOf } from './row-titles.ts';

/**
 * Returns a look-up of a list's row titles by id, bin included; purged and untitled rows are absent. It opens no list,
 * so it never waits for a change of columns.
 */
export function createTitleLookup({ store, modules }: { store: Store; modules: Modules }): LookUpTitles {
  return async (moduleID, recordIDs) => {
    const module = await modules.find(moduleID);
    if (!module) return new Map();
    const partition = await store.partition(listPartition(moduleID));
    const fields = await findStoredColumns(modules, partition, module);
    const titles = (await getRows(partition, recordIDs)).flatMap((row) => {
      const title = row && !row.purged ? titleOf(fields, row.values) : '';
      return row && title !== '' ? [[row.recordID, title] as const] : [];
    });
    return new Map(titles);
  };
}

/** Returns the columns by which the rows are stored: earlier ones if rows or definition were restored. */
async function findStoredColumns(
  modules: Modules,
  partition: Partition,
  { moduleID, fields }: Module,
): Promise<readonly Field[]> {
  const [rows, known] = await Promise.all([readLayout(partition), modules.layouts(moduleID)]);
  const token = rows?.token ?? '';
  if (token === (known?.token ?? '')) return fields;
  return known?.earlier.find((layout) => layout.token === token)?.fields ?? rows?.fields ?? fields;
}
