import type { Field, ListsChange } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Tx } from '../../store/store.ts';
import { nowOf, type FederationContext } from '../context.ts';
import type { Exposure } from '../model.ts';
import { EXPOSURES } from '../tables.ts';
import { followColumns, findRetypedColumns } from './columns.ts';
import type { Conditions } from './conditions.ts';
import { closeIfBroken, changedAt } from './exposure-parts.ts';
import { keepTitles } from './exposure-pins.ts';
import { createPinUpkeep, everyExposure } from './pin-upkeep.ts';

export interface ExposureUpkeep {
  /**
   * Updates shares of a changed or removed list and of its titles: renamed columns stay, removed and retyped
   * ones leave.
   */
  applyListChange(change: ListsChange): Promise<void>;
  /** Updates all shares and their titles, after changes missed by a crash. */
  applyMissedChanges(): Promise<void>;
}

/**
 * Creates the service that adapts shares to changed lists. Columns that are gone leave a share; without any left it
 * ends.
 */
export function createExposureUpkeep(
  context: Pick<FederationContext, 'system' | 'clock' | 'notifyChanged'>,
  lists: Pick<Lists, 'modules' | 'keepTitles'>,
  conditions: Pick<Conditions, 'resetRowFilters'>,
): ExposureUpkeep {
  const { system } = context;
  const pinUpkeep = createPinUpkeep(context, lists);

  /**
   * Updates a share to its list's columns (`now`). Withdraws it without any, and closes a condition whose columns are
   * gone. Announces a change.
   */
  async function followOne(
    { nodeID, moduleID, composeModuleID, condition }: Exposure,
    now: readonly Field[],
    before?: readonly Field[],
  ): Promise<void> {
    const isChanged = await system.transaction(async (tx) => {
      const exposure = await tx.get(EXPOSURES, moduleID);
      if (!exposure || exposure.deletedAt !== undefined) return false;
      const columns = followColumns(exposure, now, before);
      if (JSON.stringify(columns.fields) === JSON.stringify(exposure.fields))
        return storeIfBroken(tx, exposure, now, nowOf(context));
      const at = nowOf(context);
      const all = (await tx.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
      const updatedAt = changedAt(at, all);
      const ended = columns.fields.length === 0 ? { deletedAt: at } : columns;
      const noted = { ...withRetyped(exposure, now, at), ...withFormer(exposure, now) };
      // A deleted list's condition stays, as its columns may return with it.
      const broken = now.length > 0 && closeIfBroken(exposure, now, at);
      tx.put(EXPOSURES, moduleID, { ...exposure, ...ended, ...noted, ...broken, updatedAt });
      return 'all';
    });
    if (!isChanged) return;
    if (condition !== undefined) await conditions.resetRowFilters(composeModuleID);
    const change = { kind: 'exposure', nodeID, moduleID } as const;
    context.notifyChanged(isChanged === 'ours' ? { ...change, ours: true } : change);
  }

  return {
    /**
     * Updates and announces the open shares of a changed or deleted list: renamed columns stay; removed ones leave, and
     * those that turned to or from a reference. Without any left a share ends. Then updates title columns.
     */
    async applyListChange(change) {
      if (change.kind !== 'list' || (change.change !== 'changed' && change.change !== 'removed')) return;
      const { module, before } = change;
      const now = change.change === 'removed' ? [] : module.fields;
      for (const { value } of await system.find(EXPOSURES, 'compose', module.moduleID))
        if (value.deletedAt === undefined) await followOne(value, now, before?.fields);
      await pinUpkeep.applyListChange(change);
    },

    /** At a start, updates all open shares and title columns to the present lists. */
    async applyMissedChanges() {
      const modules = new Map((await lists.modules()).map((module) => [module.moduleID, module]));
      await pinUpkeep.applyMissedChanges(modules.values());
      for await (const exposure of everyExposure(system)) {
        const module = modules.get(exposure.composeModuleID);
        if (exposure.deletedAt === undefined) {
          await followOne(exposure, module?.fields ?? []);
          if (module) keepTitles(lists, module, exposure.titlePins);
        }
        if (module) await pinUpkeep.pinOne(exposure, module);
      }
    },
  };
}

/** Returns the share's former columns with those deleted now; {} if none was deleted, or the list is. */
function withFormer(exposure: Exposure, now: readonly Field[]): Pick<Exposure, 'formerFieldIDs'> {
  if (now.length === 0) return {};
  const gone = exposure.fieldIDs.filter((id) => now.every(({ fieldID }) => fieldID !== id));
  return gone.length === 0 ? {} : { formerFieldIDs: [...(exposure.formerFieldIDs ?? []), ...gone] };
}

/**
 * Closes the condition and stores that, if its columns are gone; returns `ours` then, as only our user sees it, else
 * false.
 */
function storeIfBroken(tx: Tx, exposure: Exposure, now: readonly Field[], at: string): 'ours' | false {
  const found = closeIfBroken(exposure, now, at);
  if (!found.broken) return false;
  tx.put(EXPOSURES, exposure.moduleID, { ...exposure, ...found });
  return 'ours';
}

/** Returns labels of all columns that left by their kind, with earlier ones; {} if none does now. */
function withRetyped(exposure: Exposure, now: readonly Field[], at: string): Pick<Exposure, 'retyped'> {
  const left = findRetypedColumns(exposure, now).map(({ label, name }) => label || name);
  if (left.length === 0) return {};
  return { retyped: { at, columns: [...(exposure.retyped?.columns ?? []), ...left] } };
}
