import type { Partition } from '../../store/store.ts';
import type { Module } from './model.ts';
import type { Modules } from './modules.ts';
import { keptMisfits, readLayout, compareColumns, rewriteRows } from './restructure.ts';
import type { RowWriter } from '../rows/row-batch.ts';
import type { LookUpTitles } from './replaced-ids.ts';

/**
 * Reconciles definition and rows after an older copy of one was restored. Older rows are rewritten for the present
 * columns; an older definition gets the rows' columns, and is written and returned. Otherwise returns undefined.
 */
export async function reconcileDefinition(
  deps: { modules: Modules; partition: Partition; writer: RowWriter; lookUpTitles: LookUpTitles },
  module: Module,
): Promise<Module | undefined> {
  const { modules, partition } = deps;
  const [rows, known] = await Promise.all([readLayout(partition), modules.layouts(module.moduleID)]);
  const token = rows?.token ?? '';
  if (token === (known?.token ?? '')) return undefined;
  const older = known?.earlier.find((layout) => layout.token === token);
  if (known && older) {
    const plan = compareColumns(older, module);
    const layout = { token: known.token, fields: module.fields, before: older.fields };
    if (plan) await rewriteRows(deps, plan, layout, () => undefined, keptMisfits);
    return undefined;
  }
  // An older version noted no columns, so nothing is usable.
  return rows?.fields && modules.adoptLayout(module, { token, fields: rows.fields });
}
