import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { createYielder } from '../../base/yield.ts';
import type { Partition, Store } from '../../store/store.ts';
import { isOfList, listPartition, pageRows } from '../rows/row-table.ts';
import { handleFrom, isFieldName } from './names.ts';
import type { Field, Module } from './model.ts';
import type { Modules } from './modules.ts';
import type { Namespaces } from './namespaces.ts';
import { readLayout, keptMisfits, compareColumns, rewriteRows } from './restructure.ts';
import type { RowWriter } from '../rows/row-batch.ts';
import type { LookUpTitles } from './replaced-ids.ts';

export interface RecoveredList {
  readonly module: Module;
  readonly rows: number;
}

const NAME = 'Recovered list';
const AT_ONCE = 1000;
const ID = /^[1-9]\d{0,19}$/;

/**
 * Defines lists whose rows exist without a definition, in the default workspace, shared with nobody: with the columns
 * noted beside the rows, otherwise text columns. Skips unreadable lists and those without rows outside the bin.
 */
export async function recoverLists(deps: {
  readonly store: Pick<Store, 'partition' | 'partitions' | 'isUnreadable'>;
  readonly modules: Modules;
  readonly namespaces: Namespaces;
  readonly clock: Clock;
  readonly ids: Ids;
}): Promise<readonly RecoveredList[]> {
  const { store, modules, namespaces, clock, ids } = deps;
  const known = await modules.list();
  const binned = (await modules.binned()).map(({ module }) => module);
  const defined = new Set([...known, ...binned].map(({ moduleID }) => listPartition(moduleID)));
  const orphans = (await store.partitions()).filter((name) => isOfList(name) && !defined.has(name));
  const recovered: RecoveredList[] = [];
  for (const name of orphans) {
    const moduleID = name.slice(listPartition('').length);
    if (!ID.test(moduleID) || (await store.isUnreadable(name))) continue;
    const { rows, fields } = await readOrphan(await store.partition(name), ids);
    if (rows === 0 || fields.length === 0) continue;
    const { namespaceID } = await namespaces.default();
    const taken = [...known, ...recovered.map(({ module }) => module)].map(({ handle }) => handle);
    const about = { moduleID, namespaceID, name: NAME, handle: handleFrom(NAME, taken), fields };
    const module = await modules.insert({ ...about, createdAt: new Date(clock.now()).toISOString() });
    recovered.push({ module, rows });
  }
  return recovered;
}

/**
 * Counts an orphan's rows outside the bin, and returns its noted columns, otherwise text columns by the names in its
 * rows.
 */
async function readOrphan(
  partition: Partition,
  ids: Ids,
): Promise<{ rows: number; fields: readonly Field[] }> {
  const noted = (await readLayout(partition))?.fields;
  const names = new Map<string, { isMulti: boolean }>();
  const pause = createYielder();
  let rows = 0;
  let page = await pageRows(partition, AT_ONCE, undefined);
  while (page.length > 0) {
    for (const { purged, deletedAt, values } of page) {
      if (purged) continue;
      if (deletedAt === undefined) rows++;
      for (const [name, texts] of Object.entries(values))
        names.set(name, { isMulti: texts.length > 1 || (names.get(name)?.isMulti ?? false) });
    }
    await pause();
    page = await pageRows(partition, AT_ONCE, page.at(-1)?.recordID);
  }
  const found = [...names].filter(([name]) => isFieldName(name));
  const asTexts = found.map(([name, { isMulti }]): Field => ({
    ...{ fieldID: ids.next(), kind: 'String', name, label: name, isMulti, isRequired: false, options: {} },
  }));
  return { rows, fields: noted ?? asTexts };
}

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
